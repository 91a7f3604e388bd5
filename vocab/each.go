package vocab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
)

// Each is Count without a vocabulary: it reads a corpus and calls yield for each token and its
// count, in the order of a vocabulary. So it takes no more than Options.Memory, however many tokens
// there are. The token is valid until yield returns. An error of yield ends it with that error.
// Fixed and Known cannot be used. Each returns the errors of Count.
func Each(ctx context.Context, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) error {
	if o.Fixed != nil || o.Known != nil {
		return errors.New("vocabulary: tokens are counted for no other vocabulary: Fixed and Known must be nil")
	}
	if cluster.Several(o.Ranks) {
		return errors.New("vocabulary: Each counts in one process: Ranks must be nil")
	}
	if src.Numbered() != nil { // whose distinct tokens are in memory in any case
		v, err := Count(ctx, src, o)
		for id := 0; err == nil && id < v.Len(); id++ {
			err = yield(v.tokens.token(uint32(id)), v.Count(id))
		}
		return err
	}
	workers, err := read(ctx, src, o, o.Folder, func() (*corpus.Recorder, error) { return nil, nil })
	if err != nil {
		return err
	}
	spilled, err := spillAll(workers, o.memory())
	switch {
	case err != nil:
	case spilled:
		err = eachSpilled(ctx, workers, src, o, yield)
	default:
		err = eachMerged(workers, src, o, yield)
	}
	return errors.Join(err, closeAll(workers))
}

// eachMerged is Each of counts in memory.
func eachMerged(workers []*worker, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) error {
	all, err := mergeTables(workers, uint64(max(o.MinCount, 1)), false)
	if err != nil {
		return err
	}
	if all.tokens.len() == 0 {
		return fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	kept, err := all.tokens.choose(o)
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return fmt.Errorf("%s: %w", src.Name(), all.rareError(o.MinCount))
	}
	var short [longToken]byte
	for i := range kept {
		if err := yield(all.tokens.token(&kept[i], &short), kept[i].count); err != nil {
			return err
		}
	}
	return nil
}

// eachSpilled is Each of counts on disk. Runs are merged by token, and sorted by count: what has the
// same count comes by token then, because sorting is stable.
func eachSpilled(ctx context.Context, workers []*worker, src *corpus.Source, o Options, yield func(token []byte, count uint64) error) (err error) {
	runs, _ := allRuns(workers)
	s := &countSorter{folder: o.Folder, most: int(min(o.memory()/2, 1<<30))}
	defer func() { err = errors.Join(err, s.file.close()) }()
	left := RareError{MinCount: o.MinCount}
	err = mergeTokens(ctx, runs, o.memory()/2, func(token []byte, count uint64, _ []occurrence) error {
		if count < uint64(max(o.MinCount, 1)) {
			left.add(count)
			return nil
		}
		s.tokens++
		return s.add(token, count)
	})
	switch {
	case err != nil:
		return err
	case s.tokens == 0 && left.Distinct == 0:
		return fmt.Errorf("%s: the corpus has no tokens", src.Name())
	case s.tokens == 0:
		return fmt.Errorf("%s: %w", src.Name(), &left)
	}
	if err := s.spill(); err != nil {
		return err
	}
	s.text, s.sorted = nil, nil
	h, err := openRuns(s.runs, o.memory()/2, byCount)
	for n := 0; err == nil && len(h.all) > 0 && (o.MaxVocab == 0 || n < o.MaxVocab); n++ {
		if n%reportEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err = yield(h.all[0].token, h.all[0].count); err == nil {
			err = h.advance()
		}
	}
	return err
}

// A countSorter sorts tokens by falling count on disk.
type countSorter struct {
	folder string
	most   int // bytes in memory
	tokens int // that were added
	text   []byte
	sorted []counted
	file   *spillFile
	runs   []sortedRun
}

// counted is a token in text and its count.
type counted struct {
	count       uint64
	first, last uint32
}

func (s *countSorter) add(token []byte, count uint64) error {
	const record = 16
	// Both slices may be copied to twice their size when they grow.
	if 3*(len(s.text)+record*len(s.sorted)) > s.most && len(s.sorted) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	first := uint32(len(s.text))
	s.text = append(s.text, token...)
	s.sorted = append(s.sorted, counted{count, first, uint32(len(s.text))})
	return nil
}

// spill writes the tokens in memory as a run.
func (s *countSorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = newSpillFile(s.folder); err != nil {
			return err
		}
	}
	slices.SortStableFunc(s.sorted, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	r := sortedRun{from: s.file, first: s.file.size(), tokens: len(s.sorted)}
	for _, c := range s.sorted {
		s.file.buf = appendRecord(s.file.buf, s.text[c.first:c.last], c.count, -1)
		if s.file.full() {
			if err := s.file.flush(); err != nil {
				return err
			}
		}
	}
	if err := s.file.flush(); err != nil {
		return err
	}
	r.end = s.file.size()
	s.runs = append(s.runs, r)
	s.text, s.sorted = s.text[:0], s.sorted[:0]
	return nil
}
