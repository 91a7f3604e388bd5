package classify

import (
	"context"
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// RetrainOptions say how the rows of a classifier are trained again.
type RetrainOptions struct {
	Fields       corpus.Fields
	Epochs       int
	LearningRate float64 // at the start; it falls linearly to 0
	Negatives    int     // drawn for each label of a model of negative sampling
	Seed         uint64
	Folder       string // for the cache of the corpus; empty means the system's folder for temporary files
}

// Retrain returns a classifier with the words, n-grams, runs of words and labels of the set, trained again on a corpus. It is for
// what transform.PruneClassifier left, whose rows have lost the others that they were trained with. Texts come in the order of the
// corpus, and one after the other: each changes the rows as in fastText. It is the same for a seed.
func Retrain(ctx context.Context, c Corpus, set *vectors.Set, o RetrainOptions) (_ *vectors.Set, err error) {
	if set.Labels() == nil {
		return nil, ErrNoLabels
	}
	if pooling := set.Training().Text(vectors.FactPooling); pooling != "" {
		return nil, fmt.Errorf("classify: rows are trained again for their mean, and this classifier pools them by %s", pooling)
	}
	of := Options{Fields: o.Fields, Folder: o.Folder}
	if err := of.Fields.Validate(true); err != nil {
		return nil, err
	}
	text, err := pipeline.Of(set.Training())
	if err != nil {
		return nil, err
	}
	of.Text = *text
	x, err := of.read(ctx, c, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	return x.retrain(ctx, set, o)
}

// retrain trains on all texts.
func (x *Texts) retrain(ctx context.Context, set *vectors.Set, o RetrainOptions) (*vectors.Set, error) {
	if o.Epochs < 1 || !(o.LearningRate > 0) {
		return nil, fmt.Errorf("classify: %d epochs at the learning rate %v, must be at least 1 and above 0", o.Epochs, o.LearningRate)
	}
	trainer, fresh, err := scorer.NewTrainer(set, o.Negatives, o.Seed)
	if err != nil {
		return nil, err
	}
	tokens, labels := make([]scorer.Token, x.tokens.Len()), x.labelsOf(set.Labels().Names.Strings())
	for id, token := range x.tokens.Tokens() {
		if label, is := labels[id]; !is {
			tokens[id] = trainer.Word(token)
		} else if label >= 0 {
			tokens[id] = trainer.Label(label)
		}
	}
	done, total := 0., float64(o.Epochs)*float64(x.ids.Tokens())
	reader := x.ids.Reader()
	for range o.Epochs {
		for chunk := range x.ids.Chunks() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			trainer.Begin()
			for _, piece := range reader.Chunk(chunk) {
				for _, of := range piece {
					done++
					trainer.Add(&tokens[of&^vocab.EndOfSentence])
					if of&vocab.EndOfSentence == 0 {
						continue
					}
					if err := trainer.End(float32(o.LearningRate * (1 - done/total))); err != nil {
						return nil, fmt.Errorf("classify: training again %w at the learning rate %v", err, o.LearningRate)
					}
				}
			}
		}
	}
	if err := x.ids.Err(); err != nil {
		return nil, err
	}
	return fresh, nil
}
