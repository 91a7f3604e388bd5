package format

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An UnwritableWord is a word that a format cannot hold. Write returns it as its error.
type UnwritableWord struct {
	ID     int // in the set
	Word   string
	Reason error
}

// Error returns the word and the reason.
func (w *UnwritableWord) Error() string {
	return fmt.Sprintf("word %d, %.40q, %v", w.ID, w.Word, w.Reason)
}

// Unwrap returns the reason.
func (w *UnwritableWord) Unwrap() error { return w.Reason }

// CheckWords returns the error that Write would return for a set with these words: an *UnwritableWord,
// or nil. It can be called before training.
func CheckWords(words []string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	for i, word := range words {
		if err := checkWord(c, word); err != nil {
			return &UnwritableWord{i, word, err}
		}
	}
	return nil
}

func checkWord(c codec.Codec, word string) error {
	switch {
	case len(word) > vectors.MaxWord:
		return fmt.Errorf("has %d bytes, at most %d are possible", len(word), vectors.MaxWord)
	case c.Word != nil:
		return c.Word(word)
	}
	return nil
}

// Unwritable returns the words of s that a file in format f cannot hold, in order. Without these words the
// set can be written. Words are never changed, because a changed word could get another word's vector. If no
// word would remain, Unwritable returns an error.
func Unwritable(s *vectors.Set, f Format) (words []*UnwritableWord, err error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	err = backing.Behind(s.SharedParts().Source).Guarded(func() error { words = slices.Collect(unwritable(c, s)); return nil })
	if err == nil && len(words) > 0 && len(words) == s.Len() {
		err = fmt.Errorf("the format %s can hold none of the %d words: %w", f, len(words), words[0])
	}
	return words, err
}

func unwritable(c codec.Codec, s *vectors.Set) iter.Seq[*UnwritableWord] {
	return func(yield func(*UnwritableWord) bool) {
		for id, word := range s.Words().All() {
			err := checkWord(c, word)
			if c.Distinct != "" && err == nil {
				if first, _ := s.ID(word); first != id {
					err = fmt.Errorf("stands there twice, first as word %d, which %s cannot hold", first, c.Distinct)
				}
			}
			if err != nil && !yield(&UnwritableWord{id, word, err}) {
				return
			}
		}
	}
}

// Misread returns a note about each part of a file of s in format f that other programs read differently:
// words with blanks in a text with columns separated by blanks, and lower-casing rules that a tokenizer
// cannot express.
func Misread(s *vectors.Set, f Format) (notes []string) {
	if c, _ := codecOf(f); c.Misread != nil {
		return c.Misread(s)
	}
	if f != Text && f != GloVe {
		return nil
	}
	var blank []string
	for _, word := range s.Words().All() {
		if strings.ContainsFunc(word, unicode.IsSpace) {
			blank = append(blank, word)
		}
	}
	if blank == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s blanks, such as %.40q: w2v reads such a text, counting numbers from the right, and other programs take a part of the word for a number", wording.Count(len(blank), "word has", "words have"), blank[0])}
}

// CheckSubword returns an error if format f cannot hold a set of words with these n-grams and this
// composition. Both may be nil; a nil composition means the usual one. Formats of plain words accept all sets
// and drop n-grams. Formats for other n-grams do the same if w2v trains these n-grams and no other export
// keeps them. KeepsSubword reports what is kept.
func CheckSubword(sub subword.Indexer, c subword.Composition, f Format) error {
	to, err := codecOf(f)
	if err != nil || to.Subword == nil || instead(to, sub) {
		return err
	}
	return holds(to, sub, c)
}

// KeepsSubword reports whether a file in format f holds these n-grams. Then words outside the vocabulary have
// vectors in the file.
func KeepsSubword(sub subword.Indexer, c subword.Composition, f Format) bool {
	to, err := codecOf(f)
	return err == nil && keeps(to, sub, c)
}

func keeps(to codec.Codec, sub subword.Indexer, c subword.Composition) bool {
	return sub != nil && to.Subword != nil && holds(to, sub, c) == nil
}

// holdsOf is holds for the n-grams of a set. A format with labels also holds the n-grams that were left in a
// pruned classifier.
func holdsOf(to codec.Codec, s *vectors.Set) error {
	if _, kept, _ := subword.HashedBuckets(s.Subword()); kept != nil && s.Labels() != nil && to.Keeps.Labels {
		return nil
	}
	return holds(to, s.Subword(), s.Composition())
}

func holds(to codec.Codec, sub subword.Indexer, c subword.Composition) error {
	if c == nil {
		c = subword.CompositionOf(sub)
	}
	return to.Subword(sub, c)
}

// instead reports whether a format that cannot hold these n-grams writes only the words: if it can hold plain
// words, and the n-grams are of a kind that w2v trains and that no other export keeps.
func instead(to codec.Codec, sub subword.Indexer) bool {
	return sub != nil && !subword.CompositionOf(sub).OwnRows() && holds(to, nil, nil) == nil
}

// checkSubword returns an error if a format can hold neither the n-grams of s nor s without them.
func checkSubword(c codec.Codec, s *vectors.Set) error {
	switch sub := s.Subword(); {
	case c.Subword != nil && (s.Len() == 0 || !instead(c, sub)):
		return holdsOf(c, s)
	case c.Subword == nil && sub != nil && s.Len() == 0:
		return fmt.Errorf("the set has n-grams and no words, and the format %s holds words alone: write %s, %s or %s",
			c.Name, W2V, Finalfusion, Floret)
	}
	return nil
}

// LeftOut lists parts of a set that are missing in a file, or in another set made from it.
type LeftOut struct {
	Words    bool     // the list of words, for a table that gives all words vectors without a list
	Subwords bool     // n-grams, so that words outside the vocabulary have no vectors
	Context  bool     // context vectors
	Parts    []string // names of parts that only some sets have
	Counts   bool     // counts of words
	State    bool     // training state, as in checkpoints
	Training []string // known fields of Training that are left out, by JSON name
	Kept     []string // known fields of Training that are kept
}

// LeavesOut returns what a file of s in format f does not hold. For an unknown format the result is empty.
func LeavesOut(s *vectors.Set, f Format) LeftOut {
	can, err := Describe(f)
	if err != nil {
		return LeftOut{} // writing reports it
	}
	to, _ := codecOf(f)
	kept := s.Subword() != nil && to.Subword != nil && holdsOf(to, s) == nil
	// In a table all words are composed of n-grams, so no row belongs to a word.
	table := !subword.CompositionOf(s.Subword()).OwnRows()
	l := LeftOut{
		Words:    s.Len() > 0 && table && kept && !can.Keeps.Words,
		Subwords: s.Subword() != nil && !kept,
		Context:  s.Output().Rows > 0 && !can.Keeps.Context,
		Counts:   s.SharedParts().Counts != nil && !can.Keeps.Counts,
		State:    s.SharedParts().State != nil && !can.Keeps.State,
	}
	for _, p := range componentsOf(s) {
		if !p.keptBy(can.Keeps) {
			l.Parts = append(l.Parts, p.name)
		}
	}
	for _, name := range can.attachedOf(s) {
		l.Parts = append(l.Parts, attachedParts[name])
	}
	if lost := cutsOf(s); len(lost) > 0 && s.Labels() != nil && can.Keeps.Labels && !can.Keeps.all() {
		l.Parts = append(l.Parts, "how texts are cut ("+strings.Join(lost, ", ")+"), so that raw texts get other predictions unless they are cut alike beforehand")
	}
	for _, name := range s.Training().Known() {
		runs := name == vectors.MatrixWordNgrams && s.Labels() != nil && can.Keeps.Labels // what a classifier's rows are of
		if can.Keeps.all() || runs || slices.Contains(can.Keeps.Training, name) {
			l.Kept = append(l.Kept, name)
		} else {
			l.Training = append(l.Training, name)
		}
	}
	return l
}

// cutsOf returns the facts of a set that change the words of a text, by JSON name.
func cutsOf(s *vectors.Set) (names []string) {
	for _, name := range s.Training().Known() {
		switch name {
		case "lowercase", "normalize", "strip_accents", "digits", "punctuation", "kmers", "phrases":
			names = append(names, name)
		case "tokenizer":
			if s.Training().Text(name) != "whitespace" {
				names = append(names, name)
			}
		}
	}
	return names
}

// attachedParts names attachments in LeftOut.Parts.
var attachedParts = map[string]string{
	vectors.AttachedTokenizer: "the tokenizer.json that cut the text",
	vectors.AttachedPhrases:   "the table of phrases that were joined",
}

// attachedOf returns the attachments of a set that the format does not hold.
func (c Capabilities) attachedOf(s *vectors.Set) (left []string) {
	for _, name := range vectors.Attachments() {
		if s.Training().Attached(name) != nil && !slices.Contains(c.Keeps.Attached, name) {
			left = append(left, name)
		}
	}
	return left
}

// A component is a part that only some sets have, besides n-grams and context vectors.
type component struct {
	name  string
	node  bool // nodes of a tree, which more formats can hold
	label bool // labels, or what only a format with labels has beside them
}

func (p component) keptBy(k Kept) bool {
	return k.Rest || p.node && k.Nodes || p.label && k.Labels
}

// LabelsPart names what a classifier has beside vectors in LeftOut.Parts.
const LabelsPart = "labels and their rows"

// FactorsPart names a projection and its shorter rows in LeftOut.Parts.
const FactorsPart = "the factors of vectors, which are multiplied out"

func componentsOf(s *vectors.Set) []component {
	_, _, factored := s.Input().Factors()
	var parts []component
	if factored {
		parts = append(parts, component{name: FactorsPart})
	}
	if s.Labels() != nil {
		parts = append(parts, component{name: LabelsPart, label: true})
	}
	if s.Training().Float("unknown_threshold") > 0 {
		parts = append(parts, component{name: "the threshold below which texts are unknown"})
	}
	matrices := s.Matrices()
	slices.SortStableFunc(matrices, func(a, b vectors.NamedMatrix) int { // on each side, matrices with many rows come first
		return cmp.Compare(rank(a.Kind()), rank(b.Kind()))
	})
	for _, m := range matrices {
		if k := m.Kind(); k.Part != "" {
			runs := m.Name == vectors.MatrixWordNgrams && s.Labels() != nil && s.Subword() == nil // a classifier's buckets
			parts = append(parts, component{name: k.Part, node: k.Tree, label: runs})
		}
	}
	return parts
}

func rank(k vectors.MatrixKind) int {
	switch {
	case k.Output:
		return 2
	case k.Table:
		return 1
	}
	return 0
}

// DroppedParts compares the set from with the set to, which was made from it and is written to a format that
// keeps k. It returns the parts that to lacks: those that the format could have held, and the others.
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

// List describes what is left out, for users. The result is never nil.
func (l LeftOut) List() []string {
	names := []string{}
	add := func(left bool, name ...string) {
		if left {
			names = append(names, name...)
		}
	}
	add(l.Words, "the list of words, which all have vectors without it")
	add(l.Subwords, "n-grams, and words that are not in the vocabulary with them")
	add(l.Context, "context vectors")
	add(true, l.Parts...)
	add(l.Counts, "counts")
	add(l.State, "the state of the training")
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

// String describes what is left out, or returns "" if nothing is.
func (l LeftOut) String() string { return strings.Join(l.List(), "; ") }
