package vectors

import (
	"bufio"
	"context"
	"fmt"
	"io"

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
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	parts, err := c.partsOf(s)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if c.folder {
		return atomicfile.WriteFolder(path, func(create func(name string, write func(io.Writer) error) error) error {
			for _, p := range parts {
				if err := create(p.name, func(file io.Writer) error { return encodeTo(ctx, file, p.name, p.write) }); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return writeBeside(ctx, path, parts)
}

// writeBeside writes the file at path and those beside it. None takes its place before
// all are complete, and the file itself does last: when it is there, what belongs to it
// is too.
func writeBeside(ctx context.Context, path string, parts []part) error {
	first, others := parts[0], parts[1:]
	var other error // says of itself which file it is about
	err := atomicfile.Write(path+first.name, func(file io.Writer) error {
		if err := encodeTo(ctx, file, path+first.name, first.write); err != nil || len(others) == 0 {
			return err
		}
		other = writeBeside(ctx, path, others)
		return other
	})
	if other != nil {
		return other
	}
	return err
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
	parts, err := c.partsOf(&Set{Words: NewWords("a"), Input: NewMatrix(1, 1)}) // any set has the same names
	if err != nil {
		return err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return atomicfile.CheckFolder(path, names...)
}

// encodeTo writes a file of that name, whose extension may ask for compression.
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
	c, err := codecOf(f)
	if err != nil {
		return err
	}
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
}

// A part is a file of those that a set is written as.
type part struct {
	// name is that of a file in a folder, or what is put after the name of the
	// file itself, which has none.
	name  string
	write func(w *bufio.Writer) error
}

// partsOf returns what s is written as, the file itself first.
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
	if c.subword != nil && c.subword(s.Subword, s.Composition) != nil {
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
