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
	"cmp"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
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
	"github.com/w2v-go/w2v/vectors/internal/backing"
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
		Read:     c.Decode != nil,
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
	native.Codec,
	fasttext.Codec,
	finalfusion.Codec,
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

// An UnwritableWord is a word that a format cannot hold. Write returns it as its error.
type UnwritableWord struct {
	ID     int // in the set
	Word   string
	Reason error
}

// Error returns the word and the reason.
func (w *UnwritableWord) Error() string {
	return fmt.Sprintf("word %d, %.40q, %v", w.ID, w.Word, w.Reason)
}

// Unwrap returns the reason.
func (w *UnwritableWord) Unwrap() error { return w.Reason }

// CheckWords returns the error that Write would return for a set with these words: an *UnwritableWord,
// or nil. It can be called before training.
func CheckWords(words []string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	for i, word := range words {
		if err := checkWord(c, word); err != nil {
			return &UnwritableWord{i, word, err}
		}
	}
	return nil
}

func checkWord(c codec.Codec, word string) error {
	switch {
	case len(word) > vectors.MaxWord:
		return fmt.Errorf("has %d bytes, at most %d are possible", len(word), vectors.MaxWord)
	case c.Word != nil:
		return c.Word(word)
	}
	return nil
}

// Unwritable returns the words of s that a file in format f cannot hold, in order. Without these words the
// set can be written. Words are never changed, because a changed word could get another word's vector. If no
// word would remain, Unwritable returns an error.
func Unwritable(s *vectors.Set, f Format) (words []*UnwritableWord, err error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	err = backing.Behind(s.SharedParts().Source).Guarded(func() error { words = slices.Collect(unwritable(c, s)); return nil })
	if err == nil && len(words) > 0 && len(words) == s.Len() {
		err = fmt.Errorf("the format %s can hold none of the %d words: %w", f, len(words), words[0])
	}
	return words, err
}

func unwritable(c codec.Codec, s *vectors.Set) iter.Seq[*UnwritableWord] {
	return func(yield func(*UnwritableWord) bool) {
		for id, word := range s.Words().All() {
			err := checkWord(c, word)
			if c.Distinct != "" && err == nil {
				if first, _ := s.ID(word); first != id {
					err = fmt.Errorf("stands there twice, first as word %d, which %s cannot hold", first, c.Distinct)
				}
			}
			if err != nil && !yield(&UnwritableWord{id, word, err}) {
				return
			}
		}
	}
}

// Misread returns a note about each part of a file of s in format f that other programs read differently:
// words with blanks in a text with columns separated by blanks, and lower-casing rules that a tokenizer
// cannot express.
func Misread(s *vectors.Set, f Format) (notes []string) {
	if c, _ := codecOf(f); c.Misread != nil {
		return c.Misread(s)
	}
	if f != Text && f != GloVe {
		return nil
	}
	var blank []string
	for _, word := range s.Words().All() {
		if strings.ContainsFunc(word, unicode.IsSpace) {
			blank = append(blank, word)
		}
	}
	if blank == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s blanks, such as %.40q: w2v reads such a text, counting numbers from the right, and other programs take a part of the word for a number", wording.Count(len(blank), "word has", "words have"), blank[0])}
}

// CheckSubword returns an error if format f cannot hold a set of words with these n-grams and this
// composition. Both may be nil; a nil composition means the usual one. Formats of plain words accept all sets
// and drop n-grams. Formats for other n-grams do the same if w2v trains these n-grams and no other export
// keeps them. KeepsSubword reports what is kept.
func CheckSubword(sub subword.Indexer, c subword.Composition, f Format) error {
	to, err := codecOf(f)
	if err != nil || to.Subword == nil || instead(to, sub) {
		return err
	}
	return holds(to, sub, c)
}

// KeepsSubword reports whether a file in format f holds these n-grams. Then words outside the vocabulary have
// vectors in the file.
func KeepsSubword(sub subword.Indexer, c subword.Composition, f Format) bool {
	to, err := codecOf(f)
	return err == nil && keeps(to, sub, c)
}

func keeps(to codec.Codec, sub subword.Indexer, c subword.Composition) bool {
	return sub != nil && to.Subword != nil && holds(to, sub, c) == nil
}

// holdsOf is holds for the n-grams of a set. A format with labels also holds the n-grams that were left in a
// pruned classifier.
func holdsOf(to codec.Codec, s *vectors.Set) error {
	if s.Labels() != nil && to.Keeps.Labels {
		if _, kept, _ := subword.HashedBuckets(s.Subword()); kept != nil {
			return nil
		}
	}
	return holds(to, s.Subword(), s.Composition())
}

func holds(to codec.Codec, sub subword.Indexer, c subword.Composition) error {
	if c == nil {
		c = subword.CompositionOf(sub)
	}
	return to.Subword(sub, c)
}

// instead reports whether a format that cannot hold these n-grams writes only the words: if it can hold plain
// words, and the n-grams are of a kind that w2v trains and that no other export keeps.
func instead(to codec.Codec, sub subword.Indexer) bool {
	return sub != nil && !subword.CompositionOf(sub).OwnRows() && holds(to, nil, nil) == nil
}

// checkSubword returns an error if a format can hold neither the n-grams of s nor s without them.
func checkSubword(c codec.Codec, s *vectors.Set) error {
	switch sub := s.Subword(); {
	case c.Subword != nil && (s.Len() == 0 || !instead(c, sub)):
		return holdsOf(c, s)
	case c.Subword == nil && sub != nil && s.Len() == 0:
		return fmt.Errorf("the set has n-grams and no words, and the format %s holds words alone: write %s, %s or %s",
			c.Name, W2V, Finalfusion, Floret)
	}
	return nil
}

// LeftOut lists parts of a set that are missing in a file, or in another set made from it.
type LeftOut struct {
	Words    bool     // the list of words, for a table that gives all words vectors without a list
	Subwords bool     // n-grams, so that words outside the vocabulary have no vectors
	Context  bool     // context vectors
	Parts    []string // names of parts that only some sets have
	Counts   bool     // counts of words
	State    bool     // training state, as in checkpoints
	Training []string // known fields of Training that are left out, by JSON name
	Kept     []string // known fields of Training that are kept
}

// LeavesOut returns what a file of s in format f does not hold. For an unknown format the result is empty.
func LeavesOut(s *vectors.Set, f Format) LeftOut {
	can, err := Describe(f)
	if err != nil {
		return LeftOut{} // writing reports it
	}
	to, _ := codecOf(f)
	kept := s.Subword() != nil && to.Subword != nil && holdsOf(to, s) == nil
	// In a table all words are composed of n-grams, so no row belongs to a word.
	table := !subword.CompositionOf(s.Subword()).OwnRows()
	l := LeftOut{
		Words:    s.Len() > 0 && table && kept && !can.Keeps.Words,
		Subwords: s.Subword() != nil && !kept,
		Context:  s.Output().Rows > 0 && !can.Keeps.Context,
		Counts:   s.SharedParts().Counts != nil && !can.Keeps.Counts,
		State:    s.SharedParts().State != nil && !can.Keeps.State,
	}
	for _, p := range componentsOf(s) {
		if !p.keptBy(can.Keeps) {
			l.Parts = append(l.Parts, p.name)
		}
	}
	for _, name := range can.attachedOf(s) {
		l.Parts = append(l.Parts, attachedParts[name])
	}
	if lost := cutsOf(s); len(lost) > 0 && s.Labels() != nil && can.Keeps.Labels && !can.Keeps.all() {
		l.Parts = append(l.Parts, "how texts are cut ("+strings.Join(lost, ", ")+"), so that raw texts get other predictions unless they are cut alike beforehand")
	}
	for _, name := range s.Training().Known() {
		runs := name == vectors.MatrixWordNgrams && s.Labels() != nil && can.Keeps.Labels // what a classifier's rows are of
		if can.Keeps.all() || runs || slices.Contains(can.Keeps.Training, name) {
			l.Kept = append(l.Kept, name)
		} else {
			l.Training = append(l.Training, name)
		}
	}
	return l
}

// cutsOf returns the facts of a set that change the words of a text, by JSON name.
func cutsOf(s *vectors.Set) (names []string) {
	for _, name := range s.Training().Known() {
		switch name {
		case "lowercase", "normalize", "strip_accents", "digits", "punctuation", "kmers", "phrases":
			names = append(names, name)
		case "tokenizer":
			if s.Training().Text(name) != "whitespace" {
				names = append(names, name)
			}
		}
	}
	return names
}

// attachedParts names attachments in LeftOut.Parts.
var attachedParts = map[string]string{
	vectors.AttachedTokenizer: "the tokenizer.json that cut the text",
	vectors.AttachedPhrases:   "the table of phrases that were joined",
}

// attachedOf returns the attachments of a set that the format does not hold.
func (c Capabilities) attachedOf(s *vectors.Set) (left []string) {
	for _, name := range vectors.Attachments() {
		if s.Training().Attached(name) != nil && !slices.Contains(c.Keeps.Attached, name) {
			left = append(left, name)
		}
	}
	return left
}

// A component is a part that only some sets have, besides n-grams and context vectors.
type component struct {
	name  string
	node  bool // nodes of a tree, which more formats can hold
	label bool // labels, or what only a format with labels has beside them
}

func (p component) keptBy(k Kept) bool {
	return k.Rest || p.node && k.Nodes || p.label && k.Labels
}

// LabelsPart names what a classifier has beside vectors in LeftOut.Parts.
const LabelsPart = "labels and their rows"

// FactorsPart names a projection and its shorter rows in LeftOut.Parts.
const FactorsPart = "the factors of vectors, which are multiplied out"

func componentsOf(s *vectors.Set) []component {
	_, _, factored := s.Input().Factors()
	var parts []component
	if factored {
		parts = append(parts, component{name: FactorsPart})
	}
	if s.Labels() != nil {
		parts = append(parts, component{name: LabelsPart, label: true})
	}
	if s.Training().Float("unknown_threshold") > 0 {
		parts = append(parts, component{name: "the threshold below which texts are unknown"})
	}
	matrices := s.Matrices()
	slices.SortStableFunc(matrices, func(a, b vectors.NamedMatrix) int { // on each side, matrices with many rows come first
		return cmp.Compare(rank(a.Kind()), rank(b.Kind()))
	})
	for _, m := range matrices {
		if k := m.Kind(); k.Part != "" {
			runs := m.Name == vectors.MatrixWordNgrams && s.Labels() != nil && s.Subword() == nil // a classifier's buckets
			parts = append(parts, component{name: k.Part, node: k.Tree, label: runs})
		}
	}
	return parts
}

func rank(k vectors.MatrixKind) int {
	switch {
	case k.Output:
		return 2
	case k.Table:
		return 1
	}
	return 0
}

// DroppedParts compares the set from with the set to, which was made from it and is written to a format that
// keeps k. It returns the parts that to lacks: those that the format could have held, and the others.
func DroppedParts(from, to *vectors.Set, k Kept) (held, notHeld []string) {
	for _, p := range componentsOf(from) {
		switch {
		case slices.Contains(componentsOf(to), p):
		case p.keptBy(k):
			held = append(held, p.name)
		default:
			notHeld = append(notHeld, p.name)
		}
	}
	return held, notHeld
}

// List describes what is left out, for users. The result is never nil.
func (l LeftOut) List() []string {
	names := []string{}
	add := func(left bool, name ...string) {
		if left {
			names = append(names, name...)
		}
	}
	add(l.Words, "the list of words, which all have vectors without it")
	add(l.Subwords, "n-grams, and words that are not in the vocabulary with them")
	add(l.Context, "context vectors")
	add(true, l.Parts...)
	add(l.Counts, "counts")
	add(l.State, "the state of the training")
	switch {
	case len(l.Training) == 0:
	case len(l.Kept) == 0:
		names = append(names, "how the vectors were trained")
	case len(l.Kept) < len(l.Training):
		names = append(names, "how the vectors were trained, but for "+strings.Join(l.Kept, ", "))
	default:
		names = append(names, strings.Join(l.Training, ", ")+" of the training")
	}
	return names
}

// String describes what is left out, or returns "" if nothing is.
func (l LeftOut) String() string { return strings.Join(l.List(), "; ") }
