package wordbreak

import "strings"

// Expressions returns regular expressions that find the words of a text one after the
// other: the pieces that the first one matches in the text are the texts of the second,
// and so on, and what the last one matches are the words. The text is valid UTF-8.
//
// Oniguruma and JavaScript (flags g and u) understand them and find the same. Characters
// are listed and not named by property, since each engine has tables of another version
// of Unicode. The names of UAX #29's rules stand beside what is made of them.
func Expressions() []string { return expressionsOf(class) }

// SameExpressions tells whether these are expressions that Expressions returned,
// perhaps with the characters of another version of Unicode.
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

// class returns the expression of a character among some.
func class(characters string) string { return "[" + characters + "]" }

// withoutClasses returns an expression with nothing between its brackets.
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
		// Newlines and blanks are in no word. What marks may follow them begins anew.
		apart = `\x00\t\n\v\f\r ` + "\u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000"
	)
	var (
		any      = class(`\s\S`)
		letter   = class(letters)
		hebrew   = class(hebrewLetters)
		number   = class(numbers)
		kana     = class(katakana)
		marks    = class(ignored) + "*"  // WB4
		pictured = "(?<=" + joiner + ")" // before what WB3c says of pictographs

		// A run is what may be joined as far as two neighbours can tell: too much, as
		// cuts says.
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

		// Cuts are where a run was joined and should not have been: behind katakana, unless
		// katakana or a connector follows; behind a pictograph that is not a letter; before
		// katakana, unless katakana or a connector stands before it; and behind a Hebrew
		// letter and its mark ', unless a letter follows. A pictograph behind a joiner stays.
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
