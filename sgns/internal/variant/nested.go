package variant

import (
	"fmt"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// nested is what nested vectors need of other parts: see step.
func nested(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.Nests: "",
		},
		Lacks: map[capability.Capability]string{
			capability.Columns: "nested vectors have a score for each beginning",
		},
	}, len(r.Nested) > 1
}

// checkNested returns an error if there are no such nested vectors.
func checkNested(r settings.Run) error {
	if len(r.Nested) == 1 {
		return fmt.Errorf("nested dimensions %v are one vector, which all are: name the shorter ones too", r.Nested)
	}
	for i, n := range r.Nested {
		if n < 1 || i > 0 && n <= r.Nested[i-1] {
			return fmt.Errorf("nested dimensions %v do not rise from 1 on", r.Nested)
		}
	}
	if n := len(r.Nested); n > 0 && r.Nested[n-1] != r.Dim {
		return fmt.Errorf("nested dimensions %v end at %d, and there are %d dimensions: the last must be all of them", r.Nested, r.Nested[n-1], r.Dim)
	}
	return nil
}

// nestedRate is what is left of a part of the learning rate: the first dimensions change for
// each beginning.
func nestedRate(r settings.Run, part float64) float64 {
	return part * 2 / float64(1+r.Beginnings())
}
