package tune

import (
	"context"
	"fmt"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// leastRows is how many rows a quantised model has at least, and manyLabels from how many labels on their rows are quantised too.
const leastRows, manyLabels = 256, 256

// calmer is how many times lower the learning rate of rows that are trained again is, which are near their places.
const calmer = 10

// shrink makes a model as small as it must be.
func (t *tuner) shrink(ctx context.Context, trained *classify.Trained, x *classify.Texts, o classify.Options) error {
	if t.ModelSize == 0 {
		return nil
	}
	set := trained.Vectors
	if size, err := format.EncodedSize(set, t.Format); err != nil || size <= t.ModelSize && !t.Quantize {
		return err
	}
	opt := transform.ClassifierOptions{Norms: true, Output: set.Labels().Names.Len() >= manyLabels, Seed: o.Seed, Computation: transform.Computation{Force: o.Force}}
	all, err := transform.ClassifierRows(set)
	if err != nil {
		return err
	}
	// The size of a few rows says what there is beside rows.
	few, err := transform.PruneClassifier(ctx, set, min(all, leastRows), opt.Computation)
	if err != nil {
		return err
	}
	small, err := transform.QuantizeClassifier(ctx, few, opt)
	if err != nil {
		return err
	}
	beside, err := format.EncodedSize(small, t.Format)
	if err != nil {
		return err
	}
	beside -= uint64(codesAndNames(few))
	rows := min(all, int(t.ModelSize)/(set.Dim()/2))
	for rows >= min(all, leastRows) {
		pruned, err := transform.PruneClassifier(ctx, set, rows, opt.Computation)
		if err != nil {
			return err
		}
		size := beside + uint64(codesAndNames(pruned))
		if size <= t.ModelSize {
			if pruned, err = x.Retrain(ctx, pruned, classify.RetrainOptions{Epochs: o.Epochs, LearningRate: o.LearningRate / calmer, Negatives: o.Negatives, Seed: o.Seed}); err != nil {
				return err
			}
			if small, err = transform.QuantizeClassifier(ctx, pruned, opt); err != nil {
				return err
			}
			if size, err = format.EncodedSize(small, t.Format); err != nil || size <= t.ModelSize {
				trained.Vectors = small
				return err
			}
		}
		rows = min(rows-1, int(float64(rows)*min(0.99, float64(t.ModelSize)/float64(size))))
	}
	return fmt.Errorf("tune: %d rows of %d dimensions do not fit into %d bytes", min(all, leastRows), set.Dim(), t.ModelSize)
}

// codesAndNames returns about how many bytes the rows of a pruned classifier take in a quantised file: codes of 2 numbers, a
// length, and a word with its count, or the number of a bucket.
func codesAndNames(set *vectors.Set) (bytes int) {
	for _, word := range set.Words().All() {
		bytes += len(word) + 10
	}
	rows := set.Input().Rows + set.Labels().Runs.Rows
	return bytes + rows*((set.Dim()+1)/2+1) + 8*(rows-set.Len())
}
