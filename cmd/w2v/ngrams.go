package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// An ngramRow is a row of an n-gram, as w2v ngrams prints it. Its JSON is read by
// scripts.
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
	c := &cobra.Command{
		Use:   "ngrams [flags] MODEL WORD",
		Short: "Print the n-grams of a word, their buckets and vectors",
		Long: `Print a line for each n-gram of WORD: the n-gram, its bucket, and the vector of the
bucket. A bucket that was never trained has zeros. In models of --subwords floret and
hash, the whole word is the first n-gram, and each n-gram has a line for each of its
buckets. With hash, the importance of the bucket for the n-gram is printed before the
vector, and a word outside the vocabulary is composed without its whole if it has
other n-grams.

` + caseHelp,
		Example: `  w2v ngrams ngrams.w2v walking`,
		Args:    usage(cobra.ExactArgs(2)),
		RunE: func(c *cobra.Command, args []string) error {
			return s.open(c.Context(), args[0], opening{rule: letters.rule()}, func(words *finder) error {
				if words.set.Subword() == nil {
					return fmt.Errorf("%s: the model has no n-grams", args[0])
				}
				if err := checkLength(args[1]); err != nil {
					return err
				}
				rows := ngramsOf(words.set, words.spelling(args[1]))
				if asJSON {
					return eachJSON(words.out, rows)
				}
				for _, row := range rows {
					words.out.Write(row.line(nil))
				}
				return nil
			})
		},
	}
	letters.add(c)
	addJSON(c, &asJSON)
	return c
}
