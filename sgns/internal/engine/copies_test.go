package engine

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
)

// copied gives two groups of workers copies of all output rows of a run, and of those behind them, but the first.
func copied(t testing.TB, r *Run, c config) {
	t.Helper()
	list := r.Values.List()
	for i, m := range list {
		if m.Role != params.Output || m.SameAs != "" {
			continue
		}
		var rows []uint32
		outputs := r.Values.OfStep(m.Name).Rows
		for row := outputs - 1; row > 0; row-- {
			rows = append(rows, uint32(row))
		}
		list[i].Copied = params.NewCopied(rows, outputs, 2, 3)
	}
	r.Values, r.Groups = params.Allocate(list), []int{0, 1}
	fill(r.Values, c)
}

// A worker that trains alone learns with copies what it learns without them, in all variants, however often
// copies and rows meet, and afterwards the rows have all of it.
func TestCopiesOfOneWorker(t *testing.T) {
	for name, change := range variants {
		c := defaults()
		c.Dim, c.LearningRate = 37, 0.01
		if change(&c); c.Nested != nil {
			c.Dim = c.Nested[len(c.Nested)-1]
		}
		plain := toyStep(t, c)
		defer plain.Close()
		own := toyStep(t, c)
		own.Close()
		r := own.run
		copied(t, r, c)
		own.Worker = r.NewWorker(0, 0)
		defer own.Close()
		own.Load()
		text := toyText()
		for range 20 {
			for _, w := range []*Worker{plain.Worker, own.Worker} {
				w.text.IDs = append(w.text.IDs, text.IDs...)
				w.text.From, w.text.To = append(w.text.From, text.From...), append(w.text.To, text.To...)
				w.train()
			}
		}
		own.Store()
		plain.Store()
		want := all(plain.run.Values)
		for m, rows := range all(r.Values) {
			for i, x := range rows.Data {
				if y := want[m].Data[i]; math.Abs(float64(x-y)) > 1e-4*(1+math.Abs(float64(y))) {
					t.Fatalf("%s: number %d of matrix %d is %v with copies, and %v without", name, i, m, x, y)
				}
			}
		}
	}
}
