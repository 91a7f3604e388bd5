package vectors

// A Shape has the numbers that determine the size of a model's file. It is known before the vectors exist.
type Shape struct {
	Words        int    // in the vocabulary
	Text         int    // bytes of all words
	Counts       bool   // counts are known
	Dim          int    // dimensions
	Encoding     string // of input rows, see Matrix.Encoding; empty for float32
	Rows         int    // of the input matrix
	RowBytes     int    // size of an input row in bytes; 0 means float32
	ContextBytes int    // size of a context vector in bytes; 0 if there are none
	ContextMade  bool   // context vectors are computed from matrices that are stored anyway: input vectors, or Beside
	Beside       int    // bytes of the other matrices, which only native files store
	Labels       int    // bytes of what a classifier has: labels and their rows
	Buckets      int    // of n-grams
	Pieces       bool   // words have no rows of their own, as in floret
	Weighted     bool   // learned weights multiply rows, as in hash embeddings; Pieces is also set
	Listed       int    // words and buckets with an explicit row number
	Attached     int    // bytes of what cut the training text, see Training.Attached
	State        int    // bytes of training state, see Set.State and Set.StateRows
	Trained      bool   // numbers have the precision of trained numbers: several decimal digits each
}

// Shape returns the shape of the set.
func (s *Set) Shape() Shape {
	return guarded(s.file, func() Shape {
		_, made := s.parts.MadeOutput()
		rows, projection, _ := s.parts.Input.Factors()
		shape := Shape{
			Words:       s.Len(),
			Counts:      s.parts.Counts != nil,
			Dim:         s.Dim(),
			Encoding:    s.parts.Input.Encoding(),
			Rows:        rows.Rows,
			RowBytes:    rows.rowBytes(),
			ContextMade: made || s.parts.OutputIsInput(),
			Beside:      projection.Rows * projection.rowBytes(),
			Pieces:      !s.OwnRows(),
			Weighted:    s.Learned().Any(),
			Listed:      len(s.parts.WordRows) + len(s.parts.BucketRows),
			State:       len(s.parts.State),
		}
		for _, data := range s.parts.Training.attached {
			shape.Attached += len(data)
		}
		for _, m := range s.parts.Matrices {
			shape.Beside += m.Rows * m.rowBytes()
		}
		for _, m := range s.parts.StateRows {
			shape.State += 4 * m.Rows * m.Cols
		}
		if l := s.parts.Labels; l != nil {
			shape.Labels = l.bytes()
		}
		if s.parts.Output.Rows > 0 && !s.parts.OneMatrix {
			shape.ContextBytes = s.parts.Output.rowBytes()
		}
		for _, word := range s.parts.Words.All() {
			shape.Text += len(word)
		}
		if s.parts.Subword != nil {
			shape.Buckets = s.parts.Subword.Rows()
		}
		if shape.Encoding != string(F32) { // buckets without a row can be dropped from the list
			for _, r := range s.parts.BucketRows {
				if r < 0 {
					shape.Listed--
				}
			}
		}
		return shape
	})
}

func (m Matrix) rowBytes() int {
	if m.Encoding() == string(F32) {
		return 4 * m.Cols
	}
	return m.RowBytes()
}

// Parameters counts the numbers in a model.
type Parameters struct {
	Input  uint64 // vectors of words, contexts and texts are made of these
	Output uint64 // vectors were trained against these, and they are not input
	Bytes  int64  // the size of all their rows as stored
}

// Total returns the number of all parameters.
func (p Parameters) Total() uint64 { return p.Input + p.Output }

// Parameters counts the numbers in all matrices of s, each once. Input counts the rows that vectors are made
// of, a projection that multiplies them, weights of n-grams and of positions, and rows of word n-grams.
// Output counts the context vectors, or instead of them output rows by position or of nodes. Encoded rows
// count the numbers that they decode to. Row numbers, codebooks, training state and matrices that only checkpoints have are not
// counted.
func (s *Set) Parameters() (p Parameters) {
	for _, m := range s.StoredMatrices() {
		switch n := uint64(m.Rows) * uint64(m.Cols); {
		case m.Kind().Run:
			continue
		case m.Name == MatrixOutput || m.Kind().Output:
			p.Output += n
		default:
			p.Input += n
		}
		p.Bytes += int64(m.Rows) * int64(m.RowBytes())
	}
	if l := s.Labels(); l != nil {
		p.Output += uint64(l.Rows.Rows) * uint64(l.Rows.Cols)
		p.Input += uint64(l.Runs.Rows) * uint64(l.Runs.Cols)
		p.Bytes += int64(l.Rows.Rows)*int64(l.Rows.RowBytes()) + int64(l.Runs.Rows)*int64(l.Runs.RowBytes())
	}
	return p
}
