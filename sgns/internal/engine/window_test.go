package engine

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/arch"
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/sgns/internal/settings"
	"github.com/w2v-go/w2v/sgns/internal/step"
)

// draws returns the window that a block draws, and the generator that its contexts are drawn
// with where they are.
func (c config) draws(g *random.Generator) (window int, contexts *random.Generator) {
	switch {
	case c.Window == 0:
		g := random.Generator(g.Next())
		return 0, &g
	case c.WindowMode == settings.Fixed:
		return c.Window, nil
	case c.WindowMode == settings.Harmonic:
		u := float64(g.Next()>>32+1) / (1 << 32)
		return int(min(math.Floor(1/u), float64(c.Window))), nil
	}
	return 1 + g.Below(c.Window), nil
}

// drawnFrom draws the contexts of a centre from the line at positions from to to-1.
func drawnFrom(from, to, centre int, g *random.Generator) (contexts []int) {
	var others []int
	for p := from; p < to; p++ {
		if p != centre {
			others = append(others, p)
		}
	}
	if len(others) <= 6 {
		return others
	}
	for last := len(others) - 6; last < len(others); last++ {
		p := others[g.Below(last+1)]
		if slices.Contains(contexts, p) {
			p = others[last]
		}
		contexts = append(contexts, p)
	}
	return contexts
}

// windows are the ways to choose contexts that are not the usual one.
func windows() (all []named) {
	for _, v := range []named{{"fixed", config{}}, {"harmonic", config{}}, {"whole lines", config{}}} {
		for _, variant := range []struct {
			name   string
			change func(*config)
		}{
			{"skip-gram", func(*config) {}},
			{"skip-gram of n-grams", func(c *config) { c.Subword = fastText }},
			{"skip-gram, tied", func(c *config) { c.Tied = true }},
			{"skip-gram, hierarchical softmax", func(c *config) { c.Loss = hierarchicalSoftmax }},
			{"skip-gram, nested", func(c *config) { c.Nested = []int{3, 7} }},
			{"cbow", func(c *config) { c.Arch = cbow }},
			{"structured", func(c *config) { c.Arch = structured }},
		} {
			c := defaults()
			c.Dim, c.Window, c.Seed = 7, 4, 3
			variant.change(&c)
			switch v.name {
			case "fixed":
				c.WindowMode = settings.Fixed
			case "harmonic":
				c.WindowMode = settings.Harmonic
			default:
				if c.Window = 0; c.Validate() != nil {
					continue
				}
			}
			all = append(all, named{v.name + ", " + variant.name, c})
		}
	}
	return all
}

// A step is the gradient of the contexts that were drawn, and of no others, however they are
// drawn: of a block, of a text, and of a text that a group trains.
func TestWindowsAreTrained(t *testing.T) {
	all := windows()
	if len(all) != 7+7+5 {
		t.Errorf("%d variants", len(all))
	}
	for _, v := range all {
		for _, block := range []struct{ first, last int }{{0, 16}, {3, 4}, {9, 10}, {5, 12}} {
			if err := newTwin(t, v.config, 0, 0).compareBlock(toyText(), block.first, block.last); err != nil {
				t.Errorf("%s: block from %d to %d: %v", v.name, block.first, block.last-1, err)
			}
		}
		v.blockCentres, v.LearningRate = 4, 0.01
		if err := newTwin(t, v.config, 12, 0).compareText(longText(60)); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		c := v.config
		if c.Deterministic = true; !c.variant(t).ColumnParallel() {
			continue
		}
		c.Threads, c.superBlocks = 2, 1
		w, number := newTwin(t, c, 12, 0), uint64(0)
		next := func() (int, *random.Generator, []uint32) {
			g := random.Stream(random.Mix(c.Seed), number)
			number++
			negatives := make([]uint32, w.parts.Division.Draws)
			w.parts.Loss.Draw(negatives, &g)
			window, contexts := c.draws(&g)
			return window, contexts, negatives
		}
		if err := w.compareTextOf(longText(60), next, 0); err != nil {
			t.Errorf("%s, by a group: %v", v.name, err)
		}
		w.Close()
	}
}

// A window reaches a distance as often as its mode says.
func TestWindowsReach(t *testing.T) {
	const rounds = 200_000
	for _, mode := range []settings.WindowMode{settings.Dynamic, settings.Fixed, settings.Harmonic} {
		for _, most := range []int{1, 2, 5, 1000} {
			windows, g := step.WindowsOf(settings.Run{Window: most, WindowMode: mode}), random.Stream(5, 6)
			reached := make([]float64, most+2)
			for range rounds {
				reached[windows.Draw(&g)]++
			}
			for d := most; d > 0; d-- {
				reached[d] += reached[d+1]
			}
			if reached[0] != 0 {
				t.Errorf("%q of %d: %v windows of 0", mode, most, reached[0])
			}
			for d := 1; d <= most; d++ {
				want := mode.Reaches(d, most)
				got := reached[d] / rounds
				if off := 5 * math.Sqrt(want*(1-want)/rounds); math.Abs(got-want) > off {
					t.Errorf("%q of %d: distance %d is reached by %.4f of the windows, want %.4f ± %.4f", mode, most, d, got, want, off)
				}
			}
		}
	}
}

// The contexts of a centre are all different, none is the centre, each other word of the line is
// one as often, and they are as many as in a window of usual width, or all.
func TestContextsOfWholeLines(t *testing.T) {
	for _, length := range []int{1, 2, 7, 8, 40} {
		c := defaults()
		c.Window = 0
		w := newTwin(t, c, 0, 0).Worker
		b := step.NewBatch(w.parts.Architecture, w.parts.Loss, w.parts.Parts, 1, true)
		text := step.Text{Rows: make([]uint32, length)}
		for i := range length {
			text.IDs = append(text.IDs, uint32(i)%uint32(len(toyWords)))
			text.From, text.To = append(text.From, 0), append(text.To, int32(length))
		}
		centres := min(length, MaxCentres)
		times := make([]map[uint32]float64, centres)
		for i := range times {
			times[i] = map[uint32]float64{}
		}
		contexts := min(length-1, arch.LineContexts)
		g := random.Stream(1, uint64(length))
		const rounds = 20_000
		for range rounds {
			b.Reseed(&g)
			if pairs := b.Prepare(text, 0, centres, 0, 1); pairs != centres*contexts {
				t.Fatalf("a line of %d: %d pairs, want %d", length, pairs, centres*contexts)
			}
			for i := range centres {
				var of int
				for k, with := range b.Inputs {
					if with>>i&1 != 0 {
						of++
						times[i][b.Words[k]]++
					}
				}
				if of != contexts || b.Each[i] != float32(contexts) {
					t.Fatalf("a line of %d: a centre has %d contexts, and says %v, want %d", length, of, b.Each[i], contexts)
				}
			}
		}
		for i := range centres {
			places := map[uint32]float64{} // of other words in the line
			for k, word := range text.IDs {
				if k != i {
					places[word]++
				}
			}
			for word, n := range places {
				p := n * float64(contexts) / float64(length-1)
				if got, off := times[i][word]/rounds, 5*math.Sqrt(n*p/rounds); math.Abs(got-p) > off {
					t.Errorf("a line of %d, centre %d: word %d is a context %.4f times, want %.4f ± %.4f", length, i, word, got, p, off)
				}
			}
			if len(times[i]) != len(places) {
				t.Errorf("a line of %d, centre %d: contexts %s", length, i, fmt.Sprint(times[i]))
			}
		}
	}
}

// A centre has as many contexts in a whole line as in a window of usual width.
func TestLineContextsAreThoseOfTheUsualWindow(t *testing.T) {
	usual, mean := defaults().Window, 0.0
	for d := 1; d <= usual; d++ {
		mean += 2 * settings.Dynamic.Reaches(d, usual)
	}
	if mean != arch.LineContexts {
		t.Errorf("%d contexts, and a window of %d has %v", arch.LineContexts, usual, mean)
	}
}
