package divided

import (
	"context"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
)

// A head is the rows that all ranks have. After each round the ranks combine what they changed.
type head struct {
	Layout
	comm    cluster.Comm
	rows    Rows
	shared  Rows // what the rows of all ranks have in common: each rank's own changes come on top
	threads int
}

func newHead(l Layout, comm cluster.Comm, rows Rows, threads int) *head {
	h := &head{Layout: l, comm: comm, threads: threads}
	for m := range rows {
		h.rows[m] = rows[m].First(l.Head)
		h.shared[m] = vectors.NewMatrix(l.Head, l.Cols)
	}
	return h
}

func (h *head) initialise(seed uint64, bound float32) {
	for row := range h.Head {
		in := h.shared[input].Row(row)
		clear(in)
		clear(h.shared[output].Row(row))
		params.UniformRow(in, seed, uint64(row), bound)
	}
	for m := range matrices {
		for row := range h.Head {
			copy(h.rows[m].Row(row), h.shared[m].Row(row))
		}
	}
}

// span returns the rows of the head that a rank combines.
func (h *head) span(rank int) (first, last int) {
	return h.Head * rank / h.Ranks, h.Head * (rank + 1) / h.Ranks
}

// each calls do for each row of a span in a message.
func (h *head) each(rank int, message []byte, do func(m, row int, code []byte)) {
	first, last := h.span(rank)
	size := codeBytes * h.Cols
	inParts(h.threads, last-first, func(from, to int) {
		for i := from; i < to; i++ {
			for m := range matrices {
				do(m, first+i, message[(i*matrices+m)*size:][:size])
			}
		}
	})
}

func (h *head) message(rank int) []byte {
	first, last := h.span(rank)
	return make([]byte, (last-first)*matrices*codeBytes*h.Cols)
}

// combine combines what all ranks changed. No worker trains.
func (h *head) combine(ctx context.Context) error {
	send := make([][]byte, h.Ranks)
	for rank := range send {
		send[rank] = h.message(rank)
		h.each(rank, send[rank], func(m, row int, code []byte) {
			putChange(code, h.rows[m].Row(row), h.shared[m].Row(row))
		})
	}
	received, err := h.comm.AllToAll(send).Wait(ctx)
	if err != nil {
		return err
	}
	combined := h.message(h.Rank)
	for _, message := range received {
		if len(message) != len(combined) {
			return errMessage
		}
	}
	size := codeBytes * h.Cols
	inParts(h.threads, len(combined)/size, func(first, last int) {
		sum, one := make([]float32, h.Cols), make([]float32, h.Cols)
		for i := first; i < last; i++ {
			clear(sum)
			var squares float32
			for _, message := range received {
				get(one, message[i*size:])
				for k, x := range one {
					sum[k] += x
					squares += x * x
				}
			}
			var whole float32
			for _, x := range sum {
				whole += x * x
			}
			if whole > squares {
				share := squares / whole
				for k := range sum {
					sum[k] *= share
				}
			}
			put(combined[i*size:], sum)
		}
	})
	all := make([][]byte, h.Ranks)
	for rank := range all {
		all[rank] = combined
	}
	if all, err = h.comm.AllToAll(all).Wait(ctx); err != nil {
		return err
	}
	change := make([][]byte, h.Ranks)
	copy(change, send)
	for rank := range all {
		if len(all[rank]) != len(change[rank]) {
			return errMessage
		}
		h.each(rank, all[rank], func(m, row int, code []byte) { add(h.shared[m].Row(row), code) })
		// What rounding took from this rank's change stays in its rows, and is sent later.
		h.each(rank, all[rank], func(m, row int, code []byte) { add(h.rows[m].Row(row), code) })
		h.each(rank, change[rank], func(m, row int, code []byte) { subtract(h.rows[m].Row(row), code) })
	}
	return nil
}
