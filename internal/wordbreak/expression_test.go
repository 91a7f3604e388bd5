package wordbreak

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

var update = flag.Bool("update", false, "write the expressions")

const expressionsFile = "expressions.txt"

// whole tells whether there is no word boundary in a text.
func whole(text string) bool {
	segments := words.FromString(text)
	return segments.Next() && segments.Value() == text
}

// classes are characters by their property Word_Break, found by what package words joins
// them to.
func classes() map[string][]rune {
	found := map[string][]rune{}
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		s := string(c)
		add := func(class string) { found[class] = append(found[class], c) }
		if isGood(c) {
			add("good")
		}
		pictograph := whole("\u200d" + s)
		switch {
		case whole("." + s):
			add("ignored")
			continue
		case whole("a" + s):
			switch {
			case whole("ア" + s):
				add("connectors")
			case whole("1." + s):
				add("numbers")
			default:
				add("letters")
				if whole(s + "'") {
					add("hebrewLetters")
				}
				if pictograph {
					add("pictographLetters")
					pictograph = false
				}
			}
		case whole("ア" + s):
			add("katakana")
		case whole("\U0001f1e6" + s):
			add("regional")
		default:
			if whole("a" + s + "a") {
				add("midLetters")
			}
			if whole("1" + s + "1") {
				add("midNumbers")
			}
		}
		if pictograph {
			add("pictographs")
		}
	}
	return found
}

// ranges writes characters as they stand between the brackets of an expression.
func ranges(characters []rune) string {
	var b strings.Builder
	for i := 0; i < len(characters); {
		last := i
		for last+1 < len(characters) && characters[last+1] == characters[last]+1 {
			last++
		}
		b.WriteRune(characters[i])
		switch last - i {
		case 0:
		case 1:
			b.WriteRune(characters[last])
		default:
			b.WriteByte('-')
			b.WriteRune(characters[last])
		}
		i = last + 1
	}
	return b.String()
}

// The expressions are those that packages words and unicode make. go test ./internal/wordbreak
// -run TestExpressions -update writes them after a change of either.
func TestExpressions(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every character")
	}
	var text strings.Builder
	for _, e := range expressionsOf(classes()) {
		fmt.Fprintf(&text, "%+q\n", e)
	}
	if *update {
		if err := os.WriteFile(expressionsFile, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if quotedExpressions != text.String() {
		t.Errorf("%s is not what packages words and unicode make: run this test with -update", expressionsFile)
	}
}

// expressionsOf makes the expressions of Expressions. They list characters instead of naming their
// properties, because engines have tables of different versions of Unicode. Comments name the rules
// of UAX #29.
func expressionsOf(found map[string][]rune) []string {
	class := func(characters string) string { return "[" + characters + "]" }
	of := func(name string) string { return ranges(found[name]) }
	const (
		joiner = "\u200d"
		// Newlines and blanks belong to no word. Marks after them begin a new segment.
		apart = `\x00\t\n\v\f\r ` + "\u0085\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000"
	)
	var (
		letters           = of("letters")           // ALetter and Hebrew_Letter
		hebrewLetters     = of("hebrewLetters")     // Hebrew_Letter
		numbers           = of("numbers")           // Numeric
		katakana          = of("katakana")          // Katakana
		connectors        = of("connectors")        // ExtendNumLet
		ignored           = of("ignored")           // Extend, Format and ZWJ
		midLetters        = of("midLetters")        // MidLetter, MidNumLet and Single_Quote
		midNumbers        = of("midNumbers")        // MidNum, MidNumLet and Single_Quote
		regional          = of("regional")          // Regional_Indicator
		pictographs       = of("pictographs")       // Extended_Pictographic, but for letters
		pictographLetters = of("pictographLetters") // Extended_Pictographic and ALetter
		good              = of("good")              // letters, numbers and pictographs of package unicode

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
