// Package terminal asks models questions on a terminal: neighbours appear while somebody types.
//
// A Screen is a model of Bubble Tea: Update takes messages and View draws, and neither does anything
// else. Questions go to a Source, outside of the loop that handles keys, at most one at a time for each source:
// a slow answer never holds up typing, and an older answer never takes the place of a newer one.
package terminal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// Options say where a screen is shown.
type Options struct {
	In          io.Reader // the terminal's keys
	Out         io.Writer // the terminal
	Environment []string  // of the terminal, as os.Environ has it
}

// Run shows a screen that asks these sources until somebody quits or ctx ends, and leaves the terminal as
// it was. It returns when no source is asked any more. The error is one of the terminal.
func Run(ctx context.Context, o Options, sources ...Source) error {
	var g gate
	defer g.shut()
	for i, source := range sources {
		sources[i] = gated{source, &g}
	}
	program := tea.NewProgram(NewScreen(sources...), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Environment), tea.WithoutSignalHandler())
	defer context.AfterFunc(ctx, program.Quit)()
	_, err := program.Run()
	return err
}

var errOver = errors.New("the screen is gone")

// A gate lets questions to sources through until it is shut: somebody may close the files behind sources then.
type gate struct {
	mu   sync.RWMutex
	over bool
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}

func through[T any](g *gate, ask func() (T, error)) (answer T, err error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.over {
		return answer, errOver
	}
	return ask()
}

type gated struct {
	Source
	gate *gate
}

func (s gated) Answer(q Question) (Answer, error) {
	return through(s.gate, func() (Answer, error) { return s.Source.Answer(q) })
}

func (s gated) Complete(line string, most int) (Completion, error) {
	return through(s.gate, func() (Completion, error) { return s.Source.Complete(line, most) })
}

type reading struct {
	kind    Kind
	found   query.Found // vector, spelling, terms
	analogy [3]string   // as they were typed: a is to b as c is to ?
	lacking string      // the first word of them without a vector
}

// white are the bytes between words. Other white space, such as no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func trim(text string) string { return strings.Trim(text, white) }

// analogyOf reads "man:king::woman:?", where the last colon may be left out, or three words. A text with + or −
// is not an analogy, and neither is a word of the vocabulary.
func analogyOf(text string, expression func(string) (vectors.Expression, error)) (words [3]string, ok bool) {
	text = trim(text)
	if left, right, found := strings.Cut(text, "::"); found {
		a, b, two := strings.Cut(left, ":")
		c, rest, _ := strings.Cut(right, ":")
		words = [3]string{trim(a), trim(b), trim(c)}
		rest = trim(rest)
		return words, two && words[0] != "" && words[1] != "" && words[2] != "" && (rest == "" || rest == "?")
	}
	if e, err := expression(text); err != nil || !e.IsWord() {
		return words, false
	}
	fields := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(white, r) })
	if len(fields) != 3 {
		return words, false
	}
	return [3]string(fields), true
}

func (s *Set) read(text string) (reading, error) {
	v := make([]float32, s.Finder.Set().Dim())
	e, err := s.Finder.Parse(text)
	if err == nil && e.IsWord() {
		if _, id := s.Finder.Spelling(e[0].Word); id >= 0 {
			return s.found(s.Finder.Express(v, text, e))
		}
	}
	if words, ok := analogyOf(text, s.Finder.Parse); ok {
		r := reading{kind: Analogy, analogy: words}
		var err error
		r.found, err = s.Finder.Express(v, text, vectors.Expression{{Word: words[0], Weight: -1}, {Word: words[1], Weight: 1}, {Word: words[2], Weight: 1}})
		if r.found.Missing() {
			r.kind, r.lacking = Nothing, r.found.Lacking
		}
		return r, err
	}
	return s.found(s.Finder.Find(v, text))
}

func (s *Set) found(w query.Found, err error) (reading, error) {
	kind := Word
	switch {
	case w.Missing():
		kind = Nothing
	case w.Terms != nil:
		kind = Expression
	case w.ID < 0:
		kind = Composed
	}
	return reading{kind: kind, found: w, lacking: w.Lacking}, err
}

func (r reading) says() string {
	w := r.found
	switch {
	case r.kind == Analogy:
		return fmt.Sprintf("%s is to %s as %s is to …", w.Terms[0].Spelling(), w.Terms[1].Spelling(), w.Terms[2].Spelling())
	case r.kind == Composed:
		return fmt.Sprintf("%s is not in the vocabulary: composed from its n-grams", w.Spelling)
	case r.kind == Expression:
		var text strings.Builder
		for i, t := range w.Terms {
			sign, weight := " + ", t.Weight
			if weight < 0 {
				sign, weight = " − ", -weight
			}
			if i == 0 {
				sign = strings.Trim(sign, " +")
			}
			text.WriteString(sign)
			if weight != 1 {
				fmt.Fprintf(&text, "%g·", weight)
			}
			text.WriteString(t.Spelling())
		}
		return text.String()
	case w.FoundAs() != "":
		return "found as " + w.Spelling
	}
	return ""
}

func (r reading) problem(s *Set) string {
	set := s.Finder.Set()
	if wrong, ok := errors.AsType[*vectors.ExpressionError](r.found.Wrong); ok {
		return wrong.Reason
	}
	_, id := s.Finder.Spelling(r.lacking)
	token, recast := s.Finder.Recast(r.lacking)
	switch {
	case id >= 0:
		return fmt.Sprintf("the vector of %s is zero or not finite", r.lacking)
	case set.Subword() != nil:
		return r.lacking + " is not in the vocabulary and has no n-grams that were trained"
	case recast:
		return fmt.Sprintf("%s, %s in the training text, is not in the vocabulary", r.lacking, token)
	case strings.ContainsAny(r.lacking, white):
		return r.lacking + " is not in the vocabulary; three words ask for an analogy, + and - make a sum"
	}
	return r.lacking + " is not in the vocabulary"
}

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
			a.Suggestions = s.Finder.Suggest(r.lacking, suggested)
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

func (s *Set) neighbors(r reading) (near []vectors.Neighbor, err error) {
	if r.kind == Analogy {
		var question [3]string
		for i, t := range r.found.Terms {
			question[i] = t.Spelling()
		}
		answers, err := s.Finder.Set().Analogy(context.Background(), vectors.AnalogyOptions{K: s.K, Method: s.Method, Candidates: s.From}, question)
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

const mostParts = 50 // a long word has thousands

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
	// Answer returns an error if the set cannot be read any more. A question without an answer is not an error.
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
