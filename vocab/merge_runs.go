package vocab

import (
	"bytes"
	"context"
)

// cursors is a heap of cursors, the least first.
type cursors struct {
	all  []*cursor
	less func(a, b *cursor) bool
}

// byToken orders cursors by their tokens.
func byToken(a, b *cursor) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	if order := bytes.Compare(a.token, b.token); order != 0 {
		return order < 0
	}
	return a.number < b.number
}

// byCount orders cursors by falling count. Of equal counts, those of earlier runs come first.
func byCount(a, b *cursor) bool {
	if a.count != b.count {
		return a.count > b.count
	}
	return a.number < b.number
}

const (
	leastCursor = 4 << 10   // bytes of a cursor's buffer
	mostCursor  = 256 << 10 // more does not make reading faster
)

// openRuns returns cursors at the beginnings of runs, whose buffers take about so much memory
// together.
func openRuns(runs []sortedRun, memory uint64, less func(a, b *cursor) bool) (*cursors, error) {
	size := int(min(max(memory/uint64(max(len(runs), 1)), leastCursor), mostCursor))
	h := &cursors{less: less}
	for i := range runs {
		c := &cursor{run: &runs[i], number: i, at: runs[i].first, buf: make([]byte, 0, size)}
		more, err := c.next()
		if err != nil {
			return nil, err
		}
		if more {
			h.all = append(h.all, c)
		}
	}
	for i := len(h.all)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	return h, nil
}

// down moves a cursor to its place below.
func (h *cursors) down(i int) {
	c := h.all[i]
	for {
		child := 2*i + 1
		if child >= len(h.all) {
			break
		}
		if child+1 < len(h.all) && h.less(h.all[child+1], h.all[child]) {
			child++
		}
		if !h.less(h.all[child], c) {
			break
		}
		h.all[i] = h.all[child]
		i = child
	}
	h.all[i] = c
}

// advance moves the first cursor on.
func (h *cursors) advance() error {
	more, err := h.all[0].next()
	if err != nil {
		return err
	}
	if !more {
		last := len(h.all) - 1
		h.all[0] = h.all[last]
		h.all = h.all[:last]
	}
	if len(h.all) > 0 {
		h.down(0)
	}
	return nil
}

// An occurrence is a token in a run.
type occurrence struct {
	run int
	id  uint64
}

// mergeTokens calls yield for every token of the runs in the order of bytes, with the sum of its
// counts and its occurrences. Both slices are valid until yield returns. It ends with the context's
// error when ctx ends.
func mergeTokens(ctx context.Context, runs []sortedRun, memory uint64, yield func(token []byte, count uint64, at []occurrence) error) error {
	h, err := openRuns(runs, memory, byToken)
	if err != nil {
		return err
	}
	var token []byte
	var at []occurrence
	for n := 0; len(h.all) > 0; n++ {
		if n%reportEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c := h.all[0]
		token, at = append(token[:0], c.token...), at[:0]
		count, prefix := uint64(0), c.prefix
		for len(h.all) > 0 {
			c := h.all[0]
			if c.prefix != prefix || !bytes.Equal(c.token, token) {
				break
			}
			count += c.count
			at = append(at, occurrence{c.number, c.id})
			if err := h.advance(); err != nil {
				return err
			}
		}
		if err := yield(token, count, at); err != nil {
			return err
		}
	}
	return nil
}
