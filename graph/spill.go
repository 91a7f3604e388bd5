package graph

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// A spill is a temporary file of edges. Where the system allows it, the file is unlinked at once,
// so that nothing is left behind however the program ends.
type spill struct {
	file *os.File
	buf  []spilled
}

func newSpill(folder string) (*spill, error) {
	file, err := temporary(folder)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name()) // fails on Windows while the file is open: close removes it
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
	folder := filepath.Dir(s.file.Name())
	return fmt.Errorf("%w (temporary files of a graph take up to 36 bytes an edge)", named(folder, err))
}

// close removes the file.
func (s *spill) close() error {
	err := s.file.Close()
	if gone := os.Remove(s.file.Name()); gone != nil && !errors.Is(gone, os.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}
