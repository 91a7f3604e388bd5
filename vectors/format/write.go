package format

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Write writes s to the file at path in format f, or to the folder at path if the format is a folder. The
// file is compressed if path ends in ".gz" or ".zst". Only a complete file replaces the existing one: if
// anything fails or the context ends, the existing file stays. Errors are one line that begins with path.
func Write(ctx context.Context, path string, s *vectors.Set, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	var parts []codec.Part
	if err := backing.Behind(s.SharedParts().Source).Guarded(func() (err error) { parts, err = partsOf(c, s); return err }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	file := func(name string, p codec.Part) func(io.Writer) error {
		return func(file io.Writer) error { return encodeFile(ctx, s, file, name, p.Write) }
	}
	switch {
	case c.Folder():
		return atomicfile.WriteFolder(path, func(create func(name string, write func(io.Writer) error) error) error {
			for _, p := range parts {
				if err := create(p.Name, file(p.Name, p)); err != nil {
					return err
				}
			}
			return nil
		})
	case len(parts) > 1:
		return atomicfile.WritePair(path, parts[1].Name, file(path, parts[0]), file(path+parts[1].Name, parts[1]))
	}
	if err := atomicfile.Write(path, file(path, parts[0])); err != nil {
		return err
	}
	return atomicfile.ClearPending(path)
}

// encodeFile writes a file with that name, whose extension selects compression.
func encodeFile(ctx context.Context, s *vectors.Set, file io.Writer, name string, encode func(*bufio.Writer) error) error {
	behind := backing.Behind(s.SharedParts().Source)
	err := behind.Guarded(func() error { return encodeTo(ctx, file, name, encode) })
	if changed := behind.Changed(); changed != nil && ctx.Err() == nil {
		return changed // takes precedence over resulting errors
	}
	return err
}

// encodeTo is encodeFile for callers inside a fault guard.
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
	if err := buffered(cw, encode); err != nil {
		return err
	}
	return cw.Close()
}

// buffered calls encode with a writer to w. bufio.Writer keeps the first error of writing.
func buffered(w io.Writer, encode func(*bufio.Writer) error) error {
	bw := bufio.NewWriterSize(w, codec.WriteBuffer)
	if err := encode(bw); err != nil {
		return err
	}
	return bw.Flush()
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Encode writes s to w in format f, which must be a format of a single file. The same set always gives the
// same bytes. Only the native format holds everything in a set: docs/formats.md lists what the others keep.
func Encode(w io.Writer, s *vectors.Set, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	return backing.Behind(s.SharedParts().Source).Guarded(func() error {
		parts, err := partsOf(c, s)
		if err != nil {
			return err
		}
		if c.Folder() || len(parts) > 1 {
			return fmt.Errorf("the format %s is several files, which cannot be written as one stream", f)
		}
		return buffered(w, parts[0].Write)
	})
}

// partsOf returns the files of s: those of a folder, or the main file and at most one beside it.
func partsOf(c codec.Codec, s *vectors.Set) ([]codec.Part, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	if err := checkSubword(c, s); err != nil {
		return nil, err
	}
	for other := range unwritable(c, s) {
		return nil, other
	}
	if c.Subword != nil && holds(c, s.Subword(), s.Composition()) != nil {
		s = s.Plain()
	}
	if c.Begins != nil {
		if err := checkBeginning(c, s); err != nil {
			return nil, err
		}
	}
	if c.Parts != nil {
		return c.Parts(s)
	}
	return []codec.Part{{Write: func(w *bufio.Writer) error {
		if err := c.Write(w, s); err != nil {
			return err
		}
		return s.Err() // error of reading rows
	}}}, nil
}

func checkBeginning(c codec.Codec, s *vectors.Set) error {
	row, err := c.Begins(s)
	if err != nil {
		return err
	}
	head := row[:min(len(row), source.SniffLen)]
	read, err := sniff(head)
	if err != nil || read.Name != c.Name || compression.Sniff(head) != compression.Plain || bytes.HasPrefix(head, byteOrderMark) || plaintext.Check(head) != nil {
		return fmt.Errorf("the first row, %.40q, would be read as the beginning of a file in another format; write it as %s",
			strings.TrimSpace(string(row)), Text)
	}
	return nil
}

// TargetFiles returns the paths of the files that Write creates at path in format f: the file and those
// beside it, or those in the folder.
func TargetFiles(path string, f Format) ([]string, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	names, err := namesOf(c)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if c.Folder() {
			names[i] = filepath.Join(path, name)
		} else {
			names[i] = path + name
		}
	}
	return names, nil
}

func namesOf(c codec.Codec) ([]string, error) {
	if c.Parts == nil {
		return []string{""}, nil
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 1)}) // names are the same for any set
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(c, s)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names, nil
}

// CheckTarget returns an error if Write could not write to path in format f. It leaves nothing behind, so
// call it before hours of work. Errors are one line that begins with path.
func CheckTarget(path string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	if !c.Folder() {
		return atomicfile.Check(path)
	}
	names, err := namesOf(c)
	if err != nil {
		return err
	}
	return atomicfile.CheckFolder(path, names...)
}

// EstimateSize returns how many bytes the files of a model of that shape take at path in format f, or 0 if
// they are compressed. The estimate is never too large. It is nearly exact for binary numbers; decimal
// numbers are assumed to be as short as possible.
func EstimateSize(path string, shape vectors.Shape, f Format) uint64 {
	if _, kind := compression.SplitExt(path); kind != compression.Plain {
		return 0
	}
	c, err := codecOf(f)
	if err != nil {
		return 0
	}
	return uint64(c.Size(shape))
}

// EncodedSize returns how many bytes Encode writes.
func EncodedSize(s *vectors.Set, f Format) (uint64, error) {
	var n counter
	err := Encode(&n, s, f)
	return uint64(n), err
}

type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
