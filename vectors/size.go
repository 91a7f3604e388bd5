package vectors

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
	Pieces       bool   // words have no rows of their own, as those of floret
	Weighted     bool   // rows are multiplied by learned numbers, as those of hash embeddings; Pieces with it
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
		Pieces:   !s.OwnRows(),
		Weighted: s.Learned().Any(),
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
	if s.output.Rows > 0 && !s.oneMatrix {
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

// Parameters are how many numbers a model has.
type Parameters struct {
	Input  uint64 // that vectors of words, contexts and texts are made of
	Output uint64 // that they were trained against, and that are no input
	Bytes  int64  // that rows of all of them take where they are
}

// Total returns the number of all.
func (p Parameters) Total() uint64 { return p.Input + p.Output }

// Parameters counts the numbers in all matrices of s, each once: of input the rows that
// vectors are made of, with a projection that they are multiplied by, the weights of
// pieces and of positions, and rows of runs of words; of output the context vectors, or
// in place of them output rows by position or of nodes. Context vectors that are the input
// vectors, or means of rows by position, are none of their own.
//
// A row counts once, however many words and n-grams share it, and its numbers count as what
// codes stand for, however few bytes these take. Row numbers, codebooks and the state of
// the training are not counted.
func (s *Set) Parameters() (p Parameters) {
	input := []Matrix{s.input}
	if rows, projection, ok := s.input.Factors(); ok {
		input[0] = rows
		input = append(input, projection)
	}
	var output []Matrix
	for _, m := range s.matrices {
		if KindOf(m.Name).Output {
			output = append(output, m.Matrix)
		} else {
			input = append(input, m.Matrix)
		}
	}
	if _, made := s.madeOutput(); !made && !s.outputIsInput() {
		output = append(output, s.output)
	}
	count := func(matrices []Matrix) (n uint64) {
		for _, m := range matrices {
			n += uint64(m.Rows) * uint64(m.Cols)
			p.Bytes += int64(m.Rows) * int64(m.RowBytes())
		}
		return n
	}
	p.Input, p.Output = count(input), count(output)
	return p
}
