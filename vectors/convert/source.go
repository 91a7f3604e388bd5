package convert

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// WithSource opens the model at path for as long as use takes to walk through it a few
// times: rows stay in the file, as far as its format allows. Whole, if not nil, is called
// with the reason if all rows have to be in memory. A file that changes meanwhile is an
// error.
func WithSource(path string, whole func(reason string), use func(*vectors.Set) error) error {
	set, err := format.OpenStream(path, whole)
	if err != nil {
		return err
	}
	err = set.Guard(func() error {
		if err := set.Check(); err != nil {
			return fmt.Errorf("%s: not a valid model: %w", path, err)
		}
		return use(set)
	})
	return errors.Join(err, set.Close())
}

// File makes of the model at in what is asked for, and writes it to out, in Options.Format or
// else the format of its extension.
func File(ctx context.Context, in, out string, o Options) (r *Result, err error) {
	err = WithSource(in, nil, func(set *vectors.Set) error {
		f, err := o.Format, error(nil)
		if f == "" {
			f, err = format.ForPath(out, set.Subword() != nil && o.KeepsNgrams())
		}
		if err != nil {
			return err
		}
		if r, err = Apply(ctx, set, f, o); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		return Write(ctx, out, r.Set, f, o.Computation.Force)
	})
	if err != nil {
		return nil, err
	}
	r.Set = nil // which is closed
	return r, nil
}

// Write writes a set to the file or folder at path, unless it is sure not to fit there.
// Force writes it all the same.
func Write(ctx context.Context, path string, set *vectors.Set, f format.Format, force bool) error {
	if !force {
		if err := sysinfo.CheckDisk(path, format.EstimateSize(path, set.Shape(), f)); err != nil {
			return err
		}
	}
	return format.Write(ctx, path, set, f)
}

// Reader makes of the model that r holds what is asked for, and writes it to w in format f.
// All of the model is read into memory.
func Reader(ctx context.Context, r io.Reader, w io.Writer, f format.Format, o Options) (*Result, error) {
	set, err := format.Read(r)
	if err != nil {
		return nil, err
	}
	done, err := Apply(ctx, set, f, o)
	if err != nil {
		return nil, err
	}
	return done, format.Encode(w, done.Set, f)
}

// Writable returns the set of the words of s that a file in format f can hold, in their
// order, and the others. It is s if there are no others. Rows are read when they are asked
// for, and n-grams stay. Words are not changed, so that no word gets the vector of another
// one. It is an error if no word is left.
func Writable(s *vectors.Set, f format.Format) (writable *vectors.Set, others []*format.UnwritableWord, err error) {
	others, err = format.Unwritable(s, f)
	if err != nil {
		return nil, others, err
	}
	if len(others) == 0 {
		return s, nil, nil
	}
	ids := make([]uint32, 0, s.Len()-len(others))
	next := 0
	for id := range s.Len() {
		if next < len(others) && others[next].ID == id {
			next++
			continue
		}
		ids = append(ids, uint32(id))
	}
	err = s.Guard(func() error {
		writable = transform.Pick(s, ids)
		return nil
	})
	return writable, others, err
}
