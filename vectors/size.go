package vectors

import (
	"math/bits"
	"slices"

	"github.com/w2v-go/w2v/internal/compression"
)

// A Shape is what the size of a model in a file depends on. It can be said before
// there are any vectors.
type Shape struct {
	Words        int    // in the vocabulary
	Text         int    // bytes of all of them
	Counts       bool   // it is known how often each was seen
	Dim          int    // dimensions
	Encoding     string // of input rows, see Matrix.Encoding; empty for float32
	Rows         int    // of the input matrix
	RowBytes     int    // that a row of it takes, 0 for as many as float32
	ContextBytes int    // that a row of context vectors takes, 0 for none
	ContextMade  bool   // context vectors are made of what is there anyhow: input vectors, or Beside
	Beside       int    // bytes of all other matrices, which native files alone hold
	Buckets      int    // of n-grams
	Pieces       bool   // words have no rows of their own, see ComposePieces
	Weighted     bool   // the rows are those of hash embeddings, see ComposeWeighted; Pieces with it
	Listed       int    // words and buckets of which it is listed which row they have
	State        int    // bytes of the state of a training run, see Set.State and Set.StateRows
	Trained      bool   // numbers are as training leaves them: in decimal all have several digits
}

// Shape returns the shape of the set.
func (s *Set) Shape() (shape Shape) {
	s.file.Guard(func() { shape = s.shape() })
	return shape
}

// shape is Shape where faults are looked after.
func (s *Set) shape() Shape {
	shape := Shape{
		Words:    s.Len(),
		Counts:   s.counts != nil,
		Dim:      s.Dim(),
		Encoding: s.input.Encoding(),
		Rows:     s.input.Rows,
		RowBytes: s.input.rowBytes(),
		Listed:   len(s.wordRows) + len(s.bucketRows),
		Pieces:   s.pieces(),
		Weighted: s.composition == ComposeWeighted,
		State:    len(s.state),
	}
	_, made := s.madeOutput()
	shape.ContextMade = s.outputIsInput() || made
	rows, projection, factored := s.input.Factors()
	if factored {
		shape.RowBytes = rows.rowBytes()
	}
	shape.Beside = projection.Rows * projection.rowBytes()
	for _, m := range s.matrices {
		shape.Beside += m.Rows * m.rowBytes()
	}
	for _, m := range s.stateRows {
		shape.State += 4 * m.Rows * m.Cols
	}
	if s.output.Rows > 0 && !s.tied {
		shape.ContextBytes = s.output.rowBytes()
	}
	for _, word := range s.words.All() {
		shape.Text += len(word)
	}
	if s.subword != nil {
		shape.Buckets = s.subword.Rows()
	}
	if s.input.Encoding() != string(F32) { // buckets without a row may be left out of the list
		for _, r := range s.bucketRows {
			if r < 0 {
				shape.Listed--
			}
		}
	}
	return shape
}

// rowBytes returns what a row takes in a file.
func (m Matrix) rowBytes() int {
	if m.Encoding() == string(F32) {
		return 4 * m.Cols
	}
	return m.RowBytes()
}

// EstimateSize returns how many bytes a model of a shape takes at path in format f, of all
// files together, or 0 if that cannot be known because they are compressed. It is never more than
// is written, and for formats of binary numbers hardly less; in decimal, numbers are taken
// to be as short as they can be.
func EstimateSize(path string, shape Shape, f Format) uint64 {
	if _, kind := compression.SplitExt(path); kind != compression.Plain {
		return 0
	}
	c, err := codecOf(f)
	if err != nil {
		return 0
	}
	return uint64(c.size(shape))
}

// number returns the bytes of a number of words' vectors in a format of several types.
func (s Shape) number(f Format) float64 {
	if d := DType(s.Encoding); d != "" && slices.Contains(f.DTypes(), d) {
		return float64(d.bytes())
	}
	return 4
}

// decimals returns the least bytes of so many vectors in decimal, the end of a number or line
// included.
func (s Shape) decimals(vectors int) float64 {
	each := 2.0 // a digit
	if s.Trained {
		each = 8 // those with fewer digits are outnumbered
	}
	return each * float64(vectors) * float64(s.Dim)
}

// vectors returns the bytes of the vectors of words in a format of several types.
func (s Shape) vectors(f Format) float64 {
	return s.number(f) * float64(s.Words) * float64(s.Dim)
}

// full returns the bytes of so many vectors in float32.
func (s Shape) full(vectors int) float64 { return 4 * float64(vectors) * float64(s.Dim) }

// named returns the bytes of words with so many bytes more for each.
func (s Shape) named(more int) float64 { return float64(s.Text) + float64(more)*float64(s.Words) }

func sizeOfNative(s Shape) float64 {
	size := s.named(8) + 4*float64(s.Listed) + float64(s.State)
	if s.Counts {
		size += 8 * float64(s.Words)
	}
	if s.Words > 0 {
		size += 4 * float64(uint64(1)<<bits.Len(uint(s.Words+s.Words/2)))
	}
	row := s.RowBytes
	if row == 0 {
		row = 4 * s.Dim
	}
	if !s.ContextMade {
		size += float64(s.ContextBytes) * float64(s.Words)
	}
	return size + float64(row)*float64(s.Rows) + float64(s.Beside)
}

func sizeOfFastText(s Shape) float64 {
	if s.Pieces { // such n-grams are left out
		s.Buckets = 0
	}
	return s.named(10) + s.full(s.Words+s.Buckets) + s.full(s.Words)
}

func sizeOfFinalfusion(s Shape) float64 {
	row := s.full(1)
	if s.Encoding == EncodingPQ || s.Encoding == EncodingOPQ {
		row = min(row, float64(s.RowBytes)) // if it can be
	}
	if s.Weighted { // such n-grams are left out
		s.Pieces, s.Buckets = false, 0
	}
	size := row * float64(s.Buckets)
	if !s.Pieces {
		size += s.named(4+4) + row*float64(s.Words) // lengths of the word and of its vector
	}
	return size
}

func sizeOfWord2Vec(s Shape) float64 { return s.named(2) + s.full(s.Words) }

func sizeOfText(s Shape) float64 { return s.named(1) + s.decimals(s.Words) }

func sizeOfFloret(s Shape) float64 { return 2*float64(s.Buckets) + s.decimals(s.Buckets) }

func sizeOfNpy(s Shape) float64 { return s.named(1) + s.vectors(FormatNpy) }

func sizeOfTorch(s Shape) float64 {
	size := s.named(1) + s.vectors(FormatTorch)
	if s.ContextBytes > 0 {
		size += min(s.vectors(FormatTorch), float64(s.ContextBytes)*float64(s.Words))
	}
	return size
}

// sizeOfStatic is for both formats of such folders: see writeTokenizer.
func sizeOfStatic(f Format) func(Shape) float64 {
	return func(s Shape) float64 { return s.named(len(`"":0,`)) + s.vectors(f) }
}

func sizeOfProjector(s Shape) float64 {
	size := s.named(1) + s.decimals(s.Words)
	if s.Counts {
		size += 2 * float64(s.Words)
	}
	return size
}
