package vectors

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/absent"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
)

// writeBuffer is how many bytes are given to the system at a time.
const writeBuffer = 1 << 20

// Write writes s to the file at path in format f, compressed if path ends in
// ".gz" or ".zst", or to the folder at path if the format is one. The file takes
// its place when it is complete; if anything fails or the context ends, what was
// there before is untouched. Errors are one line that begins with path.
func Write(ctx context.Context, path string, s *Set, f Format) error {
	switch {
	case ctx == nil:
		return fmt.Errorf("%s: %w", path, errNoCtx)
	case s == nil:
		return fmt.Errorf("%s: %w", path, errNoSet)
	}
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	var parts []part
	if err := s.file.Guarded(func() (err error) { parts, err = c.partsOf(s); return err }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if c.folder {
		return atomicfile.WriteFolder(path, func(create func(name string, write func(io.Writer) error) error) error {
			for _, p := range parts {
				if err := create(p.name, func(file io.Writer) error { return s.encodeFile(ctx, file, p.name, p.write) }); err != nil {
					return err
				}
			}
			return nil
		})
	}
	file := func(p part) func(io.Writer) error {
		return func(file io.Writer) error { return s.encodeFile(ctx, file, path+p.name, p.write) }
	}
	if len(parts) == 1 {
		if err := atomicfile.Write(path, file(parts[0])); err != nil {
			return err
		}
		return atomicfile.ClearPending(path)
	}
	return atomicfile.WritePair(path, parts[1].name, file(parts[0]), file(parts[1]))
}

// CheckTarget tells whether Write of a set to path in format f will find a place that
// it can write to, without leaving anything behind. It is for asking before hours of
// work. Errors are one line that begins with path.
func CheckTarget(path string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	if !c.folder {
		return atomicfile.Check(path)
	}
	names, err := c.names()
	if err != nil {
		return err
	}
	return atomicfile.CheckFolder(path, names...)
}

// encodeFile writes a file of that name, whose extension may ask for compression.
func (s *Set) encodeFile(ctx context.Context, file io.Writer, name string, encode func(*bufio.Writer) error) error {
	err := s.file.Guarded(func() error { return encodeTo(ctx, file, name, encode) })
	if changed := s.file.Changed(); changed != nil && ctx.Err() == nil {
		return changed // whatever it led to
	}
	return err
}

// encodeTo is encodeFile where faults are looked after.
func encodeTo(ctx context.Context, file io.Writer, name string, encode func(*bufio.Writer) error) error {
	cw, err := compression.NewWriter(writerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return file.Write(p)
	}), name)
	if err != nil {
		return err
	}
	bw := bufio.NewWriterSize(cw, writeBuffer)
	if err := encode(bw); err != nil {
		return err
	}
	if err := bw.Flush(); err != nil {
		return err
	}
	return cw.Close()
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Encode writes s to w in format f, which must be one of a single file. The same
// set gives the same bytes every time. Only the native format holds all of a set;
// see docs/formats.md for what the others keep.
func Encode(w io.Writer, s *Set, f Format) error {
	if absent.Is(w) {
		return errors.New("vectors: there is no writer for the set: it is nil")
	}
	if s == nil {
		return fmt.Errorf("not a valid set: %w", errNoSet)
	}
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	return s.file.Guarded(func() error {
		parts, err := c.partsOf(s)
		if err != nil {
			return err
		}
		if c.folder || len(parts) > 1 {
			return fmt.Errorf("the format %s is several files, which cannot be written as one stream", f)
		}
		bw := bufio.NewWriterSize(w, writeBuffer)
		if err := parts[0].write(bw); err != nil {
			return err
		}
		return bw.Flush()
	})
}

// A part is a file of those that a set is written as.
type part struct {
	// name is that of a file in a folder, or what is put after the name of the
	// file itself, which has none.
	name  string
	write func(w *bufio.Writer) error
}

// partsOf returns what s is written as: the files of a folder, or the file itself and
// at most one beside it.
func (c codec) partsOf(s *Set) ([]part, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	if err := c.checkSubword(s); err != nil {
		return nil, err
	}
	if err := c.checkWords(s); err != nil {
		return nil, err
	}
	if c.subword != nil && c.subword(s.subword, s.composition) != nil {
		s = s.Plain()
	}
	if c.parts != nil {
		return c.parts(s)
	}
	return []part{{"", func(w *bufio.Writer) error {
		if err := c.write(w, s); err != nil {
			return err
		}
		return s.Err() // rows that could not be read
	}}}, nil
}
