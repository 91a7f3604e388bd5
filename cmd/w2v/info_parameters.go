package main

import (
	"fmt"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// parameterInfo is how many numbers a model has in its matrices, see vectors.Parameters.
type parameterInfo struct {
	Input  uint64 `json:"input"`  // that words' vectors are made of
	Output uint64 `json:"output"` // that they were trained against; 0 where they are the same
	Total  uint64 `json:"total"`
}

func newParameterInfo(p vectors.Parameters) parameterInfo {
	return parameterInfo{p.Input, p.Output, p.Total()}
}

// String says it in words.
func (p parameterInfo) String() string {
	return fmt.Sprintf("%s: %s of input, %s of output", wording.Thousands(p.Total), wording.Thousands(p.Input), wording.Thousands(p.Output))
}
