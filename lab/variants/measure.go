package main

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// measure adds to a result how large a model is.
func (r *result) measure(s *vectors.Set) error {
	p := s.Parameters()
	r.Input, r.Parameters = p.Input, p.Total()
	r.Nominal = r.Input + (nominalRows(s)-uint64(s.Input().Rows))*rowWidth(s.Input())
	var err error
	if r.Bytes, err = format.EncodedSize(s, format.W2V); err != nil {
		return fmt.Errorf("the size of a model: %w", err)
	}
	return nil
}

// rowWidth is how many numbers an input row has.
func rowWidth(m vectors.Matrix) uint64 {
	if rows, _, ok := m.Factors(); ok {
		return uint64(rows.Cols)
	}
	return uint64(m.Cols)
}

// nominalRows is how many input rows there are if none is shared and none left out: what
// fastText would have.
func nominalRows(s *vectors.Set) uint64 {
	switch s.Subword().(type) {
	case nil:
		return uint64(s.Input().Rows)
	case subword.Floret, subword.Hash:
		return uint64(s.Subword().Rows())
	}
	return uint64(s.Len() + s.Subword().Rows())
}

// score adds to a result what a model's vectors are worth.
func (r *result) score(ctx context.Context, s *vectors.Set, x exams) error {
	r.Scores = make(map[string]score)
	for _, pairs := range x.similarity {
		result, err := eval.Evaluate(ctx, s, pairs, eval.Options{})
		if err != nil {
			return err
		}
		of := result.Details.(eval.SimilarityResult)
		one := score{of.Spearman, of.Used, of.Spearman, of.Used, of.CI95}
		if known := of.InVocabulary; known != nil {
			one.Known, one.KnownUsed = known.Spearman, known.Used
		}
		r.Scores[pairs.Name] = one
	}
	for _, questions := range x.analogy {
		result, err := eval.Evaluate(ctx, s, questions, eval.Options{Restrict: restrict})
		if err != nil {
			return err
		}
		of := result.Details.(eval.AnalogyResult)
		one := score{of.Accuracy, of.Used, of.Accuracy, of.Used, of.CI95}
		if known := of.InVocabulary; known != nil {
			one.Known, one.KnownUsed = known.Accuracy, known.Used
		}
		r.Scores[questions.Name] = one
	}
	return nil
}
