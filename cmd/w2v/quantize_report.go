package main

import (
	"context"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
)

// quantized is what w2v quantize prints. Its JSON is read by scripts.
type quantized struct {
	Input       string  `json:"input"`
	Output      string  `json:"output"`
	Method      string  `json:"method"`
	BytesBefore int64   `json:"bytes_before"`
	BytesAfter  int64   `json:"bytes_after"`
	Ratio       float64 `json:"ratio"` // before over after
	RowsBefore  int     `json:"input_rows_before"`
	RowsAfter   int     `json:"input_rows_after"`
	RowBytes    int     `json:"row_bytes"`

	Similarity []comparison[eval.SimilarityResult] `json:"similarity,omitempty"`
	Analogy    []comparison[eval.AnalogyResult]    `json:"analogy,omitempty"`
	// OutOfVocabulary is about the words of all sets; absent without any.
	OutOfVocabulary *coverage `json:"out_of_vocabulary,omitempty"`
}

// A comparison is a set's score of both models.
type comparison[T any] struct {
	Set        string     `json:"set"`
	Before     T          `json:"before"`
	After      T          `json:"after"`
	Difference eval.Score `json:"difference"` // of Spearman, or of the accuracy
}

// coverage says how many words that are not in the vocabulary have a vector.
type coverage struct {
	Words  int `json:"words"`
	Before int `json:"vectors_before"`
	After  int `json:"vectors_after"`
}

// scores are what the sets say of a model.
type scores struct {
	similarity []eval.SimilarityResult
	analogy    []eval.AnalogyResult
	coverage   eval.Coverage
}

// evaluate scores the model at path on the sets, if there are any.
func (f *quantizeFlags) evaluate(ctx context.Context, path string) (*scores, error) {
	if len(f.wordsOfSets) == 0 {
		return nil, nil
	}
	var of scores
	quiet := streams{err: io.Discard} // the model was opened before
	err := quiet.open(ctx, path, opening{whole: true}, func(words *finder) error {
		set := words.set
		for _, pairs := range f.pairs {
			r, err := eval.Evaluate(ctx, set, pairs, eval.Options{})
			if err != nil {
				return err
			}
			of.similarity = append(of.similarity, r.Details.(eval.SimilarityResult))
		}
		for _, questions := range f.questions {
			r, err := eval.Evaluate(ctx, set, questions, eval.Options{Restrict: f.restrict})
			if err != nil {
				return err
			}
			of.analogy = append(of.analogy, r.Details.(eval.AnalogyResult))
		}
		var err error
		of.coverage, err = eval.Cover(set, f.wordsOfSets, vectors.CaseAuto)
		return err
	})
	return &of, err
}

// compare takes over the scores of both models.
func (q *quantized) compare(before, after *scores) {
	if before == nil {
		return
	}
	for i, a := range after.similarity {
		b := before.similarity[i]
		q.Similarity = append(q.Similarity, comparison[eval.SimilarityResult]{a.Set, b, a, a.Spearman - b.Spearman})
	}
	for i, a := range after.analogy {
		b := before.analogy[i]
		q.Analogy = append(q.Analogy, comparison[eval.AnalogyResult]{a.Set, b, a, a.Accuracy - b.Accuracy})
	}
	q.OutOfVocabulary = &coverage{before.coverage.Words, before.coverage.Composed, after.coverage.Composed}
}

func (q *quantized) print(w io.Writer) error {
	t := newTable(w)
	ratio := fmt.Sprintf("1/%.1f", q.Ratio)
	if q.Ratio < 1 {
		ratio = fmt.Sprintf("%.1f times as large", 1/q.Ratio)
	}
	fmt.Fprintf(t, "size\t%s bytes\t%s bytes\t%s\n", wording.Thousands(q.BytesBefore), wording.Thousands(q.BytesAfter), ratio)
	fmt.Fprintf(t, "input rows\t%s\t%s\tof %s bytes\n", wording.Thousands(q.RowsBefore), wording.Thousands(q.RowsAfter), wording.Thousands(q.RowBytes))
	for _, c := range q.Similarity {
		fmt.Fprintf(t, "%s, spearman\t%s\t%s\t%s\n", c.Set, score(c.Before.Spearman), score(c.After.Spearman), difference(c.Difference))
	}
	for _, c := range q.Analogy {
		fmt.Fprintf(t, "%s, accuracy\t%s\t%s\t%s\n", c.Set, score(c.Before.Accuracy), score(c.After.Accuracy), difference(c.Difference))
	}
	if c := q.OutOfVocabulary; c != nil {
		fmt.Fprintf(t, "of %s unknown words have a vector\t%s\t%s\t%+d\n",
			wording.Thousands(c.Words), wording.Thousands(c.Before), wording.Thousands(c.After), c.After-c.Before)
	}
	return t.Flush()
}

func difference(s eval.Score) string {
	if !s.Defined() {
		return "-"
	}
	return fmt.Sprintf("%+.4f", float64(s))
}
