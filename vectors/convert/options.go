package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Options say which of a model's vectors are written, and how. The zero value is all of
// them, as they are.
type Options struct {
	Format  format.Format  // that File writes; empty for that of the extension
	Vectors transform.Kind // which vectors of a word; empty for the input vectors
	Top     int            // only so many of the most frequent words; 0 for all
	Words   *WordList      // only these words; nil for all
	First   int            // only so many of the first dimensions, as they are; 0 for all
	Dim     int            // reduce to so many dimensions by principal components; 0 for none of that

	Center       bool // subtract the mean of all vectors: transform.Center
	AllButTheTop int  // remove so many of the first principal components, after centring: transform.AllButTheTop; 0 for none
	Whiten       bool // make numbers uncorrelated, of variance 1, after centring: transform.Whiten
	Normalize    bool // scale every vector to length 1

	Scale         transform.Scale // what vectors are multiplied by; empty for transform.ScaleNone
	SpecialTokens []string        // to have the first rows, of zeros
	OneMatrix     bool            // one matrix for the input and the output of a network
	DType         vectors.DType   // type of the numbers; empty for that of the model

	SkipUnwritable bool // leave out words that the format cannot hold; else such a word is an error of writing

	Computation transform.Computation // how what takes long is done
}

// Validate looks for what makes no sense whatever the model is.
func (o *Options) Validate() error {
	for name, n := range map[string]int{"Top": o.Top, "First": o.First, "Dim": o.Dim} {
		if n < 0 {
			return fmt.Errorf("convert: %s is %d, must be 0 (all) or more", name, n)
		}
	}
	switch {
	case o.AllButTheTop < 0:
		return fmt.Errorf("convert: AllButTheTop is %d, must be 0 (none) or more", o.AllButTheTop)
	case o.Top > 0 && o.Words != nil:
		return errors.New("convert: Top and Words exclude each other")
	case o.First > 0 && o.Dim > 0:
		return errors.New("convert: First and Dim exclude each other: dimensions are left as they are, or new ones are made of all")
	}
	for i, token := range o.SpecialTokens {
		if token == "" {
			return errors.New("convert: a special token is empty")
		}
		if slices.Contains(o.SpecialTokens[:i], token) {
			return fmt.Errorf("convert: the special token %s is named twice", token)
		}
	}
	return nil
}

// KeepsNgrams tells whether n-grams stay in formats that hold them.
func (o *Options) KeepsNgrams() bool {
	return o.kind() == transform.KindInput && !o.Normalize && o.scale() != transform.ScaleUnit && len(o.SpecialTokens) == 0 &&
		(o.Words == nil || !o.Words.Aligned())
}

func (o *Options) kind() transform.Kind {
	if o.Vectors == "" {
		return transform.KindInput
	}
	return o.Vectors
}

func (o *Options) scale() transform.Scale {
	if o.Scale == "" {
		return transform.ScaleNone
	}
	return o.Scale
}

// A FitError says that a format has no use for an option.
type FitError struct {
	Option string // what does not fit: "DType", "OneMatrix", or what QuantizeFits names
	Format format.Format
	Reason string
}

func (e *FitError) Error() string { return fmt.Sprintf("convert: %s: %s", e.Option, e.Reason) }

// Fits returns a *FitError if the format has no use for an option.
func (o *Options) Fits(f format.Format) error {
	if known := f.DTypes(); o.DType != "" && !slices.Contains(known, o.DType) {
		if len(known) == 0 {
			return &FitError{"DType", f, fmt.Sprintf("the format %s has numbers in decimal", f)}
		}
		var names []string
		for _, d := range known {
			names = append(names, string(d))
		}
		return &FitError{"DType", f, fmt.Sprintf("the format %s cannot hold %s, only %s", f, o.DType, strings.Join(names, ", "))}
	}
	if o.OneMatrix && f != format.Torch {
		return &FitError{"OneMatrix", f, fmt.Sprintf("only the format %s says that it is one matrix, not %s", format.Torch, f)}
	}
	return nil
}
