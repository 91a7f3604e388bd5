package main

import (
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// parameterInfo is how many numbers a model has in its matrices.
type parameterInfo struct {
	Input  int64 `json:"input"`  // that words' vectors are made of
	Output int64 `json:"output"` // that they were trained against; 0 where they are the same
	Total  int64 `json:"total"`
}

// parametersOf counts the numbers of a model, each once.
func parametersOf(set *vectors.Set) parameterInfo {
	var p parameterInfo
	for _, m := range inputMatrices(set) {
		p.Input += numbersOf(m)
	}
	for _, m := range outputMatrices(set) {
		p.Output += numbersOf(m)
	}
	p.Total = p.Input + p.Output
	return p
}

// String says it in words.
func (p parameterInfo) String() string {
	return fmt.Sprintf("%s: %s of input, %s of output", thousands(uint64(p.Total)), thousands(uint64(p.Input)), thousands(uint64(p.Output)))
}

// inputMatrices returns the matrices that words' vectors, and those of contexts and
// sentences, are made of.
func inputMatrices(set *vectors.Set) []vectors.Matrix {
	input := []vectors.Matrix{set.Input}
	if rows, projection, ok := set.Input.Factors(); ok {
		input = []vectors.Matrix{rows, projection}
	}
	return append(input, set.Importance, set.PositionWeights, set.WordNgrams)
}

// outputMatrices returns the matrices on the other side that are no others again.
func outputMatrices(set *vectors.Set) []vectors.Matrix {
	output := []vectors.Matrix{set.Nodes, set.PositionOutput}
	if set.PositionOutput.Rows == 0 && !set.Training.Tied {
		output = append(output, set.Output)
	}
	return output
}

// numbersOf returns how many numbers a matrix has.
func numbersOf(m vectors.Matrix) int64 { return int64(m.Rows) * int64(m.Cols) }
