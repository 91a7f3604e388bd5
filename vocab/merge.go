package vocab

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// merge makes one vocabulary of the workers' counts.
func merge(workers []*worker, src *corpus.Source, o Options) (*Vocab, finalIDs, error) {
	least := uint64(max(o.MinCount, 1))
	if o.Fixed != nil || o.Known != nil {
		least = 1 // tokens of the vocabulary may be rare in the corpus
	}
	all, err := mergeTables(workers, least, o.tally())
	if err != nil {
		return nil, nil, err
	}
	if all.tokens.len() == 0 {
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	all.report(o)
	if o.Fixed != nil {
		return o.Fixed, all.rename(o.Fixed.ids(all.tokens)), nil
	}
	counted := all.tokens.len()
	kept, err := all.tokens.choose(o)
	if err != nil {
		return nil, nil, err
	}
	v, ids, err := newVocab(all.tokens, kept)
	if err != nil {
		return nil, nil, err
	}
	if v.Len() == 0 {
		return nil, nil, fmt.Errorf("%s: %w", src.Name(), all.rareError(o.MinCount))
	}
	return v, all.rename(ids[:counted]), nil
}

// merged is the counts of all workers in one table: the largest worker's table, to which the other tables are
// added.
type merged struct {
	tokens  *table
	largest int       // index of the worker with the largest table
	ids     [][]int32 // for each other worker, the merged ids of its tokens, or -1
	left    RareError // tokens that were left out as too rare
	tally   *tally    // counts all tokens; nil without a report
}

// mergeTables adds up the workers' counts. It may leave out tokens that occur less often than least.
func mergeTables(workers []*worker, least uint64, t *tally) (m *merged, err error) {
	m = &merged{ids: make([][]int32, len(workers)), tally: t}
	for i, w := range workers {
		if w.tokens.len() > workers[m.largest].tokens.len() {
			m.largest = i
		}
	}
	m.tokens = workers[m.largest].tokens
	others := len(workers) - 1
	for i, w := range workers {
		if i == m.largest {
			continue
		}
		if others--; others > 0 {
			m.ids[i], err = m.add(w.tokens, 1) // a token that is rare here may be frequent in another worker's counts
		} else {
			m.ids[i], err = m.add(w.tokens, least)
		}
		if err != nil {
			return nil, err
		}
		m.tokens.budget.give(len(w.tokens.slots) * slotBytes)
		w.tokens = nil
	}
	return m, nil
}

// add adds the tokens of another table and returns their ids. It leaves out tokens that are only in the other
// table and occur less often than least.
func (m *merged) add(t *table, least uint64) ([]int32, error) {
	const pointer, id = 8, 4
	if err := m.tokens.budget.take(t.len() * (2*pointer + id)); err != nil {
		return nil, err
	}
	defer m.tokens.budget.give(t.len() * 2 * pointer)
	ids := make([]int32, t.len())
	var missing []*slot
	for i := range t.slots {
		s := &t.slots[i]
		if s.count == 0 {
			continue
		}
		found := m.tokens.find(t.longIn(s), s.key)
		switch {
		case found.count > 0:
			found.count += s.count
			ids[s.id] = int32(found.id)
		case s.count >= least:
			missing = append(missing, s)
		default:
			ids[s.id] = -1
			m.left.add(s.count)
			m.tally.add(s.count)
		}
	}
	// Tables with the same secret hold their tokens in about the same order, so the loops above and below go
	// through both tables from front to back. Reserve room first: in a smaller table, the first tokens would
	// crowd at the front.
	if err := m.tokens.reserve(m.tokens.len() + len(missing)); err != nil {
		return nil, err
	}
	for _, s := range missing {
		id, err := m.tokens.put(t.longIn(s), s.key, s.count)
		if err != nil {
			return nil, err
		}
		ids[s.id] = int32(id)
	}
	return ids, nil
}

// report calls Options.Report.
func (m *merged) report(o Options) {
	if m.tally == nil {
		return
	}
	for i := range m.tokens.slots {
		if count := m.tokens.slots[i].count; count > 0 {
			m.tally.add(count)
		}
	}
	o.Report(m.tally.report())
}

// workerIDs are the final ids of each worker's tokens in memory.
type workerIDs [][]int32

func (w workerIDs) list(worker, _ int) ([]int32, error) { return w[worker], nil }

func (w workerIDs) close() error { return nil }

// rename returns the final ids of every worker's tokens. final maps ids of the merged table to final ids.
func (m *merged) rename(final []int32) workerIDs {
	for _, ids := range m.ids {
		for i, id := range ids {
			if id >= 0 {
				ids[i] = final[id]
			}
		}
	}
	m.ids[m.largest] = final
	return m.ids
}

// rareError returns the error for a corpus whose tokens are all too rare.
func (m *merged) rareError(minCount int) *RareError {
	e := m.left
	e.MinCount = minCount
	for i := range m.tokens.slots {
		if count := m.tokens.slots[i].count; count > 0 {
			e.add(count)
		}
	}
	return &e
}

// cursors is a heap of cursors with the smallest on top.
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

// byCount orders cursors by falling count, and equal counts by the order of runs.
func byCount(a, b *cursor) bool {
	if a.count != b.count {
		return a.count > b.count
	}
	return a.number < b.number
}

const (
	leastCursor = 4 << 10   // minimum size of a cursor's buffer
	mostCursor  = 256 << 10 // maximum size; larger buffers do not read faster
)

// openRuns returns cursors at the beginnings of runs. Their buffers take about memory bytes in all.
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

// down restores the heap below i.
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

// advance moves the first cursor to its next record.
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

// mergeTokens calls yield for every token of the runs in byte order, with the sum of its counts and its
// occurrences. The token and the occurrences are valid until yield returns. When ctx ends, it returns the
// context's error.
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

// spilledNames maps the tokens of spilled runs to final ids.
type spilledNames struct {
	renames *renames
	runs    []sortedRun
	first   []int // first run of each worker
	final   []int32
}

// mergeSpilled makes one vocabulary of counts on disk. The result is that of merge.
func mergeSpilled(ctx context.Context, workers []*worker, src *corpus.Source, o Options, folder string) (v *Vocab, final finalIDs, err error) {
	runs, first := allRuns(workers)
	names := &spilledNames{runs: runs, first: first}
	defer func() {
		if err != nil {
			err = errors.Join(err, names.close())
		}
	}()
	if workers[0].recorder != nil {
		if names.renames, err = newRenames(folder, len(runs)); err != nil {
			return nil, nil, err
		}
	}
	kept := newTable(0, newSecret())
	kept.budget = workers[0].tokens.budget
	given := o.Fixed
	if o.Known != nil {
		given = o.Known
	}
	left, any := RareError{MinCount: o.MinCount}, false
	tally := o.tally()
	err = mergeTokens(ctx, runs, o.memory()/2, func(token []byte, count uint64, at []occurrence) error {
		any = true
		tally.add(count)
		if known := given != nil && given.has(token); !known && (o.Fixed != nil || count < uint64(max(o.MinCount, 1))) {
			left.add(count)
			return nil
		}
		id, err := kept.add(token, count)
		if err != nil || names.renames == nil {
			return err
		}
		for _, a := range at {
			if err := names.renames.add(a, id); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, nil, err
	case !any:
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	if tally != nil {
		o.Report(tally.report())
	}
	if o.Fixed != nil {
		names.final = o.Fixed.ids(kept)
		return o.Fixed, names, nil
	}
	counted := kept.len()
	chosen, err := kept.choose(o)
	if err != nil {
		return nil, nil, err
	}
	v, ids, err := newVocab(kept, chosen)
	if err != nil {
		return nil, nil, err
	}
	if v.Len() == 0 {
		return nil, nil, fmt.Errorf("%s: %w", src.Name(), &left)
	}
	names.final = ids[:counted]
	return v, names, nil
}

// list returns the final ids of a worker's numbering.
func (s *spilledNames) list(worker, numbering int) ([]int32, error) {
	number := s.first[worker] + numbering
	if numbering >= s.count(worker) { // nothing was read after the last spill
		return nil, nil
	}
	return s.renames.list(number, s.runs[number].tokens, s.final)
}

// count returns how many runs a worker has.
func (s *spilledNames) count(worker int) int {
	if worker+1 < len(s.first) {
		return s.first[worker+1] - s.first[worker]
	}
	return len(s.runs) - s.first[worker]
}

// close removes the file of names.
func (s *spilledNames) close() error {
	if s.renames == nil {
		return nil
	}
	return s.renames.file.close()
}

// has reports whether a token is in the vocabulary.
func (v *Vocab) has(token []byte) bool {
	_, ok := v.ID(token)
	return ok
}

// renames maps the ids of every run to ids of the merged table. The maps are on disk, because all runs
// together may have more ids than fit into memory.
type renames struct {
	file *spillFile
	runs []runRenames
}

type runRenames struct {
	buf    []byte  // pairs of an id in the run and an id in the merged table
	places []int64 // where full buffers were written
}

const (
	pairBytes  = 8
	pairBuffer = 512 * pairBytes
)

func newRenames(folder string, runs int) (*renames, error) {
	f, err := newSpillFile(folder)
	if err != nil {
		return nil, err
	}
	return &renames{f, make([]runRenames, runs)}, nil
}

// add records the merged id of an occurrence.
func (r *renames) add(at occurrence, merged uint32) error {
	of := &r.runs[at.run]
	of.buf = binary.LittleEndian.AppendUint32(of.buf, uint32(at.id))
	of.buf = binary.LittleEndian.AppendUint32(of.buf, merged)
	if len(of.buf) < pairBuffer {
		return nil
	}
	of.places = append(of.places, r.file.size())
	r.file.buf = append(r.file.buf, of.buf...)
	of.buf = of.buf[:0]
	if r.file.full() {
		return r.file.flush()
	}
	return nil
}

// list returns the final ids of a run's tokens, and -1 for tokens that were not added. final maps ids of the
// merged table to final ids; nil means that these are final.
func (r *renames) list(number, tokens int, final []int32) ([]int32, error) {
	list := make([]int32, tokens)
	for i := range list {
		list[i] = -1
	}
	take := func(pairs []byte) {
		for ; len(pairs) > 0; pairs = pairs[pairBytes:] {
			id := int32(binary.LittleEndian.Uint32(pairs[4:]))
			if final != nil {
				id = final[id]
			}
			list[binary.LittleEndian.Uint32(pairs)] = id
		}
	}
	of := &r.runs[number]
	take(of.buf)
	if err := r.file.flush(); err != nil {
		return nil, err
	}
	var buf [pairBuffer]byte
	for _, at := range of.places {
		if _, err := r.file.read(buf[:], at); err != nil {
			return nil, err
		}
		take(buf[:])
	}
	return list, nil
}
