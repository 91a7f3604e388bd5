package vectors

import (
	"errors"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// What only models have that were made by "fasttext quantize", .ftz files. Sources
// in fastText: QuantMatrix::load in quantmatrix.cc, ProductQuantizer::load in
// productquantizer.cc, Dictionary::load and pushHash in dictionary.cc.

// quantisedMatrix reads a matrix of codes, after the byte that says that it is one,
// for matrix.
func (in *input) quantisedMatrix(name string, rows, cols int64, keep bool) (Matrix, error) {
	start := in.offset - 1 // with the flag
	var head struct {
		Norms      uint8
		Rows, Cols int64
		Codes      int32
	}
	if err := in.decode(&head, "the size of "+name); err != nil {
		return Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return Matrix{}, in.failAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if err := in.checkRows(rows, cols, 1, name); err != nil {
		return Matrix{}, err
	}
	if head.Codes < 0 {
		return Matrix{}, in.failAt(start, "%s: expected its number of codes, found %d", name, head.Codes)
	}
	q := &coded.Quantised{}
	var err error
	if q.Codes, err = array[uint8](in, int64(head.Codes), "the codes of "+name); err != nil {
		return Matrix{}, err
	}
	if q.Book, err = in.fastTextCodebook(cols, "the codebook of "+name); err != nil {
		return Matrix{}, err
	}
	if want := rows * int64(q.Book.Parts()); int64(head.Codes) != want {
		return Matrix{}, in.failAt(start, "%s: expected %d codes for %d rows of %d, found %d", name, want, rows, q.Book.Parts(), head.Codes)
	}
	if head.Norms != 0 {
		if q.NormCodes, err = array[uint8](in, rows, "the norms of "+name); err != nil {
			return Matrix{}, err
		}
		norms, err := in.fastTextCodebook(1, "the codebook of the norms of "+name)
		if err != nil {
			return Matrix{}, err
		}
		q.Norms = norms.Centroids
	}
	if !keep || rows == 0 {
		return Matrix{Cols: int(cols)}, nil
	}
	return Stored(int(rows), int(cols), q), nil
}

// fastTextCodebook reads a codebook for rows of so many numbers.
func (in *input) fastTextCodebook(cols int64, expected string) (pq.Codebook, error) {
	start := in.offset
	var head struct{ Dim, Parts, Part, Last int32 }
	if err := in.decode(&head, "the size of "+expected); err != nil {
		return pq.Codebook{}, err
	}
	b := pq.Codebook{Dim: int(head.Dim), Part: int(head.Part), Size: pq.MaxSize}
	// fastText cuts a row into a part even if that is longer than the row.
	if b.Part > b.Dim && head.Parts == 1 && head.Last == head.Dim {
		b.Part = b.Dim
	}
	if int64(b.Dim) != cols || b.Part < 1 || b.Part > b.Dim || int(head.Parts) != b.Parts() || int(head.Last) != b.Dim-(b.Parts()-1)*b.Part {
		return b, in.failAt(start, "%s: expected the size of parts of %d numbers, found %d in %d parts of %d and %d",
			expected, cols, head.Dim, head.Parts, head.Part, head.Last)
	}
	var err error
	b.Centroids, err = array[float32](in, int64(b.Dim)*pq.MaxSize, expected)
	return b, err
}

// pruned reads which buckets are left, and changes s accordingly.
func (in *input) pruned(s *Set, sizes fastTextSizes, args fastTextArgs) error {
	start := in.offset
	if sizes.Pruned > int64(args.Buckets) {
		return in.fail("expected at most %d n-grams that are kept, found %d", args.Buckets, sizes.Pruned)
	}
	pairs, err := array[int32](in, 2*sizes.Pruned, "the n-grams that are kept")
	if err != nil {
		return err
	}
	buckets := make([]uint32, sizes.Pruned)
	taken := make([]bool, sizes.Pruned)
	for i := range buckets {
		bucket, row := pairs[2*i], pairs[2*i+1]
		if row < 0 || int64(row) >= sizes.Pruned || taken[row] {
			return in.failAt(start+8*int64(i), "n-grams that are kept: expected a row of its own below %d, found %d", sizes.Pruned, row)
		}
		if bucket < 0 || bucket >= args.Buckets {
			return in.failAt(start+8*int64(i), "n-grams that are kept: expected a bucket from 0 to %d, found %d", args.Buckets-1, bucket)
		}
		taken[row] = true
		buckets[row] = uint32(bucket)
	}
	whole, ok := subword.Value(s.subword).(subword.FastText)
	if !ok { // the buckets are those of runs of words
		return nil
	}
	kept, err := subword.Prune(whole, buckets)
	if err != nil {
		return in.failAt(start, "n-grams that are kept: %w", err)
	}
	s.subword = kept
	return nil
}

// errPruned is said of a file that fastText does not take either.
var errPruned = errors.New("expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText")
