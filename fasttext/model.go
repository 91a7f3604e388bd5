package fasttext

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/topk"
	"github.com/w2v-go/w2v/vectors"
	file "github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Model prints what fastText prints for a model. Use a Model from one goroutine.
type Model struct {
	set        *vectors.Set
	vector     []float32
	line       []byte
	directions []float32 // of all words; nil until first use
	heap       topk.Heap
}

// NewModel returns the model of a set of vectors, which must stay open.
func NewModel(set *vectors.Set) *Model { return &Model{set: set, vector: make([]float32, set.Dim())} }

// WordVectors prints a line for each word of r: the word and its vector, or zeros for a word without a
// vector. Each line is written as soon as it is known.
func (m *Model) WordVectors(w io.Writer, r io.Reader) error {
	words := newWords(r)
	for words.Scan() {
		m.set.Vector(m.vector, words.Text())
		if err := m.write(w, appendLine(m.line[:0], words.Text(), m.vector)); err != nil {
			return err
		}
	}
	return words.Err()
}

// SentenceVectors prints a vector for each line of r: the mean of its words' normalized vectors, or with a
// classifier the mean of all its rows. Lines are cut at white space, unless the model records that its training
// text was cut otherwise: see query.Finder.Tokens.
func (m *Model) SentenceVectors(ctx context.Context, w io.Writer, r io.Reader) error {
	if m.set.Labels() != nil {
		classifier, err := classify.New(m.set)
		if err != nil {
			return err
		}
		return Classifier{Model: classifier}.SentenceVectors(ctx, w, r)
	}
	cut, err := m.cutter()
	if err != nil {
		return err
	}
	lines := newSentences(r)
	sum := make([]float32, m.set.Dim())
	for lines.Scan() {
		clear(sum)
		n := 0
		words, err := cut(lines.Text())
		if err != nil {
			return err
		}
		for _, word := range words {
			m.set.Vector(m.vector, word)
			if length := norm(m.vector); length > 0 {
				scale(m.vector, 1/float64(length))
				for k, x := range m.vector {
					sum[k] += x
				}
				n++
			}
		}
		if n > 0 {
			scale(sum, 1/float64(n))
		}
		if err := m.write(w, append(decimal.AppendRow(m.line[:0], sum, vectorDigits), '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// cutter returns how lines are cut into words.
func (m *Model) cutter() (func(line string) ([]string, error), error) {
	found, err := query.New(m.set, vectors.CaseAuto)
	if err != nil {
		return nil, err
	}
	p, err := found.Pipeline()
	if err != nil {
		return nil, err
	}
	if p.Plain() && !p.Text.Lowercase {
		return func(line string) ([]string, error) {
			return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(whiteSpace, r) }), nil
		}, nil
	}
	return func(line string) (words []string, err error) {
		tokens, _, err := found.Tokens(line)
		for _, token := range tokens {
			words = append(words, token.Word)
		}
		return words, err
	}, nil
}

// Ngrams prints the rows whose mean is the vector of a word: its own, if it is known, and its n-grams.
func (m *Model) Ngrams(w io.Writer, word string) error {
	if id, known := m.set.ID(word); known && m.set.OwnRows() {
		m.set.Input().Read(m.vector, m.set.OwnRow(id))
		if err := m.write(w, appendLine(m.line[:0], word, m.vector)); err != nil {
			return err
		}
	}
	indexer := m.set.Subword()
	if indexer == nil {
		return m.set.Err()
	}
	zeros := make([]float32, m.set.Input().Cols)
	buckets := indexer.Append(nil, word)
	for i, ngram := range indexer.Ngrams(word) {
		row := m.set.BucketVector(buckets[i])
		if row == nil {
			row = zeros
		}
		if err := m.write(w, appendLine(m.line[:0], ngram, row)); err != nil {
			return err
		}
	}
	return m.set.Err()
}

func (m *Model) write(w io.Writer, line []byte) error {
	m.line = line
	if err := m.set.Err(); err != nil {
		return err
	}
	_, err := w.Write(line)
	return err
}

// prompted reads groups of n words from r and answers each group. It writes the prompt before each group.
func prompted(w io.Writer, r io.Reader, prompt string, n int, answer func(words []string) error) error {
	words := newWords(r)
	for group := make([]string, n); ; {
		if _, err := io.WriteString(w, prompt); err != nil {
			return err
		}
		for i := range group {
			if !words.Scan() {
				return words.Err()
			}
			group[i] = words.Text()
		}
		if err := answer(group); err != nil {
			return err
		}
	}
}

var errAnswers = errors.New("the number of answers must be at least 1")

const (
	vectorDigits = 5
	usualDigits  = 6
)

func appendLine(text []byte, word string, v []float32) []byte {
	text = append(append(text, word...), ' ')
	return append(decimal.AppendRow(text, v, vectorDigits), '\n')
}

// whiteSpace is what C++ treats as white space.
const whiteSpace = " \t\n\v\f\r"

// newWords returns a scanner of the words in r, separated by white space. Invalid UTF-8 is part of words.
func newWords(r io.Reader) *bufio.Scanner {
	return newScanner(r, func(data []byte, atEnd bool) (int, []byte, error) {
		rest := bytes.TrimLeft(data, whiteSpace)
		begin := len(data) - len(rest)
		if i := bytes.IndexAny(rest, whiteSpace); i >= 0 {
			return begin + i, rest[:i], nil
		}
		if atEnd && len(rest) > 0 {
			return len(data), rest, nil
		}
		return begin, nil, nil
	})
}

// newSentences returns a scanner of the lines in r. Unlike with bufio, lines keep a trailing \r.
func newSentences(r io.Reader) *bufio.Scanner {
	return newScanner(r, func(data []byte, atEnd bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if atEnd && len(data) > 0 {
			return len(data), data, nil
		}
		return 0, nil, nil
	})
}

func newScanner(r io.Reader, split bufio.SplitFunc) *bufio.Scanner {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 16<<20) // for the longest line
	scanner.Split(split)
	return scanner
}

// A Part is a part of a file for Dump.
type Part string

// The parts.
const (
	DumpArgs   Part = "args"   // the settings of the training
	DumpDict   Part = "dict"   // words and labels with their counts
	DumpInput  Part = "input"  // the rows of words and n-grams
	DumpOutput Part = "output" // the rows of the output matrix
)

// Parts returns all parts.
func Parts() []Part { return []Part{DumpArgs, DumpDict, DumpInput, DumpOutput} }

// ErrQuantised says that a file is quantised and has no plain rows.
var ErrQuantised = file.ErrQuantised

// Dump prints a part of a fastText file.
func Dump(w io.Writer, path string, part Part) error {
	return file.ReadContents(path, func(c *file.Contents) (err error) {
		out := bufio.NewWriter(w)
		defer func() { err = errors.Join(err, out.Flush()) }()
		switch part {
		case DumpArgs:
			for _, s := range c.Settings {
				if x, ok := s.Value.(float64); ok {
					s.Value = string(decimal.AppendDigits(nil, x, usualDigits))
				}
				fmt.Fprintf(out, "%s %v\n", s.Name, s.Value)
			}
			return nil
		case DumpDict:
			fmt.Fprintf(out, "%d\n", len(c.Entries))
			for _, e := range c.Entries {
				kind := "word"
				if e.Label {
					kind = "label"
				}
				fmt.Fprintf(out, "%s %d %s\n", e.Word, e.Count, kind)
			}
			return nil
		case DumpInput:
			return dumpMatrix(out, c, vectors.MatrixInput)
		case DumpOutput:
			return dumpMatrix(out, c, vectors.MatrixOutput)
		}
		return fmt.Errorf("there is no part %q: args, dict, input and output are", string(part))
	})
}

func dumpMatrix(w *bufio.Writer, c *file.Contents, name string) error {
	rows, cols, each := c.Matrix(name)
	fmt.Fprintf(w, "%d %d\n", rows, cols)
	var line []byte
	for row := range each {
		line = line[:0]
		for i, x := range row {
			if i > 0 {
				line = append(line, ' ')
			}
			line = decimal.AppendDigits(line, float64(x), usualDigits)
		}
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// find finds neighbours with sums in fastText's order, so that equally similar answers have fastText's order too.
func (m *Model) find(query []float32, k int, without []string) (topk.Heap, error) {
	dim := m.set.Dim()
	if m.directions == nil {
		m.directions = make([]float32, m.set.Len()*dim)
		for id, v := range m.set.All() {
			if length := norm(v); length > 0 {
				row := m.directions[id*dim:][:dim]
				copy(row, v)
				scale(row, 1/float64(length))
			}
		}
	}
	length := norm(query)
	if math.Abs(float64(length)) < 1e-8 {
		length = 1
	}
	var skip []int
	for _, word := range without {
		if id, known := m.set.ID(word); known {
			skip = append(skip, id)
		}
	}
	m.heap = m.heap[:0]
	for id := range m.set.Len() {
		if slices.Contains(skip, id) {
			continue
		}
		similarity := dot(m.directions[id*dim:][:dim], query) / length
		if len(m.heap) == k && similarity < m.heap[0].Score {
			continue
		}
		m.heap.Offer(topk.Entry{Score: similarity, ID: id}, k)
	}
	m.heap.Sort()
	return m.heap, m.set.Err()
}

// Nearest reads words and prints the k nearest words of each, with cosines.
func (m *Model) Nearest(w io.Writer, r io.Reader, k int) error {
	if k < 1 {
		return errAnswers
	}
	return prompted(w, r, "Query word? ", 1, func(words []string) error {
		m.set.Vector(m.vector, words[0])
		return m.answer(w, m.vector, k, words)
	})
}

// Analogies reads words A, B and C, and prints the k words nearest to A − B + C. path names the model.
func (m *Model) Analogies(w io.Writer, r io.Reader, path string, k int) error {
	if k < 1 {
		return errAnswers
	}
	if _, err := io.WriteString(w, "Loading model "+path+"\n"); err != nil {
		return err
	}
	query := make([]float32, m.set.Dim())
	return prompted(w, r, "Query triplet (A - B + C)? ", 3, func(words []string) error {
		clear(query)
		for i, sign := range []float64{1, -1, 1} {
			m.set.Vector(m.vector, words[i])
			factor := float32(sign / (float64(norm(m.vector)) + 1e-8))
			for k, x := range m.vector {
				query[k] += float32(factor * x)
			}
		}
		return m.answer(w, query, k, words)
	})
}

func (m *Model) answer(w io.Writer, query []float32, k int, without []string) error {
	all, err := m.find(query, k, without)
	if err != nil {
		return err
	}
	for _, found := range all {
		line := append(append(m.line[:0], m.set.Words().At(found.ID)...), ' ')
		if err := m.write(w, append(decimal.AppendDigits(line, float64(found.Score), usualDigits), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// Converting each product to float32 forces the rounding that fastText has on most processors.

func dot(a, b []float32) (sum float32) {
	for k, x := range a {
		sum += float32(x * b[k])
	}
	return sum
}

func norm(v []float32) float32 { return float32(math.Sqrt(float64(dot(v, v)))) }

func scale(v []float32, by float64) {
	factor := float32(by)
	for k := range v {
		v[k] *= factor
	}
}
