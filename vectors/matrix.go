package vectors

// A Matrix is a set of float32 rows of equal length. Row r starts at
// Data[r*Stride] and has Cols numbers; Stride ≥ Cols.
type Matrix struct {
	Data               []float32
	Rows, Cols, Stride int
}

// lane is how many float32 fill the 64 bytes of a cache line.
const lane = 16

// NewMatrix returns a matrix of zeros whose rows are padded to whole cache
// lines of 64 bytes. On Linux a large one asks for huge pages.
func NewMatrix(rows, cols int) Matrix {
	stride := (cols + lane - 1) / lane * lane
	data := make([]float32, rows*stride)
	adviseHugePages(data)
	return Matrix{Data: data, Rows: rows, Cols: cols, Stride: stride}
}

// Row returns row r, which is not copied.
func (m Matrix) Row(r int) []float32 {
	start := r * m.Stride
	return m.Data[start : start+m.Cols : start+m.Cols]
}
