package compose

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
	"github.com/w2v-go/w2v/subword"
)

// A word is composed before the block of its first occurrence, from its rows as they are
// by then, and all that it changed by is in each of its rows after the block of its last. Numbers are
// eighths, which float16 has. A word's change is the difference of two sums in float32, so it is not exactly a
// multiple of 1/8, and rounding it to float16 may give the neighbour below: hence the tolerance.
func TestCache(t *testing.T) {
	t.Run("f32", func(t *testing.T) { testCache(t, settings.F32, 1e-4) })
	t.Run("f16", func(t *testing.T) { testCache(t, settings.F16, 0.1) })
}

func testCache(t *testing.T, precision settings.Precision, tolerance float64) {
	words := []string{"walk", "walked", "walks", "talk", "talked", "naïve", "a", "oooo"}
	indexer := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	table := rowtable.New(words, indexer, rowtable.Options{})
	r := rand.New(rand.NewPCG(1, 2))
	const length, dim = 40, 3
	c := New(settings.Run{Dim: dim, Subword: indexer, Precision: precision})
	c.Prepare(nil, table)
	p := step.Parts{Values: params.Allocate(c.Matrices(table.Rows(), table)), Division: step.Division{Centres: simd.Lanes, Cached: length}}
	input := p.Values.Matrix(InputName)
	s := c.newCache(p, input, false)
	eighths := func() float32 { return float32(r.IntN(65)-32) / 8 }
	for range 500 {
		centres, n := 1+r.IntN(16), 1+r.IntN(length)
		ids, rows := make([]uint32, n), make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(r.IntN(len(words)))
		}
		want := make([][]float64, input.Rows) // of input
		for i := range want {
			want[i] = make([]float64, dim)
			params.Change(input, i, func(row []float32) {
				for k := range row {
					row[k] = eighths()
					want[i][k] = float64(row[k])
				}
			})
		}
		now := make(map[uint32][]float64) // vectors of words that are composed
		moved := make(map[uint32][]float64)
		s.Begin(step.Text{IDs: ids, Rows: rows}, 0, n, centres)
		for k := 0; k*centres < n; k++ {
			first, last := k*centres, min((k+1)*centres, n)
			s.Compose(k)
			for i := first; i < last; i++ {
				id := ids[i]
				if now[id] == nil {
					now[id], moved[id] = make([]float64, dim), make([]float64, dim)
					of, weights := table.Of(id)
					for e, row := range of {
						for c := range dim {
							now[id][c] += float64(weights[e]) * want[row][c]
						}
					}
				}
				v := s.values.Row(int(rows[i]))
				for c := range dim {
					if math.Abs(float64(v[c])-now[id][c]) > tolerance {
						t.Fatalf("block %d of %d centres, word %d: %v, want %v", k, centres, id, v, now[id])
					}
				}
			}
			for i := first; i < last; i++ {
				for c := range dim {
					d := eighths()
					s.values.Row(int(rows[i]))[c] += d
					now[ids[i]][c] += float64(d)
					moved[ids[i]][c] += float64(d)
				}
			}
			s.Scatter(k, r.Uint32())
			for id, by := range moved {
				if slices.Contains(ids[last:], id) {
					continue
				}
				of, _ := table.Of(id)
				for _, row := range of {
					for c := range dim {
						want[row][c] += by[c]
					}
				}
				delete(moved, id)
			}
			for row := range want {
				for c := range dim {
					if math.Abs(float64(input.Row(row)[c])-want[row][c]) > tolerance {
						t.Fatalf("block %d of %d centres, row %d: %v, want %v", k, centres, row, input.Row(row), want[row])
					}
				}
			}
		}
	}
}

func TestWordsOfSteps(t *testing.T) {
	o := occurrences{words: []uint32{7, 8, 9}, parts: []part{{composed: 2}, {composed: 2}, {composed: 3}}}
	for _, test := range []struct {
		from, to int
		want     []uint32
	}{
		{0, 1, []uint32{7, 8}},
		{1, 2, nil},
		{2, 3, []uint32{9}},
		{0, 3, []uint32{7, 8, 9}},
		{1, 9, []uint32{9}},
		{3, 4, nil},
		{5, 6, nil},
	} {
		if got := o.composed(test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("words of steps %d to %d: %v, want %v", test.from, test.to-1, got, test.want)
		}
	}
}

// Words leave once no later step needs them. A margin may be wider than several steps.
func TestOccurrencesLeave(t *testing.T) {
	ids := []uint32{0, 1, 2, 3, 0, 4, 5, 6}
	for _, test := range []struct {
		margin int
		want   []int // how many words have left after each step of two centres
	}{{0, []int{1, 3, 5, 7}}, {1, []int{0, 2, 4, 7}}, {5, []int{0, 0, 0, 7}}, {100, []int{0, 0, 0, 7}}} {
		o := occurrences{rowOf: make([]uint32, 7), seen: make([]bool, 8), margin: test.margin}
		o.find(make([]uint32, len(ids)), ids, 0, len(ids), 2)
		var got []int
		for _, p := range o.parts {
			got = append(got, p.scattered)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("margin %d: %v have left, want %v", test.margin, got, test.want)
		}
	}
}
