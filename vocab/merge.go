package vocab

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// merge makes one vocabulary of what the workers counted. It also returns, for every
// worker, the id in the vocabulary of each of its tokens, -1 for none.
func merge(workers []*worker, src *corpus.Source, o Options) (*Vocab, [][]int32, error) {
	all, merged, err := mergeTables(workers)
	if err != nil {
		return nil, nil, err
	}
	if all.len() == 0 {
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	v, to := o.Fixed, []int32(nil)
	if v != nil {
		to = v.ids(all)
	} else if v, to, err = newVocab(all, o.MinCount, o.MaxVocab); err != nil {
		return nil, nil, err
	} else if v.Len() == 0 {
		return nil, nil, fmt.Errorf("%s: %w", src.Name(), rareError(all, o.MinCount))
	}
	rename := make([][]int32, len(workers))
	for w, ids := range merged {
		if ids == nil { // the ids of all
			rename[w] = to
			continue
		}
		for i, id := range ids {
			ids[i] = to[id]
		}
		rename[w] = ids
	}
	return v, rename, nil
}

// mergeTables adds the tokens of all workers to the largest of their tables. It also
// returns, for every other worker, the id in that table of each of its tokens.
func mergeTables(workers []*worker) (all *table, merged [][]int32, err error) {
	largest := 0
	for i, w := range workers {
		if w.tokens.len() > workers[largest].tokens.len() {
			largest = i
		}
	}
	all = workers[largest].tokens
	merged = make([][]int32, len(workers))
	for i, w := range workers {
		if i == largest {
			continue
		}
		// Tables of one secret have their tokens in about the same order, so that this
		// goes through both from front to back. With less room than for all tokens
		// those of the front would have to stand one behind the other.
		all.reserve(all.len() + w.tokens.len())
		merged[i] = make([]int32, w.tokens.len())
		for j := range w.tokens.slots {
			s := &w.tokens.slots[j]
			if s.count == 0 {
				continue
			}
			id, err := all.put(w.tokens.token(s.id), s.key, s.count)
			if err != nil {
				return nil, nil, err
			}
			merged[i][s.id] = int32(id)
		}
		w.tokens = nil
	}
	return all, merged, nil
}

// A RareError says that no token of a corpus is frequent enough.
type RareError struct {
	MinCount int    // how often a token should have been seen
	Most     uint64 // how often the most frequent one was
	Distinct int    // tokens that differ
	Tokens   uint64 // tokens in all
}

func (e *RareError) Error() string {
	return fmt.Sprintf("no token is seen %d times, the least asked for: the most frequent of %d distinct tokens (%d in all) is seen %d times",
		e.MinCount, e.Distinct, e.Tokens, e.Most)
}

// rareError describes tokens that are all too rare.
func rareError(all *table, minCount int) *RareError {
	e := &RareError{MinCount: minCount, Distinct: all.len()}
	for i := range all.slots {
		count := all.slots[i].count
		e.Most = max(e.Most, count)
		e.Tokens += count
	}
	return e
}
