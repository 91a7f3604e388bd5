package vocab

import (
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// merge makes one vocabulary of the workers' counts. For every worker it also returns the ids in
// the vocabulary of the worker's tokens, -1 for tokens that are not in it.
func merge(workers []*worker, src *corpus.Source, o Options) (*Vocab, [][]int32, error) {
	least := uint64(max(o.MinCount, 1))
	if o.Fixed != nil || o.Known != nil {
		least = 1 // a token of the vocabulary may be rare in the corpus
	}
	all, err := mergeTables(workers, least, o.Tallied != nil)
	if err != nil {
		return nil, nil, err
	}
	if all.tokens.len() == 0 {
		return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
	}
	all.report(o.Tallied)
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

// merged is the counts of all workers in one table: the largest of the workers' tables, to which
// the others are added.
type merged struct {
	tokens  *table
	largest int       // the worker whose table it was
	ids     [][]int32 // for each other worker, the ids of its tokens in the table, or -1
	left    RareError // tokens that were left out because they are rare
	tally   *Tally    // of these; nil if nobody asks for it
}

// mergeTables adds up the workers' counts. It may leave out tokens that occur less often than
// least.
func mergeTables(workers []*worker, least uint64, tally bool) (m *merged, err error) {
	m = &merged{ids: make([][]int32, len(workers))}
	if tally {
		m.tally = new(Tally)
	}
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
			m.ids[i], err = m.add(w.tokens, 1) // a token that is rare here may be frequent for another worker
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

// add adds the tokens of another table and returns their ids. It leaves out tokens that only the
// other table has and that occur less often than least.
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
			if m.tally != nil {
				m.tally.add(s.count)
			}
		}
	}
	// Tables with the same secret have their tokens in about the same order, so that the
	// loops above and below go through both tables from front to back. Room is made first:
	// in a smaller table the first tokens would be crowded at the front.
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

// report tells of all tokens how many are seen how often.
func (m *merged) report(tallied func(*Tally)) {
	if tallied == nil {
		return
	}
	for i := range m.tokens.slots {
		if count := m.tokens.slots[i].count; count > 0 {
			m.tally.add(count)
		}
	}
	tallied(m.tally)
}

// rename returns the final ids of every worker's tokens. final has the final id of each id in
// the merged table.
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
