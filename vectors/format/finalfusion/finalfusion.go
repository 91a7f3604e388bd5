// Package finalfusion reads and writes finalfusion's binary. A file is a list of the chunks that
// follow and the chunks: metadata if there are any, the vocabulary, the rows, and the norms of
// the words if there are any. Files of 2019 have norms that the list leaves out. A chunk
// begins with its kind and its length, which is not believed: that of an explicit vocabulary
// is too small if finalfusion-python wrote it. Everything is little-endian. Sources: chunks of
// finalfusion-rust, and finalfusion-python.
package finalfusion

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/size"
)

const (
	magic   = "FiFu"
	version = 0
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

// Codec returns the format.
func Codec() codec.Codec {
	return codec.Codec{
		Name:       codec.Finalfusion,
		Extensions: []codec.Extension{{Name: ".fifu", Sets: codec.AnySets}},
		Sniff:      sniff,
		Read:       read,
		Maps:       true,
		Write:      write,
		Size:       sizeOf,
		Word:       checkWord,
		Distinct:   "finalfusion",
		Subword:    checkSubword,
		Streams:    true,
		Keeps:      codec.Kept{Subwords: true, Training: vectors.TrainingNames()},
		Programs:   "finalfusion",
	}
}

func sizeOf(s vectors.Shape) float64 {
	row := size.Full(s, 1)
	if s.Encoding == vectors.EncodingPQ || s.Encoding == vectors.EncodingOPQ {
		row = min(row, float64(s.RowBytes)) // if it can be
	}
	if s.Weighted { // such n-grams are left out
		s.Pieces, s.Buckets = false, 0
	}
	bytes := row * float64(s.Buckets)
	if !s.Pieces {
		bytes += size.Words(s, 4+4) + row*float64(s.Words) // lengths of the word and of its vector
	}
	return bytes
}

func sniff(head []byte) bool {
	return len(head) >= len(magic) && string(head[:len(magic)]) == magic
}

// paddingAt is how many bytes are before numbers that would begin at an offset. An
// offset that is aligned gets four too.
func paddingAt(offset int64) int64 { return 4 - offset%4 }

// checkWord says why a word cannot be written to a finalfusion file.
func checkWord(word string) error {
	switch {
	case !utf8.ValidString(word):
		return errors.New("is not UTF-8, which finalfusion insists on")
	}
	return nil
}

// checkSubword says why a set with such n-grams cannot be written to a
// finalfusion file.
func checkSubword(sub subword.Indexer, c subword.Composition) error {
	switch subword.Value(sub).(type) {
	case nil, subword.FastText, subword.Finalfusion, *subword.Explicit:
		return nil
	case *subword.Pruned:
		return fmt.Errorf("some n-grams were left out when the model was quantised, which %s cannot hold: write %s, or %s for the words alone",
			codec.Finalfusion, codec.W2V, codec.Text)
	case subword.Floret:
		if c == subword.Pieces {
			return nil
		}
		return fmt.Errorf("%s holds floret n-grams only if words have no rows of their own: write %s, or %s for the words alone",
			codec.Finalfusion, codec.W2V, codec.Text)
	}
	return fmt.Errorf("%s cannot hold n-grams that are hashed as %s does: write %s, or %s for the words alone",
		codec.Finalfusion, subword.NameOf(sub), codec.W2V, codec.Text)
}
