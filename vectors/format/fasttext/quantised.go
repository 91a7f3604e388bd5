package fasttext

import (
	"errors"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// What only models have that were made by "fasttext quantize", .ftz files. Sources
// in fastText: QuantMatrix::load in quantmatrix.cc, ProductQuantizer::load in
// productquantizer.cc, Dictionary::load and pushHash in dictionary.cc.

// readCodes reads a matrix of codes, after the byte that says that it is one, for
// readMatrix.
func readCodes(in *source.Input, name string, rows, cols int64, keep bool) (vectors.Matrix, error) {
	start := in.Offset() - 1 // with the flag
	var head struct {
		Norms      uint8
		Rows, Cols int64
		Codes      int32
	}
	if err := in.Decode(&head, "the size of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if rows < 0 {
		rows = head.Rows
	}
	if head.Rows != rows || head.Cols != cols || rows < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d rows of %d, found %d of %d", name, max(rows, 0), cols, head.Rows, head.Cols)
	}
	if err := rowio.Fits(in, rows, cols, name); err != nil {
		return vectors.Matrix{}, err
	}
	if head.Codes < 0 {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected its number of codes, found %d", name, head.Codes)
	}
	q := &coded.Quantised{}
	var err error
	if q.Codes, err = source.Array[uint8](in, int64(head.Codes), "the codes of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if q.Book, err = readCodebook(in, cols, "the codebook of "+name); err != nil {
		return vectors.Matrix{}, err
	}
	if want := rows * int64(q.Book.Parts()); int64(head.Codes) != want {
		return vectors.Matrix{}, in.FailAt(start, "%s: expected %d codes for %d rows of %d, found %d", name, want, rows, q.Book.Parts(), head.Codes)
	}
	if head.Norms != 0 {
		if q.NormCodes, err = source.Array[uint8](in, rows, "the norms of "+name); err != nil {
			return vectors.Matrix{}, err
		}
		norms, err := readCodebook(in, 1, "the codebook of the norms of "+name)
		if err != nil {
			return vectors.Matrix{}, err
		}
		q.Norms = norms.Centroids
	}
	if !keep || rows == 0 {
		return vectors.Matrix{Cols: int(cols)}, nil
	}
	return vectors.Stored(int(rows), int(cols), q), nil
}

// readCodebook reads a codebook for rows of so many numbers.
func readCodebook(in *source.Input, cols int64, expected string) (pq.Codebook, error) {
	start := in.Offset()
	var head struct{ Dim, Parts, Part, Last int32 }
	if err := in.Decode(&head, "the size of "+expected); err != nil {
		return pq.Codebook{}, err
	}
	b := pq.Codebook{Dim: int(head.Dim), Part: int(head.Part), Size: pq.MaxSize}
	// fastText cuts a row into a part even if that is longer than the row.
	if b.Part > b.Dim && head.Parts == 1 && head.Last == head.Dim {
		b.Part = b.Dim
	}
	if int64(b.Dim) != cols || b.Part < 1 || b.Part > b.Dim || int(head.Parts) != b.Parts() || int(head.Last) != b.Dim-(b.Parts()-1)*b.Part {
		return b, in.FailAt(start, "%s: expected the size of parts of %d numbers, found %d in %d parts of %d and %d",
			expected, cols, head.Dim, head.Parts, head.Part, head.Last)
	}
	var err error
	b.Centroids, err = source.Array[float32](in, int64(b.Dim)*pq.MaxSize, expected)
	return b, err
}

// readKept reads which buckets are left, and changes p accordingly.
func readKept(in *source.Input, p *vectors.Parts, sizes dictionarySizes, args settings) error {
	start := in.Offset()
	if sizes.Pruned > int64(args.Buckets) {
		return in.Fail("expected at most %d n-grams that are kept, found %d", args.Buckets, sizes.Pruned)
	}
	pairs, err := source.Array[int32](in, 2*sizes.Pruned, "the n-grams that are kept")
	if err != nil {
		return err
	}
	buckets := make([]uint32, sizes.Pruned)
	taken := make([]bool, sizes.Pruned)
	for i := range buckets {
		bucket, row := pairs[2*i], pairs[2*i+1]
		if row < 0 || int64(row) >= sizes.Pruned || taken[row] {
			return in.FailAt(start+8*int64(i), "n-grams that are kept: expected a row of its own below %d, found %d", sizes.Pruned, row)
		}
		if bucket < 0 || bucket >= args.Buckets {
			return in.FailAt(start+8*int64(i), "n-grams that are kept: expected a bucket from 0 to %d, found %d", args.Buckets-1, bucket)
		}
		taken[row] = true
		buckets[row] = uint32(bucket)
	}
	whole, ok := subword.Value(p.Subword).(subword.FastText)
	if !ok { // the buckets are those of runs of words
		return nil
	}
	kept, err := subword.Prune(whole, buckets)
	if err != nil {
		return in.FailAt(start, "n-grams that are kept: %w", err)
	}
	p.Subword = kept
	return nil
}

// errPruned is said of a file that fastText does not take either.
var errPruned = errors.New("expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText")
