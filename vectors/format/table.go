package vectors

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/subword"
)

// A codec is what the package knows of a format. A new format is a new row of
// the table codecs.
type codec struct {
	format     Format
	extensions []extension
	// sniff tells whether a file that begins with head is in this format. It
	// may rely on the formats before it in the table having said no. head is
	// the whole file if that is shorter than sniffLen.
	sniff func(head []byte) bool
	read  func(in *input) (*Set, error)
	// maps tells that read uses the bytes of a file in place, so that mapping it
	// is worth while.
	maps bool
	// write writes the format if it is a single file, parts says what it consists
	// of otherwise: a file and others beside it, or those of a folder.
	write  func(w *bufio.Writer, s *Set) error
	parts  func(s *Set) ([]part, error)
	folder bool
	// known is the file that tells a folder of the format.
	known string
	// size is at most what a set of that shape takes, see EstimateSize.
	size func(s Shape) float64
	// word says why the format cannot hold a word; nil if it holds any.
	word func(word string) error
	// distinct is the program that cannot hold a word twice, if one cannot.
	distinct string
	// subword says why the format cannot hold such n-grams; nil if it leaves all n-grams
	// out and holds the words alone. See instead for when it does so nevertheless.
	subword func(sub subword.Indexer, c Composition) error
	// dtypes are the types of numbers that it holds, if not F32 alone; none if it has
	// them in decimal.
	dtypes []DType
	// streams tells that read leaves rows where they are if they can be read
	// again, and that writing asks for rows in their order.
	streams bool
	// keeps is what reading gives back of what was written.
	keeps Kept
	// programs are those that read the format.
	programs string
}

// An extension asks for a format, of any set or only of one with subwords or
// without.
type extension struct {
	name string
	sets uint8
}

const (
	plainSets uint8 = 1 << iota
	subwordSets
	anySets = plainSets | subwordSets
)

// codecs returns the formats in the order in which they are sniffed: those with a
// magic number first; then floret's table, whose first line has eight fields and
// could be a row of the last; then the two that begin with a line "words
// dimensions", told apart by what the first row looks like; last the text that has
// nothing but numbers at the end of its first line to be known by. What none of them
// takes is no model. Compression is undone before any of this.
func codecs() []codec {
	return []codec{
		{
			format:     FormatFastText,
			extensions: []extension{{".bin", subwordSets}},
			sniff:      sniffFastText,
			read:       readFastText,
			maps:       true,
			write:      writeFastText,
			size:       sizeOfFastText,
			word:       checkFastTextWord,
			distinct:   "fastText",
			subword:    checkFastTextSubword,
			streams:    true,
			keeps: Kept{
				Subwords: true, Context: true, Nodes: true, Counts: true,
				Training: []string{"arch", "loss", "window", "epochs", "negatives", "min_count", "sample", "tokens"},
			},
			programs: "fastText, gensim",
		},
		{
			format:     FormatFinalfusion,
			extensions: []extension{{".fifu", anySets}},
			sniff:      sniffFinalfusion,
			read:       readFinalfusion,
			maps:       true,
			write:      writeFinalfusion,
			size:       sizeOfFinalfusion,
			word:       checkFinalfusionWord,
			distinct:   "finalfusion",
			subword:    checkFinalfusionSubword,
			streams:    true,
			keeps:      Kept{Subwords: true, Training: allTraining()},
			programs:   "finalfusion",
		},
		{
			format:     FormatW2V,
			extensions: []extension{{".w2v", anySets}, {".safetensors", anySets}},
			sniff:      sniffNative,
			read:       readNative,
			maps:       true,
			write:      writeNative,
			size:       sizeOfNative,
			subword:    checkNativeSubword,
			dtypes:     []DType{F32, F16, BF16},
			streams:    true,
			keeps:      Kept{Subwords: true, Context: true, Nodes: true, Rest: true, Counts: true, Training: allTraining()},
			programs:   "whatever reads safetensors, numpy",
		},
		{
			format:     FormatFloret,
			extensions: []extension{{".floret", anySets}},
			sniff:      sniffFloret,
			read:       readFloret,
			write:      writeFloret,
			size:       sizeOfFloret,
			subword:    checkFloretSubword,
			dtypes:     []DType{},
			streams:    true,
			keeps:      Kept{Subwords: true},
			programs:   "spaCy, finalfusion",
		},
		{
			format:   FormatTorch,
			sniff:    sniffTorch,
			read:     readTorch,
			maps:     true,
			parts:    writeTorch,
			size:     sizeOfTorch,
			word:     checkWordLine,
			dtypes:   []DType{F32, F16, BF16},
			streams:  true,
			keeps:    Kept{Context: true},
			programs: "PyTorch, whatever reads safetensors",
		},
		{
			format:     FormatNpy,
			extensions: []extension{{".npy", anySets}},
			sniff:      sniffNpy,
			read:       readNpy,
			maps:       true,
			parts:      writeNpy,
			size:       sizeOfNpy,
			word:       checkWordLine,
			dtypes:     []DType{F32, F16},
			streams:    true,
			programs:   "numpy",
		},
		{
			format:     FormatText,
			extensions: []extension{{".vec", anySets}, {".txt", anySets}},
			sniff:      sniffText,
			read:       readText,
			write:      writeText,
			size:       sizeOfText,
			word:       checkTextWord,
			streams:    true,
			programs:   "fastText, gensim, spaCy",
			dtypes:     []DType{},
		},
		{
			format:     FormatWord2Vec,
			extensions: []extension{{".w2vbin", anySets}, {".bin", plainSets}},
			sniff:      sniffWord2Vec,
			read:       readWord2Vec,
			write:      writeWord2Vec,
			size:       sizeOfWord2Vec,
			word:       checkWord2VecWord,
			streams:    true,
			programs:   "word2vec, gensim",
		},
		{
			format:     FormatGloVe,
			extensions: []extension{{".glove", anySets}},
			sniff:      sniffGloVe,
			read:       readGloVe,
			write:      writeGloVe,
			size:       sizeOfText,
			word:       checkTextWord,
			streams:    true,
			programs:   "GloVe, gensim",
			dtypes:     []DType{},
		},
		{
			format:   FormatModel2Vec,
			folder:   true,
			known:    model2VecConfig,
			read:     readModel2Vec,
			maps:     true,
			parts:    writeModel2Vec,
			size:     sizeOfStatic(FormatModel2Vec),
			word:     checkTokenizerWord,
			distinct: "a tokenizer",
			dtypes:   []DType{F32, F16},
			streams:  true,
			keeps:    Kept{Training: []string{"lowercase", "tokenizer"}},
			programs: "model2vec, sentence-transformers",
		},
		{
			format:   FormatSentenceTransformers,
			folder:   true,
			known:    sentenceModules,
			read:     readSentenceTransformers,
			maps:     true,
			parts:    writeSentenceTransformers,
			size:     sizeOfStatic(FormatSentenceTransformers),
			word:     checkTokenizerWord,
			distinct: "a tokenizer",
			dtypes:   []DType{F32, F16, BF16},
			streams:  true,
			keeps:    Kept{Training: []string{"lowercase", "tokenizer"}},
			programs: "sentence-transformers, model2vec",
		},
		{
			format:   FormatProjector,
			folder:   true,
			known:    projectorVectors,
			read:     readProjector,
			parts:    writeProjector,
			size:     sizeOfProjector,
			word:     checkProjectorWord,
			dtypes:   []DType{},
			streams:  true,
			keeps:    Kept{Counts: true},
			programs: "TensorBoard's Embedding Projector",
		},
	}
}

func codecOf(f Format) (codec, error) {
	for _, c := range codecs() {
		if c.format == f {
			return c, nil
		}
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return codec{}, fmt.Errorf("the format %q is not known; known are %s", string(f), strings.Join(names, ", "))
}
