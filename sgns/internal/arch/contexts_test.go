package arch

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

func indexed(t testing.TB, text string) (*vocab.Vocab, *corpus.IDs) {
	t.Helper()
	src := corpus.Stream("text", strings.NewReader(text), corpus.Options{})
	v, ids, err := vocab.Index(t.Context(), src, vocab.Options{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ids.Close() })
	return v, ids
}

// The mean number of contexts is that of all centres that have any, for every width of the
// window, counted one by one.
func TestMeanContexts(t *testing.T) {
	lengths := []int{1, 2, 3, 3, 5, 8, 20}
	for _, kept := range []float64{1, 0.5} {
		var text strings.Builder
		for _, n := range lengths {
			fmt.Fprintln(&text, strings.Repeat("word ", n))
		}
		_, ids := indexed(t, text.String())
		for _, window := range []int{1, 2, 5, 30} {
			centres, contexts := 0, 0
			for _, n := range lengths {
				n = int(math.Round(kept * float64(n)))
				for b := 1; b <= window; b++ {
					for c := range n {
						if of := min(c+b, n-1) - max(c-b, 0); of > 0 {
							centres++
							contexts += of
						}
					}
				}
			}
			got, want := MeanContexts(ids, window, kept), float64(contexts)/float64(centres)
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("window %d, %v of the tokens kept: %v contexts, want %v", window, kept, got, want)
			}
		}
		if got := MeanContexts(ids, 5, 0); got != 0 {
			t.Errorf("no tokens are kept, and there are %v contexts", got)
		}
	}
}

// The part that is kept is one of tokens, not of words.
func TestKeptOf(t *testing.T) {
	v, _ := indexed(t, strings.Repeat("often ", 9)+"once")
	if got := KeptOf(v, []float64{0.5, 1}); math.Abs(got-0.55) > 1e-12 {
		t.Errorf("%v are kept, want 0.55", got)
	}
}
