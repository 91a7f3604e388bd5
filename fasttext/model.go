package fasttext

import (
	"bytes"
	"errors"
	"io"

	"github.com/w2v-go/w2v/vectors"
)

// A Model prints what fastText prints of a model. It is for one goroutine.
type Model struct {
	set     *vectors.Set
	vector  []float32
	line    []byte
	nearest *nearest // nil until it is asked for
}

// NewModel returns the model of a set of vectors, which must stay open.
func NewModel(set *vectors.Set) *Model {
	return &Model{set: set, vector: make([]float32, set.Dim())}
}

// WordVectors prints a line for each word of r: the word and its vector, of zeros if it has none.
// Each line is written when it is there.
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

// ErrClassifier says that a model is a classifier, of which fastText makes sentences in another way,
// by rows that a set does not have.
var ErrClassifier = errors.New("the model is a classifier, whose vectors of sentences are not supported")

// SentenceVectors prints a vector for each line of r: the mean of the directions of its words.
func (m *Model) SentenceVectors(w io.Writer, r io.Reader) error {
	if m.set.Training().Text("arch") == "supervised" {
		return ErrClassifier
	}
	lines := newSentences(r)
	sum := make([]float32, m.set.Dim())
	for lines.Scan() {
		clear(sum)
		n := 0
		words := newWords(bytes.NewReader(lines.Bytes()))
		for words.Scan() {
			m.set.Vector(m.vector, words.Text())
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
		if err := m.write(w, append(appendVector(m.line[:0], sum), '\n')); err != nil {
			return err
		}
	}
	return lines.Err()
}

// Ngrams prints a line for each row that the vector of a word is the mean of: the word itself if the
// vocabulary has it, and its n-grams.
func (m *Model) Ngrams(w io.Writer, word string) error {
	if id, known := m.set.ID(word); known && m.set.Composition().OwnRows() {
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

// write writes a line, unless the file behind the vectors could not be read.
func (m *Model) write(w io.Writer, line []byte) error {
	m.line = line
	if err := m.set.Err(); err != nil {
		return err
	}
	_, err := w.Write(line)
	return err
}

// prompted reads groups of n words from r and answers each. Before each it writes the prompt.
func prompted(w io.Writer, r io.Reader, prompt string, n int, answer func(words []string) error) error {
	words := newWords(r)
	var group []string
	for {
		if len(group) == 0 {
			if _, err := io.WriteString(w, prompt); err != nil {
				return err
			}
		}
		if !words.Scan() {
			return words.Err()
		}
		group = append(group, words.Text())
		if len(group) < n {
			continue
		}
		if err := answer(group); err != nil {
			return err
		}
		group = group[:0]
	}
}

// checkAnswers reports a number of answers that is none.
func checkAnswers(k int) error {
	if k < 1 {
		return errors.New("the number of answers must be at least 1")
	}
	return nil
}
