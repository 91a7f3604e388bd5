package vectors

// Parameters are how many numbers a model has in its matrices, each once.
type Parameters struct {
	Input  int64 // that vectors of words, contexts and texts are made of
	Output int64 // that they were trained against; 0 where these are made of others
	Bytes  int64 // that rows of all of them take where they are
}

// Total is the number of all.
func (p Parameters) Total() int64 { return p.Input + p.Output }

// Parameters counts the numbers of s. Those of a product are in its factors, and output
// vectors that are the input's, or means of others, are none of their own.
func (s *Set) Parameters() (p Parameters) {
	input := []Matrix{s.Input, s.Importance, s.PositionWeights, s.WordNgrams}
	if rows, projection, ok := s.Input.Factors(); ok {
		input[0] = rows
		input = append(input, projection)
	}
	output := []Matrix{s.Nodes, s.PositionOutput}
	if s.PositionOutput.Rows == 0 && !s.outputIsInput() {
		output = append(output, s.Output)
	}
	count := func(matrices []Matrix) (n int64) {
		for _, m := range matrices {
			n += int64(m.Rows) * int64(m.Cols)
			p.Bytes += int64(m.Rows) * int64(m.RowBytes())
		}
		return n
	}
	p.Input, p.Output = count(input), count(output)
	return p
}

// EncodedSize returns how many bytes Encode writes.
func EncodedSize(s *Set, f Format) (uint64, error) {
	var n counter
	err := Encode(&n, s, f)
	return uint64(n), err
}

// A counter counts the bytes that are written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
