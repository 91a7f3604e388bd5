package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors/convert"
)

// A beginning is how many of the first dimensions are taken: a flag, 0 for all.
type beginning int

func (b *beginning) add(c *cobra.Command) {
	c.Flags().IntVar((*int)(b), "first", 0, "use only the first `N` dimensions, unchanged: for models of train --nested")
}

// check looks for what makes no sense whatever the model is.
func (b beginning) check(c *cobra.Command) error {
	if c.Flags().Changed("first") && b < 1 {
		return fmt.Errorf("--first must be at least 1, is %d", b)
	}
	return nil
}

// noteFirst notes it if vectors were not trained to have such a beginning.
func noteFirst(f *convert.First) []string {
	switch {
	case f.Trained:
		return nil
	case f.Known:
		return []string{fmt.Sprintf("the model was not trained with --nested %d, so its first %d dimensions are not vectors of their own", f.Dim, f.Dim)}
	}
	return []string{fmt.Sprintf("it is not known whether the model was trained with --nested %d; if not, its first %d dimensions are not vectors of their own", f.Dim, f.Dim)}
}
