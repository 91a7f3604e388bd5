package wording_test

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/internal/wording"
)

func TestThousands(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 12345: "12,345", 999999: "999,999", 1234567: "1,234,567",
		-1: "-1", -999: "-999", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := wording.Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %q, want %q", n, got, want)
		}
	}
	if got, want := wording.Thousands(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"; got != want {
		t.Errorf("Thousands of the largest number = %q, want %q", got, want)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 words are", 1: "1 word is", 2: "2 words are", 1001: "1,001 words are"} {
		if got := wording.Count(n, "word is", "words are"); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestAre(t *testing.T) {
	for n, want := range map[int]string{0: "are 0 rows", 1: "is 1 row", 2000: "are 2,000 rows"} {
		if got := wording.Are(n, "row", "rows"); got != want {
			t.Errorf("Are(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	for _, test := range []struct {
		n, all int
		want   string
	}{{0, 1, "0 of 1 word have"}, {1, 1, "1 of 1 word has"}, {1, 2, "1 of 2 words has"}, {2, 1000, "2 of 1,000 words have"}} {
		if got := wording.Of(test.n, test.all, "word", "words", "has", "have"); got != test.want {
			t.Errorf("Of(%d, %d) = %q, want %q", test.n, test.all, got, test.want)
		}
	}
}

// A command that is proposed can be pasted into a shell.
func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"run.ck": "run.ck", "a/b-1_2:x@y=%.ck": "a/b-1_2:x@y=%.ck", "é": "é",
		"my ck": "'my ck'", "it's": `'it'\''s'`, "$HOME": "'$HOME'", "": "''", "a;b": "'a;b'", "|": "'|'", `\t`: `'\t'`, "*": "'*'", "a\nb": "'a\nb'", "~": "'~'",
	} {
		if got := wording.Quoted(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"window", "dim", "epochs", "min-count"}
	for misspelt, want := range map[string]string{
		"windows": "window", "wndow": "window", "din": "dim", "epoch": "epochs", "min_count": "min-count",
		"colour": "", "": "",
	} {
		if got := wording.Nearest(misspelt, names); got != want {
			t.Errorf("%q: %q, want %q", misspelt, got, want)
		}
	}
}
