package loss

import (
	"github.com/w2v-go/w2v/sgns/internal/random"
	"github.com/w2v-go/w2v/vocab"
)

// A Pool is where negatives come from when the rows of few words are at hand: those of the Head most
// frequent words, whose rows have the words' numbers, and those of words that were drawn from all
// others. Each word of the head is drawn as often as without a pool. The pool stands for the
// others: a word is in Tail as many times as it was drawn for it.
type Pool struct {
	Head uint32
	Tail []uint32 // rows
}

// A Pooled loss draws its negatives from a pool.
type Pooled interface {
	// DrawFrom makes p the pool of all workers, none of whom may be in a step.
	DrawFrom(p Pool)
	// Sample draws words for Tail, from those beyond the head. It returns how many: fewer than asked for
	// if these words are drawn rarely, and none if they never are.
	Sample(words []uint32, head uint32, g *random.Generator) int
}

var _ Pooled = (*sampling)(nil)

func (l *sampling) DrawFrom(p Pool) { l.pool = p }

func (l *sampling) Sample(words []uint32, head uint32, g *random.Generator) int {
	n := 0
	for tries := triesForEach * len(words); n < len(words) && tries > 0; tries-- {
		if words[n] = l.noise.Draw(g.Next()); words[n] >= head {
			n++
		}
	}
	return n
}

// triesForEach is how many draws may be made to find a word beyond the head. If more are needed, one draw
// in so many is of the pool, and the pool may be smaller.
const triesForEach = 32

// draw draws rows.
func (p *Pool) draw(rows []uint32, noise *vocab.Alias, g *random.Generator) {
	for i := range rows {
		row := noise.Draw(g.Next())
		if row >= p.Head {
			row = p.Tail[g.Below(len(p.Tail))]
		}
		rows[i] = row
	}
}
