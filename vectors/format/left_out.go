package format

import (
	"cmp"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// LeftOut lists the parts of a set that a file, or another set made of it, does not have.
type LeftOut struct {
	Words    bool     // the list of words, of a table that gives all words vectors without it
	Subwords bool     // n-grams, and with them words that are not in the vocabulary
	Context  bool     // context vectors
	Parts    []string // what else only some sets have, by its name
	Counts   bool     // how often words were seen
	State    bool     // of the training, that checkpoints have
	Training []string // fields of Training that are known and left out, by their names in JSON
	Kept     []string // those that are not
}

// LeavesOut returns what of the set a file in format f does not hold: nothing if no format
// has that name.
func LeavesOut(s *vectors.Set, f Format) LeftOut {
	can, err := Describe(f)
	if err != nil {
		return LeftOut{} // writing it says so
	}
	keepsSubword := KeepsSubword(s.Subword(), s.Composition(), f)
	// Words of a table are all made of pieces, so that no row is that of a word.
	table := subword.CompositionOf(s.Subword()) == subword.Pieces
	l := LeftOut{
		Words:    s.Len() > 0 && table && keepsSubword && !can.Keeps.Words,
		Subwords: s.Subword() != nil && !keepsSubword,
		Context:  s.Output().Rows > 0 && !can.Keeps.Context,
		Counts:   s.SharedParts().Counts != nil && !can.Keeps.Counts,
		State:    s.SharedParts().State != nil && !can.Keeps.State,
	}
	for _, p := range componentsOf(s) {
		if !p.keptBy(can.Keeps) {
			l.Parts = append(l.Parts, p.name)
		}
	}
	for _, name := range s.Training().Known() {
		if can.Keeps.all() || slices.Contains(can.Keeps.Training, name) {
			l.Kept = append(l.Kept, name)
		} else {
			l.Training = append(l.Training, name)
		}
	}
	return l
}

// A component is what only some sets have, besides n-grams and context vectors.
type component struct {
	name string
	node bool // of a tree, which more formats hold than others
}

func (p component) keptBy(k Kept) bool { return k.Rest || p.node && k.Nodes }

// FactorsPart is the name, among LeftOut.Parts, of a projection and rows that are shorter
// for it.
const FactorsPart = "the factors of vectors, which are multiplied out"

// componentsOf returns those of a set.
func componentsOf(s *vectors.Set) []component {
	_, _, factored := s.Input().Factors()
	var parts []component
	if factored {
		parts = append(parts, component{name: FactorsPart})
	}
	matrices := s.Matrices()
	slices.SortStableFunc(matrices, func(a, b vectors.NamedMatrix) int { // those of many rows first, of each side
		return cmp.Compare(rank(a.Kind()), rank(b.Kind()))
	})
	for _, m := range matrices {
		if k := m.Kind(); k.Part != "" {
			parts = append(parts, component{name: k.Part, node: k.Tree})
		}
	}
	return parts
}

// rank is the order in which messages name matrices.
func rank(k vectors.MatrixKind) int {
	switch {
	case k.Output:
		return 2
	case k.Table:
		return 1
	}
	return 0
}

// DroppedParts returns those of from's parts, see LeftOut, that to has not, where to is
// made of from and goes to a format which keeps so much: held are those that the format
// would have held, notHeld the others.
func DroppedParts(from, to *vectors.Set, k Kept) (held, notHeld []string) {
	for _, p := range componentsOf(from) {
		switch {
		case slices.Contains(componentsOf(to), p):
		case p.keptBy(k):
			held = append(held, p.name)
		default:
			notHeld = append(notHeld, p.name)
		}
	}
	return held, notHeld
}

// List names what is left out, for a person; it is not nil.
func (l LeftOut) List() []string {
	names := []string{}
	if l.Words {
		names = append(names, "the list of words, which all have vectors without it")
	}
	if l.Subwords {
		names = append(names, "n-grams, and words that are not in the vocabulary with them")
	}
	if l.Context {
		names = append(names, "context vectors")
	}
	names = append(names, l.Parts...)
	if l.Counts {
		names = append(names, "counts")
	}
	if l.State {
		names = append(names, "the state of the training")
	}
	switch {
	case len(l.Training) == 0:
	case len(l.Kept) == 0:
		names = append(names, "how the vectors were trained")
	case len(l.Kept) < len(l.Training):
		names = append(names, "how the vectors were trained, but for "+strings.Join(l.Kept, ", "))
	default:
		names = append(names, strings.Join(l.Training, ", ")+" of the training")
	}
	return names
}

// String names what is left out, and is empty if nothing is.
func (l LeftOut) String() string { return strings.Join(l.List(), "; ") }
