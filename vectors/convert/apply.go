package convert

import (
	"context"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Result is what Apply makes of a set, and what was left out on the way.
type Result struct {
	Set      *vectors.Set
	Words    Selected                 // of Options.Words
	Skipped  []*format.UnwritableWord // by Options.SkipUnwritable
	Reduced  *Reduced                 // nil without Options.Dim
	First    *First                   // nil without Options.First
	ByOption format.LeftOut           // what options leave out that the format would hold
	ByFormat format.LeftOut           // what the format does not hold
}

// Reduced says what Options.Dim has done.
type Reduced struct {
	From, To int // dimensions
	transform.Reduction
}

// A First says how many of the first dimensions Options.First took, and whether the model was
// trained to have vectors of that length.
type First struct {
	Dim int
	// Trained says that the model was trained to have vectors of Dim dimensions. Where Trained is
	// false, Known tells a model that was not from one that does not say.
	Trained, Known bool
}

// Apply makes of set what is asked for, to be written in format f. Rows of the result are
// made when they are asked for: close set after it. If the context ends, its error is
// returned.
func Apply(ctx context.Context, set *vectors.Set, f format.Format, o Options) (*Result, error) {
	can, err := format.Describe(f)
	if err != nil {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := o.Words.validate(); err != nil {
		return nil, err
	}
	if err := o.Fits(f); err != nil {
		return nil, err
	}
	r := &Result{}
	if r.Set, err = transform.WordVectors(set, o.kind()); err != nil {
		return nil, err
	}
	keeps := format.KeepsSubword(set.Subword(), set.Composition(), f)
	plain := !o.KeepsNgrams() || !keeps
	if o.Top > 0 {
		r.Set = transform.Top(r.Set, o.Top)
	}
	if r.Set, r.Words, err = o.Words.from(r.Set, plain); err != nil {
		return nil, err
	}
	if err := r.first(o.First, format.Format(set.Format())); err != nil {
		return nil, err
	}
	if err := r.reduce(ctx, plain, o); err != nil {
		return nil, err
	}
	if o.Normalize {
		r.Set = transform.Normalized(r.Set)
	}
	if err := r.prepare(o); err != nil {
		return nil, err
	}
	if o.SkipUnwritable {
		if r.Set, r.Skipped, err = Writable(r.Set, f); err != nil {
			return nil, err
		}
	}
	r.leftOut(set, can, keeps, o)
	return r, ctx.Err()
}

// first takes the first dimensions, of a set that was read from a file of that format.
func (r *Result) first(dim int, from format.Format) error {
	if dim == 0 || dim == r.Set.Dim() {
		return nil
	}
	first, info, err := FirstOf(r.Set, dim, from)
	r.Set, r.First = first, info
	return err
}

// FirstOf returns the first dimensions of a set that was read from a file of that format,
// and what is known of them.
func FirstOf(set *vectors.Set, dim int, from format.Format) (*vectors.Set, *First, error) {
	first, err := transform.First(set, dim)
	if err != nil {
		return nil, nil, err
	}
	info := &First{Dim: dim, Trained: first.Training().Text("nested") != ""}
	can, err := format.Describe(from)
	if info.Trained || err != nil && from == "" { // a set that was not read
		return first, info, nil
	}
	if err != nil {
		return nil, nil, err
	}
	info.Known = slices.Contains(can.Keeps.Training, "nested") && set.Training().Text("arch") != ""
	return first, info, nil
}

// reduce takes the principal components.
func (r *Result) reduce(ctx context.Context, plain bool, o Options) error {
	if o.Dim == 0 {
		return nil
	}
	if plain {
		r.Set = r.Set.Plain()
	}
	had := r.Set.Dim()
	reduced, done, err := transform.Reduce(ctx, r.Set, o.Dim, o.Computation)
	if err != nil {
		return err
	}
	r.Set, r.Reduced = reduced, &Reduced{From: had, To: o.Dim, Reduction: done}
	return nil
}

// prepare makes of the set what a network wants to start from.
func (r *Result) prepare(o Options) (err error) {
	if o.OneMatrix {
		r.Set = transform.OneMatrix(r.Set)
	}
	if r.Set, err = transform.Scaled(r.Set, o.scale()); err != nil {
		return err
	}
	// Rows of missing words are not scaled.
	if r.Set, err = transform.WithSpecialTokens(o.Words.fill(r.Set), o.SpecialTokens...); err != nil {
		return err
	}
	if o.DType != "" {
		r.Set = transform.WithDType(r.Set, o.DType)
	}
	return nil
}

// leftOut says what of set is not in the result, or not in its file.
func (r *Result) leftOut(set *vectors.Set, can format.Capabilities, keepsNgrams bool, o Options) {
	r.ByFormat = format.LeavesOut(r.Set, can.Format)
	if set.Subword() != nil && r.Set.Subword() == nil {
		r.ByOption.Subwords, r.ByFormat.Subwords = keepsNgrams, !keepsNgrams
	}
	held, notHeld := format.DroppedParts(set, r.Set, can.Keeps)
	r.ByOption.Parts, r.ByFormat.Parts = held, append(notHeld, r.ByFormat.Parts...)
	if set.Output().Rows > 0 && r.Set.Output().Rows == 0 && o.kind() == transform.KindInput {
		r.ByOption.Context, r.ByFormat.Context = can.Keeps.Context, !can.Keeps.Context
	}
}
