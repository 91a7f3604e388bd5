package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/eval"
)

// addBands adds the flag --bands.
func (f *evalCommand) addBands(c *cobra.Command) {
	c.Flags().IntSliceVar(&f.bands, "bands", nil, "print the scores of items by the rank of their rarest word; =`RANKS` are the last ranks of the bands")
	ranks := strings.Trim(strings.ReplaceAll(fmt.Sprint(eval.DefaultBands()), " ", ","), "[]")
	c.Flags().Lookup("bands").NoOptDefVal = ranks
}

// checkBands looks for ranks that make no sense.
func (f *evalCommand) checkBands() error {
	for i, rank := range f.bands {
		if rank < 1 || i > 0 && rank <= f.bands[i-1] {
			return fmt.Errorf("--bands must be ranks of 1 or more that rise, are %v", f.bands)
		}
	}
	return nil
}
