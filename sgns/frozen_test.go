package sgns

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// Rows that are frozen keep every bit, and others are moved by a step as if none were.
func TestFrozenRowsStay(t *testing.T) {
	text := toyText()
	negative := float32(math.Copysign(0, -1)) // adding 0 would make it 0
	for name, change := range map[string]func(*Config){
		"words":                 func(c *Config) {},
		"subwords":              func(c *Config) { c.Subword = fastText },
		"words, by a team":      func(c *Config) { c.Deterministic, c.Threads = true, 2 },
		"subwords, by a team":   func(c *Config) { c.Subword, c.Deterministic, c.Threads = fastText, true, 2 },
		"words, two at a time":  func(c *Config) { c.blockCentres = 2 },
		"words, four at a time": func(c *Config) { c.blockCentres = 4 },
		"CBOW":                  func(c *Config) { c.Arch = CBOW },
		"CBOW, two at a time":   func(c *Config) { c.Arch, c.blockCentres = CBOW, 2 },
		"CBOW of subwords":      func(c *Config) { c.Arch, c.Subword = CBOW, fastText },
		"nested CBOW":           func(c *Config) { c.Arch, c.Nested = CBOW, []int{5, 37} },
	} {
		for _, every := range []int{1, 2, 3, 7} {
			c := Defaults()
			c.Dim, c.LearningRate = 37, 1
			change(&c)
			prepare := func(freeze bool) toy {
				return toyStepOf(t, c, func(p *parameters) {
					for _, m := range []struct {
						vectors.Matrix
						frozen *[]bool
					}{{p.input, &p.frozenInput}, {p.output, &p.frozenOutput}} {
						if freeze {
							*m.frozen = make([]bool, m.Rows)
						}
						for row := 0; row < m.Rows; row += every {
							m.Row(row)[row%37] = negative
							if freeze {
								(*m.frozen)[row] = true
							}
						}
					}
				})
			}
			frozen, free := prepare(true), prepare(false)
			before := prepare(false)
			defer before.close()
			// One step: frozen rows are then seen as they would be by others.
			n := min(frozen.shape.centres*max(frozen.round, 1), len(text.ids))
			for _, s := range []toy{frozen, free} {
				s.text.ids = append(s.text.ids, text.ids[:n]...)
				s.text.from = append(s.text.from, text.from[:n]...)
				for _, to := range text.to[:n] {
					s.text.to = append(s.text.to, min(to, int32(n)))
				}
				if err := s.worker.train(); err != nil {
					t.Fatal(err)
				}
				s.store()
				s.close()
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
			check("input", frozen.frozenInput, frozen.input, free.input, before.input)
			check("output", frozen.frozenOutput, frozen.output, free.output, before.output)
			if !moved {
				t.Errorf("%s, every %d frozen: none of them would have moved", name, every)
			}
		}
	}
}

// numbersOf are the bytes of a row.
func numbersOf(row []float32) []byte {
	return numbers(vectors.Matrix{Data: row})
}
