package arch

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vocab"
)

func indexed(t testing.TB, text string) (*vocab.Vocab, *vocab.IDs) {
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
			got, want := MeanContexts(ids, window, settings.Dynamic, kept), float64(contexts)/float64(centres)
			if math.Abs(got-want) > 1e-9 {
				t.Errorf("window %d, %v of the tokens kept: %v contexts, want %v", window, kept, got, want)
			}
		}
		if got := MeanContexts(ids, 5, settings.Dynamic, 0); got != 0 {
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

// So it is of windows that are not drawn uniformly.
func TestMeanContextsOfModes(t *testing.T) {
	lengths := []int{1, 2, 3, 3, 5, 8, 20}
	var text strings.Builder
	for _, n := range lengths {
		fmt.Fprintln(&text, strings.Repeat("word ", n))
	}
	_, ids := indexed(t, text.String())
	for _, window := range []int{1, 2, 5, 30} {
		for mode, share := range map[settings.WindowMode]func(width int) float64{
			settings.Fixed: func(width int) float64 {
				if width == window {
					return 1
				}
				return 0
			},
			settings.Harmonic: func(width int) float64 {
				if width == window {
					return 1 / float64(width)
				}
				return 1/float64(width) - 1/float64(width+1)
			},
		} {
			var centres, contexts float64
			for _, n := range lengths {
				for c := range n {
					if n > 1 {
						centres++
					}
					for b := 1; b <= window; b++ {
						contexts += share(b) * float64(min(c+b, n-1)-max(c-b, 0))
					}
				}
			}
			if got, want := MeanContexts(ids, window, mode, 1), contexts/centres; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s windows of %d: %v contexts, want %v", mode, window, got, want)
			}
		}
	}
}
