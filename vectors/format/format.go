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
	"github.com/w2v-go/w2v/vectors/format/fasttext"
	"github.com/w2v-go/w2v/vectors/format/finalfusion"
	"github.com/w2v-go/w2v/vectors/format/floret"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/native"
	"github.com/w2v-go/w2v/vectors/format/npy"
	"github.com/w2v-go/w2v/vectors/format/projector"
	"github.com/w2v-go/w2v/vectors/format/static"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/format/word2vec"
)

// A Format is a format of files. Its value is the name on the command line.
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

// DTypes returns the types of numbers that files in format f can have: none if the numbers are in
// decimal.
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

// All returns all formats, sorted by name.
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

// ForPath returns the format that the extension of path asks for. An extension ".gz" or ".zst" after
// it does not count. ".bin" is fastText's format for a set with subwords, and word2vec's for others. A
// path that ends in a separator is a folder, and asks for the projector's format. Extensions matter
// for writing only: files are read by their contents.
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

// Capabilities say what a format can do.
type Capabilities struct {
	Format     Format
	Extensions []string // of its files; none of a folder
	Folder     bool     // it is a folder and not a file
	Several    bool     // it is several files, in a folder or beside each other
	Programs   string   // who reads it, besides this package

	Read, Write bool
	Stream      bool // rows can be read and written one at a time, compressed ones too
	Map         bool // a plain file is mapped into memory

	Keeps    Kept
	Lossless bool // all that a Set can be, words of any bytes too
}

// Kept lists what a format keeps of a set, besides words and their vectors.
type Kept struct {
	Subwords bool     // n-grams, and with them words that are not in the vocabulary
	Context  bool     // context vectors
	Nodes    bool     // output vectors of the nodes of hierarchical softmax
	Rest     bool     // what else a Set can have: rows of word n-grams, position weights, output rows by position, factors
	Counts   bool     // how often words were seen
	State    bool     // of the training, that checkpoints have
	Words    bool     // the list of words, also of a table that gives all words vectors without it
	Training []string // which fields of Training, by their names in JSON
}

// Describe returns what format f can do.
func Describe(f Format) (Capabilities, error) {
	c, err := codecOf(f)
	if err != nil {
		return Capabilities{}, err
	}
	d := Capabilities{
		Format:   f,
		Folder:   c.Folder(),
		Several:  c.Parts != nil,
		Programs: c.Programs,
		Read:     c.Read != nil,
		Write:    c.Write != nil || c.Parts != nil,
		Stream:   c.Streams,
		Map:      c.Maps,
		Keeps:    Kept(c.Keeps),
	}
	for _, e := range c.Extensions {
		d.Extensions = append(d.Extensions, e.Name)
	}
	d.Keeps.Training = slices.Clone(c.Keeps.Training)
	d.Lossless = d.Read && d.Write && c.Word == nil && d.Keeps.all()
	return d, nil
}

func (k Kept) all() bool {
	return k.Subwords && k.Context && k.Nodes && k.Rest && k.Counts && k.State && k.Words && slices.Equal(k.Training, vectors.TrainingNames())
}

// codecs returns the formats in the order in which they are sniffed: those with a
// magic number first; then floret's table, whose first line has eight fields and
// could be a row of the last; then the two that begin with a line "words
// dimensions", told apart by what the first row looks like; last the text that has
// nothing but numbers at the end of its first line to be known by. What none of them
// takes is no model. Compression is undone before any of this. Folders are known by a file
// in them. A new format is a new line.
func codecs() []codec.Codec {
	return []codec.Codec{
		fasttext.Codec(),
		finalfusion.Codec(),
		native.Codec(),
		floret.Codec(),
		static.Torch(),
		npy.Codec(),
		text.Headed(),
		word2vec.Codec(),
		text.GloVe(),
		static.Model2Vec(),
		static.SentenceTransformers(),
		projector.Codec(),
	}
}

func codecOf(f Format) (codec.Codec, error) {
	for _, c := range codecs() {
		if c.Name == string(f) {
			return c, nil
		}
	}
	var names []string
	for _, f := range All() {
		names = append(names, string(f))
	}
	return codec.Codec{}, fmt.Errorf("the format %q is not known; known are %s", string(f), strings.Join(names, ", "))
}
