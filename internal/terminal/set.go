package terminal

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Set is a source whose answers are words of a set of vectors.
type Set struct {
	Name   string        // names it in the table's heading
	Finder *query.Finder // looks words up
	From   *vectors.Set  // the words that may be answers
	K      int           // how many answers there are at most
	// Threshold is the least score of an answer; nil for none.
	Threshold *float64
	// Method is how answers of analogies are scored.
	Method vectors.AnalogyMethod
}

// Label returns the name of the set.
func (s *Set) Label() string { return s.Name }

// Size returns how many words and dimensions the set has.
func (s *Set) Size() (words, dim int) { return s.Finder.Set().Len(), s.Finder.Set().Dim() }

// Complete goes on from the word that ends a line.
func (s *Set) Complete(line string, most int) (Completion, error) {
	return s.Finder.Complete(line, most)
}

// Answer answers a question. The error is one of the file behind the set.
func (s *Set) Answer(q Question) (Answer, error) {
	a := Answer{Question: q}
	err := s.Finder.Set().Guard(func() error { // it takes counts, which may be mapped
		if err := s.answer(&a); err != nil {
			return err
		}
		return s.From.Err()
	})
	return a, err
}

// suggested is how many words there are in place of a missing one.
const suggested = 5

func (s *Set) answer(a *Answer) error {
	r, err := s.read(a.Text)
	if err != nil {
		return err
	}
	a.Kind, a.Reading = r.kind, r.says()
	if r.kind == Nothing {
		a.Problem = r.problem(s)
		if r.found.Wrong == nil {
			a.Lacking = r.lacking
			a.Suggestions = s.Finder.Set().Suggest(r.lacking, suggested)
		}
		return nil
	}
	v := r.found.Vector
	if math.IsNaN(vectors.Cosine(v, v)) {
		a.Kind, a.Problem = Nothing, "the vector is zero or not finite, and nothing is near to it"
		return nil
	}
	near, err := s.neighbors(r)
	if err != nil {
		return err
	}
	if r.kind == Word {
		a.Word = s.entry(r.found.Spelling)
	}
	if r.kind == Word || r.kind == Composed {
		a.Parts = s.parts(r.found.Spelling, v)
	}
	for _, n := range near {
		a.Neighbors = append(a.Neighbors, Neighbor{Word: n.Word, Similarity: float64(n.Similarity), Entry: s.entry(n.Word)})
	}
	return s.compare(a, v)
}

// neighbors returns the answers to what was read.
func (s *Set) neighbors(r reading) (near []vectors.Neighbor, err error) {
	if r.kind == Analogy {
		var question [3]string
		for i, t := range r.found.Terms {
			question[i] = t.Spelling()
		}
		answers, err := s.Finder.Set().Analogy(context.Background(), vectors.AnalogyOptions{K: s.K, Method: s.Method, Among: s.From}, question)
		if err == nil {
			near, err = answers[0].Neighbors, answers[0].Err
		}
		if err != nil {
			return nil, err
		}
	} else {
		all, err := s.From.Nearest(context.Background(), vectors.Query{Vector: r.found.Vector, K: s.K, Skip: r.found.IDs(s.From)})
		if err != nil {
			return nil, err
		}
		near = all[0]
	}
	for i, n := range near {
		if s.Threshold != nil && float64(n.Similarity) < *s.Threshold {
			return near[:i], nil
		}
	}
	return near, nil
}

// entry returns a word's place in the vocabulary.
func (s *Set) entry(word string) Entry {
	set := s.Finder.Set()
	id, ok := set.ID(word)
	if !ok {
		return Entry{}
	}
	e := Entry{Place: id + 1}
	if counts := set.Counts(); id < len(counts) {
		e.Count = counts[id]
	}
	return e
}

// mostParts is how many parts are kept of a word: a long one has thousands.
const mostParts = 50

// parts returns the parts whose sum is the vector v of a word, the largest share first; nil for a single row.
func (s *Set) parts(word string, v []float32) (parts []Part) {
	all := s.Finder.Set().WordParts(word)
	if len(all) == 1 && all[0].Own {
		return nil
	}
	for _, p := range all {
		parts = append(parts, Part{Text: p.Text, Whole: p.Own, Share: p.Share(v)})
	}
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
	return parts[:min(len(parts), mostParts)]
}

// compare compares a text's vector and those of its neighbours with what is pinned.
func (s *Set) compare(a *Answer, v []float32) error {
	if a.Pinned == "" {
		return nil
	}
	pinned, err := s.read(a.Pinned)
	if err != nil {
		return err
	}
	if pinned.kind == Nothing {
		a.NoPinned = pinned.problem(s)
		return nil
	}
	to := func(v []float32) Cosine {
		x := vectors.Cosine(v, pinned.found.Vector)
		return Cosine{x, !math.IsNaN(x)}
	}
	a.ToPinned = to(v)
	row := make([]float32, len(v))
	for i, n := range a.Neighbors {
		if s.From.Vector(row, n.Word) {
			a.Neighbors[i].ToPinned = to(row)
		}
	}
	return errors.Join(s.Finder.Set().Err(), s.From.Err())
}

// A Source answers questions about one set of vectors. Its methods are called from several goroutines.
type Source interface {
	// Label names the source in the table's heading.
	Label() string
	// Size returns how many words there are, and how many numbers a vector has.
	Size() (words, dim int)
	// Answer answers a question. It returns an error if the set cannot be read any more. A question
	// without an answer is not an error.
	Answer(Question) (Answer, error)
	// Complete goes on from the word that ends a line. It returns an error if the set cannot be read.
	Complete(line string, most int) (Completion, error)
}

// A Question is a text for a source.
type Question struct {
	Text   string // as it was typed
	Pinned string // what the answers are compared with, also as it was typed; empty for nothing
}

// A Kind is what a text was read as.
type Kind int

// The kinds of texts.
const (
	Nothing    Kind = iota // the text has no vector
	Word                   // a word of the vocabulary
	Composed               // a word outside of the vocabulary, which n-grams compose
	Expression             // a sum of words
	Analogy                // a : b :: c : ?
)

// An Answer is what a source found.
type Answer struct {
	Question
	Kind        Kind
	Reading     string     // what the text was read as, if it does not say so itself
	Problem     string     // why there is nothing to show; empty if there is
	Lacking     string     // the word without a vector, if that is the problem
	Suggestions []string   // words that may have been meant in its place
	Word        Entry      // of a word of the vocabulary
	Neighbors   []Neighbor // the nearest first
	Parts       []Part     // what composes the word, the largest share first; empty without n-grams
	ToPinned    Cosine     // of the text and what is pinned
	NoPinned    string     // why nothing can be compared with what is pinned; empty if it can
}

// A Cosine is a cosine that may not be known.
type Cosine struct {
	Value float64
	Known bool
}

// An Entry is a word's place in a vocabulary.
type Entry struct {
	Place int    // from 1, the most frequent word first; 0 for a word outside of the vocabulary
	Count uint64 // how often the text had it; 0 where that is not known
}

// A Neighbor is an answer to a question.
type Neighbor struct {
	Word       string
	Similarity float64
	Entry      Entry
	ToPinned   Cosine
}

// A Part is the row of a word or an n-gram that a vector is a sum of.
type Part struct {
	Text  string
	Whole bool    // the row is that of the word as a whole
	Share float64 // of the vector's squared length: the shares of all parts add up to 1
}

// A Completion is words of a vocabulary that a line may go on with.
type Completion = query.Completion
