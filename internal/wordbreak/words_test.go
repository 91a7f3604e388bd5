package wordbreak

import (
	"testing"

	"github.com/clipperhouse/uax29/v2/words"
)

func TestWord(t *testing.T) {
	for segment, want := range map[string]string{
		"":               "",
		"the":            "the",
		"²":              "²",
		"__":             "",
		"__a":            "__a",
		".":              "",
		"\u202fa":        "\u202fa", // which UAX #29 joins to a word
		".\u200d🙂":       ".\u200d🙂",
		" \u200d🙂":       "\u200d🙂",
		"\u3000 \u200d🙂": "\u200d🙂",
		"\t\uff9e":       "\uff9e",
		"\x00\uff9e":     "\uff9e",
		"\u3000\u0301":   "",
		"\xff":           "\xff",
		"\u0301\xff":     "\u0301\xff",
		"\U00010d50":     "", // a letter that package unicode does not know yet
	} {
		if got := string(Word([]byte(segment))); got != want {
			t.Errorf("%q: got %q, want %q", segment, got, want)
		}
	}
}

// What a text is cut into is a word by itself.
func TestIsWord(t *testing.T) {
	const text = "don't 1,000.5 a.b. C++ km² א' א'1 カa カ_a 🇩🇪🇫🇷 👩\u200d💻 .\u200d🙂 \u3000 \u200d🙂 \t\uff9e e\u0301a \u0301 日本 \U00010d50a \xff\xfe"
	found := 0
	for segments := words.FromString(text); segments.Next(); {
		word := string(Word([]byte(segments.Value())))
		if word == "" {
			continue
		}
		found++
		if !IsWord(word) {
			t.Errorf("%q is not a word by itself", word)
		}
	}
	if found < 20 {
		t.Errorf("%d words", found)
	}
	for _, text := range []string{"", " ", "a b", " a", "a ", "C++", "km²", "א'1", "カa", "🇩🇪🇫", "日本", "_", "\u3000\u200d🙂"} {
		if IsWord(text) {
			t.Errorf("%q is a word", text)
		}
	}
}

func TestLower(t *testing.T) {
	for upper, want := range map[rune]rune{
		'A': 'a', 'z': 'z', '1': '1', 'É': 'é', 'ß': 'ß', 'ẞ': 'ß', 'Σ': 'σ', 'ς': 'ς', 'İ': 'i', 'ı': 'ı', 'Ǆ': 'ǆ', 'ǅ': 'ǆ',
		'K': 'k', 'Ⓜ': 'ⓜ', 'Ꭰ': 'ꭰ', '\u1c89': '\u1c8a', '\u1c8a': '\u1c8a',
		'\ua7cb': '\u0264', '\ua7cc': '\ua7cd', '\ua7cd': '\ua7cd', '\ua7ce': '\ua7cf', '\ua7d2': '\ua7d3', '\ua7d3': '\ua7d3',
		'\ua7d4': '\ua7d5', '\ua7da': '\ua7db', '\ua7dc': '\u019b',
		0x10d4f: 0x10d4f, 0x10d50: 0x10d70, 0x10d65: 0x10d85, 0x10d66: 0x10d66,
		0x16e9f: 0x16e9f, 0x16ea0: 0x16ebb, 0x16eb8: 0x16ed3, 0x16eb9: 0x16eb9, 0x10ffff: 0x10ffff,
	} {
		if got := Lower(upper); got != want {
			t.Errorf("%U: got %U, want %U", upper, got, want)
		}
	}
}

// A letter that becomes longer does not end a word, at whose end a sigma is another letter.
func TestLowerTextOfLongerLetters(t *testing.T) {
	for _, c := range []struct{ of, upper, want string }{
		{"el", "İΣ ΑΣ", "i\u0307ς ας"},
		{"el", "ȺȾΣ ΣΑ", "ⱥⱦς σα"},
		{"tr", "ISIISΣ", "ısıısς"},
		{"lt", "ÌÌÌÌΣ\xff", "i\u0307\u0300i\u0307\u0300i\u0307\u0300i\u0307\u0300ς\xff"},
	} {
		if got := string(LowerText(c.of, []byte(c.upper))); got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.of, c.upper, got, c.want)
		}
	}
}
