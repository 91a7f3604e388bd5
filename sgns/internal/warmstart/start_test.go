package warmstart

import (
	"math"
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/config"
	"github.com/w2v-go/w2v/sgns/internal/model"
	"github.com/w2v-go/w2v/vectors"
)

// The rate goes on where a run over all tokens would be, so that little text does not
// undo what was learned of much.
func TestRateOfAWarmStart(t *testing.T) {
	c := config.Defaults()
	for name, test := range map[string]struct {
		trained vectors.Training
		part    float64
		freeze  config.Freeze
		alone   bool // there are no context vectors
		tokens  uint64
		want    float64
	}{
		"as much again":        {trained: vectors.NewTraining("trained", 43e6), part: 1, tokens: 43e6, want: 0.02},
		"little text":          {trained: vectors.NewTraining("trained", 83e6), part: 1, tokens: 3e6, want: 0.005},
		"much text":            {trained: vectors.NewTraining("trained", 1e6), part: 1, tokens: 85e6, want: 0.0395},
		"epochs, if not known": {trained: vectors.NewTraining("tokens", 8.6e6, "epochs", 5), part: 1, tokens: 43e6, want: 0.02},
		"nothing is known":     {part: 1, tokens: 86e6, want: 0.0145},
		"few words known":      {trained: vectors.NewTraining("trained", 43e6), part: 0, tokens: 86e6, want: 0.04},
		"frozen":               {trained: vectors.NewTraining("trained", 43e6), part: 1, freeze: config.FreezeKnown, tokens: 86e6, want: 0.04},
		"no context vectors":   {trained: vectors.NewTraining("trained", 86e6), part: 1, alone: true, tokens: 86e6, want: 0.02},
		"the largest numbers":  {trained: vectors.NewTraining("trained", uint64(math.MaxUint64)), part: 1, tokens: math.MaxUint64, want: 0.0133},
	} {
		c.Freeze = test.freeze
		s := &Start{Set: model.SetOf(vectors.Parts{Training: test.trained}), part: test.part, context: !test.alone}
		if got := s.Rate(c, test.tokens); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
	if got, want := (*Start)(nil).Rate(c, 1e6), c.RateFor(1e6); got != want {
		t.Errorf("without a start %v, want %v", got, want)
	}
}
