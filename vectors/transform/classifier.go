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
	Seed        uint64 // of the centroids
	Computation Computation
}

// labelPart is how many numbers a part of a label's row has.
const labelPart = 2

// QuantizeClassifier returns a classifier whose rows are product-quantised, as fastText's .ftz files have them.
// With a cutoff it keeps the longest rows, and that of the end of a line, and drops other words and n-grams.
func QuantizeClassifier(ctx context.Context, s *vectors.Set, opt ClassifierOptions) (*vectors.Set, error) {
	l := s.Labels()
	opt.Part = cmp.Or(opt.Part, labelPart)
	shared := s.SharedParts()
	buckets, pruned, hashed := subword.HashedBuckets(s.Subword())
	runs := s.Matrix(vectors.MatrixWordNgrams)
	switch {
	case l == nil:
		return nil, errors.New("the model is no classifier: it has no labels")
	case opt.Cutoff < 0 || opt.Part < 1:
		return nil, fmt.Errorf("a cutoff of %d rows and parts of %d numbers, must be at least 0 and 1", opt.Cutoff, opt.Part)
	case pruned != nil || l.Buckets > 0:
		return nil, errors.New("the classifier was quantised with a cutoff before")
	case s.Subword() != nil && !hashed:
		return nil, fmt.Errorf("fastText's quantised files hold no %s", subword.TitleOf(s.Subword()))
	case shared.WordRows != nil || shared.BucketRows != nil || s.Subword() != nil && (runs.Rows > 0 || !s.Composes()):
		return nil, errors.New("words, n-grams and runs of words must have a row each, as in fastText's files, or runs the rows of n-grams")
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	all := []vectors.Matrix{s.Input()}
	if s.Subword() == nil && runs.Rows > 0 {
		all, buckets = append(all, runs), runs.Rows
	}
	words, err := keptRows(s, all, opt.Cutoff)
	if err != nil {
		return nil, err
	}
	n := s.Len()
	bound := slices.IndexFunc(words, func(row int) bool { return row >= n })
	if bound < 0 {
		bound = len(words)
	}
	rows, err := gather(ctx, s, all, words, opt.Computation)
	if err != nil {
		return nil, err
	}
	input, err := encodeRows(ctx, rows, s.Dim(), opt.Part, opt.Norms, opt.Seed)
	if err != nil {
		return nil, err
	}
	p := sibling(s)
	p.Training, p.Composition = s.Training(), shared.Composition
	labels := *l
	p.Labels = &labels
	p.Input = input
	if opt.Cutoff > 0 && len(words) < n+buckets {
		p.Words, p.Counts = pickWords(s, words[:bound])
		kept := make([]uint32, 0, len(words)-bound)
		for _, row := range words[bound:] {
			kept = append(kept, uint32(row-n))
		}
		switch {
		case s.Subword() != nil:
			if p.Subword, err = subword.KeepBuckets(s.Subword(), kept); err != nil {
				return nil, err
			}
		case buckets > 0:
			labels.Buckets, labels.RunBuckets, labels.Runs = buckets, kept, input.From(bound)
			p.Input = input.First(bound)
		}
	} else {
		p.Subword = s.Subword()
		if len(all) > 1 {
			p.Input = input.First(n)
			p.Put(vectors.MatrixWordNgrams, input.From(n))
		}
	}
	if opt.Output {
		ids := make([]int, l.Rows.Rows)
		for i := range ids {
			ids[i] = i
		}
		rows, err := gather(ctx, s, []vectors.Matrix{l.Rows}, ids, opt.Computation)
		if err != nil {
			return nil, err
		}
		if labels.Rows, err = encodeRows(ctx, rows, s.Dim(), labelPart, opt.Norms, opt.Seed); err != nil {
			return nil, err
		}
	}
	return vectors.New(p)
}

// endOfLine is the word whose row is always kept.
const endOfLine = "</s>"

// keptRows returns the longest rows of all matrices, numbered one matrix after the other: first those of words, in
// their order, then others, the longest first.
func keptRows(s *vectors.Set, all []vectors.Matrix, cutoff int) ([]int, error) {
	var norms []float64
	for _, m := range all {
		for _, row := range s.RowsOf(m) {
			var sum float64
			for _, x := range row {
				sum += float64(x * x)
			}
			if !(sum < pq.Limit) {
				return nil, fmt.Errorf("%s has numbers that are not finite, or too large to be quantised", s.RowName(vectors.MatrixInput, len(norms)))
			}
			norms = append(norms, math.Sqrt(sum))
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	rows := make([]int, len(norms))
	for i := range rows {
		rows[i] = i
	}
	if cutoff == 0 || cutoff >= len(rows) {
		return rows, nil
	}
	if id, ok := s.ID(endOfLine); ok {
		norms[id] = math.Inf(1)
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(norms[b], norms[a]) })
	rows = rows[:cutoff]
	slices.SortStableFunc(rows, func(a, b int) int { return min(a, s.Len()) - min(b, s.Len()) })
	return rows, nil
}

// gather returns rows of several matrices, numbered one matrix after the other.
func gather(ctx context.Context, s *vectors.Set, all []vectors.Matrix, ids []int, c Computation) ([]float32, error) {
	dim := s.Dim()
	if err := c.affords(4*2*float64(len(ids))*float64(dim), fmt.Sprintf("quantisation of %d rows", len(ids)), "choose a lower cutoff"); err != nil {
		return nil, err
	}
	rows := make([]float32, len(ids)*dim)
	for i, r := range ids {
		for _, m := range all {
			if r < m.Rows {
				m.Read(rows[i*dim:(i+1)*dim], r)
				break
			}
			r -= m.Rows
		}
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return rows, s.Err()
}

// encodeRows quantises rows, which it may change.
func encodeRows(ctx context.Context, rows []float32, dim, part int, norms bool, seed uint64) (vectors.Matrix, error) {
	n := len(rows) / dim
	if n == 0 {
		return vectors.Matrix{}, errors.New("there are no rows to quantise")
	}
	q := &coded.Quantised{}
	encode := func(rows []float32, dim, part int) (pq.Codebook, []byte, error) {
		sample := make([]float32, 0, min(n, pq.SampleSize)*dim)
		for _, r := range pq.Choose(n, pq.SampleSize, seed) {
			sample = append(sample, rows[r*dim:(r+1)*dim]...)
		}
		book, err := pq.Train(ctx, sample, dim, pq.Options{Part: part, Seed: seed})
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
	if norms {
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
