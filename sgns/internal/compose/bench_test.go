package compose

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/vectors"
)

// BenchmarkCompose composes words of 20 random rows, 16 words a step, while the rows of the next step are
// asked for, as training does. With large matrices it shows how fast memory gives rows.
func BenchmarkCompose(b *testing.B) {
	const dim, perWord, words, steps = 100, 20, 1 << 16, 128
	r := rand.New(rand.NewPCG(1, 2))
	for _, precision := range []settings.Precision{settings.F32, settings.F16} {
		for _, megabytes := range []int{1, 16, 128, 1024} {
			b.Run(fmt.Sprintf("precision=%v/MB=%d", precision, megabytes), func(b *testing.B) {
				m := params.Matrix{Name: InputName, Cols: dim, Halves: precision == settings.F16}
				m.Rows = int(float64(megabytes) * 1e6 / m.RowBytes())
				input := params.Allocate(params.List{m}).Matrix(InputName)
				for i := range m.Rows {
					params.Change(input, i, func(row []float32) { row[0] = 1 }) // so that its page is there
				}
				halves, _ := params.HalvesOf(input)
				s := &cache{
					occurrences: &occurrences{words: make([]uint32, steps*simd.Lanes)},
					input:       input, halves: halves,
					values: vectors.NewMatrix(2*steps*simd.Lanes, dim),
				}
				for range words {
					s.lists.Starts = append(s.lists.Starts, uint64(len(s.lists.Rows)))
					for range perWord {
						s.lists.Rows = append(s.lists.Rows, uint32(r.IntN(m.Rows)))
						s.lists.Weights = append(s.lists.Weights, 1./perWord)
					}
				}
				s.lists.Starts = append(s.lists.Starts, uint64(len(s.lists.Rows)))
				for k := range steps {
					s.parts = append(s.parts, part{composed: (k + 1) * simd.Lanes})
				}
				k := 0
				for b.Loop() {
					if k %= steps; k == 0 {
						for i := range s.words {
							s.words[i] = uint32(r.IntN(words))
						}
					}
					s.Compose(k)
					k++
				}
				rows := float64(b.N) * simd.Lanes * perWord
				b.ReportMetric(float64(b.Elapsed())/rows, "ns/row")
			})
		}
	}
}
