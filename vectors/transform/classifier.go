package transform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
	"github.com/w2v-go/w2v/vectors/internal/parallel"
)

// ClassifierOptions are the settings of QuantizeClassifier, which are those of fastText's command quantize. The
// zero value works.
type ClassifierOptions struct {
	Cutoff      int    // keep so many rows of words, n-grams and runs of words; 0 for all
	Part        int    // numbers in a part of a row; 0 means 2
	Norms       bool   // quantise the length of a row apart from its direction
	Output      bool   // quantise the rows of labels too, always in parts of 2 numbers
	Sample      int    // rows whose centroids are sought, at most; 0 means 65,536 as in fastText
	Seed        uint64 // of the centroids
	Computation Computation
}

// labelPart is how many numbers a part of a label's row has.
const labelPart = 2

// QuantizeClassifier returns a classifier whose rows are product-quantised, as fastText's .ftz files have them.
// With a cutoff, they are those of PruneClassifier.
func QuantizeClassifier(ctx context.Context, s *vectors.Set, opt ClassifierOptions) (*vectors.Set, error) {
	if opt.Part = cmp.Or(opt.Part, labelPart); opt.Part < 1 || opt.Sample < 0 {
		return nil, fmt.Errorf("parts of %d numbers, and %d rows to seek centroids for, must be at least 1", opt.Part, opt.Sample)
	}
	rows, err := rowsOfClassifier(s)
	if err != nil {
		return nil, err
	}
	if opt.Cutoff != 0 {
		if s, err = PruneClassifier(ctx, s, opt.Cutoff, opt.Computation); err != nil {
			return nil, err
		}
		if rows, err = rowsOfClassifier(s); err != nil {
			return nil, err
		}
	}
	if rows.shared {
		return nil, errors.New("words, n-grams and runs of words must have a row each, as in fastText's files, or runs the rows of n-grams: quantise with a cutoff, or write a .bin file and quantise that")
	}
	all, err := gather(ctx, s, rows.each(), opt.Computation)
	if err != nil {
		return nil, err
	}
	input, err := encodeRows(ctx, all, s.Dim(), opt.Part, opt)
	if err != nil {
		return nil, err
	}
	output := s.Labels().Rows
	if opt.Output {
		each := make([]place, output.Rows)
		for i := range each {
			each[i] = place{output, i}
		}
		all, err := gather(ctx, s, each, opt.Computation)
		if err != nil {
			return nil, err
		}
		if output, err = encodeRows(ctx, all, s.Dim(), labelPart, opt); err != nil {
			return nil, err
		}
	}
	return rows.with(s, input, output)
}

// with returns the classifier with other rows of all its words, n-grams and runs of words, and of its labels.
func (r classifierRows) with(s *vectors.Set, input, output vectors.Matrix) (*vectors.Set, error) {
	p := sibling(s)
	labels := *s.Labels()
	labels.Rows = output
	p.Composition, p.Subword, p.Labels = s.SharedParts().Composition, s.Subword(), &labels
	p.Input = input
	if own := r.input.Rows; own < input.Rows {
		p.Input = input.First(own)
		if labels.Buckets > 0 {
			labels.Runs = input.From(own)
		} else {
			p.Put(vectors.MatrixWordNgrams, input.From(own))
		}
	}
	return vectors.New(p)
}

// PruneClassifier returns the classifier with so many of its rows: the longest ones, and that of the end of a line. Other words,
// n-grams and runs of words are left out, as fastText leaves them out when it quantises with a cutoff. Rows that others share
// become one for each. The rows are in memory and may be trained: see classify.Retrain.
func PruneClassifier(ctx context.Context, s *vectors.Set, cutoff int, c Computation) (*vectors.Set, error) {
	if cutoff < 1 {
		return nil, fmt.Errorf("a cutoff of %d rows, must be at least 1", cutoff)
	}
	rows, err := rowsToPrune(s)
	if err != nil {
		return nil, err
	}
	ranked, err := rows.ranked(s)
	if err != nil {
		return nil, err
	}
	members := rows.longest(s, ranked, cutoff)
	if len(members) == s.Len()+rows.buckets && !rows.shared {
		return s, nil
	}
	places := make([]place, len(members))
	for i, member := range members {
		places[i] = rows.of(s, member)
	}
	all, err := gather(ctx, s, places, c)
	if err != nil {
		return nil, err
	}
	input := vectors.NewMatrix(len(members), s.Dim())
	for r := range input.Rows {
		copy(input.Row(r), all[r*s.Dim():])
	}
	return rows.only(s, members, input, s.Labels().Rows)
}

// ClassifierCutoff returns the largest cutoff with which a classifier that QuantizeClassifier makes is not larger than a number
// of bytes, by its shape: nothing is quantised. It is 0 if no row has room. All is how many rows of words, n-grams and runs of words
// the classifier was trained with, the largest cutoff that has an effect. Size says how large a classifier is in its format.
func ClassifierCutoff(s *vectors.Set, opt ClassifierOptions, bytes uint64, size func(*vectors.Set) (uint64, error)) (cutoff, all int, err error) {
	opt.Part = cmp.Or(opt.Part, labelPart)
	if opt.Part < 1 {
		return 0, 0, fmt.Errorf("parts of %d numbers, must be at least 1", opt.Part)
	}
	rows, err := rowsToPrune(s)
	if err != nil {
		return 0, 0, err
	}
	ranked, err := rows.ranked(s)
	if err != nil {
		return 0, 0, err
	}
	output := s.Labels().Rows
	if opt.Output {
		output = blankCodes(output.Rows, s.Dim(), labelPart, opt.Norms)
	}
	sizeOf := func(cutoff int) (float64, error) {
		members := rows.longest(s, ranked, cutoff)
		input := blankCodes(len(members), s.Dim(), opt.Part, opt.Norms)
		var of *vectors.Set
		if len(members) == s.Len()+rows.buckets && !rows.shared {
			of, err = rows.with(s, input, output)
		} else {
			of, err = rows.only(s, members, input, output)
		}
		if err != nil {
			return 0, err
		}
		n, err := size(of)
		return float64(n), err
	}
	// So many rows as below have room, and so many as above do not: their codes alone are larger. Sizes are nearly linear.
	below, above := 0, 1+min(len(ranked), int(bytes/uint64((s.Dim()+opt.Part-1)/opt.Part)))
	if above > len(ranked) {
		if n, err := sizeOf(len(ranked)); err != nil || n <= float64(bytes) {
			return len(ranked), len(ranked), err
		}
		above = len(ranked)
	}
	sizes := [2]float64{0, float64(bytes) * 2}
	for try := 0; below+1 < above; try++ {
		middle := below + (above-below)/2
		if try%2 == 0 {
			guess := float64(above-below) * (float64(bytes) - sizes[0]) / (sizes[1] - sizes[0])
			middle = below + max(1, min(above-below-1, int(guess)))
		}
		n, err := sizeOf(middle)
		switch {
		case err != nil:
			return 0, 0, err
		case n <= float64(bytes):
			below, sizes[0] = middle, n
		default:
			above, sizes[1] = middle, n
		}
	}
	return below, len(ranked), nil
}

// blankCodes returns a quantised matrix whose codes say nothing. It takes as many bytes as any of its shape.
func blankCodes(rows, dim, part int, norms bool) vectors.Matrix {
	part = min(part, dim)
	size := min(rows, pq.MaxSize)
	q := &coded.Quantised{Book: pq.Codebook{Dim: dim, Part: part, Size: size, Centroids: make([]float32, size*dim)}}
	q.Codes = make([]byte, rows*q.Book.Parts())
	if norms {
		q.Norms, q.NormCodes = make([]float32, size), make([]byte, rows)
	}
	return vectors.Stored(rows, dim, q)
}

// rowsToPrune returns the rows of a classifier that was not pruned.
func rowsToPrune(s *vectors.Set) (r classifierRows, err error) {
	if r, err = rowsOfClassifier(s); err == nil && r.pruned {
		err = errors.New("the classifier was quantised with a cutoff before")
	}
	return r, err
}

// only returns the classifier with the words and buckets that are given, whose rows are those of input, and with rows of labels.
func (r classifierRows) only(s *vectors.Set, members []int, input, output vectors.Matrix) (_ *vectors.Set, err error) {
	n := s.Len()
	bound := slices.IndexFunc(members, func(member int) bool { return member >= n })
	if bound < 0 {
		bound = len(members)
	}
	p := sibling(s)
	labels := *s.Labels()
	labels.Rows = output
	p.Composition, p.Labels = s.SharedParts().Composition, &labels
	p.Words, p.Counts = pickWords(s, members[:bound])
	p.Input = input
	kept := make([]uint32, 0, len(members)-bound)
	for _, member := range members[bound:] {
		kept = append(kept, uint32(member-n))
	}
	switch {
	case s.Subword() != nil:
		if p.Subword, err = subword.KeepBuckets(s.Subword(), kept); err != nil {
			return nil, err
		}
	case r.buckets > 0:
		labels.Buckets, labels.RunBuckets, labels.Runs = r.buckets, kept, input.From(bound)
		p.Input = input.First(bound)
	}
	return vectors.New(p)
}

// classifierRows are the rows of a classifier's words and, numbered behind them, of its buckets.
type classifierRows struct {
	input   vectors.Matrix
	runs    vectors.Matrix // without rows if buckets are rows of the input
	buckets int
	shared  bool // several words or buckets may have one row, or none
	pruned  bool
}

func rowsOfClassifier(s *vectors.Set) (r classifierRows, err error) {
	l, parts := s.Labels(), s.SharedParts()
	if l == nil {
		return r, errors.New("the model is no classifier: it has no labels")
	}
	if pooling := s.Training().Text(vectors.FactPooling); pooling != "" {
		return r, fmt.Errorf("fastText takes the mean of the rows of a text, and this classifier pools them by %s: Quantize keeps that", pooling)
	}
	if err := s.Check(); err != nil {
		return r, fmt.Errorf("not a valid set: %w", err)
	}
	buckets, kept, hashed := subword.HashedBuckets(s.Subword())
	r = classifierRows{input: s.Input(), runs: s.Matrix(vectors.MatrixWordNgrams), buckets: buckets, pruned: kept != nil || l.Buckets > 0}
	switch {
	case s.Subword() != nil && !hashed:
		return r, fmt.Errorf("fastText's quantised files hold no %s", subword.TitleOf(s.Subword()))
	case s.Subword() != nil && (r.runs.Rows > 0 || !s.Composes()):
		return r, errors.New("runs of words must have the rows of n-grams, as in fastText's files")
	case s.Subword() == nil && l.Buckets > 0:
		r.runs = l.Runs
	case s.Subword() == nil:
		r.buckets = r.runs.Rows
	}
	r.shared = parts.WordRows != nil || parts.BucketRows != nil
	return r, nil
}

// A place is a row of a matrix; -1 for zeros.
type place struct {
	matrix vectors.Matrix
	row    int
}

// each returns all rows.
func (r classifierRows) each() (all []place) {
	for _, m := range []vectors.Matrix{r.input, r.runs} {
		for row := range m.Rows {
			all = append(all, place{m, row})
		}
	}
	return all
}

// of returns the row of a word or of a bucket.
func (r classifierRows) of(s *vectors.Set, member int) place {
	switch n := s.Len(); {
	case member < n:
		return place{r.input, s.OwnRow(member)}
	case r.runs.Rows > 0:
		return place{r.runs, member - n}
	default:
		return place{r.input, s.BucketRow(uint32(member - n))}
	}
}

// endOfLine is the word whose row is always kept.
const endOfLine = "</s>"

// ranked returns the words and buckets that have a row: those with the longest rows first.
func (r classifierRows) ranked(s *vectors.Set) ([]int, error) {
	norms := map[bool][]float64{}
	for _, m := range []vectors.Matrix{r.input, r.runs} {
		if m.Rows == 0 {
			continue
		}
		ofRuns := len(norms) > 0
		for _, row := range s.RowsOf(m) {
			var sum float64
			for _, x := range row {
				sum += float64(x * x)
			}
			if !(sum < pq.Limit) {
				return nil, fmt.Errorf("%s has numbers that are not finite, or too large to be quantised", s.RowName(vectors.MatrixInput, len(norms[ofRuns])))
			}
			norms[ofRuns] = append(norms[ofRuns], math.Sqrt(sum))
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	n, members := s.Len(), []int(nil)
	length := make([]float64, n+r.buckets)
	for member := range length {
		at := r.of(s, member)
		if at.row < 0 {
			continue
		}
		length[member] = norms[member >= n && r.runs.Rows > 0][at.row]
		members = append(members, member)
	}
	if id, ok := s.ID(endOfLine); ok {
		length[id] = math.Inf(1)
	}
	slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(length[b], length[a]) })
	return members, nil
}

// longest returns the first of these words and buckets: first words, in their order, then buckets, the longest first. All of them
// are in their order.
func (r classifierRows) longest(s *vectors.Set, ranked []int, cutoff int) []int {
	members, n := slices.Clone(ranked[:min(cutoff, len(ranked))]), s.Len()
	if cutoff >= len(ranked) {
		slices.Sort(members)
		return members
	}
	slices.SortStableFunc(members, func(a, b int) int { return min(a, n) - min(b, n) })
	return members
}

// gather returns rows one after the other.
func gather(ctx context.Context, s *vectors.Set, places []place, c Computation) ([]float32, error) {
	dim := s.Dim()
	if err := c.affords(4*2*float64(len(places))*float64(dim), fmt.Sprintf("quantisation of %d rows", len(places)), "choose a lower cutoff"); err != nil {
		return nil, err
	}
	rows := make([]float32, len(places)*dim)
	for i, at := range places {
		if at.row >= 0 {
			at.matrix.Read(rows[i*dim:(i+1)*dim], at.row)
		}
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return rows, s.Err()
}

// encodeRows quantises rows, which it may change.
func encodeRows(ctx context.Context, rows []float32, dim, part int, opt ClassifierOptions) (vectors.Matrix, error) {
	n := len(rows) / dim
	if n == 0 {
		return vectors.Matrix{}, errors.New("there are no rows to quantise")
	}
	q, most := &coded.Quantised{}, cmp.Or(opt.Sample, pq.SampleSize)
	encode := func(rows []float32, dim, part int) (pq.Codebook, []byte, error) {
		sample := make([]float32, 0, min(n, most)*dim)
		for _, r := range pq.Choose(n, most, opt.Seed) {
			sample = append(sample, rows[r*dim:(r+1)*dim]...)
		}
		book, err := pq.Train(ctx, sample, dim, pq.Options{Part: part, Seed: opt.Seed})
		if err != nil {
			return book, nil, err
		}
		codes := make([]byte, n*book.Parts())
		encoder := pq.NewEncoder(book)
		parallel.Do(n, func(from, to int) {
			encoder.Clone().Encode(codes[from*book.Parts():to*book.Parts()], rows[from*dim:to*dim])
		})
		return book, codes, nil
	}
	var err error
	if opt.Norms {
		lengths := make([]float32, n)
		for r := range lengths {
			row := rows[r*dim : (r+1)*dim]
			var sum float64
			for _, x := range row {
				sum += float64(x) * float64(x)
			}
			if lengths[r] = float32(math.Sqrt(sum)); lengths[r] > 0 {
				for k := range row {
					row[k] /= lengths[r]
				}
			}
		}
		book, codes, err := encode(lengths, 1, 1)
		if err != nil {
			return vectors.Matrix{}, err
		}
		q.Norms, q.NormCodes = book.Centroids, codes
	}
	if q.Book, q.Codes, err = encode(rows, dim, part); err != nil {
		return vectors.Matrix{}, err
	}
	return vectors.Stored(n, dim, q), nil
}

// pickWords returns these words and their counts.
func pickWords(s *vectors.Set, ids []int) (vectors.Words, []uint64) {
	var words vectors.WordsBuilder
	var counts []uint64
	of := s.Counts()
	for _, id := range ids {
		words.Add(s.Words().At(id))
		if of != nil {
			counts = append(counts, of[id])
		}
	}
	if of != nil && counts == nil {
		counts = []uint64{}
	}
	return words.Words(), counts
}
