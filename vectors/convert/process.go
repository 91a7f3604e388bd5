package convert

import (
	"context"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Process makes of set what Vectors, Top, Words, First, Dim, Center, AllButTheTop, Whiten and
// Normalize of o ask for, in this order, and nothing else of o. The result has no format and
// keeps n-grams where the options do, so that one sees what Apply would write with the same
// options: words have the same vectors, up to rounding to float32. Rows of the result are made
// when they are asked for: close set after it. ByOption of the result says what was left out.
func Process(ctx context.Context, set *vectors.Set, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := o.Words.validate(); err != nil {
		return nil, err
	}
	r, err := process(ctx, set, !o.KeepsNgrams(), o)
	if err != nil {
		return nil, err
	}
	r.ByOption.Subwords = set.Subword() != nil && r.Set.Subword() == nil
	return r, nil
}

// process is Process of options that make sense. Plain says that n-grams do not stay.
func process(ctx context.Context, set *vectors.Set, plain bool, o Options) (r *Result, err error) {
	r = &Result{}
	if r.Set, err = transform.WordVectors(set, o.kind()); err != nil {
		return nil, err
	}
	if o.Top > 0 {
		r.Set = transform.Top(r.Set, o.Top)
	}
	if r.Set, r.Words, err = o.Words.from(r.Set, plain); err != nil {
		return nil, err
	}
	if err := r.first(o.First, format.Format(set.Format())); err != nil {
		return nil, err
	}
	if plain && o.maps() {
		r.Set = r.Set.Plain()
	}
	if err := r.reduce(ctx, o); err != nil {
		return nil, err
	}
	if err := r.center(ctx, o); err != nil {
		return nil, err
	}
	if o.Normalize {
		r.Set = transform.Normalized(r.Set)
	}
	return r, nil
}

// maps tells whether vectors are mapped by what all of them are computed to.
func (o *Options) maps() bool { return o.Dim > 0 || o.Center || o.AllButTheTop > 0 || o.Whiten }

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
func (r *Result) reduce(ctx context.Context, o Options) error {
	if o.Dim == 0 {
		return nil
	}
	had := r.Set.Dim()
	reduced, done, err := transform.Reduce(ctx, r.Set, o.Dim, o.Computation)
	if err != nil {
		return err
	}
	r.Set, r.Reduced = reduced, &Reduced{From: had, To: o.Dim, Reduction: done}
	return nil
}

// center subtracts the mean, removes components and whitens what is left.
func (r *Result) center(ctx context.Context, o Options) error {
	if o.Center {
		centred, of, err := transform.Center(ctx, r.Set, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Centred = centred, &of
	}
	if o.AllButTheTop > 0 {
		left, done, err := transform.AllButTheTop(ctx, r.Set, o.AllButTheTop, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Removed = left, &done
	}
	if o.Whiten {
		white, done, err := transform.Whiten(ctx, r.Set, o.Computation)
		if err != nil {
			return err
		}
		r.Set, r.Whitened = white, &done
	}
	return nil
}
