package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
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
	f.scale = string(vectors.ScaleNone)
	addEnum(flags, &f.scale, "scale", "scale vectors", []choice{
		{string(vectors.ScaleNone), "not at all"},
		{string(vectors.ScaleUnit), "each to length 1"},
		{string(vectors.ScaleSqrtDim), "by the square root of the dimensions"},
		{"std=S", "to the standard deviation S of all numbers"},
	}).further = func(value string) error {
		_, err := vectors.ParseScale(value)
		return err
	}
	addEnum(flags, &f.dtype, "dtype", "type of numbers, by default that of IN, as far as the format knows it", choicesOf(vectors.DTypes(), nil))
	flags.BoolVar(&f.tied, "tied", false, "one matrix for the input and the output of a network; for --to torch")
	flags.StringSliceVar(&f.special, "special-tokens", nil, "`TOKENS`, with commas between them, to have the first rows, of zeros: '[PAD],[UNK]'")
}

// check looks for what makes no sense whatever the model is.
func (f *bridgeFlags) check() error {
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
	return nil
}

// fits looks for what a format has no use for.
func (f *bridgeFlags) fits(format vectors.Format) error {
	if known := format.DTypes(); f.dtype != "" && !slices.Contains(known, vectors.DType(f.dtype)) {
		if len(known) == 0 {
			return fmt.Errorf("--dtype: the format %s has numbers in decimal", format)
		}
		var names []string
		for _, d := range known {
			names = append(names, string(d))
		}
		return fmt.Errorf("--dtype: the format %s cannot hold %s, only %s", format, f.dtype, strings.Join(names, ", "))
	}
	if f.tied && format != vectors.FormatTorch {
		return fmt.Errorf("--tied has a meaning only with the format %s, not %s", vectors.FormatTorch, format)
	}
	return nil
}

// keepsNgrams tells whether n-grams stay in formats that hold them.
func (f *bridgeFlags) keepsNgrams() bool {
	return len(f.special) == 0 && f.scale != string(vectors.ScaleUnit)
}

// apply makes of set what is asked for. Rows that are not to be scaled are added by add.
func (f *bridgeFlags) apply(set *vectors.Set, add func(*vectors.Set) *vectors.Set) (*vectors.Set, error) {
	if f.tied {
		set = set.Tied()
	}
	set, err := set.Scaled(vectors.Scale(f.scale))
	if err != nil {
		return nil, err
	}
	if set, err = add(set).WithSpecialTokens(f.special...); err != nil {
		return nil, err
	}
	if f.dtype != "" {
		set = set.WithDType(vectors.DType(f.dtype))
	}
	return set, nil
}
