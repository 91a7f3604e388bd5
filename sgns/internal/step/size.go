package step

import (
	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/sgns/internal/params"
)

// A Size is what the size of a step depends on.
type Size struct {
	Division
	Positives, Negatives float64 // rows, at most
	Matrices             params.List
	Dim                  int
	Lists                int  // of errors
	Direct               bool // what inputs change by goes to rows of the source at once
	Scored               bool // errors are found from scores
}

// Bytes is the size of a step, but for what its parts have of their own.
func (s Size) Bytes() float64 {
	centres := float64(s.Centres)
	bytes := BatchBytes(s.Positives, s.Negatives, s.Draws, s.Lists)
	bytes += centres*RowBytes(s.Dim) + float64(s.Dim)*RowBytes(simd.Lanes) + 4*LineItems(float64(s.Draws))
	if !s.Direct {
		bytes += centres * RowBytes(s.Dim)
	}
	if s.Lists > 1 || s.Scored {
		most := max(s.Positives, s.Negatives)
		bytes += most*float64(s.Lists)*RowBytes(simd.Lanes) + 2*LineItems(most)
	}
	return bytes + ReplicaBytes(s.Matrices)
}
