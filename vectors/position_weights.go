package vectors

import "fmt"

// MatrixPositionWeights names a matrix with a row for each relative position, -window … -1,
// 1 … window, of position-weighted CBOW: contexts were multiplied by it. It has as many columns
// as what is composed of input rows, weights that are appended included.
const MatrixPositionWeights = "position_weights"

func positionWeightsKind() MatrixKind {
	return MatrixKind{
		Name: MatrixPositionWeights, Label: "position weights", Part: "position weights",
		Table: true, RowSpace: true, Training: true, check: (*Set).checkPositionWeights, fact: positionWeightsFact,
	}
}

func positionWeightsFact(_ *Set, m Matrix) Fact {
	return Fact{MatrixPositionWeights, m.Rows, "position weights", "of %s relative positions", m.Rows}
}

func (s *Set) checkPositionWeights(m Matrix) error {
	switch width, window := s.composedWidth(), s.training.Int("window"); {
	case m.Cols != width:
		return fmt.Errorf("position weights of %d numbers for words of %d", m.Cols, width)
	case m.Rows%2 != 0 || window > 0 && m.Rows != 2*window:
		return fmt.Errorf("weights of %d positions for a window of %d", m.Rows, window)
	}
	return nil
}

// composedWidth is how many numbers what is composed of input rows has.
func (s *Set) composedWidth() int {
	rows, _ := s.rowSpace()
	return rows.Cols + s.appended()
}
