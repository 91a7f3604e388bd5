package convert

import (
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Factorized is what Factorize makes of a set, and what was left out on the way.
type Factorized struct {
	Set *vectors.Set
	transform.Factorization
	Skipped       []*format.UnwritableWord // by skip
	Context       bool                     // context vectors are left out
	Dropped       []string                 // what else the set had
	ByFormat      format.LeftOut           // what the format does not hold, but for the factors
	MultipliedOut bool                     // the format does not hold factors
}

// FactorizeFile makes of the model at in one whose rows are shorter rows times a projection,
// and writes it to out, in the format of its extension. Skip leaves out words that the
// format cannot hold. The set of the result is closed, and nil.
func FactorizeFile(ctx context.Context, in, out string, o transform.FactorizeOptions, skip bool) (r *Factorized, err error) {
	err = WithSource(in, nil, func(set *vectors.Set) error {
		f, err := format.ForPath(out, set.Subword() != nil)
		if err != nil {
			return err
		}
		if r, err = Factorize(ctx, set, f, o, skip); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		return Write(ctx, out, r.Set, f, o.Computation.Force)
	})
	if err != nil {
		return nil, err
	}
	r.Set = nil
	return r, nil
}

// Factorize makes of set one whose rows are shorter rows times a projection, to be written
// in format f. Skip leaves out words that the format cannot hold. Close set after the
// result.
func Factorize(ctx context.Context, set *vectors.Set, f format.Format, o transform.FactorizeOptions, skip bool) (*Factorized, error) {
	r := &Factorized{}
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
