package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
)

// A beginning is how many of the first dimensions are taken: a flag, 0 for all.
type beginning int

func (b *beginning) add(c *cobra.Command) {
	c.Flags().IntVar((*int)(b), "first", 0, "only the first `N` dimensions, as they are: of a model of train --nested")
}

// check looks for what makes no sense whatever the model is.
func (b beginning) check(c *cobra.Command) error {
	if c.Flags().Changed("first") && b < 1 {
		return fmt.Errorf("--first must be at least 1, is %d", b)
	}
	return nil
}

// of returns the beginning of a set that was read from a file of that format, and notes
// it if its vectors were not trained to have one.
func (b beginning) of(set *vectors.Set, format vectors.Format, note func(text string)) (*vectors.Set, error) {
	if b == 0 || int(b) == set.Dim() {
		return set, nil
	}
	first, err := set.First(int(b))
	if err != nil || first.Training().Nested != "" {
		return first, err
	}
	can, err := vectors.Describe(format)
	if err != nil {
		return nil, err
	}
	if slices.Contains(can.Keeps.Training, "nested") && set.Training().Architecture != "" {
		note(fmt.Sprintf("the model was not trained with --nested %d, so its first %d dimensions are not vectors of their own", b, b))
	} else {
		note(fmt.Sprintf("it is not known whether the model was trained with --nested %d; if not, its first %d dimensions are not vectors of their own", b, b))
	}
	return first, nil
}

// withModel is withWholeModel for the beginning of the model.
func (b beginning) withModel(path string, stderr io.Writer, use func(*vectors.Set) error) error {
	return withWholeModel(path, func(set *vectors.Set) error {
		first, err := b.of(set, set.Format(), func(text string) { fmt.Fprintf(stderr, "note: %s\n", text) })
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := noteLeftOut(stderr, path, first); err != nil {
			return err
		}
		return use(first)
	})
}
