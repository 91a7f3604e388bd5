package convert

import (
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Quantized is the set that Quantize makes, and what was left out.
type Quantized struct {
	Set      *vectors.Set
	Original *vectors.Set             // the original set, without skipped words
	Skipped  []*format.UnwritableWord // words left out by skip
	LeftOut  format.LeftOut           // what the result or its file lacks
}

// QuantizeFits returns a *FitError if format f cannot hold the result of the options. The Option of the error
// is "Format" if f cannot hold quantised vectors at all; otherwise it is "Method" or "KeepOutput".
func QuantizeFits(f format.Format, o transform.QuantizeOptions) error {
	switch {
	case f == format.W2V:
		return nil
	case f != format.Finalfusion:
		return &FitError{"Format", f, "quantised vectors are written as .w2v or .fifu alone"}
	case !o.Method.Coded():
		return &FitError{"Method", f, fmt.Sprintf("%s has product quantisation alone: choose the method %s or %s", f, transform.QuantizePQ, transform.QuantizeOPQ)}
	case o.KeepOutput:
		return &FitError{"KeepOutput", f, fmt.Sprintf("%s has no context vectors", f)}
	}
	return nil
}

// QuantizeOptions say how QuantizeFile makes a model smaller.
type QuantizeOptions struct {
	Files
	transform.QuantizeOptions
	Made func(*Quantized) error // called with the result before it is written; may be nil
}

// QuantizeFile quantises the model at in and writes it to out. It closes the sets of the result and sets them
// to nil.
func QuantizeFile(ctx context.Context, in, out string, o QuantizeOptions) (*Quantized, error) {
	never := func(*vectors.Set) bool { return false }
	q, err := converted(ctx, o.Files, in, out, o.Computation.Force, never, o.Made, func(set *vectors.Set, f format.Format) (*Quantized, **vectors.Set, error) {
		q, err := Quantize(ctx, set, f, o.QuantizeOptions, o.SkipUnwritable)
		if err != nil {
			return nil, nil, err
		}
		return q, &q.Set, nil
	})
	if err == nil {
		q.Original = nil
	}
	return q, err
}

// Quantize quantises the rows of set for writing in format f. It adapts the result to the format: for
// finalfusion, all parts of a row are equally long, as with transform.QuantizeOptions.EqualParts.
// QuantizeFits says which options f supports. If skip is true, Quantize leaves out words that the format
// cannot hold. Close set after the result.
func Quantize(ctx context.Context, set *vectors.Set, f format.Format, o transform.QuantizeOptions, skip bool) (*Quantized, error) {
	if err := QuantizeFits(f, o); err != nil {
		return nil, err
	}
	o.EqualParts = o.EqualParts || f == format.Finalfusion
	q := &Quantized{}
	whole := set
	var err error
	if skip {
		if whole, q.Skipped, err = Writable(set, f); err != nil {
			return nil, err
		}
	}
	rows := whole
	q.Original = whole
	if f == format.Finalfusion { // finalfusion stores whole vectors as the rows of words
		if format.LeavesOut(rows, f).Subwords {
			rows = rows.Plain()
		}
		rows = transform.Whole(rows)
	}
	if q.Set, err = transform.Quantize(ctx, rows, o); err != nil {
		return nil, err
	}
	inFile := format.LeavesOut(q.Set, f)
	dropped, _ := format.DroppedParts(whole, q.Set, format.Kept{Nodes: true, Rest: true})
	q.LeftOut = format.LeftOut{
		Subwords: whole.Subword() != nil && q.Set.Subword() == nil,
		Parts:    append(dropped, inFile.Parts...),
	}
	return q, nil
}

// Factorized is the set that Factorize makes, and what was left out.
type Factorized struct {
	Set    *vectors.Set
	Format format.Format
	transform.Factorization
	Skipped       []*format.UnwritableWord // words left out by skip
	Context       bool                     // context vectors are left out
	Dropped       []string                 // other parts that were left out
	ByFormat      format.LeftOut           // what the format cannot hold, except the factors
	MultipliedOut bool                     // the format cannot hold factors
}

// FactorizeOptions say how FactorizeFile makes a model smaller.
type FactorizeOptions struct {
	Files
	transform.FactorizeOptions
	Made func(*Factorized) error // called with the result before it is written; may be nil
}

// FactorizeFile factorizes the model at in into shorter rows and a projection, and writes it to out. It
// closes the set of the result and sets it to nil.
func FactorizeFile(ctx context.Context, in, out string, o FactorizeOptions) (*Factorized, error) {
	ngrams := func(set *vectors.Set) bool { return set.Subword() != nil }
	return converted(ctx, o.Files, in, out, o.Computation.Force, ngrams, o.Made, func(set *vectors.Set, f format.Format) (*Factorized, **vectors.Set, error) {
		r, err := Factorize(ctx, set, f, o.FactorizeOptions, o.SkipUnwritable)
		if err != nil {
			return nil, nil, err
		}
		return r, &r.Set, nil
	})
}

// Factorize factorizes set into shorter rows and a projection, for writing in format f. If skip is true, it
// leaves out words that the format cannot hold. Close set after the result.
func Factorize(ctx context.Context, set *vectors.Set, f format.Format, o transform.FactorizeOptions, skip bool) (*Factorized, error) {
	r := &Factorized{Format: f}
	var err error
	if skip {
		if set, r.Skipped, err = Writable(set, f); err != nil {
			return nil, err
		}
	}
	if r.Set, r.Factorization, err = transform.Factorize(ctx, set, o); err != nil {
		return nil, err
	}
	r.Context = set.Output().Rows > 0
	_, r.Dropped = format.DroppedParts(set, r.Set, format.Kept{})
	r.ByFormat = format.LeavesOut(r.Set, f)
	kept := len(r.ByFormat.Parts)
	r.ByFormat.Parts = slices.DeleteFunc(r.ByFormat.Parts, func(part string) bool { return part == format.FactorsPart })
	r.MultipliedOut = len(r.ByFormat.Parts) < kept
	return r, nil
}
