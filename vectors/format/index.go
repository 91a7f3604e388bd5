package format

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
)

// IndexGraph is the graph of an index, which package index interprets.
type IndexGraph = native.Graph

// indexAdvice is why an index is not read as a model.
const indexAdvice = "this is an index, and a model is wanted: w2v search asks it, and the model that it was made of is a file of its own"

// OpenIndex opens the file of an index, and maps it if it is not compressed. Numbers of the graph may lie in the mapped
// file: use them within Guard of the set. Set.Verify compares the file with its checksum; rows that links name are not
// checked. Errors are like those of Open.
func OpenIndex(path string) (s *vectors.Set, g *IndexGraph, err error) {
	if path == "" {
		return nil, nil, errors.New("format: there is no path to open: it is empty")
	}
	place := source.NewPlace(path, false)
	err = place.Behind.Opened(func() error {
		info, err := place.Stat()
		if err != nil {
			return err
		}
		if info.IsDir() {
			return errNoIndex
		}
		return place.File(func(in *source.Input) error { s, g, err = readIndex(in); return err })
	})
	if err != nil {
		_ = place.Behind.Close()
		return nil, nil, source.WithPath(path, err)
	}
	return s, g, nil
}

var errNoIndex = errors.New("is not an index: w2v index makes one")

func readIndex(in *source.Input) (*vectors.Set, *IndexGraph, error) {
	head, err := in.Head()
	if err != nil {
		return nil, nil, atomicfile.Cause(err)
	}
	if !native.IsIndex(head) {
		return nil, nil, errNoIndex
	}
	if err := in.Map(); err != nil {
		return nil, nil, err
	}
	return native.ReadIndex(in)
}

// IsIndex reports whether there is an index at path. It reads only the beginning. If nothing can be read there, the
// answer is no.
func IsIndex(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	is := false
	_ = source.Open(path, func(in *source.Input) error {
		head, err := in.Head()
		is = err == nil && native.IsIndex(head)
		return nil
	})
	return is
}

// WriteIndex writes an index to a file, as Write writes a set.
func WriteIndex(ctx context.Context, path string, s *vectors.Set, g *IndexGraph) error {
	if err := s.Check(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return atomicfile.Write(path, func(file io.Writer) error {
		return encodeFile(ctx, s, file, path, func(w *bufio.Writer) error { return native.WriteIndex(w, s, g) })
	})
}
