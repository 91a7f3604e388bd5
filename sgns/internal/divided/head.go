package divided

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/replica"
	"github.com/w2v-go/w2v/vectors"
)

// A head is the rows that all ranks have. They are kept alike as those of a model that is not
// divided.
type head struct {
	Layout
	rows  Rows
	sync  *replica.Synchroniser
	every uint64
}

func newHead(l Layout, comm cluster.Comm, rows Rows, touches Touches, o replica.Options) *head {
	h := &head{Layout: l, every: o.Every}
	var shared []replica.Matrix
	for m := range rows {
		h.rows[m] = firstOf(rows[m], l.Head)
		shared = append(shared, replica.Matrix{Rows: h.rows[m], Touches: touches[m]})
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

// follow keeps the rows alike while workers train a round. It takes a turn whenever they have trained
// so many tokens more, and the rest of turns when they are done. All ranks take as many turns.
func (h *head) follow(ctx context.Context, turns int, trained *atomic.Uint64, done <-chan struct{}) error {
	const look = 2 * time.Millisecond
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for turn := range turns {
		for waiting := true; waiting && trained.Load() < uint64(turn+1)*h.every; {
			select {
			case <-done:
				waiting = false
			case <-ticker.C:
			}
		}
		if err := h.sync.Turn(ctx); err != nil {
			return err
		}
	}
	return nil
}
