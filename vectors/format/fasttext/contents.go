package fasttext

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// Contents are a file as fastText wrote it, with what a set has no place for: labels and their rows,
// and settings that mean nothing to words. It is read from its beginning to its end.
type Contents struct {
	Settings  []Setting // in the order of the file
	Entries   []Entry   // of the dictionary
	Quantised bool      // there are no rows to be read

	in   *source.Input
	next int // matrix to be read
}

// A Setting is a setting of the training, by the name that fastText has for it.
type Setting struct {
	Name  string
	Value any // an int32, a float64 or a string
}

// An Entry is a word or a label.
type Entry struct {
	Word  string
	Count uint64
	Label bool
}

// ErrQuantised says that a quantised file has codes in place of rows.
var ErrQuantised = errors.New("the model is quantised: it has codes in place of rows")

// ReadContents opens the file at path, which may be compressed, and calls use with what is in it.
func ReadContents(path string, use func(c *Contents) error) error {
	file, err := os.Open(path)
	if err != nil {
		return source.WithPath(path, source.Pathless(err))
	}
	defer file.Close()
	in, err := source.Decompress(file, -1)
	if err != nil {
		return source.WithPath(path, err)
	}
	defer in.Close()
	c, err := contentsOf(in)
	if err == nil {
		err = use(c)
	}
	if err != nil {
		return source.WithPath(path, err)
	}
	return nil
}

func contentsOf(in *source.Input) (*Contents, error) {
	args, sizes, err := readHead(in)
	if err != nil {
		return nil, err
	}
	c := &Contents{Settings: args.named(), in: in}
	err = eachEntry(in, sizes, func(word string, count uint64, label bool) {
		c.Entries = append(c.Entries, Entry{word, count, label})
	})
	if err != nil {
		return nil, err
	}
	const kept = 4 + 4 // a bucket and its row
	if sizes.Pruned > math.MaxInt32 {
		return nil, in.Fail("dictionary: expected the number of buckets that were kept, found %d", sizes.Pruned)
	}
	if sizes.Pruned > 0 {
		if err := in.Skip(kept*sizes.Pruned, "the buckets that were kept"); err != nil {
			return nil, err
		}
	}
	c.Quantised, err = readFlag(in, "the input matrix")
	return c, err
}

// Matrix reads the matrix of that name, vectors.MatrixInput or vectors.MatrixOutput: it calls shape
// with its size and then row with each of its rows, which is valid during the call. The input is
// passed over if the output is asked for, and cannot be read afterwards.
func (c *Contents) Matrix(name string, shape func(rows, cols int64) error, row func([]float32) error) error {
	if c.Quantised {
		return ErrQuantised
	}
	names := []string{vectors.MatrixInput, vectors.MatrixOutput}
	for c.next < len(names) {
		title, wanted := "the "+names[c.next]+" matrix", names[c.next] == name
		if c.next > 0 {
			if _, err := readFlag(c.in, title); err != nil {
				return err
			}
		}
		c.next++
		var size struct{ Rows, Cols int64 }
		start := c.in.Offset()
		if err := c.in.Decode(&size, "the size of "+title); err != nil {
			return err
		}
		if size.Rows < 0 || size.Cols < 1 || size.Cols > maxCols || size.Rows > endian.MaxBytes/4/size.Cols {
			return c.in.FailAt(start, "%s: expected a size, found %d rows of %d", title, size.Rows, size.Cols)
		}
		if !wanted {
			if err := c.in.Skip(4*size.Rows*size.Cols, title); err != nil {
				return err
			}
			continue
		}
		if err := shape(size.Rows, size.Cols); err != nil {
			return err
		}
		return eachRow(c.in, title, size.Rows, int(size.Cols), row)
	}
	return fmt.Errorf("there is no %s matrix to be read", name)
}

// maxCols is how many numbers of a row are believed.
const maxCols = 1 << 20

func eachRow(in *source.Input, title string, rows int64, cols int, visit func([]float32) error) error {
	bytes, row := make([]byte, 4*cols), make([]float32, cols)
	for range rows {
		if err := in.Full(bytes, title); err != nil {
			return err
		}
		if _, err := binary.Decode(bytes, binary.LittleEndian, row); err != nil {
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return nil
}

// named returns the settings by fastText's names.
func (a settings) named() []Setting {
	return []Setting{
		{"dim", a.Dim},
		{"ws", a.Window},
		{"epoch", a.Epochs},
		{"minCount", a.MinCount},
		{"neg", a.Negatives},
		{"wordNgrams", a.WordNgrams},
		{"loss", map[int32]string{lossHierarchical: "hs", lossNegative: "ns", lossSoftmax: "softmax", lossOneVsAll: "one-vs-all"}[a.Loss]},
		{"model", map[int32]string{modelCBOW: "cbow", modelSkipgram: "sg", modelSupervised: "sup"}[a.Model]},
		{"bucket", a.Buckets},
		{"minn", a.MinN},
		{"maxn", a.MaxN},
		{"lrUpdateRate", a.LRUpdateRate},
		{"t", a.Sample},
	}
}
