package vectors

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
)

// A finalfusion file is a list of the chunks that follow and the chunks: metadata
// if there are any, the vocabulary, the rows, and the norms of the words if there
// are any. Files of 2019 have norms that the list leaves out. A chunk begins with its kind and its length, which is not believed: that
// of an explicit vocabulary is too small if finalfusion-python wrote it. Everything
// is little-endian. Sources: chunks of finalfusion-rust, and finalfusion-python.
const (
	finalfusionMagic   = "FiFu"
	finalfusionVersion = 0
)

// Kinds of chunks.
const (
	chunkSimpleVocab   = 1
	chunkArray         = 2
	chunkBucketVocab   = 3 // n-grams hashed as finalfusion does
	chunkQuantised     = 4
	chunkMetadata      = 5
	chunkNorms         = 6
	chunkFastTextVocab = 7 // n-grams hashed as fastText does
	chunkExplicitVocab = 8
	chunkFloretVocab   = 9
)

// Types of numbers.
const (
	typeUint8   = 1
	typeFloat32 = 10
)

func sniffFinalfusion(head []byte) bool {
	return len(head) >= len(finalfusionMagic) && string(head[:len(finalfusionMagic)]) == finalfusionMagic
}

// paddingAt is how many bytes are before numbers that would begin at an offset. An
// offset that is aligned gets four too.
func paddingAt(offset int64) int64 { return 4 - offset%4 }

// checkFinalfusionWord says why a word cannot be written to a finalfusion file.
func checkFinalfusionWord(word string) error {
	switch {
	case !utf8.ValidString(word):
		return errors.New("is not UTF-8, which finalfusion insists on")
	}
	return nil
}

// checkFinalfusionSubword says why a set with such n-grams cannot be written to a
// finalfusion file.
func checkFinalfusionSubword(sub subword.Indexer, c Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText, subword.Finalfusion, *subword.Explicit:
		return nil
	case *subword.Pruned:
		return fmt.Errorf("some n-grams were left out when the model was quantised, which %s cannot hold: write %s, or %s for the words alone",
			FormatFinalfusion, FormatW2V, FormatText)
	case subword.Floret:
		if c == ComposePieces {
			return nil
		}
		return fmt.Errorf("%s holds floret n-grams only if words have no rows of their own: write %s, or %s for the words alone",
			FormatFinalfusion, FormatW2V, FormatText)
	}
	return fmt.Errorf("%s cannot hold n-grams of %T", FormatFinalfusion, sub)
}
