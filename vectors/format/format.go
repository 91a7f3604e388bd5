// Package format reads sets of vectors from files and writes them, in the formats of this and
// of other programs.
//
//	set, err := format.Open("model.bin")
//	…
//	err = format.Write(ctx, "model.vec", set, format.Text)
//
// The format of a file is detected from its contents, whatever its name is; ForPath says what
// format the name of a file asks for when it is written. Open and Write are for files and
// folders, Read and Encode for streams, OpenFS for file systems. Describe tells what a format
// can do and what it keeps of a set, LeavesOut what a file of a certain set would not hold.
//
// Each family of formats is a package of its own below this one, whose comment names the source of
// the format. A format is one line in the table of this package.
package format

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

// A Format is a way to write a set down as a file. Its value is the name that
// the command line knows it by.
type Format string

// The formats. The sources are the programs that own them.
const (
	// W2V is the native format: a safetensors file with everything that a
	// set holds, which is mapped into memory and not read. See docs/format.md.
	W2V Format = codec.W2V
	// FastText is fastText's binary model, versions 11 and 12, with both
	// matrices. Source: saveModel and loadModel in fastText's fasttext.cc.
	FastText Format = codec.FastText
	// Word2Vec is the binary of word2vec.c, with or without a newline
	// after each row. Source: TrainModel in word2vec.c.
	Word2Vec Format = codec.Word2Vec
	// Text is the text of word2vec.c and of fastText's .vec files: a line
	// "words dimensions", then a line a word. Rows are split from the right, so
	// a word may hold spaces, though not begin or end with one; many other
	// programs take no such words. Numbers are written with the fewest digits
	// that read back as the same float32.
	Text Format = codec.Text
	// GloVe is the text of GloVe: a line a word and no header. Source:
	// save_params in GloVe's glove.c.
	GloVe Format = codec.GloVe
	// Finalfusion is finalfusion's binary, with any of its vocabularies: plain
	// words, or n-grams as finalfusion, fastText or floret hash them, or that are
	// listed. It keeps words' own vectors, of length 1 and with their lengths beside
	// them, so that the last bits of numbers may change. Of a set with fastText's
	// n-grams finalfusion hashes "</s>" too and, where they may have one code point,
	// the ends of words, which fastText and this package do not: a few words that are
	// not in the vocabulary have other vectors there. Quantised rows are written as
	// they are if words are whole in them, see transform.Whole, and in full otherwise.
	// Sources: chunks of finalfusion-rust and finalfusion-python.
	Finalfusion Format = codec.Finalfusion
	// Floret is the text of floret's tables, which spaCy reads: the rows of
	// n-grams, and no words. Source: saveFloretVectors in floret's fasttext.cc.
	Floret Format = codec.Floret
	// Npy is a matrix of numpy, with the words, one a line, in a file beside it
	// that has ".vocab.txt" after the name.
	Npy Format = codec.Npy
	// Projector is a folder for TensorBoard's Embedding Projector: vectors.tsv,
	// metadata.tsv and projector_config.pbtxt.
	Projector Format = codec.Projector
	// Torch is a safetensors file with the weight of a torch.nn.Embedding,
	// "embedding.weight", and, where there are context vectors, "output.weight". The
	// words are beside it as those of Npy. See docs/howto/neural-networks.md.
	Torch Format = codec.Torch
	// SentenceTransformers is a folder that sentence-transformers loads as a
	// model of a StaticEmbedding. See docs/howto/neural-networks.md.
	SentenceTransformers Format = codec.SentenceTransformers
	// Model2Vec is a folder that model2vec loads as a StaticModel. See
	// docs/howto/neural-networks.md.
	Model2Vec Format = codec.Model2Vec
)

// DTypes returns the types of numbers that files in format f can have. A format of
// numbers in decimal has none.
func (f Format) DTypes() []vectors.DType {
	c, err := codecOf(f)
	if err != nil {
		return nil
	}
	if c.DTypes == nil {
		return []vectors.DType{vectors.F32}
	}
	return c.DTypes
}

// All returns every format, in the order of their names.
func All() []Format {
	var formats []Format
	for _, c := range codecs() {
		formats = append(formats, Format(c.Name))
	}
	slices.Sort(formats)
	return formats
}

// Parse returns the format of that name.
func Parse(name string) (Format, error) {
	c, err := codecOf(Format(name))
	return Format(c.Name), err
}

// ForPath returns the format that the extension of path asks for, before a
// ".gz" or ".zst" if there is one. A ".bin" is fastText's for a set with
// subwords and word2vec's for one without. A path that ends in a separator, a folder,
// asks for the projector's. Only writing goes by extensions;
// files are read by their content.
func ForPath(path string, subwords bool) (Format, error) {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return Projector, nil
	}
	stem, _ := compression.SplitExt(path)
	ext := strings.ToLower(filepath.Ext(stem))
	sets := codec.PlainSets
	if subwords {
		sets = codec.SubwordSets
	}
	var known []string
	for _, c := range codecs() {
		for _, e := range c.Extensions {
			if e.Name == ext && e.Sets&sets != 0 {
				return Format(c.Name), nil
			}
			if !slices.Contains(known, e.Name) {
				known = append(known, e.Name)
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
