package divided

import (
	"context"
	"sync/atomic"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/replica"
	"github.com/w2v-go/w2v/vectors"
)

// A head is the rows that all ranks have. They are kept alike as those of a model that is not
// divided.
type head struct {
	Layout
	rows    Rows
	sync    *replica.Synchroniser
	trained uint64 // tokens of a rank by the last turn
}

func newHead(l Layout, comm cluster.Comm, rows Rows, touches Touches, o replica.Options) *head {
	h := &head{Layout: l}
	var shared []replica.Matrix
	for m := range rows {
		h.rows[m] = firstOf(rows[m], l.Head)
		own := make([]float64, l.Head) // those of all words need not be kept
		for word := range own {
			own[word] = touches[m](word)
		}
		shared = append(shared, replica.Matrix{Rows: h.rows[m], Touches: func(word int) float64 { return own[word] }})
	}
	h.sync = replica.New(comm, shared, o)
	return h
}

// firstOf returns the first rows of a matrix, and nothing of the others.
func firstOf(m vectors.Matrix, rows int) vectors.Matrix {
	m.Rows, m.Data = rows, m.Data[:rows*m.Stride]
	return m
}

func (h *head) initialise(seed uint64, bound float32) {
	for row := range h.Head {
		in := h.rows[input].Row(row)
		clear(in)
		clear(h.rows[output].Row(row))
		params.UniformRow(in, seed, uint64(row), bound)
	}
	h.sync.Refer()
}

// A Pace keeps the workers of a rank and the turns of the head together while a round is trained. Turns are
// equally far apart. The last one begins three quarters of that distance before the end of the round, so
// that it takes place while the rest is trained. Workers wait for turns that are late: the head is the part
// of the model on which the ranks would soonest disagree.
type Pace struct {
	tokens  int // of the round, at most
	ahead   int
	trained atomic.Uint64
	reached []chan struct{} // for each turn: closed when it can begin
	turned  []chan struct{} // and when it has ended
}

// Pace returns the pace of a round.
func (d *Division) Pace() *Pace {
	p := &Pace{tokens: d.options.Limits.Tokens, ahead: d.options.Ahead}
	every := int(d.options.Head.Every)
	for range (p.tokens + every - 1) / every {
		p.reached = append(p.reached, make(chan struct{}))
		p.turned = append(p.turned, make(chan struct{}))
	}
	return p
}

// due is how many turns are due when so many tokens of the round are trained.
func (p *Pace) due(trained int) int {
	turns := uint64(len(p.turned)) // of which turn k is due at (k+1/4)/turns of the round
	return int(min((4*uint64(trained)*turns/uint64(p.tokens)+3)/4, turns))
}

// Wait waits until a worker may train text that is behind so many tokens of the round.
func (p *Pace) Wait(before int) {
	if turn := p.due(before) - 1 - p.ahead; turn >= 0 {
		<-p.turned[turn]
	}
}

// Add counts tokens that a worker has trained.
func (p *Pace) Add(tokens uint64) {
	now := p.trained.Add(tokens)
	for turn := p.due(int(now - tokens)); turn < p.due(int(now)); turn++ {
		close(p.reached[turn])
	}
}

// Follow keeps the head alike while workers train a round. Done is closed when they have. All ranks take as
// many turns.
func (d *Division) Follow(ctx context.Context, p *Pace, done <-chan struct{}) (err error) {
	for turn := range p.turned {
		select {
		case <-done:
		case <-p.reached[turn]:
		}
		if err == nil {
			d.head.trained += uint64(p.tokens / len(p.turned))
			err = d.head.sync.Turn(ctx, d.head.trained)
		}
		close(p.turned[turn])
	}
	return err
}
