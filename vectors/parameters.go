package vectors

// Parameters are how many numbers a model has.
type Parameters struct {
	Input  uint64 // that vectors of words, contexts and texts are made of
	Output uint64 // that they were trained against, and that are no input
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
func (s *Set) Parameters() Parameters {
	p := Parameters{
		Input:  s.Input.numbers() + s.Importance.numbers() + s.PositionWeights.numbers() + s.WordNgrams.numbers(),
		Output: s.PositionOutput.numbers() + s.Nodes.numbers(),
	}
	if s.PositionOutput.Rows == 0 && !s.outputIsInput() {
		p.Output += s.Output.numbers()
	}
	return p
}

// numbers returns how many a matrix has, those of both factors if it is a product.
func (m Matrix) numbers() uint64 {
	if rows, projection, ok := m.Factors(); ok {
		return rows.numbers() + projection.numbers()
	}
	return uint64(m.Rows) * uint64(m.Cols)
}
