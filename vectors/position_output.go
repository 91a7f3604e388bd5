package vectors

import "fmt"

// MatrixPositionOutput names the output rows of structured skip-gram, those of all words for
// the first relative position, then for the next: row p·Len+word. Output is their mean
// over positions.
const MatrixPositionOutput = "position_output"

func positionOutputKind() MatrixKind {
	return MatrixKind{
		Name: MatrixPositionOutput, Label: "output matrix by position", Part: "output vectors by position",
		Output: true, Training: true, ByWord: true, check: (*Set).checkPositionOutput, fact: positionOutputFact, makes: meanOverPositions,
	}
}

func positionOutputFact(s *Set, m Matrix) Fact {
	positions := m.Rows / max(1, s.Len())
	return Fact{"position_outputs", positions, outputRows, fmt.Sprintf("%%s for each of %d relative positions", positions), s.output.Rows}
}

func (s *Set) checkPositionOutput(m Matrix) error {
	words, dim, window := s.Len(), s.Dim(), s.training.Int("window")
	switch {
	case m.Cols != dim:
		return fmt.Errorf("output matrix by position of %d dimensions, must be %d", m.Cols, dim)
	case words == 0 || m.Rows%(2*words) != 0 || window > 0 && m.Rows/words != 2*window:
		return fmt.Errorf("output matrix by position of %d rows for %d words and a window of %d", m.Rows, words, window)
	}
	return nil
}

// meanOverPositions returns the context vectors of structured skip-gram: of each of so
// many words the mean of its rows in m, which is laid out as that of MatrixPositionOutput. Means
// are made when they are asked for.
func meanOverPositions(m Matrix, words int) Matrix {
	if words < 1 || m.Rows < 1 {
		return Matrix{}
	}
	return Stored(words, m.Cols, positionMeans{m, words})
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
		for k, x := range m.of.View(row, r) {
			dst[k] += x
		}
	}
	mean := 1 / float32(m.of.Rows/m.words)
	for k := range dst {
		dst[k] *= mean
	}
}

func (m positionMeans) DType() DType { return m.of.DType() }

func (m positionMeans) CheckSizes(rows, cols int) error {
	if m.of.Cols != cols || rows > m.words || m.words > m.of.Rows {
		return fmt.Errorf("means of %d×%d for %d×%d", m.words, m.of.Cols, rows, cols)
	}
	return m.of.CheckSizes()
}

func (m positionMeans) Check() error { return m.of.Check() }
