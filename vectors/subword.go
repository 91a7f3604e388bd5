package vectors

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// Names of the ways to cut words into n-grams, in the metadata of native files and
// in messages.
const (
	subwordFastText    = "fasttext"
	subwordFinalfusion = "finalfusion"
	subwordFloret      = "floret"
	subwordExplicit    = "explicit"
	subwordHash        = "hash"
)

// subwordName returns the name of the way in which sub cuts words.
func subwordName(sub subword.Indexer) string {
	switch subword.Value(sub).(type) {
	case subword.FastText, *subword.Pruned:
		return subwordFastText
	case subword.Finalfusion:
		return subwordFinalfusion
	case subword.Floret:
		return subwordFloret
	case *subword.Explicit:
		return subwordExplicit
	case subword.Hash:
		return subwordHash
	case nil:
		return "no"
	}
	return fmt.Sprintf("%T", sub)
}
