package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/convert"
	"github.com/w2v-go/w2v/vectors/transform"
)

// bridgeFlags prepare vectors for a neural network that starts from them.
type bridgeFlags struct {
	scale   string
	dtype   string
	tied    bool
	special []string
}

// bridgeHelp is the part of a command's help about these flags.
const bridgeHelp = `The last flags prepare vectors for a neural network. --scale multiplies the vectors:
unit each to length 1, sqrt-dim all by the square root of the dimensions, std=S all
to the standard deviation S. --special-tokens puts rows of zeros before them. --dtype
rounds their numbers. --tied leaves out context vectors, for a network with one
matrix for input and output. unit and --special-tokens drop n-grams.
docs/howto/neural-networks.md shows how networks load the files.`

func (f *bridgeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.scale = string(transform.ScaleNone)
	addEnum(flags, &f.scale, "scale", "scale vectors", []choice{
		{string(transform.ScaleNone), "not at all"},
		{string(transform.ScaleUnit), "each to length 1"},
		{string(transform.ScaleSqrtDim), "by the square root of the dimensions"},
		{"std=S", "to the standard deviation S of all numbers"},
	}).further = func(value string) error {
		_, err := transform.ParseScale(value)
		return err
	}
	addEnum(flags, &f.dtype, "dtype", "type of numbers; the default is that of IN if the format has it", choicesOf(vectors.DTypes(), nil))
	flags.BoolVar(&f.tied, "tied", false, "for --to torch: leave out context vectors, for a network with one matrix for input and output")
	flags.StringSliceVar(&f.special, "special-tokens", nil, "put rows of zeros for these `TOKENS` first: '[PAD],[UNK]'")
}

// options completes the options of a conversion, and looks for what makes no sense whatever
// the model is.
func (f *bridgeFlags) options(o *convert.Options) error {
	for i, token := range f.special {
		token = strings.TrimSpace(token)
		f.special[i] = token
		if token == "" {
			return errors.New("--special-tokens: a token is empty")
		}
		if slices.Contains(f.special[:i], token) {
			return fmt.Errorf("--special-tokens: %s is named twice", token)
		}
	}
	o.Scale, o.DType, o.OneMatrix, o.SpecialTokens = transform.Scale(f.scale), vectors.DType(f.dtype), f.tied, f.special
	return nil
}
