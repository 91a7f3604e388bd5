package convert

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// MergeOptions say how MergeFiles merges models.
type MergeOptions struct {
	transform.MergeOptions // Names are set to the paths of the models
	Format                 format.Format
	SkipUnwritable         bool // leaves out words that the format cannot hold; otherwise such a word is an error

	Opened func(path string, set *vectors.Set) error // called with each model; may be nil
	Made   func(*Merged) error                       // called with the result before it is written; may be nil
}

// Merged is the set that MergeFiles writes, and what was left out.
type Merged struct {
	Set    *vectors.Set
	Format format.Format
	*transform.Merged
	Skipped  []*format.UnwritableWord // words left out by MergeOptions.SkipUnwritable
	ByFormat format.LeftOut           // what the format cannot hold
}

// MergeFiles merges the models at in, of any formats, and writes one model to out: see transform.Merge. Models
// whose format can be mapped stay in their files. It closes the set of the result and sets it to nil.
func MergeFiles(ctx context.Context, in []string, out string, o MergeOptions) (_ *Merged, err error) {
	var sets []*vectors.Set
	defer func() {
		for _, set := range sets {
			err = errors.Join(err, set.Close())
		}
	}()
	for _, path := range in {
		set, err := format.Open(path)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
		if o.Opened != nil {
			if err := o.Opened(path, set); err != nil {
				return nil, err
			}
		}
	}
	o.Names = in
	r := &Merged{}
	r.Set, r.Merged, err = transform.Merge(ctx, sets, o.MergeOptions)
	if e, ok := errors.AsType[*transform.PartError](err); ok {
		return nil, fmt.Errorf("%s: %w", in[e.Part], e.Err)
	} else if err != nil {
		return nil, err
	}
	if r.Format = o.Format; r.Format == "" {
		if r.Format, err = format.ForPath(out, r.Set.Subword() != nil); err != nil {
			return nil, err
		}
	}
	if o.SkipUnwritable {
		if r.Set, r.Skipped, err = Writable(r.Set, r.Format); err != nil {
			return nil, err
		}
	}
	if err := format.CheckSubword(r.Set.Subword(), r.Set.Composition(), r.Format); err != nil {
		return nil, fmt.Errorf("%s: %w", out, err)
	}
	r.ByFormat = format.LeavesOut(r.Set, r.Format)
	if err := told(o.Made, r); err != nil {
		return nil, err
	}
	err = Write(ctx, out, r.Set, r.Format, o.Computation.Force)
	r.Set = nil
	return r, err
}
