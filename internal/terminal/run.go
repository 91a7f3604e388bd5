// Package terminal asks models questions on a terminal: neighbours appear while somebody types.
//
// A Screen is a model of Bubble Tea: Update takes messages and View draws, and neither does anything
// else. Questions go to a Source, outside of the loop that handles keys, at most one at a time for each source:
// a slow answer never holds up typing, and an older answer never takes the place of a newer one.
package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
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

// errOver is the answer to questions that come too late for anybody to see.
var errOver = errors.New("the screen is gone")

// A gate lets questions to sources through until it is shut: somebody may close the files behind sources then.
type gate struct {
	mu   sync.RWMutex
	over bool
}

// shut waits for the answers to all questions that went through.
func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}

// through asks a question if the gate is open.
func through[T any](g *gate, ask func() (T, error)) (answer T, err error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.over {
		return answer, errOver
	}
	return ask()
}

// gated is a source behind a gate.
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

// A reading is what a text was read as.
type reading struct {
	kind    Kind
	found   query.Found // vector, spelling, terms
	analogy [3]string   // as they were typed: a is to b as c is to ?
	lacking string      // the first word of them without a vector
}

// white are the bytes between words. Other white space, such as no-break spaces, is part of words.
const white = " \t\r\n\v\f\x00"

func trim(text string) string { return strings.Trim(text, white) }

// analogyOf returns the three words of an analogy: "man:king::woman:?", where the last colon and what is
// behind it may be left out, and spaces may stand around colons; or three words with white space between. A
// text with + or − is not an analogy, and neither is a word of the vocabulary.
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

// read reads a text and finds its vector. It is an error if the set cannot be read.
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

// found returns the reading of a text that is not an analogy.
func (s *Set) found(w query.Found, err error) (reading, error) {
	r := reading{kind: Word, found: w, lacking: w.Lacking}
	switch {
	case w.Missing():
		r.kind = Nothing
	case w.Terms != nil:
		r.kind = Expression
	case w.ID < 0:
		r.kind = Composed
	}
	return r, err
}

// says tells a person what a text was read as, if the text does not.
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

// problem says why there is no vector.
func (r reading) problem(s *Set) string {
	set := s.Finder.Set()
	if wrong, ok := errors.AsType[*vectors.ExpressionError](r.found.Wrong); ok {
		return wrong.Reason
	}
	_, id := s.Finder.Spelling(r.lacking)
	switch {
	case id >= 0:
		return fmt.Sprintf("the vector of %s is zero or not finite", r.lacking)
	case set.Subword() != nil:
		return r.lacking + " is not in the vocabulary and has no n-grams that were trained"
	case strings.ContainsAny(r.lacking, white):
		return r.lacking + " is not in the vocabulary; three words ask for an analogy, + and - make a sum"
	}
	return r.lacking + " is not in the vocabulary"
}
