package vocab

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// merge makes one vocabulary of what the workers counted. It also returns, for every
// worker, the id in the vocabulary of each of its tokens, -1 for none.
func merge(workers []*worker, src *corpus.Source, o Options) (*Vocab, [][]int32, error) {
	least := uint64(max(o.MinCount, 1))
	if o.Fixed != nil || o.Known != nil {
		least = 1 // a token of the vocabulary may be rare in the corpus
	}
	all, err := mergeTables(workers, least)
	if err != nil {
		return nil, nil, err
	}
	if all.tokens.len() == 0 {
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
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

// merged is what the workers counted in one table, the largest of theirs.
type merged struct {
	tokens  *table
	largest int       // the worker whose table it was
	ids     [][]int32 // for the others, the ids of their tokens in the table, -1 for those left out
	left    RareError // what is left out
}

// mergeTables adds up what the workers counted. It may leave out tokens that are seen
// less often than least.
func mergeTables(workers []*worker, least uint64) (m *merged, err error) {
	m = &merged{ids: make([][]int32, len(workers))}
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
			m.ids[i], err = m.add(w.tokens, 1) // what is rare here may be frequent for another
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

// add adds the tokens of another table, but for those that only it has, and less often
// than least. It returns their ids.
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
		}
	}
	// Tables of one secret have their tokens in about the same order, so that all this
	// goes through both from front to back. While there is not yet room for all tokens,
	// those of the front would have to stand one behind the other.
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

// rename returns, for every worker, what the ids of its tokens are now that the ids of
// the table are those of final.
func (m *merged) rename(final []int32) [][]int32 {
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
