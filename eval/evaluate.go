package eval

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/vectors"
)

// Options are the settings of Evaluate: the rules of all tasks, and further settings of each.
// The zero value works. Of the settings of a task, Rules are not used: those of Options are.
type Options struct {
	Rules
	Analogy    AnalogyOptions
	Relation   RelationOptions
	Categories CategoryOptions
	Outliers   OutlierOptions
	Bias       BiasOptions
	Sentences  SentenceOptions
	// Bands are the last ranks of frequency bands in records, the most frequent first; nil means
	// DefaultBands. The last band ends with the vocabulary.
	Bands []int
	// BandIntervals adds intervals to the bands of records, which takes as long again for each band
	// as the interval of the score.
	BandIntervals bool
}

// Evaluate scores vectors on a set of any task. It returns an error if ctx ends or an option is
// invalid.
func Evaluate(ctx context.Context, s *vectors.Set, set Set, opt Options) (Result, error) {
	switch set := set.(type) {
	case PairSet:
		return result(Similarity(s, set, SimilarityOptions{opt.Rules}))
	case QuestionSet:
		o := opt.Analogy
		o.Rules = opt.Rules
		return result(Analogy(ctx, s, set, o))
	case RelationSet:
		o := opt.Relation
		o.Rules = opt.Rules
		return result(Relations(ctx, s, set, o))
	case CategorySet:
		o := opt.Categories
		o.Rules = opt.Rules
		return result(Categorization(ctx, s, set, o))
	case OutlierSet:
		o := opt.Outliers
		o.Rules = opt.Rules
		return result(Outliers(s, set, o))
	case BiasSet:
		o := opt.Bias
		o.Rules = opt.Rules
		return result(Bias(s, set, o))
	case SentenceSet:
		o := opt.Sentences
		o.Rules = opt.Rules
		return result(Sentences(s, set, o))
	}
	return nil, fmt.Errorf("eval: there is no task for sets of type %T", set)
}

// result is r as a Result, nil if there is an error.
func result[R Result](r R, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}
