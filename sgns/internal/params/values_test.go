package params_test

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

func TestInitialRowsDependOnSeedAndNumberOnly(t *testing.T) {
	initial := func(words []string) (vectors.Matrix, *rowtable.Table) {
		table := rowtable.New(words, subword.FastText{MinN: 3, MaxN: 6, Buckets: 5000}, rowtable.Options{Separate: true})
		m := vectors.NewMatrix(table.Rows(), 8)
		params.Uniform(table.Members, 0.5)(m, 5)
		return m, table
	}
	a, ta := initial([]string{"one", "two"})
	b, tb := initial([]string{"one", "two", "three"})
	for w := range 2 {
		x, y := a.Row(int(ta.WordRow[w])), b.Row(int(tb.WordRow[w]))
		for k := range x {
			if x[k] != y[k] {
				t.Fatalf("word %d starts as %v, and as %v in a larger vocabulary", w, x, y)
			}
			if x[k] < -0.5 || x[k] > 0.5 {
				t.Errorf("initial number %v is beyond 0.5", x[k])
			}
		}
	}
}

func TestFinite(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, test := range []struct {
		x    []float32
		want bool
	}{{nil, true}, {[]float32{1, -2, math.MaxFloat32, math.MaxFloat32}, true}, {[]float32{1, nan}, false}, {[]float32{inf, 0}, false}} {
		if got := params.Finite(test.x); got != test.want {
			t.Errorf("params.Finite(%v) is %v", test.x, got)
		}
	}
	for i := range 50 {
		x := make([]float32, 50)
		if x[i] = nan; params.Finite(x) {
			t.Errorf("number %d of 50 is not looked at", i)
		}
	}
}
