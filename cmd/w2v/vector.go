package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
)

// appendVector appends the numbers of v, each behind a space, in the shortest form that reads back the same.
func appendVector(line []byte, v []float32) []byte {
	for _, x := range v {
		line = strconv.AppendFloat(append(line, ' '), float64(x), 'g', -1, 32)
	}
	return line
}

func newVector(s streams) *cobra.Command {
	var f modelFlags
	var asJSON bool
	c := command("vector", cobra.MinimumNArgs(1), s.asking(f.opening, func(_ context.Context, words *finder, args []string) error {
		if err := words.checkExpressions(args...); err != nil {
			return err
		}
		v := make([]float32, words.set.Dim())
		notFinite := &unfinite{path: words.path, set: words.set}
		defer notFinite.note(s)
		var line []byte
		answer := func(word string) error {
			words.absent.all++
			w, err := words.find(v, word, nil)
			if err != nil {
				return err
			}
			if w.Missing() {
				words.absent.addFound(w, words.suggestions.For(w))
				return nil
			}
			if err := notFinite.add(word, v); err != nil {
				return err
			}
			if asJSON {
				return printJSON(words.out, struct {
					Word    string       `json:"word"`
					FoundAs string       `json:"found_as,omitempty"` // if that is another spelling
					Terms   []query.Term `json:"terms,omitempty"`    // of an expression
					Vector  query.Vector `json:"vector"`
				}{word, w.FoundAs(), w.Terms, v})
			}
			line = appendVector(append(line[:0], word...), v)
			_, err = words.out.Write(append(line, '\n'))
			return err
		}
		queries := batches(args, s.queries(words.Finder, args), vectors.MaxWord, together(1), words.absent.tooLong)
		return answerEach(words, queries, func(batch []string) error {
			for _, word := range batch {
				if err := answer(word); err != nil {
					return err
				}
			}
			return nil
		})
	}))
	f.add(c)
	addJSON(c, &asJSON)
	return c
}

// An ngramRow is what w2v ngrams prints of an n-gram. Its JSON is read by scripts.
type ngramRow struct {
	Ngram      string       `json:"ngram"`
	Bucket     uint32       `json:"bucket"`
	Importance *float32     `json:"importance,omitempty"` // of hash embeddings
	Vector     query.Vector `json:"vector"`
}

func (r ngramRow) line(line []byte) []byte {
	line = append(append(line, r.Ngram...), ' ')
	line = strconv.AppendUint(line, uint64(r.Bucket), 10)
	if r.Importance != nil {
		line = appendVector(line, []float32{*r.Importance})
	}
	return append(appendVector(line, r.Vector), '\n')
}

func ngramsOf(set *vectors.Set, word string) (rows []ngramRow) {
	buckets, weights := set.Subword().Append(nil, word), set.NgramWeights(word)
	zeros := make([]float32, set.Input().Cols)
	for i, ngram := range set.Subword().Ngrams(word) {
		row := ngramRow{Ngram: ngram, Bucket: buckets[i], Vector: set.BucketVector(buckets[i])}
		if row.Vector == nil {
			row.Vector = zeros
		}
		if weights != nil {
			row.Importance = &weights[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func newNgrams(s streams) *cobra.Command {
	var asJSON bool
	var letters caseFlag
	c := command("ngrams", cobra.ExactArgs(2), s.asking(func() opening { return opening{rule: letters.rule()} }, func(_ context.Context, words *finder, args []string) error {
		if words.set.Subword() == nil {
			return fmt.Errorf("%s: the model has no n-grams", words.path)
		}
		if err := checkLength(args[0]); err != nil {
			return err
		}
		rows := ngramsOf(words.set, words.spelling(args[0]))
		if asJSON {
			return eachJSON(words.out, rows)
		}
		for _, row := range rows {
			words.out.Write(row.line(nil))
		}
		return nil
	}))
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}

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
	var file string
	pooled := pooling.Options{Method: pooling.Mean}
	c := command("sentence", cobra.MinimumNArgs(1), s.asking(f.opening, func(_ context.Context, words *finder, args []string) error {
		options, err := train.TextOptions(words.set.Training())
		if err == nil {
			options, err = train.WithTokenizerFile(options, file)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", words.path, asFlags(err))
		}
		pooler, err := pooling.New(words.set, pooled)
		if err != nil {
			return err
		}
		absent := &missing{to: s.err, model: words.path, one: "line", what: "lines", lack: "vector", why: "a line without a word that has a vector"}
		words.absent = absent
		v := make([]float32, words.set.Dim())
		notFinite := &unfinite{path: words.path, set: words.set}
		defer notFinite.note(s)
		var row []byte
		return answerEach(words, lines(args, s.queries(words.Finder, args)), func(line string) error {
			absent.all++
			tokens, left, err := options.Tokens(line)
			if err != nil {
				return fmt.Errorf("line %d: %w", absent.all, err)
			}
			if left.Tokens > 0 {
				fmt.Fprintf(s.err, "w2v: line %d: %s\n", absent.all, left)
			}
			found := sentence{Text: line, Tokens: len(tokens), Used: words.pool(v, pooler, tokens)}
			if found.Used > 0 {
				found.Vector = v
			} else if err := words.set.Err(); err != nil {
				return err
			} else {
				absent.add(line)
			}
			if err := notFinite.add(line, v); err != nil {
				return err
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
	addEnum(c.Flags(), &pooled.Method, "pooling", "how vectors of words make that of a line", choicesOf(pooling.Methods(), map[pooling.Method]string{
		pooling.Mean: "all count the same", pooling.SIF: "frequent words count less",
	}))
	c.Flags().Float64Var(&pooled.Smoothing, "smoothing", pooling.DefaultSmoothing, "the number `a` of --pooling sif")
	c.Flags().StringVar(&file, "tokenizer", "", "the `FILE` tokenizer.json that the model was trained with")
	addJSON(c, &asJSON)
	checked(c, func([]string) error {
		none := c.Flags().Changed("smoothing") && pooled.Method != pooling.SIF
		return cmp.Or(pooled.Validate(), broken(rule{none, "--smoothing is for --pooling sif"}))
	})
	return c
}

// pool writes the vector of tokens to v, and returns how many of them have a part in it.
func (f *finder) pool(v []float32, pooler *pooling.Pooler, tokens []string) int {
	found := make([]vectors.Token, len(tokens))
	for i, token := range tokens {
		spelling, _ := f.Spelling(token)
		found[i] = f.set.Token(spelling)
	}
	if pooler.Method() == pooling.Mean {
		return f.set.SentenceOf(v, found) // numbers that are not finite are reported, and not left out
	}
	return pooler.Text(v, found)
}

// longestSentence is the length of the longest line that is held in memory.
const longestSentence = 16 << 20

// lines yields the lines of files, which may be compressed, or of r without files. An error ends them.
func lines(paths []string, r io.Reader) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		more := true
		read := func(r io.Reader) (struct{}, error) {
			for line, err := range pieces(r, longestSentence) {
				if err == nil && !line.whole() {
					err = fmt.Errorf("line %d has %d bytes, and a sentence at most %d: is each line of this text a sentence?", line.line, line.size, longestSentence)
				}
				if err != nil {
					return struct{}{}, err
				}
				if more = yield(strings.TrimRight(line.text, "\r"), nil); !more {
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
			if _, err := compression.ReadFile(path, read); err != nil {
				yield("", err)
				return
			}
			if !more {
				return
			}
		}
	}
}
