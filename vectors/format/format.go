// Package format reads sets of vectors from files and writes them, in w2v's formats and those of other
// programs.
//
//	set, err := format.Open("model.bin")
//	…
//	err = format.Write(ctx, "model.vec", set, format.Text)
//
// Formats are detected from file contents, not from names. For writing, ForPath returns the format for a file
// name. Open and Write are for files and folders, Read and Encode for streams, OpenFS for file systems.
// Describe returns what a format can do and what it keeps of a set. LeavesOut returns what a file of a given
// set would not hold.
//
// Each family of formats is a package below this one, and its comment names the source of the format. A
// format is one line in this package's table.
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
	"github.com/w2v-go/w2v/vectors/format/parquet"
	"github.com/w2v-go/w2v/vectors/format/projector"
	"github.com/w2v-go/w2v/vectors/format/static"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/format/word2vec"
)

// A Format is a file format. Its value is its name on the command line.
type Format string

// The formats. Each source is the program that owns the format.
const (
	// W2V is the native format: a safetensors file with everything that a set holds. It is mapped into memory
	// and not read. See docs/format.md.
	W2V Format = codec.W2V
	// FastText is fastText's binary model, versions 11 and 12, with both
	// matrices. Source: saveModel and loadModel in fastText's fasttext.cc.
	FastText Format = codec.FastText
	// Word2Vec is the binary of word2vec.c, with or without a newline
	// after each row. Source: TrainModel in word2vec.c.
	Word2Vec Format = codec.Word2Vec
	// Text is the text of word2vec.c and of fastText's .vec files: a line "words dimensions", then one line
	// per word. Rows are split from the right, so words may contain spaces, but not at their ends; many other
	// programs do not accept such words. Numbers are written with the fewest digits that read back as the
	// same float32.
	Text Format = codec.Text
	// GloVe is the text of GloVe: one line per word and no header. Source: save_params in GloVe's glove.c.
	GloVe Format = codec.GloVe
	// Finalfusion is finalfusion's binary, with any of its vocabularies: plain words, n-grams with the hash
	// of finalfusion, fastText or floret, or listed n-grams. It stores words' vectors divided by their
	// lengths, and the lengths, so the last bits of numbers may change. With fastText's n-grams, finalfusion
	// also hashes "</s>" and, if n-grams may have one code point, the ends of words. fastText and this
	// package do not, so a few words outside the vocabulary have other vectors in finalfusion. Quantised rows
	// are written unchanged if words are whole in them (see transform.Whole), and in full otherwise. Sources:
	// chunks of finalfusion-rust and finalfusion-python.
	Finalfusion Format = codec.Finalfusion
	// Floret is the text of floret's tables, which spaCy reads: rows of n-grams, without words. Source:
	// saveFloretVectors in floret's fasttext.cc.
	Floret Format = codec.Floret
	// Npy is a numpy matrix. The words are in a second file, one per line, whose name has the suffix
	// ".vocab.txt".
	Npy Format = codec.Npy
	// Projector is a folder for TensorBoard's Embedding Projector: vectors.tsv,
	// metadata.tsv and projector_config.pbtxt.
	Projector Format = codec.Projector
	// Torch is a safetensors file with the weight of a torch.nn.Embedding, "embedding.weight", and with
	// "output.weight" if there are context vectors. The words are in a second file, as in Npy. See
	// docs/howto/neural-networks.md.
	Torch Format = codec.Torch
	// SentenceTransformers is a folder that sentence-transformers loads as a
	// model of a StaticEmbedding. See docs/howto/neural-networks.md.
	SentenceTransformers Format = codec.SentenceTransformers
	// Model2Vec is a folder that model2vec loads as a StaticModel. See docs/howto/neural-networks.md.
	Model2Vec Format = codec.Model2Vec
	// Parquet is a table in Apache Parquet, with a column of words and one of lists of float32.
	Parquet Format = codec.Parquet
)

// DTypes returns the number types of files in format f, or none if numbers are decimal.
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
	for _, c := range codecs {
		formats = append(formats, Format(c.Name))
	}
	slices.Sort(formats)
	return formats
}

// Parse returns the format with that name.
func Parse(name string) (Format, error) {
	c, err := codecOf(Format(name))
	return Format(c.Name), err
}

// ForPath returns the format for the extension of path. A further extension ".gz" or ".zst" does not count.
// ".bin" means fastText for a set with subwords, and word2vec otherwise. A path that ends in a separator is a
// folder for the projector. Extensions matter only for writing: files are read by their contents.
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
	for _, c := range codecs {
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

// Capabilities describe what a format can do.
type Capabilities struct {
	Format     Format
	Extensions []string // extensions of files; none for a folder
	Folder     bool     // a folder and not a file
	Several    bool     // several files, in a folder or side by side
	Programs   string   // programs that read it, besides this package

	Read, Write bool
	Stream      bool // rows can be read and written one at a time, even if compressed
	Map         bool // a plain file is mapped into memory

	Keeps    Kept
	Lossless bool // keeps everything that a Set can hold, including words of any bytes
}

// Kept lists what a format keeps of a set, besides words and vectors.
type Kept struct {
	Subwords bool     // n-grams, so that words outside the vocabulary have vectors
	Context  bool     // context vectors
	Nodes    bool     // output vectors of the nodes of a hierarchical softmax
	Rest     bool     // anything else in a Set: rows of word n-grams, position weights, output rows by position, factors
	Labels   bool     // what a classifier has: labels, their rows and their counts
	Counts   bool     // counts of words
	State    bool     // training state, as in checkpoints
	Words    bool     // the list of words, even for a table that gives all words vectors without a list
	Training []string // kept fields of Training, by JSON name
	Attached []string // kept attachments of Training, by name
}

// Describe returns the capabilities of format f.
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
		Stream:   true,
		Map:      c.Maps,
		Keeps:    Kept(c.Keeps),
	}
	for _, e := range c.Extensions {
		d.Extensions = append(d.Extensions, e.Name)
	}
	d.Keeps.Training, d.Keeps.Attached = slices.Clone(c.Keeps.Training), slices.Clone(c.Keeps.Attached)
	d.Lossless = d.Read && d.Write && c.Word == nil && d.Keeps.all()
	return d, nil
}

func (k Kept) all() bool {
	return k.Subwords && k.Context && k.Nodes && k.Rest && k.Labels && k.Counts && k.State && k.Words && slices.Equal(k.Training, vectors.TrainingNames()) && slices.Equal(k.Attached, vectors.Attachments())
}

// codecs are the formats in the order of detection. First come formats with a magic number. Then comes
// floret's table: its first line has eight fields and could be a row of the last format. Then come the two
// formats that begin with a line "words dimensions"; their first rows tell them apart. Last comes the text
// that is known only by the numbers at the end of its first line. A file that no format accepts is not a
// model. Before detection, compression is undone. Folders are detected by a file in them. A new format is a
// new line here.
var codecs = []codec.Codec{
	fasttext.Codec,
	finalfusion.Codec,
	native.Codec,
	floret.Codec,
	static.Torch,
	npy.Codec,
	parquet.Codec,
	text.Headed,
	word2vec.Codec,
	text.GloVe,
	static.Model2Vec,
	static.SentenceTransformers,
	projector.Codec,
}

func codecOf(f Format) (codec.Codec, error) {
	for _, c := range codecs {
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
