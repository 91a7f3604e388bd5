package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A folder for TensorBoard's Embedding Projector: vectors, a line of numbers a word;
// metadata, a line a word, with a line of column names if there are several; and a
// configuration that names the two. Everything is set apart by tabs. Source:
// github.com/tensorflow/tensorboard, plugins/projector. Only these names are read,
// whatever the configuration says: a folder cannot send us elsewhere.
const (
	projectorVectors  = "vectors.tsv"
	projectorMetadata = "metadata.tsv"
	projectorConfig   = "projector_config.pbtxt"

	projectorWord, projectorCount = "word", "count" // columns
)

func writeProjector(s *Set) ([]part, error) {
	return []part{
		{projectorConfig, func(w *bufio.Writer) error {
			_, err := fmt.Fprintf(w, `embeddings {
  tensor_name: "w2v"
  tensor_path: %q
  metadata_path: %q
  tensor_shape: [%d, %d]
}
`, projectorVectors, projectorMetadata, s.Len(), s.Dim())
			return err
		}},
		{projectorMetadata, s.writeProjectorMetadata},
		{projectorVectors, s.writeProjectorVectors},
	}, nil
}

func (s *Set) writeProjectorMetadata(w *bufio.Writer) error {
	if s.counts == nil {
		return s.writeWordLines(w)
	}
	if _, err := fmt.Fprintf(w, "%s\t%s\n", projectorWord, projectorCount); err != nil {
		return err
	}
	for id, word := range s.words.All() {
		if _, err := fmt.Fprintf(w, "%s\t%d\n", word, s.counts[id]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) writeProjectorVectors(w *bufio.Writer) error {
	var line []byte
	return s.EachVector(func(_ int, vector []float32) error {
		line = line[:0]
		for i, x := range vector {
			if i > 0 {
				line = append(line, '\t')
			}
			line = appendFloat(line, x)
		}
		_, err := w.Write(append(line, '\n'))
		return err
	})
}

// checkProjectorWord says why a word cannot be written to metadata. TensorBoard
// passes over lines that have nothing but white space, as JavaScript knows it.
func checkProjectorWord(word string) error {
	switch {
	case strings.ContainsAny(word, "\t\r\n"):
		return errors.New("contains a tab or the end of a line, which the projector cannot hold")
	case strings.Trim(strings.TrimSpace(word), "\ufeff") == "":
		return errors.New("is nothing but white space, which the projector passes over")
	}
	return nil
}

func readProjector(in *input) (*Set, error) {
	s := &Set{}
	err := in.readPart(projectorVectors, "the vectors", func(part *input) (err error) {
		s.input, err = part.numberLines()
		return err
	})
	if err != nil {
		return nil, err
	}
	err = in.readPart(projectorMetadata, "the words", func(part *input) error { return part.projectorMetadata(s) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// numberLines reads lines of equally many numbers, set apart by tabs.
func (in *input) numberLines() (Matrix, error) {
	var data []float32
	rows, dim := 0, 0
	next := func(in *input, dst []float32) ([]float32, error) {
		line, err := in.text(longestFirstRow)
		if err != nil {
			return nil, err
		}
		line = bytes.Trim(line, " \t\r")
		if dim == 0 && len(line) > 0 {
			dim = 1 + bytes.Count(line, []byte{'\t'})
		}
		if len(line) == 0 {
			return dst, nil
		}
		row, ok := appendFields(dst, line, dim)
		if !ok {
			return nil, in.failLine("expected %d numbers, found %.40q", dim, line)
		}
		return row, nil
	}
	empty := int64(0) // the first empty line after the last row
	for {
		row := data
		if in.reopen != nil {
			row = data[:0] // only to see that it is one
		}
		before := len(row)
		row, err := next(in, row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Matrix{}, err
		}
		if len(row) == before {
			if empty == 0 {
				empty = in.line
			}
			continue
		}
		if empty > 0 {
			in.line = empty
			return Matrix{}, in.failLine("expected %d numbers, found an empty line", dim)
		}
		if rows++; rows > math.MaxInt32 {
			return Matrix{}, in.failLine("expected at most %d rows, found more", math.MaxInt32)
		}
		data = row
	}
	if rows == 0 {
		return Matrix{}, in.failLine("expected numbers, but the file is empty: %w", io.ErrUnexpectedEOF)
	}
	if in.reopen == nil {
		return Matrix{Data: data, Rows: rows, Cols: dim, Stride: dim}, nil
	}
	return in.sequenceAt(0, rows, dim, 0, func(in *input, dst []float32) error {
		_, err := next(in, dst[:0])
		return err
	}), nil
}

// projectorMetadata reads the words of s, and their counts if there are any.
func (in *input) projectorMetadata(s *Set) error {
	rows := s.input.Rows
	first, err := in.text(MaxWord + otherColumns)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	columns := strings.Split(strings.TrimSuffix(string(first), "\r"), "\t")
	var list WordsBuilder
	word, count := 0, -1 // the columns
	if len(columns) == 1 {
		if len(columns[0]) > MaxWord {
			return in.failLine("expected a word of at most %d bytes, found one of %d", MaxWord, len(columns[0]))
		}
		if err == nil {
			list.Add(columns[0])
		}
	} else {
		named := func(name string) int {
			return slices.IndexFunc(columns, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), name) })
		}
		word, count = max(0, named(projectorWord)), named(projectorCount)
		if count >= 0 {
			s.counts = []uint64{}
		}
	}
	for {
		line, err := in.text(MaxWord + otherColumns)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 && list.Len() == rows {
			continue
		}
		if list.Len() == rows {
			return in.failLine("expected the end of the words after %d, as there are vectors, found %.40q", rows, line)
		}
		fields := bytes.Split(line, []byte{'\t'})
		if len(fields) != len(columns) {
			return in.failLine("expected %d columns, found %d", len(columns), len(fields))
		}
		if len(fields[word]) > MaxWord {
			return in.failLine("expected a word of at most %d bytes, found one of %d", MaxWord, len(fields[word]))
		}
		list.Add(string(fields[word]))
		if count >= 0 {
			n, err := strconv.ParseUint(string(fields[count]), 10, 64)
			if err != nil {
				return in.failLine("expected a count, found %.40q", fields[count])
			}
			s.counts = append(s.counts, n)
		}
	}
	if list.Len() < rows {
		return in.failLine("expected %d words, as there are vectors, but the file ends after %d: %w",
			rows, list.Len(), io.ErrUnexpectedEOF)
	}
	s.words = list.Words()
	return nil
}
