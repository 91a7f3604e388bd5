package vectors

import "fmt"

// MeanOverPositions returns the context vectors of structured skip-gram: of each of so
// many words the mean of its rows in m, which is laid out as Set.PositionOutput is. Means
// are made when they are asked for.
func MeanOverPositions(m Matrix, words int) Matrix {
	if words < 1 || m.Rows < 1 {
		return Matrix{}
	}
	return stored(words, m.Cols, positionMeans{m, words})
}

// positionMeans are means over positions of the rows of each word.
type positionMeans struct {
	of    Matrix
	words int
}

func (m positionMeans) Read(dst []float32, word int) {
	clear(dst)
	row := make([]float32, len(dst))
	for r := word; r < m.of.Rows; r += m.words {
		for k, x := range m.of.view(row, r) {
			dst[k] += x
		}
	}
	mean := 1 / float32(m.of.Rows/m.words)
	for k := range dst {
		dst[k] *= mean
	}
}

func (m positionMeans) dtype() DType { return m.of.DType() }

func (m positionMeans) checkSizes(rows, cols int) error {
	if m.of.Cols != cols || rows > m.words || m.words > m.of.Rows {
		return fmt.Errorf("means of %d×%d for %d×%d", m.words, m.of.Cols, rows, cols)
	}
	return m.of.check()
}

func (m positionMeans) check() error { return m.of.checkNumbers() }

// pickPositions returns the rows of the words of these ids of a matrix that
// is laid out as Set.PositionOutput is.
func (s *Set) pickPositions(ids []uint32) Matrix {
	if s.PositionOutput.Rows == 0 || s.Len() == 0 {
		return Matrix{}
	}
	var rows []uint32
	for first := 0; first < s.PositionOutput.Rows; first += s.Len() {
		for _, id := range ids {
			rows = append(rows, uint32(first)+id)
		}
	}
	return s.PositionOutput.pick(rows, 0, 0, s.file)
}
