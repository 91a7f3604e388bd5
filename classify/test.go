package classify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/vocab"
)

// A Test says how labels are predicted that are compared with those that texts have. A text counts if the model knows at
// least one of its labels and of its words or n-grams, as for fastText.
type Test struct {
	K         int     // labels that are predicted for a text; 0 for all
	Threshold float32 // the least probability of these
}

// A tested is a text, and what models predict for it.
type tested struct {
	outcomes []labels.Outcome
	unknown  [][]string // labels that the models do not know
}

// Lines tests a model on lines, whose labels are words that begin with the prefix of the model.
func (t Test) Lines(ctx context.Context, m *Model, texts io.Reader) (*labels.Result, error) {
	r, err := labels.NewResult(m.labels, labels.Metric{})
	if err != nil {
		return nil, err
	}
	return r, eachBlock(ctx, m, texts, func(p *predictor, all []labels.Outcome) ([]labels.Outcome, error) {
		if err := p.predict(t.K, t.Threshold); err != nil {
			return nil, err
		}
		p.named = p.name(p.named[:0])
		return append(all, outcomeOf(Line{p.named, p.labels, p.n == 0}, len(p.labels) > 0)), nil
	}, func(all []labels.Outcome) error {
		for _, o := range all {
			r.Add(o)
		}
		return nil
	})
}

// Rows tests models on the rows that are not blank, and returns a result for each. Labels are those of the rows, and in
// lines of text also words with the prefix of the model. Memory is that of some hundred kilobytes of rows, or of the longest one, and of the results.
func (t Test) Rows(ctx context.Context, rows *corpus.Rows, models ...*Model) (results []*labels.Result, err error) {
	for _, m := range models {
		r, err := labels.NewResult(m.labels, labels.Metric{})
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, predictRows(ctx, models, rows, t.K, t.Threshold, func(all []tested, row *corpus.Row, lines []Line) ([]tested, error) {
		if row.Blank {
			return all, nil
		}
		of := tested{make([]labels.Outcome, len(models)), make([][]string, len(models))}
		for i, line := range lines {
			if !row.IsLine() {
				line.Labels = nil // they are words
			}
			for _, label := range row.Labels {
				if id := models[i].labelID(label); id < 0 {
					of.unknown[i] = append(of.unknown[i], label)
				} else if !slices.Contains(line.Labels, id) {
					line.Labels = append(line.Labels, id)
				}
			}
			of.outcomes[i] = outcomeOf(line, len(row.Labels) > 0)
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

// outcomeOf returns the outcome of a text, which has labels or none.
func outcomeOf(line Line, labelled bool) labels.Outcome {
	switch {
	case len(line.Labels) == 0 && !labelled:
		return labels.LeftOut(labels.Unlabeled)
	case len(line.Labels) == 0:
		return labels.LeftOut(labels.UnknownLabel)
	case line.Empty:
		return labels.LeftOut(labels.Wordless)
	}
	return labels.NewOutcome(line.Labels, guesses(line.Best))
}

func guesses(all []Prediction) []labels.Guess {
	of := make([]labels.Guess, len(all))
	for i, p := range all {
		of[i] = labels.Guess{Label: p.ID, Probability: p.Probability}
	}
	return of
}

var errUntested = errors.New("classify: no text of the validation has a label that is trained")

// evaluate returns the metric of a model on the texts of ids, and what it is made of, with k labels of a text; 0 for 1, or
// all if the metric ranks them.
func (x *cache) evaluate(ctx context.Context, m *Model, ids *vocab.IDs, by labels.Metric, k, threads int) (float64, *labels.Result, error) {
	result, err := labels.NewResult(m.labels, by)
	if err != nil {
		return 0, nil, fmt.Errorf("%w: no text that is trained has it", err)
	}
	if k == 0 && !by.Ranks() {
		k = 1
	}
	marks := x.labelsOf(m)
	group, ctx := errgroup.WithContext(ctx)
	threads = max(1, min(threads, ids.Chunks()))
	for worker := range threads {
		group.Go(func() error {
			p, reader := m.predictors.Get().(*predictor), ids.Reader()
			defer m.predictors.Put(p)
			p.begin()
			for chunk := worker; chunk < ids.Chunks() && ctx.Err() == nil; chunk += threads {
				for _, piece := range reader.Chunk(chunk) {
					for _, of := range piece {
						id := int(of &^ vocab.EndOfSentence)
						if at, is := marks[id]; !is {
							p.token([]byte(x.tokens.Token(id)))
						} else if at >= 0 {
							p.labels = append(p.labels, at)
						}
						if of&vocab.EndOfSentence == 0 {
							continue
						}
						p.addRuns()
						if err := p.predict(k, 0); err != nil {
							return err
						}
						if err := p.test(result); err != nil {
							return err
						}
						p.begin()
					}
				}
			}
			return errors.Join(ctx.Err(), ids.Err())
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
	if p.n == 0 || len(p.labels) == 0 {
		r.Add(labels.LeftOut(labels.Wordless))
		return nil
	}
	p.named = p.name(p.named[:0])
	all := guesses(p.named)
	r.Add(labels.NewOutcome(p.labels, all))
	return r.Rank(p.labels, all)
}

// labelsOf returns the labels of the tokens that are labels; -1 for those that the model does not know.
func (x *cache) labelsOf(m *Model) map[int]int {
	named, marks := map[string]int{}, map[int]int{}
	for id, name := range m.labels {
		named[name] = id + 1
	}
	for id, token := range x.tokens.Tokens() {
		if name, is := cutMark(token); is {
			marks[id] = named[name] - 1
		}
	}
	return marks
}
