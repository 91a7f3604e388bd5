package graph

import (
	"cmp"
	"fmt"
	"os"

	"github.com/w2v-go/w2v/internal/scratch"
)

// A spilled edge or arc is on its way through a temporary file.
type spilled struct {
	from, to uint32
	weight   float32
}

const (
	spilledBytes = 12
	spillBuffer  = 1 << 14 // edges
)

// A spill is a temporary file of edges.
type spill struct {
	file *scratch.File
	buf  []spilled
}

func newSpill(folder string) (*spill, error) {
	file, err := temporary(folder)
	if err != nil {
		return nil, err
	}
	return &spill{file: file, buf: make([]spilled, 0, spillBuffer)}, nil
}

// add appends an edge.
func (s *spill) add(e spilled) error {
	s.buf = append(s.buf, e)
	if len(s.buf) < spillBuffer {
		return nil
	}
	return s.flush()
}

// flush writes what add keeps.
func (s *spill) flush() error {
	_, err := s.file.Write(asBytes(s.buf))
	s.buf = s.buf[:0]
	return s.explain(err)
}

// write writes edges at a place, which is a number of edges.
func (s *spill) write(at uint64, edges []spilled) error {
	_, err := s.file.WriteAt(asBytes(edges), int64(spilledBytes*at))
	return s.explain(err)
}

// read reads edges that are at a place.
func (s *spill) read(at uint64, edges []spilled) error {
	_, err := s.file.ReadAt(asBytes(edges), int64(spilledBytes*at))
	return s.explain(err)
}

// explain says which folder an error of the file is about.
func (s *spill) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w (temporary files of a graph take up to 36 bytes an edge)", s.file.Folder, scratch.Cause(err))
}

// temporary creates a temporary file in a folder.
func temporary(folder string) (*scratch.File, error) {
	file, err := scratch.Create(folder, "w2v-graph-")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(folder, os.TempDir()), err)
	}
	return file, nil
}
