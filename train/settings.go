package train

import (
	"reflect"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
)

// Settings are all that decides which vectors come out of a text: the same settings and the
// same text give the same vectors (with one thread, or Model.Deterministic, to the bit).
// Defaults returns the usual ones; change them field by field.
type Settings struct {
	Model    sgns.Config    // what is trained, and how
	Text     corpus.Options // how text becomes tokens
	MinCount int            // tokens seen less often are left out
	MaxVocab int            // at most so many tokens, the most frequent; 0 for no limit
}

// Defaults returns the settings that w2v train has without flags.
func Defaults() Settings {
	return Settings{Model: sgns.Defaults(), MinCount: 5}
}

// isZero reports settings of which no field is set.
func (s Settings) isZero() bool { return reflect.ValueOf(s).IsZero() }
