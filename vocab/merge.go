package vocab

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// merge makes one vocabulary of what the workers counted. It also returns, for every
// worker, the id in the vocabulary of each of its tokens, -1 for none.
func merge(workers []*worker, src *corpus.Source, o Options) (*Vocab, [][]int32, error) {
	least := uint64(max(o.MinCount, 1))
	if o.Fixed != nil {
		least = 1 // a token of the vocabulary may be rare in the corpus
	}
	all, err := mergeTables(workers, least)
	if err != nil {
		return nil, nil, err
	}
	if all.tokens.len() == 0 {
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	v, final := o.Fixed, []int32(nil)
	if v != nil {
		final = v.ids(all.tokens)
	} else if v, final, err = newVocab(all.tokens, o.MinCount, o.MaxVocab); err != nil {
		return nil, nil, err
	} else if v.Len() == 0 {
		return nil, nil, fmt.Errorf("%s: %w", src.Name(), all.rareError(o.MinCount))
	}
	for _, ids := range all.ids {
		for i, id := range ids {
			if id >= 0 {
				ids[i] = final[id]
			}
		}
	}
	all.ids[all.largest] = final
	return v, all.ids, nil
}

// merged is what the workers counted in one table, the largest of theirs.
type merged struct {
	tokens  *table
	largest int
	ids     [][]int32 // for every other worker the ids of its tokens in the table, -1 for what is left out
	left    RareError // what is left out
}

// mergeTables adds up what the workers counted. It may leave out tokens that are seen
// less often than least.
func mergeTables(workers []*worker, least uint64) (*merged, error) {
	m := &merged{ids: make([][]int32, len(workers))}
	last := -1
	for i, w := range workers {
		if w.tokens.len() > workers[m.largest].tokens.len() {
			m.largest = i
		}
	}
	for i := range workers {
		if i != m.largest {
			last = i
		}
	}
	m.tokens = workers[m.largest].tokens
	for i, w := range workers {
		if i == m.largest {
			continue
		}
		if err := m.add(w.tokens, i, least, i == last); err != nil {
			return nil, err
		}
		w.tokens = nil
	}
	return m, nil
}

func (m *merged) add(t *table, worker int, least uint64, last bool) error {
	ids := make([]int32, t.len())
	m.ids[worker] = ids
	var short [longToken]byte
	var fresh []*slot
	for i := range t.slots {
		s := &t.slots[i]
		if s.count == 0 {
			continue
		}
		found := m.tokens.find(t.token(s, &short), s.key)
		switch {
		case found.count > 0:
			found.count += s.count
			ids[s.id] = int32(found.id)
		case last && s.count < least:
			ids[s.id] = -1
			m.left.add(s.count)
		default:
			fresh = append(fresh, s)
		}
	}
	// Tables of one secret have their tokens in about the same order: this goes through
	// both from front to back, and with less room than for all tokens those of the front
	// would have to stand one behind the other.
	m.tokens.reserve(m.tokens.len() + len(fresh))
	for _, s := range fresh {
		id, err := m.tokens.put(t.token(s, &short), s.key, s.count)
		if err != nil {
			return err
		}
		ids[s.id] = int32(id)
	}
	return nil
}

// A RareError says that no token of a corpus is frequent enough.
type RareError struct {
	MinCount int    // how often a token should have been seen
	Most     uint64 // how often the most frequent one was
	Distinct int    // tokens that differ
	Tokens   uint64 // tokens in all
}

// add counts a token that was seen so many times.
func (e *RareError) add(count uint64) {
	e.Most = max(e.Most, count)
	e.Distinct++
	e.Tokens += count
}

func (e *RareError) Error() string {
	return fmt.Sprintf("no token is seen %d times, the least asked for: the most frequent of %d distinct tokens (%d in all) is seen %d times",
		e.MinCount, e.Distinct, e.Tokens, e.Most)
}

// rareError describes tokens that are all too rare.
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
