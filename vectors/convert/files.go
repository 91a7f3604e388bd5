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

// Files say how File, QuantizeFile and FactorizeFile read and write. The zero value reads and writes the
// named files.
type Files struct {
	In     io.Reader     // read into memory instead of the input file; nil reads the file
	Out    io.Writer     // written instead of the output file; nil writes the file
	Format format.Format // of the output; empty means the format of the extension

	// SkipUnwritable leaves out words that the format cannot hold. Otherwise such a word is an error.
	SkipUnwritable bool

	Whole  func(reason string)      // called with the reason if all rows of the input must be in memory; may be nil
	Opened func(*vectors.Set) error // called with the input before it is converted; may be nil
}

// File converts the model at in and writes it to out. It closes the sets of the result and sets them to nil.
func File(ctx context.Context, in, out string, o Options) (*Result, error) {
	keepsNgrams := func(set *vectors.Set) bool { return set.Subword() != nil && o.KeepsNgrams() }
	return converted(ctx, o.Files, in, out, o.Computation.Force, keepsNgrams, o.Made, func(set *vectors.Set, f format.Format) (*Result, **vectors.Set, error) {
		r, err := Apply(ctx, set, f, o)
		if err != nil {
			return nil, nil, err
		}
		return r, &r.Set, nil
	})
}

func told[T any](f func(T) error, value T) error {
	if f == nil {
		return nil
	}
	return f(value)
}

// converted reads a set, calls do to make a result for a format, with another set, calls made, and writes
// that set. The set of the result is then nil.
func converted[R any](ctx context.Context, o Files, in, out string, force bool, ngrams func(*vectors.Set) bool, made func(*R) error, do func(*vectors.Set, format.Format) (*R, **vectors.Set, error)) (r *R, err error) {
	err = o.Use(in, func(set *vectors.Set) error {
		f := o.Format
		if f == "" {
			if f, err = format.ForPath(out, ngrams(set) || set.Labels() != nil); err != nil {
				return err
			}
		}
		var other **vectors.Set
		if r, other, err = do(set, f); err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		defer func() { *other = nil }()
		if err := told(made, r); err != nil {
			return err
		}
		if o.Out != nil {
			return format.Encode(o.Out, *other, f)
		}
		return Write(ctx, out, *other, f, force)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Use opens the model at in, or reads it from In, calls Opened and do with it, and closes it.
func (o *Files) Use(in string, do func(*vectors.Set) error) error {
	use := func(set *vectors.Set) error {
		if err := told(o.Opened, set); err != nil {
			return err
		}
		return do(set)
	}
	if o.In != nil {
		set, err := format.Read(o.In)
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		return use(set)
	}
	set, err := format.OpenStream(in, o.Whole)
	if err != nil {
		return err
	}
	err = set.Guard(func() error {
		if err := set.Check(); err != nil {
			return fmt.Errorf("%s: not a valid model: %w", in, err)
		}
		return use(set)
	})
	return errors.Join(err, set.Close())
}

// Write writes a set to the file or folder at path. It fails if the disk is too small, unless force is true.
func Write(ctx context.Context, path string, set *vectors.Set, f format.Format, force bool) error {
	if !force {
		if err := sysinfo.CheckDisk(path, format.EstimateSize(path, set.Shape(), f)); err != nil {
			return err
		}
	}
	return format.Write(ctx, path, set, f)
}

// Writable returns a set of the words of s that a file in format f can hold, in their order, and the other
// words. If f can hold all words, the set is s. Rows are read on demand, and n-grams are kept. Words are not
// changed, so no word gets the vector of another word. It is an error if no word is left.
func Writable(s *vectors.Set, f format.Format) (writable *vectors.Set, others []*format.UnwritableWord, err error) {
	if others, err = format.Unwritable(s, f); err != nil {
		return nil, others, err
	}
	if len(others) == 0 {
		return s, nil, nil
	}
	ids, left := make([]uint32, 0, s.Len()-len(others)), others
	for id := range s.Len() {
		if len(left) > 0 && left[0].ID == id {
			left = left[1:]
		} else {
			ids = append(ids, uint32(id))
		}
	}
	err = s.Guard(func() error { writable = transform.Pick(s, ids); return nil })
	return writable, others, err
}
