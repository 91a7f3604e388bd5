package transform

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/vectors"
)

// A QuantizeMethod is how rows are made smaller. Its value is the name that the
// command line knows it by. See docs/quantization.md for what each costs.
type QuantizeMethod string

const (
	// QuantizeF16 keeps numbers in 16 bits.
	QuantizeF16 QuantizeMethod = "f16"
	// QuantizeInt8 keeps numbers in 8 bits, and a scale a row.
	QuantizeInt8 QuantizeMethod = "int8"
	// QuantizePQ is product quantisation: runs of a row's numbers are a byte each.
	QuantizePQ QuantizeMethod = "pq"
	// QuantizeOPQ is product quantisation of rows that were rotated such that less
	// is lost.
	QuantizeOPQ QuantizeMethod = "opq"
)

// QuantizeMethods returns every method.
func QuantizeMethods() []QuantizeMethod {
	return []QuantizeMethod{QuantizeF16, QuantizeInt8, QuantizePQ, QuantizeOPQ}
}

// Coded tells whether the method is a kind of product quantisation, as is the default.
func (m QuantizeMethod) Coded() bool { return m == "" || m == QuantizePQ || m == QuantizeOPQ }

// QuantizeOptions are the settings of Quantize. The zero value works.
type QuantizeOptions struct {
	// Method is QuantizePQ if it is empty.
	Method QuantizeMethod
	// Bytes is the most that a row may take in product quantisation; 0 for a third
	// of its dimensions, rounded up. Other methods have no use for it.
	Bytes int
	// EqualParts cuts rows into parts that have as many numbers as each other, as
	// finalfusion's files have them. If Bytes is 0, rows may take more than a third of
	// their dimensions for it; otherwise they may take fewer than Bytes.
	EqualParts bool
	// KeepOutput keeps the context vectors, quantised by the same method. Otherwise
	// the result has none: only training and a few measures use them.
	KeepOutput bool
	// KeepUnused keeps the rows of buckets that no word of the vocabulary uses.
	// Otherwise they become zeros, unless the vocabulary has no words at all.
	KeepUnused bool
	// Seed is that of product quantisation.
	Seed uint64
	// Computation says how.
	Computation Computation
}

// Validate reports settings that make no sense.
func (o QuantizeOptions) Validate() error {
	switch o.Method {
	case "", QuantizePQ, QuantizeOPQ:
		if o.Bytes < 0 {
			return fmt.Errorf("%d bytes a row, must be at least 1", o.Bytes)
		}
	case QuantizeF16, QuantizeInt8:
		if o.Bytes != 0 {
			return fmt.Errorf("the method %s has no choice of bytes a row", o.Method)
		}
	default:
		return fmt.Errorf("the method %q is not known; known are %s, %s, %s, %s",
			string(o.Method), QuantizeF16, QuantizeInt8, QuantizePQ, QuantizeOPQ)
	}
	return nil
}

// part returns how many numbers a part has in product quantisation.
func (o QuantizeOptions) part(dim int) int {
	most := o.Bytes
	if most == 0 {
		most = (dim + 2) / 3
	}
	part := (dim + most - 1) / most
	if o.EqualParts && o.Bytes == 0 {
		return o.moreBytes(dim)
	}
	for o.EqualParts && dim%part != 0 {
		part++
	}
	return part
}

// moreBytes returns how many numbers equal parts have if rows take as many bytes as
// are asked for or, where that cannot be, more.
func (o QuantizeOptions) moreBytes(dim int) int {
	o.EqualParts = false
	part := o.part(dim)
	for dim%part != 0 {
		part--
	}
	return part
}

// Quantize returns s with rows that take less room, in memory and in a native file.
// Words that are not in the vocabulary are composed as before. In a set with subwords,
// rows of zeros and rows that are equal to others are not kept, which gives back the
// room that sharing rows saved and that other formats do not know of. The set needs s:
// close s after it.
//
// Of a product the rows that are multiplied are quantised, of hash embeddings those of the
// pool; projection and weights of pieces stay as they are. What training alone has a use
// for is not kept: position weights, output vectors by position, of which the mean is a
// context vector, and those of nodes.
//
// The same set and options give the same rows, however many cores there are. If the
// context ends, its error is returned, within about a second. More memory than there is
// is a *MemoryError, and rows of more than 4,096 numbers, which QuantizeOPQ does not rotate,
// are an error.
func Quantize(ctx context.Context, s *vectors.Set, opt QuantizeOptions) (*vectors.Set, error) {
	if s == nil {
		return nil, errNoSet
	}
	if ctx == nil {
		return nil, errNoCtx
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if dim := s.Input().Cols; opt.EqualParts && opt.Bytes > 0 && dim > 0 {
		if got := dim / opt.part(dim); 2*got < min(opt.Bytes, dim) {
			return nil, fmt.Errorf("rows of %d numbers cannot be cut into equal parts for %d bytes, only for %d or %d: choose one of these",
				dim, opt.Bytes, got, dim/opt.moreBytes(dim))
		}
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	if err := affordsQuantised(s, opt); err != nil {
		return nil, err
	}
	rows, projection, factored := rowSpace(s)
	inner := withMatrices(s, rows, vectors.Matrix{})
	drop(&inner, func(k vectors.MatrixKind) bool { return k.Training })
	kept, zeros, err := compact(ctx, made(inner), opt)
	if err != nil {
		return nil, err
	}
	input, output := kept.Input(), vectors.Matrix{}
	small := kept.SharedParts()
	if opt.KeepOutput {
		output = s.Output()
	}
	if opt.Method != QuantizeF16 {
		if input, err = encode(ctx, kept, kept.Input(), opt, zeros); err != nil {
			return nil, err
		}
		if err := takeUp(ctx, kept, input); err != nil {
			return nil, err
		}
		for _, m := range matricesOf(kept, func(k vectors.MatrixKind) bool { return !k.Table }) {
			coded, err := inspected(ctx, kept, m.Matrix, opt, "row of "+m.Kind().Label)
			if err != nil {
				return nil, err
			}
			small.Put(m.Name, coded)
		}
		if output, err = inspected(ctx, s, output, opt, "context vector"); err != nil {
			return nil, err
		}
	}
	if factored {
		input = vectors.Product(input, projection)
	}
	small.Input, small.Output = input, output
	q, err := vectors.New(small)
	if err == nil && opt.Method == QuantizeF16 {
		q = WithDType(q, vectors.F16)
	}
	return q, err
}

// affordsQuantised returns an error if rows of s cannot be quantised with the memory that
// there is, or have too many numbers to be rotated.
func affordsQuantised(s *vectors.Set, opt QuantizeOptions) error {
	coded := opt.Method != QuantizeF16 && opt.Method != QuantizeInt8
	rotated := opt.Method == QuantizeOPQ
	var matrices []vectors.Matrix
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return !k.Table && !k.Training }) {
		matrices = append(matrices, m.Matrix)
	}
	rows, _, _ := rowSpace(s)
	matrices = append(matrices, rows)
	if opt.KeepOutput {
		matrices = append(matrices, s.Output())
	}
	var kept float64 // of those that are done
	for _, m := range matrices {
		if rotated && m.Cols > pq.MaxRotated {
			return fmt.Errorf("rows of %d numbers, and the method %s rotates at most %d: choose the method %s, or reduce the dimensions before",
				m.Cols, QuantizeOPQ, pq.MaxRotated, QuantizePQ)
		}
		if m.Rows == 0 || opt.Method == QuantizeF16 {
			continue
		}
		bytes := 4 * float64(runOf(m)) * float64(m.Cols)
		codes := float64(m.Rows) * float64(m.Cols)
		what, instead := "quantisation to the method int8", "choose the method f16"
		if coded {
			train := pq.Options{Part: opt.part(m.Cols)}
			codes /= float64(train.Part)
			// Of training, or of the encoder and rows that are rotated for it, whichever takes more.
			bytes = max(2*bytes+codes+pq.EncoderBytes(m.Rows, m.Cols), pq.Bytes(min(m.Rows, pq.SampleSize), m.Cols, train, rotated))
			what = opt.training(m)
			instead = "choose the method int8 or f16, or reduce the dimensions before"
			if rotated {
				instead = "choose the method pq, or reduce the dimensions before"
			}
		}
		if err := opt.Computation.affords(kept+bytes, what, instead); err != nil {
			return err
		}
		kept += codes
	}
	return nil
}
