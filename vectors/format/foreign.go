package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/format/native"
)

// A kind is a kind of file that people mistake for a model, with advice. Files are inspected and never
// executed.
type kind struct {
	is     func(head []byte) bool
	advice func(head []byte) string
}

// binaries lists kinds of binary files that formats without a clear magic number could accept, so these kinds
// are checked first. Their marks contain bytes that text never has.
func binaries() []kind {
	return []kind{
		{native.IsIndex, always(indexAdvice)},
		{begins(torchMagic), always(torchAdvice)},
		{isPickle, pickleAdvice},
		{begins("PK\x03\x04"), zipAdvice},
		{begins("PK\x05\x06"), always("this is an empty zip archive")},
		{isTar, always("this is a tar archive: unpack it first, with tar -xf, and name the model in it")},
		{begins("7z\xbc\xaf\x27\x1c"), always("this is a 7z archive: unpack it first, with 7z x, and name the model in it")},
		{begins("Rar!\x1a\x07"), always("this is a rar archive: unpack it first, and name the model in it")},
		{begins("LZIP\x01"), always("this is compressed with lzip: unpack it first, with lzip -d")},
		{begins("\x04\x22\x4d\x18"), always("this is compressed with lz4: unpack it first, with lz4 -d")},
		{begins("\x89HDF\r\n\x1a\n"), always("this is an HDF5 file, as Keras and h5py write them: in Python, read the matrix with h5py, save it with numpy.save, and put the words, one a line, beside it in NAME.npy.vocab.txt")},
		{beginsBinary("GGUF"), always("this is a GGUF file, a language model of llama.cpp, which has no table of words and vectors that could be read")},
		{begins("\x2f\x4f\x16\xba"), always("this is a model of fastText that a big-endian machine wrote: read the .vec file that was written beside it")},
		{isONNX, always("this is an ONNX model, a program of a network: export the weights of its embedding as a .safetensors or .npy file")},
		{begins("SQLite format 3\x00"), always("this is an SQLite database, as magnitude and others use it: export its words and vectors as text, a word and its numbers a line")},
		{begins("ARROW1\x00\x00"), always("this is an Arrow file: export its words and vectors as text, a word and its numbers a line")},
		{isFirstFastText, always("this looks like a model of fastText from 2016, before its files had a version, which today's fastText does not read either: read the .vec file that was written beside it")},
	}
}

func texts() []kind {
	return []kind{
		{begins("\xff\xfe"), always(utf16Advice)},
		{begins("\xfe\xff"), always(utf16Advice)},
		{begins("version https://git-lfs.github.com/spec/"), always("this is a pointer of Git LFS and not the file itself: get that with git lfs pull")},
		{oldPickle.Match, pickleAdvice},
		{html.Match, always("this is a web page and not a model: the download went wrong, or the address is that of a page about the file")},
		{jsonText.Match, always("this is JSON and not a model: if it was downloaded, it may say what went wrong; if it is part of a folder of sentence-transformers or model2vec, name the folder")},
		{isCSV, always("this is a table with commas or semicolons between its fields, and spaces or tabs are expected between a word and its numbers")},
		{begins("%PDF-"), always("this is a PDF and not a model")},
	}
}

func adviceOf(head []byte, kinds []kind) error {
	for _, k := range kinds {
		if k.is(head) {
			return &source.Error{Err: errors.New(k.advice(head))}
		}
	}
	return nil
}

func begins(magic string) func(head []byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }
}

// beginsBinary is begins for marks that may also begin a text.
func beginsBinary(magic string) func(head []byte) bool {
	const enough = 16
	return func(head []byte) bool { return begins(magic)(head) && !rowio.IsText(head[:min(len(head), enough)]) }
}

func always(advice string) func([]byte) string {
	return func([]byte) string { return advice }
}

const (
	utf16Advice = "this is text in UTF-16: make it UTF-8 first, for example with iconv -f UTF-16 -t UTF-8"
	// torchMagic is a pickle of the number with which torch.save began files until 2020.
	torchMagic  = "\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19."
	torchAdvice = "this is a file of torch.save, a pickle, which is not executed here: in Python, save the embedding's weight with safetensors.torch.save_file({\"embedding.weight\": weight}, \"NAME.safetensors\"), and put the words, one a line, beside it in NAME.safetensors.vocab.txt"
)

var (
	// oldPickle is a pickle of protocol 0 or 1 of a Python or gensim object.
	oldPickle = regexp.MustCompile(`^c(?:copy_?reg|gensim\.|numpy\.|__builtin__|builtins|torch\.)[^\n]*\n|^\([dl]p0\n`)
	html      = regexp.MustCompile(`(?i)^\s*<(?:!doctype|html|head|body|\?xml|error>)`)
	// jsonText is the beginning of an object or an array.
	jsonText = regexp.MustCompile(`^\s*(?:\{\s*["}]|\[\s*["{\[\]\-0-9])`)
)

// isPickle reports whether a file is a pickle of protocol 2 to 5: it begins with the protocol, followed by
// another instruction. The length at the beginning of a safetensors file may have the same bytes.
func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5 && !safetensors.Sniff(head)
}

// pickleAdvice says how to export the vectors of a pickle with the program that wrote it, which the class of
// the pickled object shows. python/tests/test_from_gensim.py tests this advice with gensim's files.
func pickleAdvice(head []byte) string {
	class, old := gensimClass(head)
	of := fmt.Sprintf("this is a pickle of gensim's %s, which is not executed here: ", class)
	switch {
	case class == "":
		return "this is a Python pickle, which is not executed here: save vectors of gensim in Python with save_word2vec_format, and matrices as .npy or .safetensors files"
	case old:
		return of + "gensim wrote it before version 4, which cannot load it"
	case class == "Word2Vec", class == "Doc2Vec":
		return of + fmt.Sprintf(`in Python, say gensim.models.%s.load("FILE").wv.save_word2vec_format("NAME.w2vbin", binary=True), which keeps the words`, class) + keepsMore
	case class == "FastText":
		return of + `in Python, say gensim.models.fasttext.save_facebook_model(gensim.models.FastText.load("FILE"), "NAME.bin"), which keeps n-grams`
	case class == "FastTextKeyedVectors":
		return of + `in Python, with the package w2v, say w2v.from_gensim(gensim.models.KeyedVectors.load("FILE"), "NAME.w2v"), which keeps n-grams`
	case strings.HasSuffix(class, "KeyedVectors") && class != "PoincareKeyedVectors":
		return of + `in Python, say gensim.models.KeyedVectors.load("FILE").save_word2vec_format("NAME.w2vbin", binary=True)` + keepsMore
	case strings.HasPrefix(class, "Phrase"), class == "FrozenPhrases":
		return of + "it has no vectors; w2v phrases finds phrases in a text"
	}
	return of + "it has no vectors of words that are compared by cosines"
}

// keepsMore warns that the word2vec format cannot hold all keys: gensim writes numeric keys twice.
const keepsMore = `; if its keys are numbers or have blanks, use w2v.from_gensim of the Python package w2v`

// gensimObject matches the beginning of a pickled gensim object: its module and its class, as text or with
// their lengths.
var gensimObject = regexp.MustCompile(`^(?:c|ccopy_?reg\n_reconstructor\n(?:p0\n|q.)\(c|\x{fffd}.)gensim\.([a-z0-9_.]+)[^A-Za-z0-9_]+([A-Za-z0-9_]+)`)

// gensimClass returns the class of the gensim object in a pickle, or "" for something else. old says that the
// module no longer exists in gensim 4.
func gensimClass(head []byte) (class string, old bool) {
	if head[0] == 0x80 { // skip the protocol and, from protocol 4 on, the frame length
		const protocol, frame = 2, 9
		head = head[protocol:]
		if head[0] == 0x95 {
			head = head[min(frame, len(head)):]
		}
	}
	found := gensimObject.FindSubmatch(head)
	if found == nil {
		return "", false
	}
	module := string(found[1])
	return string(found[2]), strings.HasPrefix(module, "models.deprecated.") || strings.HasPrefix(module, "models.wrappers.")
}

func zipAdvice(head []byte) string {
	const (
		nameLength = 26
		name       = 30
	)
	var first string
	if len(head) >= name {
		first = string(head[name:min(len(head), name+int(binary.LittleEndian.Uint16(head[nameLength:])))])
	}
	switch {
	case strings.HasSuffix(first, "/data.pkl"), strings.HasSuffix(first, "/.format_version"), strings.HasSuffix(first, "/.data/serialization_id"):
		return torchAdvice
	case strings.HasSuffix(first, ".npy"):
		return "this is a .npz file of numpy: in Python, save the matrix alone with numpy.save, and put the words, one a line, beside it in NAME.npy.vocab.txt"
	}
	return "this is a zip archive: unpack it first, and name the model in it"
}

func isTar(head []byte) bool {
	const size = 512
	if len(head) < size || head[0] == 0 {
		return false
	}
	header := [size]byte(head)
	stored := header[148:156]
	want, err := strconv.ParseUint(string(bytes.Trim(stored, " \x00")), 8, 32)
	copy(stored, "        ") // counts as blanks
	sum := uint64(0)
	for _, c := range header {
		sum += uint64(c)
	}
	return err == nil && sum == want
}

// isONNX reports whether a file begins like an ONNX ModelProto: field 1 is the version, field 2 the name of
// the program that wrote it.
func isONNX(head []byte) bool {
	const versions, longestName = 32, 64
	if len(head) < 4 || head[0] != 1<<3 || head[1] == 0 || head[1] > versions || head[2] != 2<<3|2 || head[3] == 0 || head[3] > longestName {
		return false
	}
	name := head[4:min(len(head), 4+int(head[3]))]
	for _, c := range name {
		if c <= ' ' || c > '~' {
			return false
		}
	}
	return len(name) == int(head[3])
}

func isCSV(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	for _, separator := range ",;" {
		fields := bytes.FieldsFunc(line, func(r rune) bool { return r == separator })
		n := len(fields)
		if n < 3 {
			continue
		}
		_, last := decimal.Parse(bytes.TrimSpace(fields[n-1]))
		_, before := decimal.Parse(bytes.TrimSpace(fields[n-2]))
		if last && before {
			return true
		}
	}
	return false
}

func notAModel(head []byte) error {
	const shown = 40
	found := string(head[:min(len(head), shown)])
	if rowio.IsText(head) {
		return &source.Error{Line: 1, Err: fmt.Errorf(
			"not a model: expected a line \"words dimensions\", or a word and its numbers, found %q", found)}
	}
	return &source.Error{Err: fmt.Errorf(
		"not a model: expected a w2v, fastText or word2vec file, found %q", found)}
}

// isFirstFastText reports whether a file begins with fastText's settings and plausible dictionary sizes, but
// without the magic number that fastText has written since 2017.
func isFirstFastText(head []byte) bool {
	var first struct {
		Dim, Window, Epochs, MinCount, Negatives int32
		WordNgrams, Loss, Model                  int32
		Buckets, MinN, MaxN, LRUpdateRate        int32
		Sample                                   float64
		Entries, Words, Labels                   int32
	}
	if _, err := binary.Decode(head, binary.LittleEndian, &first); err != nil {
		return false
	}
	a := first
	likely := func(n, least, most int32) bool { return n >= least && n <= most }
	return likely(a.Dim, 1, 1<<14) && likely(a.Window, 1, 1<<10) && likely(a.Epochs, 1, 1<<16) && likely(a.MinCount, 0, 1<<24) &&
		likely(a.Negatives, 0, 1<<16) && likely(a.WordNgrams, 1, 64) && likely(a.Loss, 1, 4) && likely(a.Model, 1, 3) &&
		likely(a.Buckets, 0, math.MaxInt32) && likely(a.MinN, 0, 256) && likely(a.MaxN, 0, 256) &&
		a.Sample > 0 && a.Sample <= 1 && first.Words >= 0 && first.Labels >= 0 && int64(first.Entries) == int64(first.Words)+int64(first.Labels)
}
