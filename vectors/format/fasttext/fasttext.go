// Package fasttext reads and writes fastText's binary model, versions 11 and 12, with both
// matrices, and reads quantised ones, .ftz files. Everything is little-endian and nothing is
// padded. Sources in fastText: signModel and saveModel in fasttext.cc, Args::save in args.cc,
// Dictionary::save in dictionary.cc, DenseMatrix::save in densematrix.cc.
package fasttext

import (
	"encoding/binary"
	"fmt"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/size"
)

const (
	magic      = 793712314
	version    = 12
	oldVersion = 11
)

// settings are those of training, in the order of the file.
type settings struct {
	Dim, Window, Epochs, MinCount, Negatives int32
	WordNgrams, Loss, Model                  int32
	Buckets, MinN, MaxN, LRUpdateRate        int32
	Sample                                   float64
}

// Values of settings.Loss and Model.
const (
	lossHierarchical = 1
	lossNegative     = 2
	lossSoftmax      = 3
	lossOneVsAll     = 4

	modelCBOW       = 1
	modelSkipgram   = 2
	modelSupervised = 3
)

// defaultNegatives is fastText's default number of negative samples.
const defaultNegatives = 5

// Kinds of entries of the dictionary.
const (
	entryWord  = 0
	entryLabel = 1
)

// dictionarySizes is what the dictionary begins with.
type dictionarySizes struct {
	Entries, Words, Labels int32
	Tokens, Pruned         int64
}

// hierarchical is the name that Training has for hierarchical softmax.
const hierarchical = "hs"

// architectures are the names that Training has for models.
var architectures = map[int32]string{
	modelCBOW: "cbow", modelSkipgram: "skipgram", modelSupervised: "supervised",
}

// Codec returns the format.
func Codec() codec.Codec {
	return codec.Codec{
		Name:       codec.FastText,
		Extensions: []codec.Extension{{Name: ".bin", Sets: codec.SubwordSets}},
		Sniff:      sniff,
		Read:       read,
		Maps:       true,
		Write:      write,
		Size:       sizeOf,
		Word:       checkWord,
		Distinct:   "fastText",
		Subword:    checkSubword,
		Streams:    true,
		Keeps: codec.Kept{
			Subwords: true, Context: true, Nodes: true, Counts: true,
			Training: []string{"arch", "loss", "window", "epochs", "negatives", "min_count", "sample", "tokens"},
		},
		Programs: "fastText, gensim",
	}
}

func sizeOf(s vectors.Shape) float64 {
	if s.Pieces { // such n-grams are left out
		s.Buckets = 0
	}
	return size.Words(s, 10) + size.Full(s, s.Words+s.Buckets) + size.Full(s, s.Words)
}

func sniff(head []byte) bool {
	return len(head) >= 4 && binary.LittleEndian.Uint32(head) == magic
}

// subwords returns how the model cuts words up, nil for not at all.
func (a settings) subwords() subword.Indexer {
	if a.MaxN == 0 {
		return nil
	}
	return subword.FastText{MinN: int(a.MinN), MaxN: int(a.MaxN), Buckets: int(a.Buckets)}
}

// check reports settings that no fastText writes.
func (a settings) check() error {
	switch {
	case a.Dim < 1:
		return fmt.Errorf("expected at least 1 dimension, found %d", a.Dim)
	case a.Model < modelCBOW || a.Model > modelSupervised:
		return fmt.Errorf("expected a model from %d to %d, found %d", modelCBOW, modelSupervised, a.Model)
	case a.Loss < lossHierarchical || a.Loss > lossOneVsAll:
		return fmt.Errorf("expected a loss from %d to %d, found %d", lossHierarchical, lossOneVsAll, a.Loss)
	case a.Buckets < 0:
		return fmt.Errorf("expected at least 0 buckets, found %d", a.Buckets)
	case a.MaxN == 0:
		return nil
	}
	return subword.Readable(subword.FastText{MinN: int(a.MinN), MaxN: int(a.MaxN), Buckets: int(a.Buckets)})
}

// check reports sizes that do not fit together.
func (z dictionarySizes) check() error {
	switch {
	case z.Words < 0 || z.Labels < 0 || int64(z.Entries) != int64(z.Words)+int64(z.Labels):
		return fmt.Errorf("expected as many entries as words and labels, found %d, %d and %d", z.Entries, z.Words, z.Labels)
	case z.Tokens < 0:
		return fmt.Errorf("expected at least 0 tokens, found %d", z.Tokens)
	}
	return nil
}
