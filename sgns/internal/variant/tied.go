package variant

import (
	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// Tied vectors are input and output vectors that are the same rows.

// tied is what they need of other parts.
func tied(r settings.Run) (part capability.Part, chosen bool) {
	return capability.Part{
		Needs: map[capability.Capability]string{
			capability.OneRow:      "tied vectors are one row a word",
			capability.OutputWords: "tied vectors are those of words on both sides",
		},
		Lacks: map[capability.Capability]string{
			capability.Freezes: "no vectors can be frozen if they are tied: those of known words change as outputs of new ones",
			capability.Divides: "tied vectors have no output rows of their own",
			capability.Columns: "tied vectors change from both sides",
		},
	}, r.Tied
}

// tie makes the matrix of output rows that of input rows.
func (v *Variant) tie(outputs params.Matrix) params.Matrix {
	if v.Run.Tied {
		outputs.SameAs = v.Input()
	}
	return outputs
}

// tiedRate is what part of the learning rate suits them: every row is moved from both sides.
func tiedRate(r settings.Run) float64 {
	if r.Tied {
		return 0.5
	}
	return 1
}
