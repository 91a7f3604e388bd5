package fasttext

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/vectors"
	file "github.com/w2v-go/w2v/vectors/format/fasttext"
)

// A Part is a part of a file that Dump prints.
type Part string

// The parts.
const (
	DumpArgs   Part = "args"   // the settings of the training
	DumpDict   Part = "dict"   // words and labels with their counts
	DumpInput  Part = "input"  // the rows of words and n-grams
	DumpOutput Part = "output" // the rows that they were trained against
)

// Parts returns all parts.
func Parts() []Part { return []Part{DumpArgs, DumpDict, DumpInput, DumpOutput} }

// ErrQuantised says that a file has codes in place of rows.
var ErrQuantised = file.ErrQuantised

// Dump prints a part of the file at path, which is one of fastText's.
func Dump(w io.Writer, path string, part Part) error {
	return file.ReadContents(path, func(c *file.Contents) (err error) {
		out := bufio.NewWriter(w)
		defer func() { err = errors.Join(err, out.Flush()) }()
		switch part {
		case DumpArgs:
			for _, s := range c.Settings {
				if x, ok := s.Value.(float64); ok {
					s.Value = string(appendNumber(nil, x, usualDigits))
				}
				fmt.Fprintf(out, "%s %v\n", s.Name, s.Value)
			}
			return nil
		case DumpDict:
			fmt.Fprintf(out, "%d\n", len(c.Entries))
			for _, e := range c.Entries {
				kind := "word"
				if e.Label {
					kind = "label"
				}
				fmt.Fprintf(out, "%s %d %s\n", e.Word, e.Count, kind)
			}
			return nil
		case DumpInput:
			return dumpMatrix(out, c, vectors.MatrixInput)
		case DumpOutput:
			return dumpMatrix(out, c, vectors.MatrixOutput)
		}
		return fmt.Errorf("there is no part %q: args, dict, input and output are", string(part))
	})
}

func dumpMatrix(w io.Writer, c *file.Contents, name string) error {
	shape := func(rows, cols int64) error {
		_, err := fmt.Fprintf(w, "%d %d\n", rows, cols)
		return err
	}
	var line []byte
	return c.Matrix(name, shape, func(row []float32) error {
		line = line[:0]
		for i, x := range row {
			if i > 0 {
				line = append(line, ' ')
			}
			line = appendNumber(line, float64(x), usualDigits)
		}
		_, err := w.Write(append(line, '\n'))
		return err
	})
}
