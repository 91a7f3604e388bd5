package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func terminalStreams() streams {
	width, _, _ := term.GetSize(int(os.Stderr.Fd())) // 0 if it is no terminal
	return streams{
		in:          os.Stdin,
		out:         os.Stdout,
		err:         os.Stderr,
		errTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		errWidth:    width,
	}
}

func newRoot(s streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "w2v",
		Short: "Train word embeddings, fast, on text or any sequences of tokens",
		Long: `w2v trains word vectors (skip-gram, CBOW and what has been made of them, with
character n-grams if wanted), evaluates them, and reads and writes the files of
word2vec, fastText, floret, gensim and GloVe.`,
		Example: `  w2v demo
  w2v train corpus.txt -o model.w2v
  w2v eval similarity model.w2v wordsim.tsv
  w2v nn model.w2v paris`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usage(cobra.NoArgs),
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return &usageError{c.CommandPath(), explainFlag(c.Flags(), err)}
	})
	root.AddCommand(
		newDemo(s), newTrain(s), newEval(s), newNN(s), newAnalogy(s), newVector(s),
		newDemo(s), newTrain(s), newSweep(s), newEval(s), newNN(s), newAnalogy(s), newVector(s),
		newSentence(s), newSimilarity(s), newNgrams(s), newConvert(s), newQuantize(s), newFactorize(s), newInfo(s), newVocab(s),
	)
	return root
}

// usage makes the complaints of an argument check usage errors.
func usage(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return &usageError{c.CommandPath(), err}
		}
		return nil
	}
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}

// addJSON adds the flag --json.
func addJSON(c *cobra.Command, to *bool) {
	c.Flags().BoolVar(to, "json", false, "print results as JSON, one object a line")
}

// printJSON prints v as one line of JSON.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}
