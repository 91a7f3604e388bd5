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

// told calls made with a result; made may be nil.
func told[R any](made func(R) error, r R) error {
	if made == nil {
		return nil
	}
	return made(r)
}

// convert reads a set, calls do to make another set of it for a format, calls made, and writes the set.
func (o *Files) convert(ctx context.Context, in, out string, force bool, ngrams func(*vectors.Set) bool, do func(*vectors.Set, format.Format) (*vectors.Set, error), made func() error) error {
	return o.Use(in, func(set *vectors.Set) error {
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
	})
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
	err = s.Guard(func() error { writable = transform.Pick(s, ids); return nil })
	return writable, others, err
}
