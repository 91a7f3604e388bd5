package convert

import (
	"context"

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
	Centred  *transform.Statistic     // nil without Options.Center
	Removed  *transform.Removal       // nil without Options.AllButTheTop
	Whitened *transform.Whitening     // nil without Options.Whiten
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
	keeps := format.KeepsSubword(set.Subword(), set.Composition(), f)
	r, err := process(ctx, set, !o.KeepsNgrams() || !keeps, o)
	if err != nil {
		return nil, err
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
