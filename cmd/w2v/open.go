package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

type opening struct {
	rule    vectors.Case            // how the case of words is looked up
	post    *postFlags              // changes to the vectors; nil for none
	whole   bool                    // check the whole file
	leftOut bool                    // note vectors that are left out of answers
	empty   func(path string) error // error for a model without a list of words; nil if the command needs none
}

// modelFlags say how words are looked up in a model, and what is done to its vectors before.
type modelFlags struct {
	letters caseFlag
	post    postFlags
}

func (f *modelFlags) add(c *cobra.Command) {
	f.letters.add(c)
	f.post.add(c)
}

func (f *modelFlags) opening() opening { return opening{rule: f.letters.rule(), post: &f.post} }

// opening is for commands that answer with words of the model, or of --among.
func (a *answerFlags) opening(f *modelFlags) opening {
	o := opening{rule: f.letters.rule(), post: &f.post, whole: true, leftOut: true}
	if a.among.file == "" {
		o.empty = errNoAnswers
	}
	return o
}

// scored is for commands that score all of a model.
func scored(post *postFlags) opening { return opening{post: post, whole: true, leftOut: true} }

// open opens the model at path for as long as use takes, and notes what is unusual in it.
func (s streams) open(ctx context.Context, path string, o opening, use func(*finder) error) error {
	end := func() {}
	opened := query.Options{Case: o.rule, Check: o.whole}
	var said error // an error that needs no path
	opened.Opened = func(set *vectors.Set) error {
		s.noteWords(path, set)
		if o.empty != nil && set.Len() == 0 {
			said = o.empty(path)
		} else if o.leftOut {
			said = s.noteLeftOut(path, set, o.post.settings().Vectors == "")
		}
		return said
	}
	if o.post != nil && o.post.settings() != (postSettings{}) {
		process := o.post.options
		if o.post.slow() {
			process.Computation, end = computation(s, false)
		}
		opened.Process = &process
	}
	m, err := query.Open(ctx, path, opened)
	end()
	if err = cmp.Or(said, err); err != nil {
		return err
	}
	if m.Made != nil {
		o.post.notes(s, m)
	}
	words := &finder{Finder: m.Finder, set: m.Finder.Set(), out: buffered{bufio.NewWriter(s.out), s.out}, suggestions: m.Finder.Suggester(searches), seen: make(map[string]bool)}
	err = errors.Join(use(words), words.out.Flush())
	if len(words.lowered) > 0 {
		s.note("looked up in lower case: " + some(words.lowered))
	}
	if wrong := m.Close(); wrong != nil && !errors.Is(err, context.Canceled) {
		return wrong // takes precedence over resulting errors
	}
	return err
}

func (s streams) noteWords(path string, set *vectors.Set) {
	for _, note := range set.Notes() {
		s.note(path + ": " + note)
	}
}

// noteUnread notes what a file has that is not read.
func (s streams) noteUnread(path string, set *vectors.Set) {
	if len(set.Unread()) > 0 {
		s.note(fmt.Sprintf("what is not read of %s: %s", path, strings.Join(set.Unread(), "; ")))
	}
}

// noteLeftOut notes how many rows that make up words' vectors are not finite: words with such vectors are
// left out of comparisons.
func (s streams) noteLeftOut(path string, set *vectors.Set, inputOnly bool) error {
	look := set.NotFinite
	if inputOnly {
		look = set.NotFiniteInput
	}
	return s.noteNotFinite(path, look, "words with such vectors are left out")
}

// noteNotFinite notes how many rows are not finite of the model at path, and what happens to them.
func (s streams) noteNotFinite(path string, look func() (vectors.NotFinite, error), become string) error {
	found, err := look()
	if err == nil && found.Rows > 0 {
		s.note(fmt.Sprintf("%s: %s; %s", path, found, become))
	}
	return err
}

// ofModel puts the model's path before an error about its content, unless the error names the file.
func ofModel(path string, err error) error {
	if errors.Is(err, vectors.ErrChanged) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// errNoAnswers says that a model has nothing to answer with.
func errNoAnswers(path string) error {
	return fmt.Errorf("%s: the model has no list of words to answer with, only n-grams that compose the words one asks for", path)
}
