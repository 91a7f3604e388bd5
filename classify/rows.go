package classify

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/internal/ordered"
)

// Output says which predictions are put beside rows, and what they are called.
type Output struct {
	K         int // labels of a row; 0 for all
	Threshold float32
	// As names the column or field of labels; empty means "label". That of probabilities is As_probability.
	As string
}

// WriteRows predicts labels for the texts of rows, on all processors, and writes each row with its predictions, in
// order. A line has them before it: K pairs of label and probability, which are empty if fewer are predicted, or those that are
// predicted if K is below 1 or above the number of labels. A table gets K pairs of columns of label and probability, or as many as the model has
// labels, which are empty if fewer are predicted. An object of JSON gets two fields, which are null without a label; unless K is 1, it gets a list of
// objects with label and probability. What is blank stays as it is. Parquet becomes Parquet: one file, whose columns are
// copied as they are, with columns as a table gets them, which are null if there are fewer labels. Memory is that of some
// hundred kilobytes of rows, or of the longest one, and of the columns that a row group of Parquet gets. Errors name the input and the line; what comes before is written.
func (m *Model) WriteRows(ctx context.Context, w io.Writer, rows *corpus.Rows, o Output) error {
	if o.As == "" {
		o.As = "label"
	}
	columns := len(m.labels)
	if o.K > 0 {
		columns = min(o.K, columns)
	}
	added := o.columns(Line{}, columns)
	names := make([]string, len(added))
	for i, of := range added {
		names[i] = of.Name
	}
	if table, err := rows.Table(w, names); err != nil || table != nil {
		return m.writeTable(ctx, table, rows, o, err)
	}
	head, err := rows.Head(added)
	if err != nil {
		return err
	}
	if _, err = w.Write(head); err != nil {
		return err
	}
	return predictRows(ctx, []*Model{m}, rows, o.K, o.Threshold, func(out []byte, row *corpus.Row, lines []Line) ([]byte, error) {
		switch {
		case row.Blank && !row.IsLine():
			return append(append(out, row.Raw...), '\n'), nil
		case row.IsJSON():
			return row.Append(out, o.fields(lines[0]))
		case row.IsLine() && (o.K < 1 || o.K > len(m.labels)): // no line has columns for labels that are not predicted
			return row.Append(out, o.columns(lines[0], len(lines[0].Best)))
		}
		return row.Append(out, o.columns(lines[0], columns))
	}, func(out []byte) error {
		_, err := w.Write(out)
		return err
	})
}

// writeTable is WriteRows for Parquet, unless there is an error.
func (m *Model) writeTable(ctx context.Context, to *corpus.Table, rows *corpus.Rows, o Output, err error) error {
	if err != nil {
		return err
	}
	err = m.Rows(ctx, rows, o.K, o.Threshold, func(_ *corpus.Row, line Line) error {
		return to.Add(func(i int) (label string, probability float32, ok bool) {
			if i >= len(line.Best) {
				return "", 0, false
			}
			return line.Best[i].Label, line.Best[i].Probability, true
		})
	})
	return cmp.Or(err, to.Close())
}

// Rows is WriteRows for a function that is called with each row, in order, by one goroutine. The rows have no Text.
func (m *Model) Rows(ctx context.Context, rows *corpus.Rows, k int, threshold float32, each func(*corpus.Row, Line) error) error {
	return eachRow(ctx, []*Model{m}, rows, k, threshold, func(row *corpus.Row, lines []Line) error { return each(row, lines[0]) })
}

// eachRow is Rows for several models.
func eachRow(ctx context.Context, models []*Model, rows *corpus.Rows, k int, threshold float32, each func(*corpus.Row, []Line) error) error {
	type predicted struct {
		row   *corpus.Row
		lines []Line
	}
	return predictRows(ctx, models, rows, k, threshold, func(all []predicted, row *corpus.Row, lines []Line) ([]predicted, error) {
		row.Text = nil
		lines = slices.Clone(lines)
		for i, line := range lines {
			lines[i].Best, lines[i].Labels = slices.Clone(line.Best), slices.Clone(line.Labels)
		}
		return append(all, predicted{row, lines}), nil
	}, func(all []predicted) error {
		for _, of := range all {
			if err := each(of.row, of.lines); err != nil {
				return err
			}
		}
		return nil
	})
}

// predictRows calls work with each row and what each model predicts for it, and emit with what work made of a block.
func predictRows[T any](ctx context.Context, models []*Model, rows *corpus.Rows, k int, threshold float32, work func([]T, *corpus.Row, []Line) ([]T, error), emit func([]T) error) error {
	return readRows(ctx, models, rows, func(all []T, row *corpus.Row, predictors []*predictor) ([]T, error) {
		lines := make([]Line, len(models))
		for i, p := range predictors {
			if err := p.Predict(k, threshold); err != nil {
				return nil, err
			}
			p.named = p.name(p.named[:0])
			lines[i] = Line{p.named, p.Labels, p.N == 0}
		}
		return work(all, row, lines)
	}, emit)
}

// readRows calls work with each row, whose text a predictor of each model has read, and emit with what work made of a block.
func readRows[T any](ctx context.Context, models []*Model, rows *corpus.Rows, work func([]T, *corpus.Row, []*predictor) ([]T, error), emit func([]T) error) error {
	return ordered.Each(ctx, rows.Next, func(of corpus.Block, part func([]T) error) (all []T, err error) {
		var predictors []*predictor
		predictions := 0
		for _, m := range models {
			p := m.predictors.Get().(*predictor)
			defer m.predictors.Put(p)
			predictors = append(predictors, p)
		}
		err = guarded(models, func() error {
			for row, err := range of.Rows() {
				if err != nil {
					return err
				}
				for _, p := range predictors {
					p.Read(row.Text, true)
				}
				more, err := work(all, row, predictors)
				if err != nil {
					return row.Error(err)
				}
				all = more
				for _, p := range predictors {
					predictions += len(p.Best)
				}
				if predictions > mostPredictions {
					if err := part(all); err != nil {
						return err
					}
					all, predictions = nil, 0
				}
			}
			return nil
		})
		return all, err
	}, emit)
}

// guarded calls do while the files of all models are guarded.
func guarded(models []*Model, do func() error) error {
	if len(models) == 0 {
		return do()
	}
	return models[0].set.Guard(func() error { return guarded(models[1:], do) })
}

// columns returns n pairs of columns.
func (o Output) columns(line Line, n int) []corpus.Added {
	all := make([]corpus.Added, 0, 2*n)
	for i := range n {
		label, probability := corpus.Added{Name: o.As}, corpus.Added{Name: o.As + "_probability"}
		if i > 0 {
			number := "_" + strconv.Itoa(i+1)
			label.Name, probability.Name = label.Name+number, probability.Name+number
		}
		if i < len(line.Best) {
			label.Text, probability.Text = line.Best[i].Label, string(AppendProbability(nil, line.Best[i].Probability))
		}
		all = append(all, label, probability)
	}
	return all
}

// fields returns the fields of an object of JSON.
func (o Output) fields(line Line) []corpus.Added {
	if o.K == 1 && len(line.Best) == 0 {
		null := []byte("null")
		return []corpus.Added{{Name: o.As, JSON: null}, {Name: o.As + "_probability", JSON: null}}
	}
	var list []byte
	for _, best := range line.Best {
		label, _ := json.Marshal(best.Label) // a string has no errors
		if o.K == 1 {
			return []corpus.Added{{Name: o.As, JSON: label}, {Name: o.As + "_probability", JSON: AppendProbability(nil, best.Probability)}}
		}
		list = append(append(append(list, `,{"label":`...), label...), `,"probability":`...)
		list = append(AppendProbability(list, best.Probability), '}')
	}
	return []corpus.Added{{Name: o.As, JSON: append(append([]byte{'['}, bytes.TrimPrefix(list, []byte{','})...), ']')}}
}

// AppendProbability appends a probability as fastText prints it.
func AppendProbability(out []byte, p float32) []byte {
	return decimal.AppendDigits(out, float64(p), 6)
}
