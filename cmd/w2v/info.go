package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// info is what w2v info prints. Its JSON is read by scripts.
type info struct {
	File        string           `json:"file"`
	Bytes       int64            `json:"bytes"`
	Format      format.Format    `json:"format"`
	Words       int              `json:"words"`
	Dim         int              `json:"dim"`
	DType       string           `json:"dtype"` // what numbers are in the file: a vectors.DType, int8, pq or opq
	InputRows   int              `json:"input_rows"`
	Rank        int              `json:"rank,omitempty"`             // numbers of an input row, where a projection makes a vector of it
	OutputRows  int              `json:"output_rows"`                // of words; 0 where outputs are something else
	Nodes       int              `json:"nodes,omitempty"`            // output rows of a tree's inner nodes
	Positions   int              `json:"position_weights,omitempty"` // vectors of relative positions
	Outputs     int              `json:"position_outputs,omitempty"` // relative positions with output rows of their own
	WordNgrams  int              `json:"word_ngram_rows,omitempty"`
	Parameters  parameterInfo    `json:"parameters"`
	Ngrams      *ngramInfo       `json:"ngrams,omitempty"`
	Training    vectors.Training `json:"training"`
	Checkpoint  bool             `json:"checkpoint,omitempty"` // training can go on from it
	MemoryBytes int64            `json:"memory_bytes"`         // of all vectors when they are used
	First       []string         `json:"first_words"`
}

func describe(path string, set *vectors.Set) (info, error) {
	size, err := sizeOf(path)
	if err != nil {
		return info{}, err
	}
	const float = 4
	parameters := set.Parameters()
	memory := parameters.Bytes
	i := info{
		File:       path,
		Bytes:      size,
		Format:     format.Format(set.Format()),
		Words:      set.Len(),
		Dim:        set.Dim(),
		DType:      set.Input().Encoding(),
		InputRows:  set.Input().Rows,
		OutputRows: set.Output().Rows,
		Nodes:      set.Matrix(vectors.MatrixNodes).Rows,
		Positions:  set.Matrix(vectors.MatrixPositionWeights).Rows,
		WordNgrams: set.Matrix(vectors.MatrixWordNgrams).Rows,
		Parameters: newParameterInfo(parameters),
		Training:   set.Training(),
		Checkpoint: set.State() != nil,
		First:      []string{},
	}
	if rows, _, ok := set.Input().Factors(); ok {
		i.Rank = rows.Cols
	}
	if set.Len() > 0 {
		i.Outputs = set.Matrix(vectors.MatrixPositionOutput).Rows / set.Len()
	}
	for id := range min(5, set.Len()) {
		i.First = append(i.First, set.Words().At(id))
	}
	if set.Subword() != nil {
		memory += float * int64(set.Len()) * int64(set.Dim()) // the words' composed vectors
		i.Ngrams = &ngramInfo{Buckets: set.Subword().Rows()}
		if set.BucketRows() != nil {
			for _, row := range set.BucketRows() {
				if row >= 0 {
					i.Ngrams.Trained++
				}
			}
		}
		i.Ngrams.describe(set.Subword())
	}
	i.MemoryBytes = memory
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
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "file\t%s (%s)\n", i.File, megabytes(i.Bytes))
	fmt.Fprintf(t, "format\t%s\n", i.Format)
	words := thousands(uint64(i.Words))
	if i.Words > 0 {
		words += ": " + strings.Join(i.First, " ") + " …"
	}
	fmt.Fprintf(t, "words\t%s\n", words)
	fmt.Fprintf(t, "dimensions\t%d, of type %s\n", i.Dim, i.DType)
	fmt.Fprintf(t, "input rows\t%s\n", i.input())
	fmt.Fprintf(t, "output rows\t%s\n", i.output())
	if n := i.Ngrams; n != nil {
		fmt.Fprintf(t, "n-grams\t%s\n", n)
	}
	if i.Positions > 0 {
		fmt.Fprintf(t, "position weights\tof %d relative positions\n", i.Positions)
	}
	if i.WordNgrams > 0 {
		fmt.Fprintf(t, "word n-grams\tof up to %d words, in %s rows\n", i.Training.Int("word_ngrams"), thousands(uint64(i.WordNgrams)))
	}
	fmt.Fprintf(t, "parameters\t%s\n", i.Parameters)
	fmt.Fprintf(t, "memory\t%s if all is used\n", megabytes(i.MemoryBytes))
	if err := printTraining(t, i.Training); err != nil {
		return err
	}
	if i.Checkpoint {
		fmt.Fprintf(t, "checkpoint\tyes\n")
	}
	return t.Flush()
}

// input says what rows words' vectors are made of.
func (i info) input() string {
	text := thousands(uint64(i.InputRows))
	if i.Rank > 0 {
		text += fmt.Sprintf(", of %d numbers each, times a projection", i.Rank)
	}
	return text
}

// output says what rows they were trained against.
func (i info) output() string {
	switch {
	case i.Nodes > 0:
		return fmt.Sprintf("%s, of the inner nodes of the vocabulary's tree", thousands(uint64(i.Nodes)))
	case i.Outputs > 0:
		return fmt.Sprintf("%s for each of %d relative positions", thousands(uint64(i.OutputRows)), i.Outputs)
	case i.Training.Bool("tied") && i.OutputRows > 0:
		return "the input rows"
	}
	return thousands(uint64(i.OutputRows))
}

// printTraining prints what is known of a model's training, by the names that
// JSON has for it.
func printTraining(w io.Writer, training vectors.Training) error {
	text, err := json.Marshal(training)
	if err != nil {
		return err
	}
	var known map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // and print them as they are
	if err := decoder.Decode(&known); err != nil {
		return err
	}
	var names []string
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	var list []string
	for _, name := range names {
		list = append(list, fmt.Sprintf("%s %v", name, known[name]))
	}
	if len(list) == 0 {
		list = []string{"unknown"}
	}
	_, err = fmt.Fprintf(w, "training\t%s\n", strings.Join(list, ", "))
	return err
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

func newInfo(s streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "info [flags] FILE",
		Short: "Describe a model file",
		Long: `Print a model's format, shape, vocabulary and settings, the number of its parameters
(all numbers in its matrices), and the memory it would take.`,
		Example: `  w2v info cc.en.300.bin
  w2v info model.w2v --json`,
		Args: usage(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return withModel(args[0], func(set *vectors.Set) error {
				i, err := describe(args[0], set)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(s.out, i)
				}
				return i.print(s.out)
			})
		},
	}
	addJSON(c, &asJSON)
	return c
}
