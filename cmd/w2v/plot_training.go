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

	"github.com/w2v-go/w2v/plots"
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
					return &usageError{c.CommandPath(), errors.New("standard input can be read once")}
				}
			}
			if err := picture.check(c); err != nil {
				return err
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

// readLog reads the runs of a log.
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
