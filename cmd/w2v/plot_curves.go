package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors/inspect"
)

func newPlotTraining(s streams) *cobra.Command {
	var picture pictureFlags
	against := plots.AgainstTokens
	c := &cobra.Command{
		Use:   "training [flags] LOG...",
		Short: "Draw the loss, speed and scores of training runs",
		Long: `Draw what train --log-json FILE has written: loss, held-out loss, scores of --eval, learning
rate and speed, those that the LOGs have. Several runs are drawn over each other. Of a run
that was resumed, the curves go on at the checkpoint, and a dashed line says where; what
was trained after the checkpoint and lost is left out. So are steps that were taken back
because training diverged. A run that goes on may be drawn at any time. - is standard
input.

` + pictureHelp,
		Example: `  w2v plot training run.jsonl -o run.svg
  w2v plot training seed1.jsonl seed2.jsonl -o seeds.png --against seconds
  w2v plot training run.jsonl -o - --to png > run.png`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			for i, path := range args {
				if path == "-" && slices.Contains(args[:i], path) {
					return misuse(errors.New("standard input can be read once"))
				}
			}
			var runs []*plots.Run
			for _, path := range args {
				found, err := readLog(path, s.in)
				if err != nil {
					return err
				}
				runs = append(runs, found...)
			}
			t, err := plots.NewTraining(runs, against)
			if err != nil {
				return err
			}
			t.Title = "Training of " + runs[0].Name
			if len(runs) > 1 {
				t.Title = fmt.Sprintf("Training of %d runs", len(runs))
			}
			return picture.write(s, t, t)
		},
	}
	addEnum(c.Flags(), &against, "against", "the horizontal axis", choicesOf(plots.Axes(), map[plots.Against]string{
		plots.AgainstTokens:  "trained, of all epochs",
		plots.AgainstShare:   "of the tokens to train",
		plots.AgainstSeconds: "of training",
	}))
	picture.add(c)
	return c
}

func readLog(path string, stdin io.Reader) ([]*plots.Run, error) {
	if path == "-" {
		return plots.ReadRuns(stdin, "standard input")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer file.Close()
	runs, err := plots.ReadRuns(file, path)
	if err != nil {
		return nil, err
	}
	for _, r := range runs { // the folder says little in a picture
		r.Name = strings.TrimSuffix(filepath.Base(path), ".jsonl") + strings.TrimPrefix(r.Name, path)
	}
	return runs, nil
}

func newPlotFrequency(s streams) *cobra.Command {
	var picture pictureFlags
	f := &evalCommand{tasks: &taskFlags{}}
	f.options.BandIntervals = true
	c := &cobra.Command{
		Use:   "frequency [flags] MODEL [SET|FOLDER...]",
		Short: "Draw scores against the frequency of words",
		Long: `Score MODEL on each SET, as w2v eval does, and draw the scores of items by the rank of
their rarest word, with 95 % intervals: how much worse are rare words? Without a SET, the
sets that are built in are used. --bands sets the last ranks of the bands. A band with
fewer than 5 items is not drawn, but --json has it.

` + taskHelp + "\n\n" + foldHelp + "\n\n" + pictureHelp + "\n\n" + postHelp,
		Example: `  w2v plot frequency model.w2v wordsim353.tsv questions-words.txt -o frequency.svg
  w2v plot frequency model.w2v sets/ --bands=500,2000,10000 -o frequency.png
  w2v plot frequency model.w2v --json`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.prepare(c, nil); err != nil {
				return err
			}
			var sets []eval.SetFile
			var unread, err error
			if len(args) > 1 {
				sets, unread, err = readSets(s, args[1:], f.task)
			} else {
				sets, err = builtinSets(f.task)
			}
			if err != nil {
				return err
			}
			records, err := f.measure(c, s, args[0], sets)
			if err != nil {
				return err
			}
			p, err := plots.NewFrequency(records)
			if err == nil {
				p.Title = fmt.Sprintf("Scores of %s by frequency", filepath.Base(args[0]))
				err = picture.write(s, p, struct {
					Model string `json:"model"`
					*plots.Frequency
				}{args[0], p})
			}
			return errors.Join(err, unusable(records), unread)
		},
	}
	picture.add(c)
	f.post.add(c)
	f.words.add(c)
	f.addBands(c)
	f.tasks.add(c, &f.options)
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals, clusterings and permutations")
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
	addTask(c, &f.task)
	return c
}

func newPlotScree(s streams) *cobra.Command {
	var picture pictureFlags
	var post postFlags
	c := &cobra.Command{
		Use:   "scree [flags] MODEL...",
		Short: "Draw the singular values of models' vectors",
		Long: `Draw the singular values of the matrix of all words' vectors less their mean, and how
much of the variance the first principal components hold together. A curve that falls
early says that the vectors use few of their dimensions.

` + pictureHelp + "\n\n" + postHelp,
		Example: `  w2v plot scree model.w2v -o scree.svg
  w2v plot scree small.w2v large.w2v -o scree.png --dark
  w2v plot scree model.w2v --abtt 2 --json`,
		Args: usage(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var names []string
			var spectra []*inspect.Spectrum
			for _, path := range args {
				err := s.open(c.Context(), path, scored(&post), func(words *finder) error {
					how, end := computation(s, false)
					defer end()
					of, err := inspect.SpectrumOf(c.Context(), words.set, inspect.Options{Progress: how.Progress})
					if err == nil && of.Words == 0 {
						err = errors.New("no word has a vector with a direction")
					}
					if err != nil {
						return fmt.Errorf("%s: %w", path, err)
					}
					spectra = append(spectra, of)
					return nil
				})
				if err != nil {
					return err
				}
				names = append(names, filepath.Base(path))
			}
			scree, err := plots.NewScree(names, spectra)
			if err != nil {
				return err
			}
			scree.Title = "Principal components of word vectors"
			return picture.write(s, scree, scree)
		},
	}
	picture.add(c)
	post.add(c)
	return c
}
