package engine

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// Rows that are frozen keep every bit, and others are moved by a step as if none were.
func TestFrozenRowsStay(t *testing.T) {
	text := toyText()
	negative := float32(math.Copysign(0, -1)) // adding 0 would make it 0
	for name, change := range map[string]func(*config){
		"words":                 func(c *config) {},
		"subwords":              func(c *config) { c.Subword = fastText },
		"words, by a group":     func(c *config) { c.Deterministic, c.Threads = true, 2 },
		"subwords, by a group":  func(c *config) { c.Subword, c.Deterministic, c.Threads = fastText, true, 2 },
		"words, two at a time":  func(c *config) { c.blockCentres = 2 },
		"words, four at a time": func(c *config) { c.blockCentres = 4 },
		"CBOW":                  func(c *config) { c.Arch = cbow },
		"CBOW, two at a time":   func(c *config) { c.Arch, c.blockCentres = cbow, 2 },
		"CBOW of subwords":      func(c *config) { c.Arch, c.Subword = cbow, fastText },
		"nested CBOW":           func(c *config) { c.Arch, c.Nested = cbow, []int{5, 37} },
	} {
		for _, every := range []int{1, 2, 3, 7} {
			c := defaults()
			c.Dim, c.LearningRate = 37, 1
			change(&c)
			prepare := func(freeze bool) toy {
				return toyStepOf(t, c, func(p *params.Values) {
					for _, name := range []string{"input", "output"} {
						m := p.Matrix(name)
						frozen := make([]bool, m.Rows)
						for row := 0; row < m.Rows; row += every {
							m.Row(row)[row%37] = negative
							frozen[row] = true
						}
						if freeze {
							p.Freeze(name, frozen)
						}
					}
				})
			}
			frozen, free := prepare(true), prepare(false)
			before := prepare(false)
			defer before.Close()
			// One step: frozen rows are then seen as they would be by others.
			n := min(frozen.parts.Division.Step(), len(text.IDs))
			for _, s := range []toy{frozen, free} {
				s.text.IDs = append(s.text.IDs, text.IDs[:n]...)
				s.text.From = append(s.text.From, text.From[:n]...)
				for _, to := range text.To[:n] {
					s.text.To = append(s.text.To, min(to, int32(n)))
				}
				s.Worker.train()
				s.Store()
				s.Close()
			}
			moved := false
			check := func(what string, frozen []bool, got, free, before vectors.Matrix) {
				for row := range got.Rows {
					want := free.Row(row)
					if frozen[row] {
						want = before.Row(row)
						moved = moved || !slices.Equal(free.Row(row), want)
					}
					if !bytes.Equal(numbersOf(got.Row(row)), numbersOf(want)) {
						t.Errorf("%s, every %d frozen: %s row %d, which is frozen: %v, is %v, want %v", name, every, what, row, frozen[row], got.Row(row), want)
					}
				}
			}
			for _, name := range []string{"input", "output"} {
				check(name, frozen.run.Values.Frozen(name), frozen.run.Values.Matrix(name), free.run.Values.Matrix(name), before.run.Values.Matrix(name))
			}
			if !moved {
				t.Errorf("%s, every %d frozen: none of them would have moved", name, every)
			}
		}
	}
}
