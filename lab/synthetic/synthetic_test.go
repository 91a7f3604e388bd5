package synthetic_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/lab/synthetic"
)

// write returns a text.
func write(t *testing.T, o synthetic.Options) string {
	t.Helper()
	var b bytes.Buffer
	n, err := synthetic.Write(&b, o)
	if err != nil || n != uint64(b.Len()) {
		t.Fatalf("wrote %d bytes of %d, %v", n, b.Len(), err)
	}
	return b.String()
}

func TestTextsDependOnTheirOptionsAlone(t *testing.T) {
	o := synthetic.Options{Tokens: 2000, Words: 500, Seed: 3}
	text := write(t, o)
	if write(t, o) != text {
		t.Error("two texts of the same options differ")
	}
	if o.Seed++; write(t, o) == text {
		t.Error("texts of two seeds are the same")
	}
}

func TestTextsHaveAsManyTokensAsAsked(t *testing.T) {
	for _, tokens := range []uint64{1, 2, 1000, 12_345} {
		text := write(t, synthetic.Options{Tokens: tokens})
		if n := len(strings.Fields(text)); n != int(tokens) {
			t.Errorf("%d tokens, want %d", n, tokens)
		}
		if !strings.HasSuffix(text, "\n") || strings.Contains(text, "  ") || strings.Contains(text, " \n") || strings.Contains(text, "\n\n") {
			t.Errorf("%d tokens are not lines of words with a space between them", tokens)
		}
	}
}

// sorted returns the counts of all words, by falling count.
func sorted(text string) (counts []int) {
	of := map[string]int{}
	for word := range strings.FieldsSeq(text) {
		of[word]++
	}
	for _, n := range of {
		counts = append(counts, n)
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	return counts
}

// The bounds are around what the two texts have to which the constants are fitted.
func TestWordsAreAsFrequentAsInEnglish(t *testing.T) {
	const tokens = 2_000_000
	counts := sorted(write(t, synthetic.Options{Tokens: tokens}))
	for _, test := range []struct {
		rank      int
		low, high float64
	}{{1, 0.055, 0.08}, {10, 0.0075, 0.0125}, {100, 7e-4, 12e-4}, {1000, 9e-5, 12e-5}, {10_000, 5e-6, 9e-6}} {
		if f := float64(counts[test.rank-1]) / tokens; f < test.low || f > test.high {
			t.Errorf("word %d has frequency %.3g, want %.3g to %.3g", test.rank, f, test.low, test.high)
		}
	}
	if n := len(counts); n < 50_000 || n > 110_000 {
		t.Errorf("%d different words", n)
	}
}

// In English, a word of a paragraph is likely to occur there again. A text in which every token is
// drawn alone has these words in nearly as many lines as it has tokens of them.
func TestWordsAreBursty(t *testing.T) {
	count, lines := map[string]int{}, map[string]int{}
	for line := range strings.Lines(write(t, synthetic.Options{Tokens: 3_000_000})) {
		here := map[string]bool{}
		for _, word := range strings.Fields(line) {
			count[word]++
			here[word] = true
		}
		for word := range here {
			lines[word]++
		}
	}
	var share, words float64
	for word, n := range count {
		if n >= 10 && n < 300 {
			share += float64(lines[word]) / float64(n)
			words++
		}
	}
	if share /= words; math.Abs(share-0.89) > 0.03 {
		t.Errorf("words are in %.3f lines for each of their tokens, want about 0.89", share)
	}
}

func TestTextsHaveAsManyWordsAsAsked(t *testing.T) {
	for _, test := range []struct{ tokens, words, low int }{{100_000, 100, 100}, {2_000_000, 20_000, 19_500}, {1_000_000, 200_000, 110_000}} {
		counts := sorted(write(t, synthetic.Options{Tokens: uint64(test.tokens), Words: test.words}))
		if n := len(counts); n > test.words || n < test.low {
			t.Errorf("%d tokens have %d different words, want %d to %d", test.tokens, n, test.low, test.words)
		}
	}
}

// The vocabulary of a text is known before the text is made, and the beginning of a text has words of it.
func TestVocabularies(t *testing.T) {
	o := synthetic.Options{Tokens: 500_000, Words: 50_000, First: 100_000, Seed: 1}
	var b bytes.Buffer
	if err := synthetic.WriteVocabulary(&b, o); err != nil {
		t.Fatal(err)
	}
	counts, sum, last := map[string]float64{}, 0.0, math.Inf(1)
	for line := range strings.Lines(b.String()) {
		var word string
		var n float64
		if _, err := fmt.Sscan(line, &word, &n); err != nil || n < 1 || n > last {
			t.Fatalf("%q behind a count of %v, %v", line, last, err)
		}
		counts[word], last = n, n
		sum += n
	}
	if len(counts) != o.Words || math.Abs(sum/float64(o.Tokens)-1) > 0.1 {
		t.Errorf("%d words with %.0f tokens", len(counts), sum)
	}
	found := map[string]float64{}
	all := strings.Fields(write(t, o))
	for _, word := range all {
		if counts[word] == 0 {
			t.Fatalf("%s is not in the vocabulary", word)
		}
		found[word]++
	}
	if len(all) != int(o.First) {
		t.Errorf("the beginning of the text has %d tokens", len(all))
	}
	for word, n := range counts {
		if want := n * float64(o.First) / float64(o.Tokens); want > 1000 && math.Abs(found[word]/want-1) > 0.15 {
			t.Errorf("%s is there %v times, want %.0f", word, found[word], want)
		}
	}
}

func TestTextsThatCannotBeMade(t *testing.T) {
	for _, o := range []synthetic.Options{{}, {Tokens: 1, Words: -1}, {Tokens: 1, Words: 1<<30 + 1}} {
		if _, err := synthetic.Write(new(bytes.Buffer), o); err == nil {
			t.Errorf("%+v makes a text", o)
		}
	}
	full := errors.New("disk full")
	if _, err := synthetic.Write(&faults.Writer{Room: 1 << 20, Err: full}, synthetic.Options{Tokens: 1_000_000}); !errors.Is(err, full) {
		t.Errorf("error %v, want that of the writer", err)
	}
}
