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
const bridgeHelp = `For a network that starts from the vectors, after all that: --scale multiplies them,
by a number for each (unit) or for all (sqrt-dim: the square root of the dimensions;
std=S: what makes S the standard deviation of all numbers), --special-tokens puts
rows of zeros before them, --dtype rounds their numbers, and --tied leaves out context
vectors, for a network that has one matrix for its input and output. N-grams do not
stay with unit and --special-tokens. docs/bridge.md shows how networks load the files.`

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
	addEnum(flags, &f.dtype, "dtype", "type of numbers, by default that of IN, as far as the format knows it", choicesOf(vectors.DTypes(), nil))
	flags.BoolVar(&f.tied, "tied", false, "one matrix for the input and the output of a network; for --to torch")
	flags.StringSliceVar(&f.special, "special-tokens", nil, "`TOKENS`, with commas between them, to have the first rows, of zeros: '[PAD],[UNK]'")
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
	o.Scale, o.DType, o.Tied, o.SpecialTokens = transform.Scale(f.scale), vectors.DType(f.dtype), f.tied, f.special
	return nil
}
