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

// Files say how File, QuantizeFile and FactorizeFile read and write. The zero value reads and writes the files that
// are named.
type Files struct {
	In     io.Reader     // is read, into memory, in place of the input file; nil for the file
	Out    io.Writer     // is written in place of the output file; nil for the file
	Format format.Format // of the output; empty for the format of the extension

	// SkipUnwritable leaves out words that the format cannot hold. Else such a word is an error of writing.
	SkipUnwritable bool

	Whole  func(reason string)      // is called with the reason if all rows of the input have to be in memory; may be nil
	Opened func(*vectors.Set) error // is called with the input before anything is made of it; may be nil
}

// File makes of the model at in what is asked for, and writes it to out. The sets of the result are closed, and nil.
func File(ctx context.Context, in, out string, o Options) (r *Result, err error) {
	keepsNgrams := func(set *vectors.Set) bool { return set.Subword() != nil && o.KeepsNgrams() }
	err = o.Files.convert(ctx, in, out, o.Computation.Force, keepsNgrams, func(set *vectors.Set, f format.Format) (*vectors.Set, error) {
		if r, err = Apply(ctx, set, f, o); err != nil {
			return nil, err
		}
		return r.Set, nil
	}, func() error { return told(o.Made, r) })
	if err != nil {
		return nil, err
	}
	r.Set = nil
	return r, nil
}

// told calls made, which may be nil, with a result.
func told[R any](made func(R) error, r R) error {
	if made == nil {
		return nil
	}
	return made(r)
}

// convert reads a set, calls do to make another one of it for a format, then made, and writes the other one.
func (o *Files) convert(ctx context.Context, in, out string, force bool, ngrams func(*vectors.Set) bool, do func(*vectors.Set, format.Format) (*vectors.Set, error), made func() error) error {
	use := func(set *vectors.Set) error {
		if err := told(o.Opened, set); err != nil {
			return err
		}
		f, err := o.Format, error(nil)
		if f == "" {
			f, err = format.ForPath(out, ngrams(set))
		}
		if err != nil {
			return err
		}
		other, err := do(set, f)
		if err != nil {
			return fmt.Errorf("%s: %w", in, err)
		}
		if err := made(); err != nil {
			return err
		}
		if o.Out != nil {
			return format.Encode(o.Out, other, f)
		}
		return Write(ctx, out, other, f, force)
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
