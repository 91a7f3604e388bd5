package compose

import (
	"errors"

	"github.com/w2v-go/w2v/sgns/internal/capability"
	"github.com/w2v-go/w2v/sgns/internal/settings"
)

// halves is what rows of 16 bits lack.
var halves = capability.Part{
	Lacks: map[capability.Capability]string{capability.Columns: "rows of 16 bits are rounded as wholes"},
}

// checkHalves returns an error if rows of 16 bits are asked for where there can be none.
func checkHalves(r settings.Run, weighted bool) error {
	switch {
	case !r.Halves():
	case r.Subword == nil:
		return errors.New("precision f16 is for models with n-grams, and plain words have none: train with n-grams (subwords), or with precision f32")
	case weighted:
		return errors.New("precision f16 is not for hash embeddings, whose rows have learned weights: train them with precision f32")
	}
	return nil
}
