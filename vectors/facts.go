package vectors

import (
	"cmp"
	"slices"
)

// A Fact is what there is to say of a set that has a matrix which only some sets have.
type Fact struct {
	Key   string // for programs, such as "position_weights", with Value
	Value int
	Label string // for a person, such as "position weights", with Text, in which %s stands for Count
	Text  string
	Count int
}

// Facts say what matrices the set has that only some sets have, those that vectors are trained
// against first. A fact with the label "output rows" is in place of that of the context vectors.
func (s *Set) Facts() []Fact {
	matrices := s.Matrices()
	slices.SortStableFunc(matrices, func(a, b NamedMatrix) int { return cmp.Compare(outputsFirst(a), outputsFirst(b)) })
	var facts []Fact
	for _, m := range matrices {
		switch k := m.Kind(); {
		case k.fact != nil:
			facts = append(facts, k.fact(s, m.Matrix))
		case k.Part != "": // else the n-grams say it
			facts = append(facts, Fact{m.Name, m.Rows, k.Label, "%s rows", m.Rows})
		}
	}
	return facts
}

func outputsFirst(m NamedMatrix) int {
	if m.Kind().Output {
		return 0
	}
	return 1
}

// outputRows is the label of facts about rows that vectors were trained against.
const outputRows = "output rows"
