// Package projector reads and writes folders for TensorBoard's Embedding Projector: vectors.tsv, one line of
// numbers per word; metadata.tsv, one line per word, with a line of column names if there are several
// columns; and projector_config.pbtxt, which names the two files. Fields are separated by tabs. Other
// programs use other file names, which the configuration contains; files outside the folder are not read.
// Source: github.com/tensorflow/tensorboard, plugins/projector; torch/utils/tensorboard/_embedding.py of
// github.com/pytorch/pytorch.
package projector

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

const (
	vectorsFile  = "vectors.tsv"
	metadataFile = "metadata.tsv"
	configFile   = "projector_config.pbtxt"

	longestConfig = 1 << 20

	columnWord, columnCount = "word", "count" // names of columns

	// longestRow limits the first line of numbers, which determines the number of dimensions.
	longestRow = 1 << 28
	// otherColumns is the maximum size of a line besides its word.
	otherColumns = 1 << 20
)

// vectorsFiles are file names of vectors without a configuration: ours, and those of PyTorch and of the
// projector's examples.
var vectorsFiles = []string{vectorsFile, "tensors.tsv", "tensor.tsv"}

// Codec is the format.
var Codec = codec.Codec{
	Name:     codec.Projector,
	Known:    append([]string{configFile}, vectorsFiles...),
	Decode:   read,
	Parts:    parts,
	Size:     sizeOf,
	Word:     checkWord,
	DTypes:   []vectors.DType{},
	Keeps:    codec.Kept{Counts: true},
	Programs: "TensorBoard's Embedding Projector",
}

func sizeOf(s vectors.Shape) float64 {
	bytes := codec.WordSize(s, 1) + codec.DecimalSize(s, s.Words)
	if s.Counts {
		bytes += 2 * float64(s.Words)
	}
	return bytes
}

func parts(s *vectors.Set) ([]codec.Part, error) {
	return []codec.Part{
		{Name: configFile, Write: func(w *bufio.Writer) error {
			_, err := fmt.Fprintf(w, `embeddings {
  tensor_name: "w2v"
  tensor_path: %q
  metadata_path: %q
  tensor_shape: [%d, %d]
}
`, vectorsFile, metadataFile, s.Len(), s.Dim())
			return err
		}},
		{Name: metadataFile, Write: func(w *bufio.Writer) error { return writeMetadata(w, s) }},
		{Name: vectorsFile, Write: func(w *bufio.Writer) error { return writeVectors(w, s) }},
	}, nil
}

func writeMetadata(w *bufio.Writer, s *vectors.Set) error {
	counts := s.SharedParts().Counts
	if counts == nil {
		return codec.WriteWords(w, s.Words())
	}
	fmt.Fprintf(w, "%s\t%s\n", columnWord, columnCount)
	for id, word := range s.Words().All() {
		if _, err := fmt.Fprintf(w, "%s\t%d\n", word, counts[id]); err != nil {
			return err
		}
	}
	return nil
}

func writeVectors(w *bufio.Writer, s *vectors.Set) error {
	var line []byte
	for _, vector := range s.All() {
		line = line[:0]
		for i, x := range vector {
			if i > 0 {
				line = append(line, '\t')
			}
			line = decimal.Append(line, x)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return s.Err()
}

// checkWord returns why a word cannot be written to metadata, or nil. TensorBoard skips lines with only white
// space, as JavaScript defines it.
func checkWord(word string) error {
	switch {
	case strings.ContainsAny(word, "\t\r\n"):
		return errors.New("contains a tab or the end of a line, which the projector cannot hold")
	case strings.Trim(strings.TrimSpace(word), "\ufeff") == "":
		return errors.New("is nothing but white space, which the projector passes over")
	}
	return nil
}

func read(in *source.Input) *vectors.Set {
	p := vectors.Parts{Source: in.Behind, Origin: vectors.Origin{Format: codec.Projector}}
	words, names := metadataFile, vectorsFiles
	if tables := configured(in); len(tables) > 0 {
		names = append([]string{tables[0].vectors}, names...)
		words = cmp.Or(tables[0].words, words)
		for _, other := range tables[1:] {
			p.Origin.Unread = append(p.Origin.Unread, fmt.Sprintf("the vectors in %.80q", other.vectors))
		}
	}
	var missing error // error for the first name
	for _, name := range names {
		err := in.ReadPart(name, "the vectors", func(part *source.Input) { p.Input = numberLines(part) })
		if !errors.Is(err, fs.ErrNotExist) {
			missing = err
			break
		}
		missing = cmp.Or(missing, err)
	}
	source.Check(missing)
	source.Check(in.ReadPart(words, "the words", func(part *source.Input) { readMetadata(part, &p) }))
	return source.Must(vectors.New(p))
}

type table struct{ vectors, words string }

var (
	beginsTable = regexp.MustCompile(`\bembeddings\s*:?\s*[{<]`)
	pathField   = regexp.MustCompile(`\b(tensor|metadata)_path\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)')`)
	comment     = regexp.MustCompile(`(?m)^\s*#.*$`)
)

// configured returns the tables of the configuration whose vectors are in a file of the folder. Without a
// configuration it returns none.
func configured(in *source.Input) (tables []table) {
	err := in.ReadPart(configFile, "the configuration", func(part *source.Input) {
		text := part.Rest("a configuration", longestConfig)
		for _, fields := range beginsTable.Split(comment.ReplaceAllString(string(text), ""), -1)[1:] {
			var t table
			for _, field := range pathField.FindAllStringSubmatch(fields, -1) {
				switch path := field[2] + field[3]; {
				case !filepath.IsLocal(path):
				case field[1] == "tensor":
					t.vectors = path
				default:
					t.words = path
				}
			}
			if t.vectors != "" {
				tables = append(tables, t)
			}
		}
	})
	if !errors.Is(err, fs.ErrNotExist) {
		source.Check(err)
	}
	return tables
}

func numberLines(in *source.Input) vectors.Matrix {
	r := rowio.NewTextReader(in)
	first := r.First(longestRow)
	r.Wordless, r.Dim = true, 1+bytes.Count(rowio.TrimLine(first), []byte{'\t'})
	var m vectors.Matrix
	if first != nil {
		m = r.Rows(-1, "", func([]byte, []float32) {})
	}
	if m.Rows == 0 {
		in.FailLine("expected numbers, but the file is empty: %w", io.ErrUnexpectedEOF)
	}
	return m
}

func readMetadata(in *source.Input, p *vectors.Parts) {
	rows := p.Input.Rows
	var list vectors.WordsBuilder
	columns, word, count := 0, 0, -1 // number of columns, and indices of the word and count columns
	for line := range in.Lines(source.MaxWord + otherColumns) {
		line = bytes.TrimSuffix(line, []byte{'\r'})
		fields := bytes.Split(line, []byte{'\t'})
		if columns == 0 {
			if columns = len(fields); columns > 1 { // the first line has column names
				word, count = max(0, column(fields, columnWord)), column(fields, columnCount)
				if count >= 0 {
					p.Counts = []uint64{}
				}
				continue
			}
		}
		switch {
		case list.Len() == rows && len(line) == 0:
			continue
		case list.Len() == rows:
			in.FailLine("expected the end of the words after %d, as there are vectors, found %.40q", rows, line)
		case len(fields) != columns:
			in.FailLine("expected %d columns, found %d", columns, len(fields))
		case len(fields[word]) > source.MaxWord:
			in.FailLine("expected a word of at most %d bytes, found one of %d", source.MaxWord, len(fields[word]))
		}
		list.Add(string(fields[word]))
		if count >= 0 {
			n, err := strconv.ParseUint(string(fields[count]), 10, 64)
			if err != nil {
				in.FailLine("expected a count, found %.40q", fields[count])
			}
			p.Counts = append(p.Counts, n)
		}
	}
	if list.Len() < rows {
		in.FailLine("expected %d words, as there are vectors, but the file ends after %d: %w",
			rows, list.Len(), io.ErrUnexpectedEOF)
	}
	p.Words = list.Words()
}

func column(names [][]byte, name string) int {
	return slices.IndexFunc(names, func(c []byte) bool { return strings.EqualFold(string(bytes.TrimSpace(c)), name) })
}
