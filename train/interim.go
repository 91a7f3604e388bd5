package train

import (
	"github.com/w2v-go/w2v/vectors"
)

// orDefaults returns the settings, or the usual ones if none is set.
func (s Settings) orDefaults() Settings {
	if s.isZero() {
		return Defaults()
	}
	return s
}

// describe completes what a model says of its training.
func (s Settings) describe(t *vectors.Training) {
	t.MinCount = s.MinCount
	t.Lowercase = s.Text.Lowercase
	t.Tokenizer = s.Text.Tokenizer.String()
}
