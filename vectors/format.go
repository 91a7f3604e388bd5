package vectors

import (
	"bufio"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/subword"
)

// A Format is a way to write a set down as a file. Its value is the name that
// the command line knows it by.
type Format string

// The formats. The sources are the programs that own them.
const (
	// FormatW2V is the native format: a safetensors file with everything that a
	// set holds, which is mapped into memory and not read. See docs/format.md.
	FormatW2V Format = "w2v"
	// FormatFastText is fastText's binary model, versions 11 and 12, with both
	// matrices. Source: saveModel and loadModel in fastText's fasttext.cc.
	FormatFastText Format = "fasttext"
	// FormatWord2Vec is the binary of word2vec.c, with or without a newline
	// after each row. Source: TrainModel in word2vec.c.
	FormatWord2Vec Format = "word2vec"
	// FormatText is the text of word2vec.c and of fastText's .vec files: a line
	// "words dimensions", then a line a word. Rows are split from the right, so
	// a word may hold spaces, though not begin or end with one; many other
	// programs take no such words. Numbers are written with the fewest digits
	// that read back as the same float32.
	FormatText Format = "text"
	// FormatGloVe is the text of GloVe: a line a word and no header. Source:
	// save_params in GloVe's glove.c.
	FormatGloVe Format = "glove"
	// FormatFinalfusion is finalfusion's binary, with any of its vocabularies: plain
	// words, or n-grams as finalfusion, fastText or floret hash them, or that are
	// listed. It keeps words' own vectors, of length 1 and with their lengths beside
	// them, so that the last bits of numbers may change. Of a set with fastText's
	// n-grams finalfusion hashes "</s>" too and, where they may have one code point,
	// the ends of words, which fastText and this package do not: a few words that are
	// not in the vocabulary have other vectors there. Quantised rows are written as
	// they are if words are whole in them, see Set.Whole, and in full otherwise.
	// Sources: chunks of finalfusion-rust and finalfusion-python.
	FormatFinalfusion Format = "finalfusion"
	// FormatFloret is the text of floret's tables, which spaCy reads: the rows of
	// n-grams, and no words. Source: saveFloretVectors in floret's fasttext.cc.
	FormatFloret Format = "floret"
	// FormatNpy is a matrix of numpy, with the words, one a line, in a file beside it
	// that has ".vocab.txt" after the name.
	FormatNpy Format = "npy"
	// FormatProjector is a folder for TensorBoard's Embedding Projector: vectors.tsv,
	// metadata.tsv and projector_config.pbtxt.
	FormatProjector Format = "projector"
	// FormatTorch is a safetensors file with the weight of a torch.nn.Embedding,
	// "embedding.weight", and, where there are context vectors, "output.weight". The
	// words are beside it as those of FormatNpy. See docs/bridge.md.
	FormatTorch Format = "torch"
	// FormatSentenceTransformers is a folder that sentence-transformers loads as a
	// model of a StaticEmbedding. See docs/bridge.md.
	FormatSentenceTransformers Format = "sentence-transformers"
	// FormatModel2Vec is a folder that model2vec loads as a StaticModel. See
	// docs/bridge.md.
	FormatModel2Vec Format = "model2vec"
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
	// word says why the format cannot hold a word; nil if it holds any.
	word func(word string) error
	// subword says why the format cannot hold a set with such n-grams; nil if it
	// leaves all n-grams out and holds the words alone.
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
			word:       checkFastTextWord,
			subword:    checkFastTextSubword,
			streams:    true,
			keeps: Kept{
				Subwords: true, Context: true, Counts: true,
				Training: []string{"arch", "window", "epochs", "negatives", "min_count", "sample", "tokens"},
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
			word:       checkFinalfusionWord,
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
			subword:    checkNativeSubword,
			dtypes:     []DType{F32, F16, BF16},
			streams:    true,
			keeps:      Kept{Subwords: true, Context: true, Counts: true, Training: allTraining()},
			programs:   "whatever reads safetensors, numpy",
		},
		{
			format:     FormatFloret,
			extensions: []extension{{".floret", anySets}},
			sniff:      sniffFloret,
			read:       readFloret,
			write:      writeFloret,
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
			word:     checkTokenizerWord,
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
			word:     checkTokenizerWord,
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
			word:     checkProjectorWord,
			dtypes:   []DType{},
			streams:  true,
			keeps:    Kept{Counts: true},
			programs: "TensorBoard's Embedding Projector",
		},
	}
}

// DTypes returns the types of numbers that files in format f can have. A format of
// numbers in decimal has none.
func (f Format) DTypes() []DType {
	c, err := codecOf(f)
	if err != nil {
		return nil
	}
	if c.dtypes == nil {
		return []DType{F32}
	}
	return c.dtypes
}

// Formats returns every format, in the order of their names.
func Formats() []Format {
	var formats []Format
	for _, c := range codecs() {
		formats = append(formats, c.format)
	}
	slices.Sort(formats)
	return formats
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	c, err := codecOf(Format(name))
	return c.format, err
}

// FormatOf returns the format that the extension of path asks for, before a
// ".gz" or ".zst" if there is one. A ".bin" is fastText's for a set with
// subwords and word2vec's for one without. A path that ends in a separator, a folder,
// asks for the projector's. Only writing goes by extensions;
// files are read by their content.
func FormatOf(path string, subwords bool) (Format, error) {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return FormatProjector, nil
	}
	stem, _ := compression.SplitExt(path)
	ext := strings.ToLower(filepath.Ext(stem))
	sets := plainSets
	if subwords {
		sets = subwordSets
	}
	var known []string
	for _, c := range codecs() {
		for _, e := range c.extensions {
			if e.name == ext && e.sets&sets != 0 {
				return c.format, nil
			}
			if !slices.Contains(known, e.name) {
				known = append(known, e.name)
			}
		}
	}
	slices.Sort(known)
	problem := fmt.Sprintf("the extension %q is not known", ext)
	if ext == "" {
		problem = "there is no extension to tell the format by"
	}
	return "", fmt.Errorf("%s: %s; known are %s, each with .gz or .zst after it if wanted",
		path, problem, strings.Join(known, " "))
}

// CheckWords returns an error that names the first word that a file in format f
// cannot hold. It is for knowing before training what Write would say after it.
func CheckWords(words []string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	return c.checkWords(slices.All(words))
}

func (c codec) checkWords(words iter.Seq2[int, string]) error {
	if c.word == nil {
		return nil
	}
	for i, word := range words {
		if err := c.word(word); err != nil {
			return fmt.Errorf("word %d, %.40q, %w", i, word, err)
		}
	}
	return nil
}

// CheckSubword returns an error if a file in format f cannot hold a set with such
// n-grams, which may be nil, and such a composition. Formats that hold words alone
// take all sets and leave n-grams out.
func CheckSubword(sub subword.Indexer, c Composition, f Format) error {
	codec, err := codecOf(f)
	if err != nil || codec.subword == nil {
		return err
	}
	return codec.subword(sub, c)
}

// checkSubword returns an error if the format cannot hold the n-grams of s, or
// nothing else of it.
func (c codec) checkSubword(s *Set) error {
	if c.subword != nil {
		return c.subword(s.Subword, s.Composition)
	}
	if s.Subword != nil && s.Len() == 0 {
		return fmt.Errorf("the set has n-grams and no words, and the format %s holds words alone: write %s, %s or %s",
			c.format, FormatW2V, FormatFinalfusion, FormatFloret)
	}
	return nil
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
