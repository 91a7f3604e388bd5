package main

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// projectionInfo describes input rows that a projection makes vectors of.
type projectionInfo struct {
	Rank int `json:"rank,omitempty"` // numbers of an input row
}

func projectionOf(set *vectors.Set) projectionInfo {
	rows, _, ok := set.Input().Factors()
	if !ok {
		return projectionInfo{}
	}
	return projectionInfo{rows.Cols}
}

// String says it in words, after the number of rows.
func (p projectionInfo) String() string {
	if p.Rank == 0 {
		return ""
	}
	return fmt.Sprintf(", of %d numbers each, times a projection", p.Rank)
}
