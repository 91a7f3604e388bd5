package vectors

import (
	"encoding/binary"
	"fmt"

	"github.com/w2v-go/w2v/subword"
)

// What the reader and the writer of fastText's binary share. Sources in
// fastText: signModel and saveModel in fasttext.cc, Args::save in args.cc,
// Dictionary::save in dictionary.cc, DenseMatrix::save in densematrix.cc.
// Everything is little-endian and nothing is padded.

const (
	fastTextMagic      = 793712314
	fastTextVersion    = 12
	fastTextOldVersion = 11
)

// fastTextArgs are the settings in the order of the file.
type fastTextArgs struct {
	Dim, Window, Epochs, MinCount, Negatives int32
	WordNgrams, Loss, Model                  int32
	Buckets, MinN, MaxN, LRUpdateRate        int32
	Sample                                   float64
}

// Values of fastTextArgs.Loss and Model.
const (
	lossHierarchical = 1
	lossNegative     = 2
	lossSoftmax      = 3
	lossOneVsAll     = 4

	modelCBOW       = 1
	modelSkipgram   = 2
	modelSupervised = 3
)

// fastTextNegatives is fastText's default number of negative samples.
const fastTextNegatives = 5

// Kinds of entries of the dictionary.
const (
	entryWord  = 0
	entryLabel = 1
)

// fastTextSizes is what the dictionary begins with.
type fastTextSizes struct {
	Entries, Words, Labels int32
	Tokens, Pruned         int64
}

// hierarchical is the name that Training has for hierarchical softmax.
const hierarchical = "hs"

// architectures are the names that Training has for models.
var architectures = map[int32]string{
	modelCBOW: "cbow", modelSkipgram: "skipgram", modelSupervised: "supervised",
}

func sniffFastText(head []byte) bool {
	return len(head) >= 4 && binary.LittleEndian.Uint32(head) == fastTextMagic
}

// subwords returns how the model cuts words up, nil for not at all.
func (a fastTextArgs) subwords() subword.Indexer {
	if a.MaxN == 0 {
		return nil
	}
	return subword.FastText{MinN: int(a.MinN), MaxN: int(a.MaxN), Buckets: int(a.Buckets)}
}

// check reports settings that no fastText writes.
func (a fastTextArgs) check() error {
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
func (z fastTextSizes) check() error {
	switch {
	case z.Words < 0 || z.Labels < 0 || int64(z.Entries) != int64(z.Words)+int64(z.Labels):
		return fmt.Errorf("expected as many entries as words and labels, found %d, %d and %d", z.Entries, z.Words, z.Labels)
	case z.Tokens < 0:
		return fmt.Errorf("expected at least 0 tokens, found %d", z.Tokens)
	}
	return nil
}
