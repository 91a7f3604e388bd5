package vocab

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/extsort"
)

// counts are the counts of several workers, in memory or on disk.
type counts struct {
	workers []*worker
	budget  *budget
	memory  uint64 // for merging runs
	types   uint64 // tokens in tables and runs; several may have the same one

	// In memory, all counts are in the table of the worker that had the largest one.
	tokens  *table    // nil if the counts are on disk
	largest int       // index of that worker
	ids     [][]int32 // for each other worker, the merged ids of its tokens, or -1
	left    RareError // tokens that were left out as too rare
	tally   tally     // of these tokens; nil without a report
}

// merge adds up the counts of workers, in memory if they fit, or else on disk.
func (o Options) merge(workers []*worker) (*counts, error) {
	c := &counts{workers: workers, budget: workers[0].tokens.budget, memory: o.counting() / 2, left: RareError{MinCount: o.MinCount}}
	if o.Report != nil {
		c.tally = tally{}
	}
	tokens, largest, spilled := 0, 0, false
	for i, w := range workers {
		for _, run := range w.spilled.Runs() {
			c.types, spilled = c.types+uint64(run.Len), true
		}
		if w.tokens.len() > workers[c.largest].tokens.len() {
			c.largest = i
		}
		tokens += w.tokens.len()
		largest = max(largest, len(w.tokens.slots))
	}
	c.types += uint64(tokens)
	merging := tokens > workers[c.largest].tokens.len() && uint64((tableSize(tokens)+largest)*slotBytes) > o.counting()
	if !spilled && !merging {
		return c, c.add(o)
	}
	for _, w := range workers {
		if w.tokens.len() > 0 || len(w.spilled.Runs()) == 0 {
			if err := w.spill(); err != nil {
				return nil, err
			}
		}
		w.tokens.budget.give(len(w.tokens.slots) * slotBytes)
		w.tokens.slots, w.tokens.long = nil, arena{}
	}
	return c, nil
}

// add adds up counts in memory. It may leave out tokens that are too rare.
func (c *counts) add(o Options) (err error) {
	least := uint64(max(o.MinCount, 1))
	if o.Fixed != nil || o.Known != nil || o.whole != nil {
		least = 1 // tokens of the vocabulary may be rare in this text
	}
	c.tokens, c.ids = c.workers[c.largest].tokens, make([][]int32, len(c.workers))
	c.tokens.most, c.tokens.full = 0, false // the limit does not apply to the vocabulary
	others := len(c.workers) - 1
	for i, w := range c.workers {
		if i == c.largest {
			continue
		}
		if others--; others > 0 {
			c.ids[i], err = c.addTable(w.tokens, 1) // a token that is rare here may be frequent in another worker's counts
		} else {
			c.ids[i], err = c.addTable(w.tokens, least)
		}
		if err != nil {
			return err
		}
		c.budget.give(len(w.tokens.slots) * slotBytes)
		w.tokens = nil
	}
	return nil
}

// addTable adds another table, except tokens that only it has, less often than least. It returns merged ids.
func (c *counts) addTable(t *table, least uint64) ([]int32, error) {
	const pointer, id = 8, 4
	if err := c.budget.take(t.len() * (2*pointer + id)); err != nil {
		return nil, err
	}
	defer c.budget.give(t.len() * 2 * pointer)
	ids := make([]int32, t.len())
	var missing []*slot
	for i := range t.slots {
		s := &t.slots[i]
		if s.count == 0 {
			continue
		}
		found := c.tokens.find(t.longIn(s), s.key)
		switch {
		case found.count > 0:
			found.count += s.count
			ids[s.id] = int32(found.id)
		case s.count >= least:
			missing = append(missing, s)
		default:
			ids[s.id] = -1
			c.left.add(s.count)
			c.tally.add(s.count)
		}
	}
	// Tables with the same secret hold their tokens in about the same order, so the loops above and below go
	// through both tables from front to back. Reserve room first: in a smaller table, the first tokens would
	// crowd at the front.
	if err := c.tokens.reserve(c.tokens.len() + len(missing)); err != nil {
		return nil, err
	}
	for _, s := range missing {
		id, err := c.tokens.put(t.longIn(s), s.key, s.count)
		if err != nil {
			return nil, err
		}
		ids[s.id] = int32(id)
	}
	return ids, nil
}

// each calls use for each distinct token. Tokens on disk come in the order of their bytes.
func (c *counts) each(ctx context.Context, use func(token []byte, count uint64) error) error {
	if c.tokens != nil {
		return c.tokens.each(use)
	}
	var runs []extsort.Run
	for _, w := range c.workers {
		runs = append(runs, w.spilled.Runs()...)
	}
	var token []byte
	var count uint64
	for r, err := range records(ctx, runs, c.memory) {
		if err != nil {
			return err
		}
		if count > 0 && !bytes.Equal(r.Key, token) {
			if err := use(token, count); err != nil {
				return err
			}
			count = 0
		}
		if count == 0 {
			token = append(token[:0], r.Key...)
		}
		more, _ := binary.Uvarint(r.Value)
		count += more
	}
	if count == 0 {
		return nil
	}
	return use(token, count)
}

// records yields the records of runs in their order, until ctx ends.
func records(ctx context.Context, runs []extsort.Run, memory uint64) iter.Seq2[*extsort.Record, error] {
	return func(yield func(*extsort.Record, error) bool) {
		m, err := extsort.NewMerge(runs, memory)
		for n := 0; err == nil; n++ {
			if n%reportEvery == 0 && ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			var r *extsort.Record
			if r, err = m.Next(); err == nil && !yield(r, nil) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(nil, err)
		}
	}
}

// finalIDs returns the final ids of a worker's numbering, and -1 for tokens outside the vocabulary.
type finalIDs func(worker, numbering int) ([]int32, error)

func (c *counts) final(ctx context.Context, v *Vocab) finalIDs {
	if c.tokens != nil {
		return c.rename(v.ids(c.tokens))
	}
	return func(worker, numbering int) ([]int32, error) {
		runs := c.workers[worker].spilled.Runs()
		if numbering >= len(runs) { // nothing was read after the last spill
			return nil, nil
		}
		found := lookups{v: v, ids: slices.Repeat([]int32{-1}, runs[numbering].Len)}
		for r, err := range records(ctx, runs[numbering:numbering+1], c.memory) {
			if err != nil {
				return nil, err
			}
			_, k := binary.Uvarint(r.Value)
			id, _ := binary.Uvarint(r.Value[k:])
			found.add(r.Key, uint32(id))
		}
		found.finish()
		return found.ids, nil
	}
}

// lookups find the ids of many tokens. Most slots are not in the processor's cache, so those of a batch are
// loaded at once.
type lookups struct {
	v     *Vocab
	ids   []int32 // by the numbers of the tokens
	batch [64]struct {
		key    key
		number uint32
	}
	n       int
	touched uint64 // keeps the compiler from dropping loads
}

func (l *lookups) add(token []byte, number uint32) {
	if len(token) >= longToken || l.v.table == nil {
		if id, ok := l.v.ID(token); ok {
			l.ids[number] = id
		}
		return
	}
	l.batch[l.n].key, l.batch[l.n].number = shortKey(token), number
	if l.n++; l.n == len(l.batch) {
		l.finish()
	}
}

func (l *lookups) finish() {
	for i := range l.batch[:l.n] {
		l.touched += l.v.table.slots[l.v.table.home(l.batch[i].key)].count
	}
	for _, b := range l.batch[:l.n] {
		if s := l.v.table.find(nil, b.key); s.count > 0 {
			l.ids[b.number] = int32(s.id)
		}
	}
	l.n = 0
}

// rename returns the final ids for counts in memory. of maps ids of the merged table to final ids.
func (c *counts) rename(of []int32) finalIDs {
	for _, ids := range c.ids {
		for i, id := range ids {
			if id >= 0 {
				ids[i] = of[id]
			}
		}
	}
	c.ids[c.largest] = of
	if numbers := c.workers[0].numbers; numbers != nil {
		byNumber := make([]int32, len(numbers))
		for number, id := range numbers {
			byNumber[number] = of[id]
		}
		return func(int, int) ([]int32, error) { return byNumber, nil }
	}
	return func(worker, _ int) ([]int32, error) { return c.ids[worker], nil }
}

// candidates are the tokens that may be in the vocabulary, and statistics of all tokens. With ranks, they are
// those of the tokens that a rank owns.
type candidates struct {
	tokens *table
	types  uint64    // number of distinct tokens
	left   RareError // tokens that are too rare
	tally  tally     // nil without a report
}

// candidates returns the candidates among counts. Of counts in memory, the table has all tokens. Of counts on
// disk, keep gets the candidates; if it is nil, they are in the table.
func (o Options) candidates(ctx context.Context, of *counts, keep func(token []byte, count uint64) error) (*candidates, error) {
	c := &candidates{tokens: of.tokens, types: uint64(of.left.Distinct), left: of.left, tally: of.tally}
	if c.tokens == nil {
		c.tokens = newTable(0, newSecret())
		c.tokens.budget = of.budget
	}
	if keep == nil {
		keep = func(token []byte, count uint64) error {
			_, err := c.tokens.add(token, count)
			return err
		}
	}
	return c, of.each(ctx, func(token []byte, count uint64) error {
		c.types++
		c.tally.add(count)
		switch {
		case count < uint64(max(o.MinCount, 1)) && !o.Known.has(token):
			c.left.add(count)
			return nil
		case of.tokens != nil || o.Fixed != nil:
			return nil
		}
		return keep(token, count)
	})
}

func (c *candidates) check(src *corpus.Source, o Options) error {
	switch {
	case c.types == 0:
		return o.ofAll(noTokens(src))
	case c.types == uint64(c.left.Distinct) && o.Fixed == nil && (o.Known == nil || o.Known.Len() == 0):
		return o.ofAll(fmt.Errorf("%s: %w", src.Name(), &c.left))
	}
	return nil
}

func noTokens(src *corpus.Source) error {
	return fmt.Errorf("%s: the corpus has no tokens", src.Name())
}

// vocabulary makes one vocabulary of the counts of all workers and ranks, in memory or on disk.
func vocabulary(ctx context.Context, workers []*worker, src *corpus.Source, o Options, folder string) (*Vocab, finalIDs, error) {
	own, err := o.merge(workers)
	if err != nil {
		return nil, nil, err
	}
	if o.Fixed != nil && o.Report == nil {
		types := own.types
		if err := o.sum(ctx, &types); err != nil {
			return nil, nil, err
		}
		if types == 0 {
			return nil, nil, o.ofAll(noTokens(src))
		}
		return o.Fixed, own.final(ctx, o.Fixed), nil
	}
	c, err := o.owned(ctx, own, folder)
	if err != nil {
		return nil, nil, err
	}
	if o.Report != nil && c.types > 0 {
		o.Report(c.tally.report())
	}
	if err := c.check(src, o); err != nil {
		return nil, nil, err
	}
	if o.Fixed != nil {
		return o.Fixed, own.final(ctx, o.Fixed), nil
	}
	all := c.tokens
	if o.whole != nil {
		if all, err = o.gather(ctx, c, own.budget); err != nil {
			return nil, nil, err
		}
	}
	counted := all.len()
	kept, err := all.choose(o)
	if err != nil {
		return nil, nil, err
	}
	v, ids, err := newVocab(all, kept)
	switch {
	case err != nil:
		return nil, nil, err
	case all == own.tokens:
		return v, own.rename(ids[:counted]), nil
	}
	return v, own.final(ctx, v), nil
}
