package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/kmers"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// A sentence is what w2v sentence prints of a line. Its JSON is read by scripts.
type sentence struct {
	Text   string       `json:"text"`
	Tokens int          `json:"tokens"`
	Used   int          `json:"used"`   // tokens that have a vector
	Vector query.Vector `json:"vector"` // null if no token has one
}

func newSentence(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	var file, field string
	var pooled pooling.Options
	opened := func() opening {
		o := f.opening()
		o.file = &file
		return o
	}
	c := command("sentence", cobra.MinimumNArgs(1), s.asking(opened, func(_ context.Context, words *finder, args []string) error {
		cut, err := words.Pipeline()
		if err != nil {
			return noTokenizer(words.path, err)
		}
		s.noteIf(cut.Lacks != "", "%s: %s", words.path, cut.Lacks)
		pooler, err := pooling.New(words.set, pooled)
		if err != nil {
			return fmt.Errorf("%s: %w", words.path, err)
		}
		if err := smooths(words.path, pooled, pooler); err != nil {
			return err
		}
		s.noteIf(pooler.Note() != "", "%s: %s", words.path, pooler.Note())
		absent := &missing{to: s.err, model: words.path, one: "line", what: "lines", lack: "vector", why: "a line without a word that has a vector"}
		words.absent = absent
		v := make([]float32, words.set.Dim())
		notFinite := &unfinite{path: words.path, set: words.set}
		defer notFinite.note(s)
		var row []byte
		texts := lines
		if cut.Kmers != nil {
			texts = sequences
			absent.one, absent.what, absent.why = "sequence", "sequences", "a sequence without a k-mer that has a vector"
		}
		if field != "" {
			texts = func(r io.Reader) iter.Seq2[string, error] { return corpus.JSONTexts(r, field) }
		}
		if field == "" {
			s.noteJSON(args, asText)
		}
		return answerEach(words, inFiles(args, s.queries(words.Finder, args), texts), func(line string) error {
			absent.all++
			tokens, left, err := words.Tokens(line)
			if cut.Kmers != nil && field == "" {
				line = nameOf(line)
			}
			noSequence := cut.Kmers != nil && err != nil
			switch {
			case noSequence: // the text has no vector, and others may have
				fmt.Fprintf(s.err, "w2v: %s: sequence %d: %v\n", words.path, absent.all, err)
				absent.n++
			case err != nil:
				return fmt.Errorf("line %d: %w", absent.all, err)
			}
			if left.Tokens > 0 {
				fmt.Fprintf(s.err, "w2v: line %d: %s\n", absent.all, left)
			}
			found := sentence{Text: line, Tokens: len(tokens), Used: pooler.Text(v, tokens)}
			if err := notFinite.addTokens(tokens, found.Used); err != nil {
				return err
			}
			if found.Used > 0 {
				found.Vector = v
			} else if err := words.set.Err(); err != nil {
				return err
			} else if !noSequence {
				absent.add(line)
			}
			if asJSON {
				return printJSON(words.out, found)
			}
			row = append(appendVector(row[:0], found.Vector), '\n')
			_, err = words.out.Write(bytes.TrimPrefix(row, []byte(" ")))
			return err
		})
	}))
	f.add(c)
	addPooling(c, &pooled)
	c.Flags().StringVar(&field, "json-field", "", "lines are JSON, and field `NAME` has the text, which may have several lines; a.b is field b in field a, and . is the line itself")
	c.Flags().StringVar(&file, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with, if the model does not hold it")
	addJSON(c, &asJSON)
	return c
}

// addPooling adds the flags that say how vectors of words make that of a text.
func addPooling(c *cobra.Command, pooled *pooling.Options) {
	addEnum(c.Flags(), &pooled.Method, "pooling", "how vectors of words make that of a text, instead of the model's own way", choicesOf(pooling.Methods(), map[pooling.Method]string{
		pooling.Mean: "all count the same", pooling.Weighted: "frequent words count less", pooling.SIF: "weighted, less the component that texts have in common", pooling.DBOW: "the paragraph vector, which predicts the words by their context vectors",
	}))
	c.Flags().Float64Var(&pooled.Smoothing, "smoothing", 0, fmt.Sprintf("the number `a` of --pooling weighted and sif (default the model's, else %v)", pooling.DefaultSmoothing))
	checked(c, func([]string) error {
		none := c.Flags().Changed("smoothing") && (pooled.Method == pooling.Mean || pooled.Method == pooling.DBOW)
		return cmp.Or(pooled.Validate(), broken(rule{none, "--smoothing is for --pooling weighted and sif"}))
	})
}

// smooths returns an error if a smoothing is given for means.
func smooths(path string, pooled pooling.Options, pooler *pooling.Pooler) error {
	if pooled.Smoothing > 0 && (pooler.Method() == pooling.Mean || pooler.Method() == pooling.DBOW) {
		return fmt.Errorf("%s: --smoothing is for --pooling weighted and sif, and these vectors of texts are by the pooling %s", path, pooler.Method())
	}
	return nil
}

// nameOf returns the name of a record, or the line that is a sequence.
func nameOf(record string) string {
	head, _, _ := strings.Cut(record, "\n")
	return strings.TrimLeft(head, ">@")
}

const longestSentence = 16 << 20

// inFiles yields the texts of files, which may be compressed, or of r without files. An error ends them.
func inFiles(paths []string, r io.Reader, texts func(io.Reader) iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		more := true
		read := func(r io.Reader) (struct{}, error) {
			for text, err := range texts(r) {
				if err != nil {
					return struct{}{}, err
				}
				if more = yield(text, nil); !more {
					break
				}
			}
			return struct{}{}, nil
		}
		if len(paths) == 0 {
			if _, err := read(r); err != nil {
				yield("", fmt.Errorf("standard input: %w", err))
			}
		}
		for _, path := range paths {
			_, err := compression.ReadFile(path, func(src io.Reader) (struct{}, error) {
				r := bufio.NewReader(src)
				if head, _ := r.Peek(len(parquet.Magic) + 1); parquet.Begins(head) { // an error comes again when the text is read
					return struct{}{}, errors.New("is a Parquet table, and lines are read: write its column of texts as lines or as JSON lines first")
				}
				return read(r)
			})
			if err != nil {
				yield("", err)
				return
			}
			if !more {
				return
			}
		}
	}
}

// lines yields the lines of r.
func lines(r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for line, err := range pieces(r, longestSentence) {
			if err == nil && !line.whole() {
				err = fmt.Errorf("line %d has %d bytes, and a sentence at most %d: is each line of this text a sentence?", line.line, line.size, longestSentence)
			}
			if !yield(strings.TrimRight(line.text, "\r"), err) || err != nil {
				return
			}
		}
	}
}

// sequences yields the records of FASTA and FASTQ in r, and other lines as they are.
func sequences(r io.Reader) iter.Seq2[string, error] { return kmers.Records(lines(r), longestSentence) }
