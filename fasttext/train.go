// Package fasttext does what the program fastText 0.9.2 does with word vectors, in fastText's terms: it knows
// fastText's arguments and their defaults, reads text like fastText, writes fastText's files, and prints
// fastText's output lines.
//
// Train trains, with the arguments of "fasttext skipgram" and "fasttext cbow":
//
//	o, err := fasttext.NewOptions("skipgram")
//	err = errors.Join(o.Set("input", "corpus.txt"), o.Set("output", "model"), o.Set("minCount", "2"))
//	result, err := fasttext.Train(ctx, o, train.Hooks{}) // model.bin and model.vec
//
// A Model prints vectors, n-grams, neighbours and analogies. It computes in fastText's order, so both
// programs print the same bytes for the same file. Dump prints the content of a file.
//
// Training is w2v's own, so vectors are as good as fastText's but not identical. Classification is not
// supported.
package fasttext

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// EndOfSentence is the token that fastText reads at the end of each line.
const EndOfSentence = "</s>"

// Result is the result of Train.
type Result struct {
	*train.Result
	Files []string // text files with vectors
}

// Train trains word vectors with the given options. It writes OUTPUT.bin, OUTPUT.vec and, with saveOutput,
// OUTPUT.output. If ctx ends before training does, Train writes only OUTPUT.bin, with what was trained so
// far: see train.Run.
//
// A *MissingError says that the input or the output is missing. A *train.OptionError says that arguments
// exclude each other.
func Train(ctx context.Context, o *Options, h train.Hooks) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	settings, err := o.settings()
	if err != nil {
		return nil, err
	}
	output := o.Value("output")
	files := []train.File{{Name: "output", Path: output + ".vec"}}
	if o.Value("saveOutput") == "true" {
		files = append(files, train.File{Name: "output", Path: output + ".output"})
	}
	text := train.FilesAndInput(o.Stdin, o.Value("input")).Through(func() corpus.Stage { return &lineReader{label: []byte(o.Value("label"))} })
	trained, err := train.Run(ctx, text, train.Options{
		Settings: settings,
		Output:   output + ".bin",
		Format:   format.FastText,
		Init:     train.Init{File: o.Value("pretrainedVectors"), UpdateVocab: o.Value("pretrainedVectors") != ""},
		Files:    files,
		GiveUp:   o.GiveUp,
	}, h)
	if trained == nil {
		return nil, err
	}
	result := &Result{Result: trained}
	if err != nil || !trained.Complete {
		return result, err
	}
	for i, write := range []func(io.Writer, *vectors.Set) error{writeVectors, writeContexts}[:len(files)] {
		path := files[i].Path
		err := atomicfile.Write(path, func(w io.Writer) error { return write(w, trained.Vectors) })
		if err != nil {
			return result, fmt.Errorf("%s: %w", path, err)
		}
		result.Files = append(result.Files, path)
	}
	return result, nil
}

// A lineReader turns the tokens of a line into fastText's tokens: it drops labels and adds EndOfSentence at
// the end.
type lineReader struct{ label []byte }

func (l *lineReader) Token(out *corpus.Staged, token []byte) {
	if !bytes.HasPrefix(token, l.label) {
		out.Add(token)
	}
}

func (l *lineReader) End(out *corpus.Staged) { out.Add([]byte(EndOfSentence)) }

func writeVectors(w io.Writer, s *vectors.Set) error { return writeLines(w, s, s.All()) }

// writeContexts writes the context vectors of all words in the format of fastText's .output file. With
// hierarchical softmax these are the vectors of the tree's nodes, one fewer than words.
func writeContexts(w io.Writer, s *vectors.Set) error {
	rows := s.Output()
	if nodes := s.Matrix(vectors.MatrixNodes); nodes.Rows > 0 {
		rows = nodes
	}
	return writeLines(w, s, func(yield func(int, []float32) bool) {
		for id, v := range s.RowsOf(rows) {
			if !yield(id, v) {
				return
			}
		}
		for id := rows.Rows; id < s.Len() && yield(id, make([]float32, s.Dim())); id++ {
		}
	})
}

func writeLines(w io.Writer, s *vectors.Set, rows iter.Seq2[int, []float32]) error {
	if _, err := fmt.Fprintf(w, "%d %d\n", s.Len(), s.Dim()); err != nil {
		return err
	}
	var text []byte
	for id, v := range rows {
		text = appendLine(text[:0], s.Words().At(id), v)
		if _, err := w.Write(text); err != nil {
			return err
		}
	}
	return s.Err()
}
