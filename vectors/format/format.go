package vectors

import (
	"fmt"
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
// cannot hold, an *UnwritableWord. It is for knowing before training what Write would
// say after it.
func CheckWords(words []string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	for i, word := range words {
		if err := c.checkWord(word); err != nil {
			return &UnwritableWord{i, word, err}
		}
	}
	return nil
}

// checkWord says why the format cannot hold a word, wherever it stands; nil if it can.
func (c codec) checkWord(word string) error {
	switch {
	case len(word) > MaxWord:
		return fmt.Errorf("has %d bytes, at most %d are possible", len(word), MaxWord)
	case c.word != nil:
		return c.word(word)
	}
	return nil
}

// CheckSubword returns an error if a set of words with such n-grams, which may be nil,
// and such a composition cannot be written in format f. Formats that hold words alone
// take all sets and leave n-grams out; so do others with hash embeddings, and with
// floret's n-grams, if they hold n-grams but not these. KeepsSubword tells which do.
func CheckSubword(sub subword.Indexer, c Composition, f Format) error {
	codec, err := codecOf(f)
	if err != nil || codec.subword == nil || codec.instead(sub) {
		return err
	}
	return codec.subword(sub, c)
}

// KeepsSubword tells whether a file in format f holds such n-grams, so that words that are
// not in the vocabulary have vectors in it.
func KeepsSubword(sub subword.Indexer, c Composition, f Format) bool {
	codec, err := codecOf(f)
	return err == nil && sub != nil && codec.subword != nil && codec.subword(sub, c) == nil
}

// instead tells whether words alone are written where the format cannot hold such n-grams:
// if it holds plain words and the n-grams are of a kind that is trained here and has no
// other way out.
func (c codec) instead(sub subword.Indexer) bool {
	switch subword.Value(sub).(type) {
	case subword.Hash, subword.Floret:
		return c.subword(nil, ComposeMean) == nil
	}
	return false
}

// checkSubword returns an error if the format cannot hold the n-grams of s, or
// nothing else of it.
func (c codec) checkSubword(s *Set) error {
	if c.subword != nil {
		if s.Len() > 0 && c.instead(s.subword) {
			return nil
		}
		return c.subword(s.subword, s.composition)
	}
	if s.subword != nil && s.Len() == 0 {
		return fmt.Errorf("the set has n-grams and no words, and the format %s holds words alone: write %s, %s or %s",
			c.format, FormatW2V, FormatFinalfusion, FormatFloret)
	}
	return nil
}
