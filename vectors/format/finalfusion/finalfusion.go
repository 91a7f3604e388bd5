// Package finalfusion reads and writes finalfusion's binary. A file is a list of the chunks that
// follow and the chunks: metadata if there are any, the vocabulary, the rows, and the norms of
// the words if there are any. Files of 2019 have norms that the list leaves out. A chunk
// begins with its kind and its length, which is not believed: that of an explicit vocabulary
// is too small if finalfusion-python wrote it. Everything is little-endian. Sources: chunks of
// finalfusion-rust, and finalfusion-python.
package finalfusion

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
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
	row := codec.FullSize(s, 1)
	if s.Encoding == vectors.EncodingPQ || s.Encoding == vectors.EncodingOPQ {
		row = min(row, float64(s.RowBytes)) // if it can be
	}
	if s.Weighted { // such n-grams are left out
		s.Pieces, s.Buckets = false, 0
	}
	bytes := row * float64(s.Buckets)
	if !s.Pieces {
		bytes += codec.WordSize(s, 4+4) + row*float64(s.Words) // lengths of the word and of its vector
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
	if !utf8.ValidString(word) {
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
		if !c.OwnRows() {
			return nil
		}
		return fmt.Errorf("%s holds floret n-grams only if words have no rows of their own: write %s, or %s for the words alone",
			codec.Finalfusion, codec.W2V, codec.Text)
	}
	return fmt.Errorf("%s cannot hold n-grams that are hashed as %s does: write %s, or %s for the words alone",
		codec.Finalfusion, subword.NameOf(sub), codec.W2V, codec.Text)
}

// Metadata are TOML of any sort. Ours are a table of what is known of the training,
// a line a field. It is read again; what other programs say is passed over.

const trainingTable = "[training]"

// longestMetadata is more than ours ever are.
const longestMetadata = 1 << 16

// trainingTOML returns what is known of the training as TOML, nothing if nothing is.
func trainingTOML(t vectors.Training) (text []byte) {
	if t.Equal(vectors.Training{}) {
		return nil
	}
	text = []byte(trainingTable + "\n")
	for name, value := range t.All() { // TOML writes such values as JSON does
		if !slices.Contains(vectors.TrainingNames(), name) {
			continue
		}
		if _, err := strconv.ParseInt(value, 10, 64); errors.Is(err, strconv.ErrRange) {
			value = strconv.Quote(value) // but its integers have a sign
		}
		text = fmt.Appendf(text, "%s = %s\n", name, value)
	}
	return text
}

// parseTrainingTOML returns what trainingTOML wrote, and nothing of other metadata.
func parseTrainingTOML(text []byte) vectors.Training {
	var t vectors.Training
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	if string(first) != trainingTable {
		return t
	}
	object := []byte{'{'}
	for line := range bytes.Lines(rest) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(" = "))
		if !ok || !slices.Contains(vectors.TrainingNames(), string(name)) {
			return t
		}
		if n, err := strconv.Unquote(string(value)); err == nil {
			if _, err := strconv.ParseInt(n, 10, 64); errors.Is(err, strconv.ErrRange) {
				value = []byte(n)
			}
		}
		object = fmt.Appendf(object, "%q:%s,", name, value)
	}
	object = append(bytes.TrimSuffix(object, []byte{','}), '}')
	if err := json.Unmarshal(object, &t); err != nil {
		return vectors.Training{}
	}
	return t
}

// metadata reads a chunk of metadata.
func (f *reader) metadata() error {
	length, err := f.chunk(chunkMetadata)
	if err != nil {
		return err
	}
	if length > longestMetadata {
		f.unread = []string{"metadata"}
		n := int64(min(length, 1<<63-1))
		return f.in.Skip(n, "metadata")
	}
	text, err := source.Array[byte](f.in, int64(length), "metadata")
	if err == nil {
		f.training = parseTrainingTOML(text)
		if f.training.Equal(vectors.Training{}) && len(bytes.TrimSpace(text)) > 0 {
			f.unread = []string{"metadata"}
		}
	}
	return err
}
