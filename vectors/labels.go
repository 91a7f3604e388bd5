package vectors

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Labels are what a classifier has beside vectors of words: what its texts are sorted into. Package classify
// predicts them. Training says which loss the rows were trained with. Sets that are made of another set keep
// its labels only if every number of the set stays what it was.
type Labels struct {
	Names  Words
	Counts []uint64 // how often each label was seen; nil if unknown

	// Rows is a row for each label or, if Nodes is set, for each inner node of the labels' Huffman tree, as
	// fastText builds and numbers it; then a last row beyond the nodes has no meaning. Rows are as wide as the
	// vector of a text: see PooledParts.
	Rows  Matrix
	Nodes bool

	// Runs are the rows of word n-grams of a pruned classifier without character n-grams, and RunBuckets says
	// which of Buckets each row belongs to. Other classifiers have the matrix MatrixWordNgrams or, if a set
	// has n-grams and no such matrix, hash runs of words to the buckets of n-grams.
	Runs       Matrix
	RunBuckets []uint32
	Buckets    int
}

// FactPooling names how a classifier makes the vector of a text of the rows of its words, n-grams and runs of words:
// their mean if it is missing, or PoolExtremes.
const FactPooling = "text_pooling"

// PoolExtremes puts three vectors side by side: the mean of all rows, the largest number of each column, and the smallest.
// Numbers that are 0, as in rows that no text has trained, are neither.
const PoolExtremes = "mean+max+min"

// PooledParts returns how many times as wide as a row the vector of a text is: 1, or 3 for PoolExtremes.
func PooledParts(pooling string) int {
	if pooling == PoolExtremes {
		return 3
	}
	return 1
}

// matrixLabels names the rows of labels in messages.
const matrixLabels = "labels'"

// Labels returns what the set classifies texts into; nil if it classifies nothing. Numbers may lie in a mapped
// file: see SharedParts.
func (s *Set) Labels() *Labels { return s.parts.Labels.open() }

// open returns the labels; after their file was closed, labels whose rows panic when they are used.
func (l *Labels) open() *Labels {
	if l == nil {
		return nil
	}
	opened := *l
	opened.Rows, opened.Runs = l.Rows.open(), l.Runs.open()
	if l.Rows.behind.Closed() {
		opened.Counts, opened.RunBuckets = nil, nil
	}
	return &opened
}

// in returns the labels as those of a set with this file.
func (l *Labels) in(file *backing.File) *Labels {
	if l == nil {
		return nil
	}
	of := *l
	of.Rows.behind, of.Runs.behind = file, file
	if list := l.Names.list; list != nil && list.mapped && list.behind == nil {
		list.behind = file
	}
	return &of
}

// copied returns the labels with lists that do not lie in the file.
func (l *Labels) copied(file *backing.File) *Labels {
	to := *l
	var counts copied[uint64]
	var buckets copied[uint32]
	to.Counts, to.RunBuckets = counts.of(file, l.Counts), buckets.of(file, l.RunBuckets)
	return &to
}

func (l *Labels) bytes() int {
	size := 8*(l.Names.Len()+1) + 8*len(l.Counts) + l.Rows.Rows*l.Rows.rowBytes() + l.Runs.Rows*l.Runs.rowBytes() + 4*len(l.RunBuckets)
	for _, name := range l.Names.All() {
		size += len(name)
	}
	return size
}

// first lists the first labels for messages.
func (l *Labels) first() string {
	const few = 4
	var names []string
	for i, name := range l.Names.All() {
		if i == few {
			return strings.Join(names, " ") + " …"
		}
		names = append(names, fmt.Sprintf("%.40s", name))
	}
	return strings.Join(names, " ")
}

func (s *Set) checkLabels() error {
	l := s.parts.Labels
	if l == nil {
		return nil
	}
	n, pooling := l.Names.Len(), s.parts.Training.Text(FactPooling)
	width := s.Dim() * PooledParts(pooling)
	switch {
	case n < 1:
		return errors.New("a classifier without labels")
	case l.Counts != nil && len(l.Counts) != n:
		return fmt.Errorf("%d counts for %d labels", len(l.Counts), n)
	case pooling != "" && pooling != PoolExtremes:
		return fmt.Errorf("texts are pooled by %q, which this program does not know", pooling)
	case l.Rows.Cols != width && l.Rows.Rows > 0:
		return fmt.Errorf("labels of %d dimensions, must be %d", l.Rows.Cols, width)
	case l.Rows.Rows != n && !(l.Nodes && l.Rows.Rows == n-1):
		return fmt.Errorf("%d rows for %d labels", l.Rows.Rows, n)
	case l.Runs.Rows > 0 && l.Runs.Cols != s.Dim():
		return fmt.Errorf("word n-grams of %d dimensions, must be %d", l.Runs.Cols, s.Dim())
	case l.Runs.Rows != len(l.RunBuckets) || len(l.RunBuckets) > l.Buckets:
		return fmt.Errorf("%d rows for %d word n-grams in %d buckets", l.Runs.Rows, len(l.RunBuckets), l.Buckets)
	}
	return nil
}

func (l *Labels) check() error {
	if l == nil {
		return nil
	}
	if err := l.Names.Check(); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	for i, b := range l.RunBuckets {
		if int64(b) >= int64(l.Buckets) {
			return fmt.Errorf("word n-grams %d have bucket %d of %d", i, b, l.Buckets)
		}
	}
	return nil
}
