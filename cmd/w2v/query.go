package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/vectors"
)

// A queryRun is what the command line of w2v query asks for.
type queryRun struct {
	letters caseFlag
	post    postFlags
	answers answerFlags
	method  vectors.AnalogyMethod
}

func newQuery(s streams) *cobra.Command {
	var f queryRun
	c := &cobra.Command{
		Use:   "query [flags] MODEL [MODEL2]",
		Short: "Explore a model on the terminal: neighbours as one types",
		Long: `Show the nearest words of what is typed, on the whole terminal. With two models the
lists stand side by side, and words that both have are marked.

A text is a word, an expression such as "king - man + woman", or an analogy: three words
such as "man king woman", or "man:king::woman:?". Words outside the vocabulary are composed
from n-grams if the model has them; a list shows what each n-gram contributes.

Tab completes a word, the most frequent one first. The up key brings back earlier texts;
no file keeps them. Enter pins a text, so that all others are compared with it. The down
key goes to the list, where Enter follows a word, and Esc or Alt-Left goes back. F1 shows
all keys, and Ctrl-C ends.

Standard input and output must be a terminal. w2v nn answers in pipelines. With NO_COLOR
in the environment there are no colours.

` + caseHelp + `

` + answerHelp + `

` + postHelp,
		Example: `  w2v query model.w2v
  w2v query model.w2v -k 50 --restrict 20000
  w2v query before.w2v after.w2v
  w2v query model.w2v --abtt 2`,
		Args: usage(cobra.RangeArgs(1, 2)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(f.answers.check(c, true), f.post.check(c), s.checkScreen(c, os.Getenv("TERM"))); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			ctx, stop := untilSignal(c.Context(), s.err)
			defer stop()
			return f.open(ctx, c, s, args, sourceNames(args), nil)
		},
	}
	f.answers.add(c, "neighbours", 50)
	addAnalogyMethod(c, &f.method)
	f.letters.add(c)
	f.post.add(c)
	return c
}

// checkScreen is an error if nothing can be typed or drawn.
func (s streams) checkScreen(c *cobra.Command, kind string) error {
	_, file := s.in.(*os.File)
	switch {
	case !s.inTerminal || !file:
		return errors.New("standard input is no terminal; w2v nn answers what it reads")
	case s.screen == nil:
		return errors.New("standard output is no terminal; w2v nn prints answers")
	case kind == "dumb":
		return errors.New("the terminal cannot place the cursor (TERM is dumb); w2v nn asks line by line")
	}
	return nil
}

// sourceNames are the names of models: those of their files, with the folder if they are the same otherwise.
func sourceNames(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
	}
	if len(names) == 2 && names[0] == names[1] {
		return paths
	}
	return names
}

// open opens the models one by one, and asks them when all are open.
func (f *queryRun) open(ctx context.Context, c *cobra.Command, s streams, paths, names []string, open []terminal.Source) error {
	if len(paths) == 0 {
		err := terminal.Run(ctx, terminal.Options{In: s.in, Out: s.screen, Environment: os.Environ()}, open...)
		return errors.Join(err, ctx.Err())
	}
	opened := s.withAnswers
	if f.answers.among.file != "" {
		opened = s.withWholeModel
	}
	return f.letters.find(c, s, f.post.open(ctx, s, f.post.noting(s, opened)), paths[0], func(words *finder) error {
		from, err := f.answers.answerer(c, s, words)
		if err != nil {
			return fmt.Errorf("%s: %w", paths[0], err)
		}
		source := &terminal.Set{Name: names[0], Finder: words.Finder, From: from.set, K: from.k, Threshold: from.threshold, Method: f.method}
		return f.open(ctx, c, s, paths[1:], names[1:], append(open, source))
	})
}
