package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func terminalStreams() streams {
	outWidth, _, _ := term.GetSize(int(os.Stdout.Fd())) // 0 if it is no terminal
	errWidth, _, _ := term.GetSize(int(os.Stderr.Fd()))
	s := streams{
		in:          os.Stdin,
		out:         os.Stdout,
		err:         os.Stderr,
		inTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		errWidth:    errWidth,
		outWidth:    outWidth,
	}
	if s.errTerminal {
		s.errColumns = func() int {
			width, _, _ := term.GetSize(int(os.Stderr.Fd()))
			return width
		}
	}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		s.screen, s.outTerminal = os.Stdout, true
	}
	return s
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "w2v",
		Short: "Train word embeddings, fast, on text or any sequences of tokens",
		Long: `w2v trains word vectors (skip-gram, CBOW and their variants, with or without
character n-grams), evaluates them, and reads and writes the files of word2vec,
fastText, floret, gensim, GloVe and others.`,
		Example: `  w2v demo
  w2v train corpus.txt -o model.w2v
  w2v eval model.w2v wordsim.tsv questions.txt
  w2v nn model.w2v paris`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage(cobra.NoArgs),
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, args []string) error {
			if err := errors.Join(checkLimits(c.Flags()), checkSwitches(c.Flags(), args)); err != nil {
				return misuse(err)
			}
			return checkFiles(c, s, args)
		},
	}
	root.Flags().BoolP("version", "v", false, "print the version")
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if args := c.Flags().Args(); c.HasSubCommands() && arguments(c) == "" && len(args) > 0 {
			err = unknownCommand(c, args[0]) // whose flags these may be
		} else {
			err = explainFlag(c.Flags(), err)
		}
		return misuse(err)
	})
	for _, group := range []commandGroup{
		{"Train", []*cobra.Command{newTrain(s), newSweep(s), newVocab(s), newPhrases(s), newWalk(s), newKmers(s), newDemo(s), newFastText(s)}},
		{"Ask a model", []*cobra.Command{newNN(s), newQuery(s), newAnalogy(s), newVector(s), newSimilarity(s), newDoesntMatch(s), newSentence(s), newNgrams(s), newInfo(s)}},
		{"Show a model", []*cobra.Command{newServe(s), newExportExplorer(s), newPlot(s)}},
		{"Score a model", []*cobra.Command{newEval(s), newCompare(s), newDiff(s)}},
		{"Make another model of it", []*cobra.Command{newConvert(s), newQuantize(s), newFactorize(s), newAlign(s)}},
	} {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.title
		}
		root.AddCommand(group.commands...)
	}
	root.AddCommand(newCompletion(s), newVersion(s))
	setHelp(root, columns(s.outWidth))
	setCompletion(root)
	return root
}

func addJSON(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print results as JSON, one object a line")
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}

// print prints a result: JSON for programs, or a table for people.
func (s streams) print(asJSON bool, result any, table func(io.Writer)) error {
	if asJSON {
		return printJSON(s.out, result)
	}
	table(s.out) // standard output remembers write errors
	return nil
}
