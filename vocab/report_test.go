package vocab

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// The report counts what stands in the text, whatever the number of workers is.
func TestReport(t *testing.T) {
	var text strings.Builder
	for i := range 400 { // token i of 400 is seen 1200/(i+1) times
		text.WriteString(strings.Repeat(fmt.Sprintf("t%d ", i), 1200/(i+1)))
		text.WriteString("\n")
	}
	counts := map[string]uint64{}
	for _, token := range strings.Fields(text.String()) {
		counts[token]++
	}
	tokens := uint64(len(strings.Fields(text.String())))
	for _, limit := range []uint64{0, 1} { // bytes of memory; with 1, all counts go to disk
		threads := 1 + 3*int(1-limit)
		sentences := [][]string{}
		for line := range strings.Lines(text.String()) {
			for range 20 { // sentences enough for several workers
				sentences = append(sentences, nil)
			}
			sentences = append(sentences, strings.Fields(line))
		}
		r, err := Describe(context.Background(), corpus.Sentences("text", sentences, corpus.Options{}), Options{Threads: threads, MinCount: 7, limit: limit, Folder: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if r.Tokens != tokens || r.Types != 400 || r.Most != 1200 {
			t.Errorf("%d threads: %d tokens, %d types, most %d", threads, r.Tokens, r.Types, r.Most)
		}
		var top []uint64
		for _, c := range r.Coverage {
			top = append(top, c.Top)
			var want uint64
			for i := range c.Top {
				want += 1200 / (i + 1)
			}
			if c.Tokens != want || c.Share != float64(want)/float64(tokens) {
				t.Errorf("%d threads: the first %d are %d tokens, %v of all, want %d", threads, c.Top, c.Tokens, c.Share, want)
			}
		}
		if want := []uint64{100, 400}; !reflect.DeepEqual(top, want) {
			t.Errorf("coverage of %d, want %d", top, want)
		}
		var least []uint64
		for _, d := range r.Drops {
			least = append(least, d.MinCount)
			var types, dropped uint64
			for _, n := range counts {
				if n < d.MinCount {
					types++
					dropped += n
				}
			}
			if d.Types != types || d.Tokens != dropped || d.Left != 400-types || d.TypeShare != float64(types)/400 || d.TokenShare != float64(dropped)/float64(tokens) {
				t.Errorf("%d threads: %+v, want %d types and %d tokens", threads, d, types, dropped)
			}
		}
		if want := []uint64{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000}; !reflect.DeepEqual(least, want) {
			t.Errorf("drops of %d, want %d", least, want)
		}
		if math.Abs(r.Zipf+1) > 0.03 {
			t.Errorf("%d threads: a slope of %v, and counts fall as ranks rise", threads, r.Zipf)
		}
	}
}

// A suggested smallest count is the usual one, lower where that drops much of the text, and
// higher where it leaves very many words that are little of the text.
func TestSuggestedMinCount(t *testing.T) {
	for want, few := range map[string]map[uint64]uint64{
		"5":  {1: 1000, 100_000: 1},
		"2":  {4: 1000, 2: 1000, 3: 1000, 1: 10, 10: 1},
		"1":  {1: 10, 2: 1},
		"20": {15: 2_000_000, 200_000_000: 10},
		"3":  {1: 100, 4: 100, 5000: 1},
	} {
		tally := tally{}
		for count, types := range few {
			for range types {
				tally.add(count)
			}
		}
		got := tally.report().Suggestions[0]
		if got.Setting != "min-count" || got.Value != want {
			t.Errorf("%v: suggested %+v, want %s", few, got, want)
		}
	}
}

// Subsampling is suggested where it drops anything.
func TestSuggestedSample(t *testing.T) {
	flat, steep := tally{}, tally{}
	for range 10_000 {
		flat.add(7)
		steep.add(7)
	}
	steep.add(50_000)
	for want, tally := range map[string]tally{"0": flat, "0.0003": steep} {
		if got := tally.report().Suggestions[1]; got.Setting != "sample" || got.Value != want {
			t.Errorf("suggested %+v, want %s", got, want)
		}
	}
}
