package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/plots"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/inspect"
)

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
			if err := post.check(c); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			if err := picture.check(c); err != nil {
				return err
			}
			var names []string
			var spectra []*inspect.Spectrum
			for _, path := range args {
				err := post.withModel(c.Context(), s, path, func(set *vectors.Set) error {
					how, end := computation(s, false)
					defer end()
					of, err := inspect.SpectrumOf(c.Context(), set, inspect.Options{Progress: how.Progress})
					if err != nil {
						return fmt.Errorf("%s: %w", path, err)
					}
					if of.Words == 0 {
						return fmt.Errorf("%s: no word has a vector with a direction", path)
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
