package transform

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// A QuantizeMethod is a way to make rows smaller. Its value is its name on the command line. See
// docs/quantization.md for the loss of each method.
type QuantizeMethod string

const (
	// QuantizeF16 keeps numbers in 16 bits.
	QuantizeF16 QuantizeMethod = "f16"
	// QuantizeInt8 keeps numbers in 8 bits, with one scale per row.
	QuantizeInt8 QuantizeMethod = "int8"
	// QuantizePQ is product quantisation: each part of a row is one byte.
	QuantizePQ QuantizeMethod = "pq"
	// QuantizeOPQ is product quantisation of rows after a rotation that reduces the loss.
	QuantizeOPQ QuantizeMethod = "opq"
)

// QuantizeMethods returns every method.
func QuantizeMethods() []QuantizeMethod {
	return []QuantizeMethod{QuantizeF16, QuantizeInt8, QuantizePQ, QuantizeOPQ}
}

// Coded reports whether the method is a kind of product quantisation, like the default.
func (m QuantizeMethod) Coded() bool { return m == "" || m == QuantizePQ || m == QuantizeOPQ }

// QuantizeOptions are the settings of Quantize. The zero value works.
type QuantizeOptions struct {
	Method QuantizeMethod // empty means QuantizePQ
	// Bytes is the largest size of a row in product quantisation; 0 means a third of the dimensions, rounded
	// up. Other methods ignore it.
	Bytes int
	// EqualParts cuts rows into parts of equal size, as finalfusion's files require. If Bytes is 0, rows may
	// then take more bytes than a third of their dimensions; otherwise they may take fewer than Bytes.
	EqualParts bool
	// KeepOutput keeps the context vectors, quantised by the same method. Otherwise the result has none: only
	// training and a few measures use them.
	KeepOutput bool
	// KeepUnused keeps the rows of buckets that no word of the vocabulary uses. Otherwise they become zeros,
	// unless the vocabulary has no words at all.
	KeepUnused  bool
	Seed        uint64 // of product quantisation
	Computation Computation
}

// Validate reports invalid settings.
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

func (o QuantizeOptions) part(dim int) int {
	if o.EqualParts && o.Bytes == 0 {
		return o.moreBytes(dim)
	}
	most := cmp.Or(o.Bytes, (dim+2)/3)
	part := (dim + most - 1) / most
	for o.EqualParts && dim%part != 0 {
		part++
	}
	return part
}

// moreBytes returns the size of equal parts if rows take the requested bytes or, if need be, more.
func (o QuantizeOptions) moreBytes(dim int) int {
	o.EqualParts = false
	part := o.part(dim)
	for dim%part != 0 {
		part--
	}
	return part
}

// Quantize returns s with rows that take less room, in memory and in a native file. Words that are not in the
// vocabulary are composed as before. In a set with subwords, zero rows and duplicate rows are dropped.
//
// In a factorized set Quantize quantises the rows before projection, in hash embeddings the rows of the pool.
// Projections and weights of pieces stay unchanged. Quantize drops what only training uses: position weights,
// output vectors by position (a context vector is their mean), and vectors of nodes.
//
// The same set and options give the same rows on any number of cores. QuantizeOPQ rotates rows of up to 4,096
// numbers.
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
	if s.Labels() != nil { // texts have other words, and runs of words
		opt.KeepUnused = true
	}
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	if err := affordsQuantised(s, opt); err != nil {
		return nil, err
	}
	rows, projection, factored := s.Input().Factors()
	inner := withMatrices(s, rows, vectors.Matrix{})
	drop(&inner, func(k vectors.MatrixKind) bool { return k.Training })
	kept, zeros, err := compact(ctx, made(inner), opt)
	if err != nil {
		return nil, err
	}
	small := kept.SharedParts()
	if opt.KeepOutput {
		small.Output = s.Output()
	}
	small.Labels = s.Labels() // few rows, which stay what they are
	if opt.Method != QuantizeF16 {
		if small.Input, err = encode(ctx, kept, kept.Input(), opt, zeros); err != nil {
			return nil, err
		}
		if err := takeUp(ctx, kept, small.Input); err != nil {
			return nil, err
		}
		for _, m := range matricesOf(kept, func(k vectors.MatrixKind) bool { return !k.Table }) {
			coded, err := inspected(ctx, kept, m.Matrix, opt, "row of "+m.Kind().Label)
			if err != nil {
				return nil, err
			}
			small.Put(m.Name, coded)
		}
		if small.Output, err = inspected(ctx, s, small.Output, opt, "context vector"); err != nil {
			return nil, err
		}
	}
	if factored {
		small.Input = vectors.Product(small.Input, projection)
	}
	q, err := vectors.New(small)
	if err == nil && opt.Method == QuantizeF16 {
		q = WithDType(q, vectors.F16)
	}
	return q, err
}

// affordsQuantised returns an error if memory is too small to quantise s, or rows are too long to be rotated.
func affordsQuantised(s *vectors.Set, opt QuantizeOptions) error {
	rotated := opt.Method == QuantizeOPQ
	var matrices []vectors.Matrix
	for _, m := range matricesOf(s, func(k vectors.MatrixKind) bool { return !k.Table && !k.Training }) {
		matrices = append(matrices, m.Matrix)
	}
	rows, _, _ := s.Input().Factors()
	matrices = append(matrices, rows)
	if opt.KeepOutput {
		matrices = append(matrices, s.Output())
	}
	var kept float64 // of finished matrices
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
		if opt.Method.Coded() {
			train := pq.Options{Part: opt.part(m.Cols)}
			codes /= float64(train.Part)
			// For training, or for the encoder and the rows rotated for it, whichever takes more.
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

// compact returns s with only the rows that words and buckets need. In a set with subwords, equal
// rows are merged and zero buckets lose their rows. Zeros reports whether a word has a zero row.
func compact(ctx context.Context, s *vectors.Set, opt QuantizeOptions) (kept *vectors.Set, zeros bool, err error) {
	name := "" // of rows that all stay
	switch {
	case s.Learned().Any(): // hashes give the places of rows
		name = "input row"
	case s.Subword() == nil && s.SharedParts().WordRows == nil:
		name = "vector"
	}
	if name != "" {
		zeros, err := inspect(ctx, s, s.Input(), opt, name)
		return made(withMatrices(s, s.Input(), s.Output())), zeros, err
	}
	used := usedBuckets(s, opt.KeepUnused)
	ofWords, ofBuckets := rowsInUse(s, used)
	became := make([]int32, len(ofWords)) // -1 for zeros that only buckets refer to, and for unused rows
	var rows []uint32                     // of the source
	// A new row, by the hash of its content. Hashes of 128 bits do not collide by chance.
	same := map[[2]uint64]int32{}
	row := make([]float32, s.Input().Cols)
	for r := range became {
		if r%runRows == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		became[r] = -1
		if !ofWords[r] && !ofBuckets[r] {
			continue
		}
		s.Input().Read(row, r)
		behind(s).Saw(backing.Page)
		switch {
		case isZero(row) && !ofWords[r]:
			continue
		case isZero(row):
			zeros = true
		case !opt.holds(row):
			return nil, false, fmt.Errorf("input row %d %w: choose the method %s", r, coded.ErrInfinite, QuantizeF16)
		}
		became[r] = int32(len(rows))
		if s.Subword() != nil {
			first, second := hashing.Murmur3(endian.Bytes(row), 0)
			if other, ok := same[[2]uint64{first, second}]; ok {
				became[r] = other
				continue
			}
			same[[2]uint64{first, second}] = became[r]
		}
		rows = append(rows, uint32(r))
	}
	if err := s.Err(); err != nil {
		return nil, false, err
	}
	p := withMatrices(s, vectors.Stored(len(rows), s.Input().Cols, pickedRows{s.Input(), rows, nil}), s.Output())
	p.WordRows, p.BucketRows = newWordRows(s, became), newBucketRows(s, became, used)
	kept, err = vectors.New(p)
	return kept, zeros, err
}

// usedBuckets returns which buckets words have n-grams in; nil stands for all. Those of a table without words
// may serve any word.
func usedBuckets(s *vectors.Set, all bool) []bool {
	if s.Subword() == nil || all || s.Len() == 0 {
		return nil
	}
	used := make([]bool, s.Subword().Rows())
	var buckets []uint32
	for _, word := range s.Words().All() {
		buckets = s.Subword().Append(buckets[:0], word)
		for _, b := range buckets {
			used[b] = true
		}
	}
	return used
}

// rowsInUse returns the rows that words refer to, and those that used buckets refer to.
func rowsInUse(s *vectors.Set, used []bool) (ofWords, ofBuckets []bool) {
	ofWords, ofBuckets = make([]bool, s.Input().Rows), make([]bool, s.Input().Rows)
	for b := range bucketsOf(s) {
		if r := s.BucketRow(uint32(b)); r >= 0 && (used == nil || used[b]) {
			ofBuckets[r] = true
		}
	}
	for id := range s.Len() {
		if r := s.OwnRow(id); s.OwnRows() && r < len(ofWords) {
			ofWords[r] = true
		}
	}
	return ofWords, ofBuckets
}

func newWordRows(s *vectors.Set, became []int32) []uint32 {
	if !s.OwnRows() {
		return nil
	}
	rows := make([]uint32, s.Len())
	same := s.Subword() != nil // without subwords there must be as many rows as words, too
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

// newBucketRows returns the row of each bucket that is used; nil stands for all.
func newBucketRows(s *vectors.Set, became []int32, used []bool) []int32 {
	if s.Subword() == nil {
		return nil
	}
	rows := make([]int32, s.Subword().Rows())
	for b := range rows {
		rows[b] = -1
		if r := s.BucketRow(uint32(b)); r >= 0 && (used == nil || used[b]) {
			rows[b] = became[r]
		}
	}
	return rows
}

// Quantising n-gram rows changes the vectors of all words with these n-grams. A word's own row can
// compensate for the loss in its n-gram rows: then only the own row's quantisation error remains,
// divided by the number of rows.

// takeUp chooses the codes of words' own rows so that word vectors are as near as possible to those
// of s. small holds the quantised rows of s. Rows shared by several words stay unchanged.
func takeUp(ctx context.Context, s *vectors.Set, small vectors.Matrix) error {
	q, ok := small.Storage.(*coded.Quantised)
	if !ok || !s.Composes() || !s.OwnRows() {
		return nil
	}
	sole, d := soleRows(s), s.Dim()
	encoder := pq.NewEncoder(q.Book)
	for start := 0; start < s.Len(); start += takeWords {
		if err := ctx.Err(); err != nil {
			return err
		}
		behind(s).Parallel(min(takeWords, s.Len()-start), func(first, last int) {
			t := taker{encoder: encoder.Clone(), wanted: make([]float32, d), others: make([]float32, d), rotated: make([]float32, d)}
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

// takeWords is the number of words processed before pages of a mapped file are released.
const takeWords = 2048

// soleRows returns for each row the only word that uses it, or a negative number.
func soleRows(s *vectors.Set) []int32 {
	const nobody, many = -1, -2
	sole := slices.Repeat([]int32{nobody}, s.Input().Rows)
	var rows []uint32
	for id := range s.Len() {
		rows = s.AppendRows(rows[:0], id)
		for _, r := range rows {
			switch sole[r] {
			case nobody, int32(id):
				sole[r] = int32(id)
			default:
				sole[r] = many
			}
		}
	}
	return sole
}

type taker struct {
	rows                    []uint32
	encoder                 *pq.Encoder
	wanted, others, rotated []float32
}

func (t *taker) take(s *vectors.Set, small vectors.Matrix, q *coded.Quantised, id int) {
	own := uint32(s.OwnRow(id))
	t.rows = s.AppendRows(t.rows[:0], id)
	s.Input().Sum(t.wanted, t.rows, nil)
	all := len(t.rows)
	t.rows = slices.DeleteFunc(t.rows, func(r uint32) bool { return r == own })
	small.Sum(t.others, t.rows, nil)
	times := float32(all - len(t.rows)) // the row may also stand for n-grams
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
