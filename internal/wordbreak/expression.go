package wordbreak

import "strings"

// Expressions returns regular expressions that find the words of a text in several steps. The first
// one is applied to the text, the second one to each match of the first, and so on. The matches of
// the last one are the words. The text must be valid UTF-8.
//
// Oniguruma and JavaScript (flags g and u) find the same words. The expressions list characters instead
// of naming their properties, because engines have tables of different versions of Unicode. Comments
// name the rules of UAX #29.
func Expressions() []string { return expressionsOf(class) }

// SameExpressions reports whether these are the expressions of Expressions, perhaps with the
// characters of another version of Unicode.
func SameExpressions(expressions []string) bool {
	empty := expressionsOf(func(string) string { return "[]" })
	if len(expressions) != len(empty) {
		return false
	}
	for i, e := range expressions {
		if withoutClasses(e) != empty[i] {
			return false
		}
	}
	return true
}

func class(characters string) string { return "[" + characters + "]" }

func withoutClasses(expression string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(expression, "[")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, after, closed := strings.Cut(rest, "]")
		if !closed {
			return b.String() + "[" // no such expression
		}
		b.WriteString("[]")
		expression = after
	}
}

func expressionsOf(class func(characters string) string) []string {
	const (
		joiner = "\u200d"
		// Newlines and blanks belong to no word. Marks after them begin a new segment.
		apart = `\x00\t\n\v\f\r ` + "\u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000"
	)
	var (
		any      = class(`\s\S`)
		letter   = class(letters)
		hebrew   = class(hebrewLetters)
		number   = class(numbers)
		kana     = class(katakana)
		marks    = class(ignored) + "*"  // WB4
		pictured = "(?<=" + joiner + ")" // what precedes a pictograph in WB3c

		// A run joins characters by rules that look only at neighbours. This joins too
		// much, which cuts corrects.
		run = "(?:(?:" +
			hebrew + marks + `(?:'|"(?=` + marks + hebrew + "))" + // WB7a, WB7b, WB7c
			"|" + letter + "(?:" + marks + class(midLetters) + "(?=" + marks + letter + "))?" + // WB5, WB6, WB7, WB9
			"|" + number + "(?:" + marks + class(midNumbers) + "(?=" + marks + number + "))?" + // WB8, WB10, WB11, WB12
			"|" + class(katakana+connectors) + // WB13, WB13a, WB13b
			"|" + pictured + class(pictographs) + // WB3c
			")" + marks + ")+"
		// A start is any character, or a flag: WB15, WB16.
		start = "(?:" + class(regional) + "(?:" + marks + class(regional) + ")?|" + class("^"+apart) + ")" + marks
		all   = "(?:" + start + pictured + "(?=" + class(pictographs+pictographLetters) + "))?" + run + "|" + start

		// Cuts are the places where a run was joined but must not be: after katakana, unless
		// katakana or a connector follows; after a pictograph that is not a letter; before
		// katakana, unless katakana or a connector precedes it; and after a Hebrew letter and
		// its mark ', unless a letter follows. A pictograph after a joiner stays joined.
		cuts = any + "*?(?:" +
			"(?:" + kana + "(?!" + marks + class(katakana+connectors) + ")|" + class(pictographs) + ")" + marks +
			"(?!" + class(ignored) + ")(?!" + pictured + class(pictographs+pictographLetters) + ")(?=" + any + ")" +
			"|" + class("^"+katakana+connectors+ignored) + marks + "(?=" + kana + ")" +
			"|" + hebrew + marks + "'" + marks + "(?=" + class(numbers+connectors) + ")" +
			")|" + any + "+"

		words = "^(?=" + any + "*?" + class(good) + ")" + any + "+"
	)
	return []string{all, cuts, words}
}
