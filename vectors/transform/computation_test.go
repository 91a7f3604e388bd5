package transform

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// long are what takes time by more than the size of a set.
var long = map[string]func(ctx context.Context, s *vectors.Set, how Computation) error{
	"pq": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, err := Quantize(ctx, s, QuantizeOptions{Method: QuantizePQ, Computation: how})
		return err
	},
	"opq": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, err := Quantize(ctx, s, QuantizeOptions{Method: QuantizeOPQ, Computation: how})
		return err
	},
	"reduce": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Reduce(ctx, s, 2, how)
		return err
	},
	"all but the top": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := AllButTheTop(ctx, s, 2, how)
		return err
	},
	"whiten": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Whiten(ctx, s, how)
		return err
	},
	"factorize": func(ctx context.Context, s *vectors.Set, how Computation) error {
		_, _, err := Factorize(ctx, s, FactorizeOptions{Rank: 2, Computation: how})
		return err
	},
}

// longRows returns a set of words with random vectors.
func longRows(words, dim int) *vectors.Set {
	random := rand.New(rand.NewPCG(uint64(words), uint64(dim)))
	m := vectors.NewMatrix(words, dim)
	var list []string
	for i := range words {
		list = append(list, "w"+strings.Repeat("x", i%7)+string(rune('a'+i%26))+strings.Repeat("y", i/26))
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(random.NormFloat64())
		}
	}
	return trial.New(vectors.Parts{Words: vectors.NewWords(list...), Input: m})
}

// Progress rises from near nothing to near all, and a computation does no more after the context
// has ended than what it was about.
func TestComputationsEndWithTheContext(t *testing.T) {
	s := longRows(400, 40)
	for name, compute := range long {
		calls, last := 0, -1.0
		err := compute(t.Context(), s, Computation{Progress: func(what string, done float64) {
			calls++
			if done < last || done > 1 || !strings.Contains(what, "40 dimensions") {
				t.Errorf("%s: %q is %v done after %v", name, what, done, last)
			}
			last = done
		}})
		if err != nil || calls < 3 || last < 0.9 {
			t.Errorf("%s: error %v, told %d times, %v done at last", name, err, calls, last)
		}
		for at := 0; at < calls-1; at += 1 + calls/6 {
			ctx, cancel := context.WithCancel(t.Context())
			told := 0
			err := compute(ctx, s, Computation{Progress: func(string, float64) {
				if told++; told == at+1 {
					cancel()
				}
			}})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s, ended when told the %dth time of %d: error %v", name, at+1, calls, err)
			}
			if more := told - at - 1; more > 4 { // of parts that are done side by side
				t.Errorf("%s, ended when told the %dth time of %d: told %d times more", name, at+1, calls, more)
			}
		}
	}
}

// What cannot be held is refused before anything is allocated, unless it is forced.
func TestComputationsAreRefused(t *testing.T) {
	s := longRows(10, 3000)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(100 << 20))
	for name, want := range map[string]string{
		"opq":       "a rotation of 3000 dimensions, and centroids needs about ",
		"reduce":    "principal components of 3000 dimensions needs about ",
		"whiten":    "whitening of 3000 dimensions needs about ",
		"factorize": "factors of 3000 dimensions needs about ",
	} {
		var refused *MemoryError
		err := long[name](t.Context(), s, Computation{})
		if !errors.As(err, &refused) || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), "GOMEMLIMIT is 104.9 MB: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := long[name](ctx, s, Computation{Force: true}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, forced: %v", name, err)
		}
	}
	if err := long["pq"](t.Context(), s, Computation{}); err != nil {
		t.Errorf("pq needs little: %v", err)
	}
}

// Rows that are too long to be rotated are refused, by what to do instead.
func TestRowsTooLongToRotate(t *testing.T) {
	err := long["opq"](t.Context(), longRows(2, 5000), Computation{})
	if want := "rows of 5000 numbers, and the method opq rotates at most 4096: choose the method pq, or reduce the dimensions before"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// No more rows than centroids are coded as they are, without a rotation to be fitted.
	if err := long["opq"](t.Context(), longRows(2, 1500), Computation{}); err != nil {
		t.Error(err)
	}
}
