package vocab

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// spilledNames names the tokens of spilled runs.
type spilledNames struct {
	renames *renames
	runs    []sortedRun
	first   []int // the first run of each worker
	final   []int32
}

// mergeSpilled makes one vocabulary of counts that are on disk. The result is the same as merge's.
func mergeSpilled(ctx context.Context, workers []*worker, src *corpus.Source, o Options, folder string) (v *Vocab, names *spilledNames, err error) {
	runs, first := allRuns(workers)
	names = &spilledNames{runs: runs, first: first}
	defer func() {
		if err != nil {
			err = errors.Join(err, names.close())
		}
	}()
	if workers[0].recorder != nil {
		if names.renames, err = newRenames(folder, len(runs)); err != nil {
			return nil, names, err
		}
	}
	kept := newTable(0, newSecret())
	kept.budget = workers[0].tokens.budget
	given := o.Fixed
	if o.Known != nil {
		given = o.Known
	}
	left, any := RareError{MinCount: o.MinCount}, false
	var tally *Tally
	if o.Tallied != nil {
		tally = new(Tally)
	}
	err = mergeTokens(ctx, runs, o.memory()/2, func(token []byte, count uint64, at []occurrence) error {
		any = true
		if tally != nil {
			tally.add(count)
		}
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
		return nil, names, err
	case !any:
		return nil, names, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	if tally != nil {
		o.Tallied(tally)
	}
	if o.Fixed != nil {
		names.final = o.Fixed.ids(kept)
		return o.Fixed, names, nil
	}
	counted := kept.len()
	chosen, err := kept.choose(o)
	if err != nil {
		return nil, names, err
	}
	v, ids, err := newVocab(kept, chosen)
	if err != nil {
		return nil, names, err
	}
	if v.Len() == 0 {
		return nil, names, fmt.Errorf("%s: %w", src.Name(), &left)
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

// close removes the file of names. It does nothing for nil.
func (s *spilledNames) close() error {
	if s == nil || s.renames == nil {
		return nil
	}
	return s.renames.file.close()
}

// has reports whether a token is in the vocabulary.
func (v *Vocab) has(token []byte) bool {
	_, ok := v.ID(token)
	return ok
}
