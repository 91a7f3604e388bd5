package vectors

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
