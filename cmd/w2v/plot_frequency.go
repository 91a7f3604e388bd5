package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
)

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
			words, err := f.words.spelling(c)
			if err := errors.Join(f.post.check(c), checkRestrict(f.options.Restrict), err, f.checkBands(), f.tasks.check(&f.options)); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			f.options.Spelling, f.options.Bands = words, f.bands
			if err := picture.check(c); err != nil {
				return err
			}
			var sets []eval.SetFile
			var unread error
			if len(args) > 1 {
				sets, unread, err = readSets(s, args[1:], f.task)
			} else {
				sets, err = builtinSets(f.task)
			}
			if err != nil {
				return err
			}
			var records []eval.Record
			err = f.post.withModel(c.Context(), s, args[0], func(set *vectors.Set) error {
				records, err = f.measure(c, args[0], set, sets)
				return err
			})
			if err != nil {
				return err
			}
			return f.drawFrequency(s, &picture, args[0], records, unread)
		},
	}
	picture.add(c)
	f.post.add(c)
	f.words.add(c)
	f.addBands(c)
	f.tasks.add(c, &f.options)
	c.Flags().Uint64Var(&f.options.Seed, "seed", 0, "seed of intervals, clusterings and permutations")
	addRestrict(c, &f.options.Restrict, ", in sets and as answers")
	addEnum(c.Flags(), &f.task, "task", "the task of all sets, instead of recognising it", choicesOf(eval.Tasks(), nil))
	return c
}

// drawFrequency draws records, and says which have nothing to draw.
func (f *evalCommand) drawFrequency(s streams, picture *pictureFlags, model string, records []eval.Record, unread error) error {
	var none unusable
	for _, r := range records {
		none.add(r)
	}
	p, err := plots.NewFrequency(records)
	if err != nil {
		return errors.Join(err, none.err(), unread)
	}
	p.Title = fmt.Sprintf("Scores of %s by frequency", filepath.Base(model))
	err = picture.write(s, p, struct {
		Model string `json:"model"`
		*plots.Frequency
	}{model, p})
	return errors.Join(err, none.err(), unread)
}
