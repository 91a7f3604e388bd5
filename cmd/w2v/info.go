package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/inspect"
)

// info is what w2v info prints. Its JSON is read by scripts.
type info struct {
	sizeInfo
	Facts []vectors.Fact // each with its own key
	moreInfo
}

// sizeInfo is what is said before the facts.
type sizeInfo struct {
	File      string        `json:"file"`
	Bytes     int64         `json:"bytes"`
	Format    format.Format `json:"format"`
	Words     int           `json:"words"`
	Dim       int           `json:"dim"`
	DType     string        `json:"dtype"` // what numbers are in the file: a vectors.DType, int8, pq or opq
	InputRows int           `json:"input_rows"`
	projectionInfo
	OutputRows int `json:"output_rows"` // of words; 0 where outputs are something else
}

// moreInfo is what is said after the facts.
type moreInfo struct {
	Parameters  parameterInfo    `json:"parameters"`
	Ngrams      *ngramInfo       `json:"ngrams,omitempty"`
	Training    vectors.Training `json:"training"`
	Checkpoint  bool             `json:"checkpoint,omitempty"` // training can go on from it
	MemoryBytes int64            `json:"memory_bytes"`         // of all vectors when they are used
	First       []string         `json:"first_words"`
	Notes       []string         `json:"notes,omitempty"` // what is unusual about the words
	Stats       *inspect.Report  `json:"stats,omitempty"` // with --stats
}

func describe(path string, set *vectors.Set) (info, error) {
	size, err := sizeOf(path)
	if err != nil {
		return info{}, err
	}
	const float = 4
	parameters := set.Parameters()
	i := info{
		sizeInfo: sizeInfo{
			File:           path,
			Bytes:          size,
			Format:         format.Format(set.Format()),
			Words:          set.Len(),
			Dim:            set.Dim(),
			DType:          set.Input().Encoding(),
			InputRows:      set.Input().Rows,
			projectionInfo: projectionOf(set),
			OutputRows:     set.Output().Rows,
		},
		Facts: set.Facts(),
		moreInfo: moreInfo{
			Parameters:  newParameterInfo(parameters),
			Training:    set.Training(),
			Checkpoint:  set.SharedParts().State != nil,
			MemoryBytes: parameters.Bytes,
			First:       []string{},
			Notes:       set.Notes(),
		},
	}
	for id := range min(5, set.Len()) {
		i.First = append(i.First, set.Words().At(id))
	}
	if set.Subword() != nil {
		i.MemoryBytes += float * int64(set.Len()) * int64(set.Dim()) // the words' composed vectors
		i.Ngrams = newNgramInfo(set)
	}
	return i, nil
}

// sizeOf returns how many bytes a file has, or all in a folder.
func sizeOf(path string) (int64, error) {
	var size int64
	err := filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err == nil && !info.IsDir() {
			size += info.Size()
		}
		return err
	})
	return size, err
}

func (i info) print(w io.Writer) error {
	t := newTable(w)
	fmt.Fprintf(t, "file\t%s (%s)\n", i.File, megabytes(i.Bytes))
	fmt.Fprintf(t, "format\t%s\n", i.Format)
	words := wording.Thousands(i.Words)
	if i.Words > 0 {
		words += ": " + strings.Join(i.First, " ") + " …"
	}
	fmt.Fprintf(t, "words\t%s\n", words)
	fmt.Fprintf(t, "dimensions\t%d, of type %s\n", i.Dim, i.DType)
	fmt.Fprintf(t, "input rows\t%s%s\n", wording.Thousands(i.InputRows), i.projectionInfo)
	fmt.Fprintf(t, "%s\t%s\n", outputRows, i.output())
	if n := i.Ngrams; n != nil {
		fmt.Fprintf(t, "n-grams\t%s\n", n)
	}
	for _, f := range i.Facts {
		if f.Label != outputRows {
			fmt.Fprintf(t, "%s\t%s\n", f.Label, fmt.Sprintf(f.Text, wording.Thousands(f.Count)))
		}
	}
	fmt.Fprintf(t, "parameters\t%s\n", i.Parameters)
	fmt.Fprintf(t, "memory\t%s if all is used\n", megabytes(i.MemoryBytes))
	if err := printTraining(t, i.Training); err != nil {
		return err
	}
	if i.Checkpoint {
		fmt.Fprintf(t, "checkpoint\tyes\n")
	}
	if err := t.Flush(); err != nil || i.Stats == nil {
		return err
	}
	return printStats(w, i.Stats)
}

// outputRows is the label of what vectors were trained against.
const outputRows = "output rows"

// output says what rows vectors were trained against.
func (i info) output() string {
	for _, f := range i.Facts {
		if f.Label == outputRows {
			return fmt.Sprintf(f.Text, wording.Thousands(f.Count))
		}
	}
	if i.Training.Bool("tied") && i.OutputRows > 0 {
		return "the input rows"
	}
	return wording.Thousands(i.OutputRows)
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func newInfo(s streams) *cobra.Command {
	var asJSON bool
	var stats statsFlags
	c := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Describe a model file",
		Long: `Print a model's format, shape, vocabulary and settings, the number of its parameters
(all numbers in its matrices), and the memory it would take.

` + statsHelp,
		Example: `  w2v info cc.en.300.bin
  w2v info model.w2v --stats
  w2v info model.w2v --json`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if err := stats.check(c); err != nil {
				return &usageError{c.CommandPath(), err}
			}
			return s.withModel(args[0], func(set *vectors.Set) error {
				i, err := describe(args[0], set)
				if err != nil {
					return err
				}
				if i.Stats, err = stats.measure(c.Context(), s, args[0], set); err != nil {
					return err
				}
				if asJSON {
					return printJSON(s.out, i)
				}
				return i.print(s.out)
			})
		},
	}
	stats.add(c)
	addJSON(c, &asJSON)
	return c
}
