package classify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/vocab"
)

// A Test says how labels are predicted that are compared with those that texts have. A text counts if the model knows at
// least one of its labels, and has a row for one of its words or n-grams, as for fastText: the end of a line is a word of
// most models, so that texts of unknown words count, with the labels of an empty line.
type Test struct {
	K         int     // labels that are predicted for a text; 0 for all
	Threshold float32 // the least probability of these
	// AUC measures the probabilities of all labels too: see labels.Result.MacroAUC. Its memory is 4 bytes for each text and
	// label, at most 1 GiB.
	AUC bool
}

// A tested is a text, and what models predict for it.
type tested struct {
	outcomes []labels.Outcome
	unknown  [][]string // labels that the models do not know
}

func (t Test) results(models ...*Model) (all []*labels.Result, err error) {
	by := labels.Metric{}
	if t.AUC {
		by.Kind = labels.AUC
	}
	for _, m := range models {
		r, err := labels.NewResult(m.labels, by)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Lines tests a model on lines, whose labels are words that begin with the prefix of the model.
func (t Test) Lines(ctx context.Context, m *Model, texts io.Reader) (*labels.Result, error) {
	results, err := t.results(m)
	if err != nil {
		return nil, err
	}
	return results[0], eachBlock(ctx, m, texts, (*predictor).Read, func(p *predictor, all []labels.Outcome) ([]labels.Outcome, error) {
		of, err := t.outcome(p, results[0], len(p.Labels) > 0)
		return append(all, of), err
	}, func(all []labels.Outcome) error {
		for _, o := range all {
			results[0].Add(o)
		}
		return nil
	})
}

// Rows tests models on the rows that are not blank, and returns a result for each. Labels are those of the rows, and in
// lines of text also words with the prefix of the model. Memory is that of some hundred kilobytes of rows, or of the longest
// one, and of the results.
func (t Test) Rows(ctx context.Context, rows *corpus.Rows, models ...*Model) ([]*labels.Result, error) {
	results, err := t.results(models...)
	if err != nil {
		return nil, err
	}
	return results, readRows(ctx, models, rows, func(all []tested, row *corpus.Row, predictors []*predictor) ([]tested, error) {
		if row.Blank {
			return all, nil
		}
		of := tested{make([]labels.Outcome, len(models)), make([][]string, len(models))}
		for i, p := range predictors {
			if !row.IsLine() {
				p.Labels = p.Labels[:0] // they are words
			}
			for _, label := range row.Labels {
				if id := models[i].core.LabelID(label); id < 0 {
					of.unknown[i] = append(of.unknown[i], label)
				} else if !slices.Contains(p.Labels, id) {
					p.Labels = append(p.Labels, id)
				}
			}
			o, err := t.outcome(p, results[i], len(row.Labels) > 0)
			if err != nil {
				return nil, err
			}
			of.outcomes[i] = o
		}
		return append(all, of), nil
	}, func(all []tested) error {
		for _, of := range all {
			for i, r := range results {
				r.Add(of.outcomes[i])
				for _, label := range of.unknown[i] {
					r.UnknownLabels[label]++
				}
			}
		}
		return nil
	})
}

// outcome predicts labels of the text that p has read, which has labels or none, and ranks them for r.
func (t Test) outcome(p *predictor, r *labels.Result, labelled bool) (o labels.Outcome, err error) {
	switch {
	case p.Err != nil:
		return o, p.Err
	case len(p.Labels) == 0 && !labelled:
		return labels.LeftOut(labels.Unlabeled), nil
	case len(p.Labels) == 0:
		return labels.LeftOut(labels.UnknownLabel), nil
	case p.N == 0:
		return labels.LeftOut(labels.Wordless), nil
	case !t.AUC:
		err := p.Predict(t.K, t.Threshold)
		return labels.NewOutcome(p.Labels, p.guesses()), err
	}
	if err := p.Predict(0, 0); err != nil {
		return o, err
	}
	unknown := p.Unknown
	p.Unknown = false // all labels count, also if none is probable enough
	if err := r.Rank(p.Labels, p.guesses()); err != nil {
		return o, err
	}
	if p.Unknown = unknown; t.K > 0 {
		p.Best = p.Best[:min(t.K, len(p.Best))]
	}
	p.Drop(t.Threshold)
	return labels.NewOutcome(p.Labels, p.guesses()), nil
}

// guesses returns what was predicted.
func (p *predictor) guesses() []labels.Guess {
	if p.Unknown {
		return []labels.Guess{{Label: -1, Probability: p.Doubt}}
	}
	all := make([]labels.Guess, len(p.Best))
	for i, e := range p.Best {
		all[i] = labels.Guess{Label: e.ID, Probability: scorer.Probability(e.Score)}
	}
	return all
}

var errUntested = errors.New("classify: no text of the validation has a label that is trained")

// evaluate returns the metric of a model on the texts, and what it is made of, with k labels of a text; 0 for 1, or
// all if the metric ranks them.
func (x *Texts) evaluate(ctx context.Context, m *Model, by labels.Metric, k, threads int) (float64, *labels.Result, error) {
	result, err := labels.NewResult(m.labels, by)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: no text that is trained has it", err)
	}
	if k == 0 && !by.Ranks() {
		k = 1
	}
	marks := x.labelsOf(m.labels)
	group, ctx := errgroup.WithContext(ctx)
	threads = max(1, min(threads, x.ids.Chunks()))
	for worker := range threads {
		group.Go(func() error {
			p, reader := m.predictors.Get().(*predictor), x.ids.Reader()
			defer m.predictors.Put(p)
			p.Begin()
			for chunk := worker; chunk < x.ids.Chunks() && ctx.Err() == nil; chunk += threads {
				for _, piece := range reader.Chunk(chunk) {
					for _, of := range piece {
						id := int(of &^ vocab.EndOfSentence)
						if at, is := marks[id]; !is {
							p.Token([]byte(x.tokens.Token(id)))
						} else if at >= 0 {
							p.Labels = append(p.Labels, at)
						}
						if of&vocab.EndOfSentence == 0 {
							continue
						}
						p.End()
						if err := p.Predict(k, 0); err != nil {
							return err
						}
						if err := p.test(result); err != nil {
							return err
						}
						p.Begin()
					}
				}
			}
			return errors.Join(ctx.Err(), x.ids.Err())
		})
	}
	if err := group.Wait(); err != nil {
		return 0, nil, err
	}
	if result.Texts == 0 {
		return 0, nil, errUntested
	}
	score := result.Score()
	if score != score {
		return 0, nil, fmt.Errorf("classify: the metric %s needs a label that some texts of the validation have and others have not", by.Kind)
	}
	return score, result, nil
}

// test adds what was predicted to a result.
func (p *predictor) test(r *labels.Result) error {
	if p.N == 0 || len(p.Labels) == 0 {
		r.Add(labels.LeftOut(labels.Wordless))
		return nil
	}
	all := p.guesses()
	r.Add(labels.NewOutcome(p.Labels, all))
	return r.Rank(p.Labels, all)
}

// labelsOf returns the labels of the tokens that are labels; -1 for those that the model does not know.
func (x *Texts) labelsOf(names []string) map[int]int {
	named, marks := map[string]int{}, map[int]int{}
	for id, name := range names {
		named[name] = id + 1
	}
	for id, token := range x.tokens.Tokens() {
		if name, is := cutMark(token); is {
			marks[id] = named[name] - 1
		}
	}
	return marks
}
