package transform

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
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

// Coded reports whether the method is a kind of product quantisation, as is the default.
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

// What needs a row.
const (
	ownerNone uint8 = iota
	ownerBucket
	ownerWord // and perhaps buckets
)

// Rows of the source that are not in the result.
const (
	rowUnused int32 = -2 // nothing that is kept refers to it
	rowZeros  int32 = -1 // only buckets do, and it is zeros
)

// compact returns s with the rows that words and buckets need. In a set with subwords, equal
// rows become one row, and buckets of zeros lose their rows. Zeros reports whether a word has a
// row of zeros.
func compact(ctx context.Context, s *vectors.Set, opt QuantizeOptions) (kept *vectors.Set, zeros bool, err error) {
	if s.Learned().Any() { // rows are where their hashes say
		zeros, err := inspect(ctx, s, s.Input(), opt, "input row")
		return made(withMatrices(s, s.Input(), s.Output())), zeros, err
	}
	if s.Subword() == nil && s.SharedParts().WordRows == nil {
		zeros, err := inspect(ctx, s, s.Input(), opt, "vector")
		return made(withMatrices(s, s.Input(), s.Output())), zeros, err
	}
	used := usedBuckets(s, opt.KeepUnused)
	owners := owners(s, used)
	became := make([]int32, len(owners))
	var rows []uint32 // of the source
	// A new row by what it holds. Two hashes of 128 bits are not equal by chance.
	same := map[[2]uint64]int32{}
	row := make([]float32, s.Input().Cols)
	for r, owner := range owners {
		if r%runRows == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		became[r] = rowUnused
		if owner == ownerNone {
			continue
		}
		s.Input().Read(row, r)
		behind(s).Saw(page)
		switch {
		case isZero(row) && owner == ownerBucket:
			became[r] = rowZeros
			continue
		case isZero(row):
			zeros = true
		case !opt.holds(row):
			return nil, false, fmt.Errorf("input row %d %w: choose the method %s", r, coded.ErrInfinite, QuantizeF16)
		}
		if s.Subword() != nil {
			first, second := hashing.Murmur3(endian.Bytes(row), 0)
			hash := [2]uint64{first, second}
			if other, ok := same[hash]; ok {
				became[r] = other
				continue
			}
			same[hash] = int32(len(rows))
		}
		became[r] = int32(len(rows))
		rows = append(rows, uint32(r))
	}
	if err := s.Err(); err != nil {
		return nil, false, err
	}
	p := withMatrices(s, vectors.Stored(len(rows), s.Input().Cols, picked{s.Input(), rows}), s.Output())
	p.WordRows, p.BucketRows = newWordRows(s, became), newBucketRows(s, became, used)
	kept, err = vectors.New(p)
	return kept, zeros, err
}

// usedBuckets tells of each bucket whether a word of the vocabulary has an n-gram in
// it, or of all that they count as used. A table without words is for any word.
func usedBuckets(s *vectors.Set, all bool) []bool {
	if s.Subword() == nil {
		return nil
	}
	used := make([]bool, s.Subword().Rows())
	if all || s.Len() == 0 {
		for b := range used {
			used[b] = true
		}
		return used
	}
	var buckets []uint32
	for _, word := range s.Words().All() {
		buckets = s.Subword().Append(buckets[:0], word)
		for _, b := range buckets {
			used[b] = true
		}
	}
	return used
}

// owners says what needs each input row: a word, a bucket or nothing.
func owners(s *vectors.Set, used []bool) []uint8 {
	owners := make([]uint8, s.Input().Rows)
	for b, used := range used {
		if r := s.BucketRow(uint32(b)); used && r >= 0 {
			owners[r] = ownerBucket
		}
	}
	if !s.OwnRows() {
		return owners
	}
	for id := range s.Len() {
		if r := s.OwnRow(id); r < len(owners) {
			owners[r] = ownerWord
		}
	}
	return owners
}

// newWordRows returns the row of each word, nil if word i has row i.
func newWordRows(s *vectors.Set, became []int32) []uint32 {
	if !s.OwnRows() {
		return nil
	}
	rows := make([]uint32, s.Len())
	same := s.Subword() != nil // without, as many rows as words would have to be there too
	for id := range rows {
		if r := s.OwnRow(id); r < len(became) {
			rows[id] = uint32(became[r])
		}
		same = same && rows[id] == uint32(id)
	}
	if same {
		return nil
	}
	return rows
}

// newBucketRows returns the row of each bucket.
func newBucketRows(s *vectors.Set, became []int32, used []bool) []int32 {
	if s.Subword() == nil {
		return nil
	}
	rows := make([]int32, len(used))
	for b := range rows {
		rows[b] = -1
		if r := s.BucketRow(uint32(b)); used[b] && r >= 0 {
			rows[b] = max(became[r], -1)
		}
	}
	return rows
}

// picked is some rows of a matrix.
type picked struct {
	from vectors.Matrix
	rows []uint32
}

func (p picked) Read(dst []float32, r int) { p.from.Read(dst, int(p.rows[r])) }

func (p picked) DType() vectors.DType { return p.from.DType() }

// Quantising the rows of n-grams changes the words that they are in. But a word has a
// row of its own as well, which can take up what the others have lost: then the loss of
// the word is that of one row, and not of all, divided by how many there are.

// takeUp makes the codes of words' own rows such that the words' vectors are as near
// as can be to those of s, whose rows small holds quantised. A row that several words
// have a use for stays as it is.
func takeUp(ctx context.Context, s *vectors.Set, small vectors.Matrix) error {
	q, ok := small.Storage.(*coded.Quantised)
	if !ok || !s.Composes() || !s.OwnRows() {
		return nil
	}
	sole := soleRows(s)
	encoder := pq.NewEncoder(q.Book)
	var takers sync.Pool
	for start := 0; start < s.Len(); start += takeWords {
		if err := ctx.Err(); err != nil {
			return err
		}
		inParallel(s, min(takeWords, s.Len()-start), func(first, last int) {
			t, ok := takers.Get().(*taker)
			if !ok {
				t = newTaker(encoder, s.Dim())
			}
			defer takers.Put(t)
			for id := start + first; id < start+last; id++ {
				if own := s.OwnRow(id); sole[own] == int32(id) {
					t.take(s, small, q, id)
				}
			}
		})
		behind(s).Saw(backing.EvictAfter)
	}
	return nil
}

// takeWords is how many words' rows are looked at before what was read of a mapped
// file is given back.
const takeWords = 2048

// soleRows returns for each row the word that alone is made of it, or another number.
func soleRows(s *vectors.Set) []int32 {
	const nobody, many = -1, -2
	sole := make([]int32, s.Input().Rows)
	for r := range sole {
		sole[r] = nobody
	}
	var rows []uint32
	for id := range s.Len() {
		rows = s.AppendRows(rows[:0], id)
		for _, r := range rows {
			switch sole[r] {
			case nobody:
				sole[r] = int32(id)
			case int32(id):
			default:
				sole[r] = many
			}
		}
	}
	return sole
}

// A taker is what a goroutine has of its own.
type taker struct {
	rows                    []uint32
	encoder                 *pq.Encoder
	wanted, others, rotated []float32
}

func newTaker(encoder *pq.Encoder, dim int) *taker {
	return &taker{
		encoder: encoder.Clone(),
		wanted:  make([]float32, dim), others: make([]float32, dim), rotated: make([]float32, dim),
	}
}

// take makes the codes of the row of word id.
func (t *taker) take(s *vectors.Set, small vectors.Matrix, q *coded.Quantised, id int) {
	own := uint32(s.OwnRow(id))
	t.rows = s.AppendRows(t.rows[:0], id)
	s.Input().Sum(t.wanted, t.rows, nil)
	all := len(t.rows)
	t.rows = slices.DeleteFunc(t.rows, func(r uint32) bool { return r == own })
	small.Sum(t.others, t.rows, nil)
	times := float32(all - len(t.rows)) // the row may stand for n-grams too
	for k, x := range t.others {
		t.wanted[k] = (t.wanted[k] - x) / times
	}
	code := t.wanted
	if q.Rotation != nil {
		code = t.rotated
		pq.Rotate(code, t.wanted, q.Rotation)
	}
	t.encoder.Encode(q.Of(int(own)), code)
}
