package sgns

import (
	"math/bits"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// Position weights (Mikolov et al. 2018, "Advances in pre-training distributed word
// representations"): each context of CBOW is multiplied, number by number, by a vector of
// its relative position, which is learned too. Positions are numbered as heads are.
type positions struct {
	common
	window  int
	moved   simd.Block     // what they move by in a block
	triples []simd.Triple  // input, position, row of the side, and the row's share in the input
	turned  []simd.Triple
}

// newPositions returns the position weights of the parameters, nil if they have none.
func newPositions(p parameters, c Config) *positions {
	if !c.PositionWeights {
		return nil
	}
	return &positions{
		common: newCommon(p.positions),
		window: c.Window,
		moved:  newRows(p.positions.Rows, p.positions.Cols),
	}
}
