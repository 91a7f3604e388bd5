package vectors

func Product(rows, projection Matrix) Matrix { return rows }
func (m Matrix) Factors() (rows, projection Matrix, ok bool) { return Matrix{}, Matrix{}, false }
func MeanOverPositions(m Matrix, words int) Matrix { return Matrix{} }
