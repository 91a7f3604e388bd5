package align_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

func TestReadDictionary(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"tabs":                 {"dog\tHund\ncat\tKatze\n", "[{dog Hund} {cat Katze}]"},
		"MUSE":                 {"dog Hund\ncat  Katze", "[{dog Hund} {cat Katze}]"},
		"several translations": {"the\tder\nthe\tdie\nthe\tdas\n", "[{the der} {the die} {the das}]"},
		"repeated":             {"dog\tHund\ndog Hund\n", "[{dog Hund}]"},
		"phrases, with tabs":   {"New York\tNueva York\n", "[{New York Nueva York}]"},
		"Windows":              {"\ufeffdog\tHund\r\n\r\ncat\tKatze\r\n", "[{dog Hund} {cat Katze}]"},
		"comments":             {"# words of animals\n#\ndog\tHund\n#1\tnummer\n", "[{dog Hund} {#1 nummer}]"},
		"white space":          {"  dog \t Hund  \n", "[{dog Hund}]"},
	} {
		d, err := align.ReadDictionary(strings.NewReader(test.text), name)
		if got := fmt.Sprint(d.Entries); err != nil || got != test.want || d.Name != name {
			t.Errorf("%s: %s, %v, want %s", name, got, err, test.want)
		}
	}
}

func TestDictionaryErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "d: no entries: want lines of a word, a tab and a translation",
		"# nothing\n":                      "d: no entries: want lines of a word, a tab and a translation",
		"dog\tHund\ncat\n":                 `d:2: want a word, a tab and a translation, not "cat"`,
		"New York Nueva York\n":            `d:1: want a word, a tab and a translation, not "New York Nueva York"`,
		"dog\tHund\tchien\n":               `d:1: want a word, a tab and a translation, not "dog\tHund\tchien"`,
		"dog\t\n":                          `d:1: want a word, a tab and a translation, not "dog"`,
		"dog\tH\xfcnd\n":                   `d:1: want UTF-8, not "dog\tH\xfcnd"`,
		"a\t" + strings.Repeat("x", 2<<20): "d:1: line of more than 1048576 bytes: is this a dictionary?",
		"a\t" + strings.Repeat("x", vectors.MaxWord+1): fmt.Sprintf("d:1: want words of at most %d bytes, not one of %d, %q", vectors.MaxWord, vectors.MaxWord+1, strings.Repeat("x", 60)+"…"),
	} {
		_, err := align.ReadDictionary(strings.NewReader(text), "d")
		if _, ok := errors.AsType[*align.DictionaryError](err); !ok || err.Error() != want {
			t.Errorf("%.40q: error %v, want %s", text, err, want)
		}
	}
	broken := errors.New("broken")
	if _, err := align.ReadDictionary(iotest.ErrReader(broken), "d"); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func FuzzReadDictionary(f *testing.F) {
	for _, text := range []string{"dog\tHund\n", "dog Hund\ncat Katze", "\ufeff# x\na\tb\r\n", "a\t\xff", "New York\tNueva York", "\t\t", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := align.ReadDictionary(strings.NewReader(text), "d")
		if err != nil {
			if _, ok := errors.AsType[*align.DictionaryError](err); !ok {
				t.Fatalf("error of type %T: %v", err, err)
			}
			return
		}
		if len(d.Entries) == 0 {
			t.Fatal("no entries, and no error")
		}
		var again strings.Builder
		for _, e := range d.Entries {
			if e.Word == "" || e.Translation == "" || strings.ContainsAny(e.Word+e.Translation, "\t\n") || !utf8.ValidString(e.Word+e.Translation) {
				t.Fatalf("%q", e)
			}
			fmt.Fprintf(&again, "%s\t%s\n", e.Word, e.Translation)
		}
		same, err := align.ReadDictionary(strings.NewReader(again.String()), "d")
		if fmt.Sprint(same) != fmt.Sprint(d) && !strings.HasPrefix(d.Entries[0].Word, "\ufeff") {
			t.Fatalf("%q, %v, want %q", same.Entries, err, d.Entries)
		}
	})
}

// Entries are looked up in both vocabularies, and what is missing has a name.
func TestDictionaryPairs(t *testing.T) {
	set := func(words ...string) *vectors.Set {
		return trial.New(vectors.Parts{Words: vectors.NewWords(words...), Input: trial.Plain(len(words), 2).Input()})
	}
	a, b := set("dog", "cat", "the"), set("Katze", "Hund", "der", "die")
	d, err := align.ReadDictionary(strings.NewReader("the\tder\nthe\tdie\nthe\tdas\ncat\tKatze\nDog\tHund\nbird\tVogel\nbird\tHund\n"), "d")
	if err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[vectors.Case]string{
		vectors.CaseAuto: "[{0 1} {1 0} {2 2} {2 3}] {3 [bird] [das Vogel]}",
		vectors.CaseKept: "[{1 0} {2 2} {2 3}] {4 [Dog bird] [das Vogel]}",
	} {
		pairs, missing, err := d.Pairs(a, b, rule)
		if got := fmt.Sprint(pairs, missing); err != nil || got != want {
			t.Errorf("%d: %s, %v, want %s", rule, got, err, want)
		}
	}
	if _, _, err := d.Pairs(a, b, 9); err == nil {
		t.Error("an unknown rule")
	}
}
