package classify

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/ordered"
)

// A Line is what is predicted of a line.
type Line struct {
	Best   []Prediction // the most probable first
	Labels []int        // the line's own labels that the model knows
	Empty  bool         // no row of the model is one of the line or of its end: nothing is predicted
}

// Write predicts labels for the lines of r as Predict does for texts, on all processors. It writes what format
// appends to out for each line, in the order of lines, as soon as what r returned at once is predicted. A line
// is what it is for fastText: it ends with a newline, or with the word "</s>". Format is called by several
// goroutines, and line is valid until it returns. Memory is that of some thousand lines, or of the longest one.
func (m *Model) Write(ctx context.Context, w io.Writer, r io.Reader, k int, threshold float32, format func(out []byte, line Line) []byte) error {
	return eachBlock(ctx, m, r, (*predictor).Read, func(p *predictor, out []byte) ([]byte, error) {
		if err := p.Predict(k, threshold); err != nil {
			return nil, err
		}
		p.named = p.name(p.named[:0])
		return format(out, Line{p.named, p.Labels, p.N == 0}), nil
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// WriteLabels is Write for the most probable label of each line, its name and empty if it has none. It computes
// no more of probabilities than this takes.
func (m *Model) WriteLabels(ctx context.Context, w io.Writer, r io.Reader, format func(out []byte, label string) []byte) error {
	return eachBlock(ctx, m, r, (*predictor).ReadQuick, func(p *predictor, out []byte) ([]byte, error) {
		if err := p.Predict(1, 0); err != nil {
			return nil, err
		}
		label := ""
		if p.Unknown {
			label = Unknown
		} else if len(p.Best) > 0 {
			label = m.labels[p.Best[0].ID]
		}
		return format(out, label), nil
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// Lines is Write for a function that is called with each line, in order, by one goroutine.
func (m *Model) Lines(ctx context.Context, r io.Reader, k int, threshold float32, each func(Line) error) error {
	return eachBlock(ctx, m, r, (*predictor).Read, func(p *predictor, lines []Line) ([]Line, error) {
		err := p.Predict(k, threshold)
		return append(lines, Line{p.name(nil), slices.Clone(p.Labels), p.N == 0}), err
	}, func(lines []Line) error {
		for _, line := range lines {
			if err := each(line); err != nil {
				return err
			}
		}
		return nil
	})
}

// WriteVectors is Write for the vectors of lines: the means of all their rows, which labels are scored with;
// zeros for a line without any.
func (m *Model) WriteVectors(ctx context.Context, w io.Writer, r io.Reader, format func(out []byte, vector []float32) []byte) error {
	return eachBlock(ctx, m, r, (*predictor).Read, func(p *predictor, out []byte) ([]byte, error) {
		if clear(p.Vector); p.N > 0 {
			p.Average()
		}
		return format(out, p.Vector), nil
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// eachBlock calls work with each line of r, which p has read, and emits the results of a block of lines.
func eachBlock[T any](ctx context.Context, m *Model, r io.Reader, read func(p *predictor, data []byte, single bool) int, work func(p *predictor, all []T) ([]T, error), emit func([]T) error) error {
	var spare sync.Pool // results that are emitted
	return ordered.Each(ctx, corpus.RowsOf(r).Next, func(of corpus.Block, part func([]T) error) (all []T, err error) {
		defer of.Release()
		if old, ok := spare.Get().(*[]T); ok {
			all = (*old)[:0]
		}
		p, predictions := m.predictors.Get().(*predictor), 0
		defer m.predictors.Put(p)
		err = m.set.Guard(func() (err error) {
			for data := of.Data(); len(data) > 0 && err == nil; {
				data = data[read(p, data, false):]
				if err = p.Err; err != nil {
					break
				}
				var more []T
				if more, err = work(p, all); err == nil {
					all = more
				}
				if predictions += len(p.Best); predictions > mostPredictions && err == nil {
					err, all, predictions = part(all), nil, 0
				}
			}
			return err
		})
		return all, err
	}, func(all []T) error {
		defer spare.Put(&all)
		return emit(all)
	})
}

// mostPredictions are kept of a block; then what there is becomes a part of the results. All of many labels take little memory so.
const mostPredictions = 1 << 15
