package vectors

// Product returns the matrix rows × projection, whose rows are made when they are asked
// for.
func Product(rows, projection Matrix) Matrix {
	return stored(rows.Rows, projection.Cols, &product{rows, projection})
}

// Factors returns what a matrix is the product of, if it is one.
func (m Matrix) Factors() (rows, projection Matrix, ok bool) {
	p, ok := m.Storage.(*product)
	if !ok {
		return Matrix{}, Matrix{}, false
	}
	return p.rows, p.projection, true
}

type product struct{ rows, projection Matrix }

func (p *product) Read(dst []float32, r int) {
	row := p.rows.Row(r)
	sums := make([]float64, len(dst))
	for h, x := range row {
		for k, y := range p.projection.Row(h) {
			sums[k] += float64(x) * float64(y)
		}
	}
	for k, x := range sums {
		dst[k] = float32(x)
	}
}
