package fasttext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A Classifier prints what fastText prints for a classifier.
type Classifier struct {
	Model     *classify.Model
	K         int     // labels of a line, at least 1; -1 for all
	Threshold float32 // labels with a lower probability are left out
}

// Predict prints a line for each line of r: its labels, the most probable first, with probabilities behind a
// blank each. The line is empty if not even the end of the line has a row.
func (c Classifier) Predict(ctx context.Context, w io.Writer, r io.Reader, probabilities bool) error {
	if !probabilities && c.K == 1 && c.Threshold <= 0 {
		return c.Model.WriteLabels(ctx, w, r, func(out []byte, label string) []byte { return append(append(out, label...), '\n') })
	}
	return c.Model.Write(ctx, w, r, c.K, c.Threshold, func(out []byte, line classify.Line) []byte {
		for i, label := range line.Best {
			if i > 0 {
				out = append(out, ' ')
			}
			out = append(out, label.Label...)
			if probabilities {
				out = decimal.AppendDigits(append(out, ' '), float64(label.Probability), usualDigits)
			}
		}
		return append(out, '\n')
	})
}

// Test prints how many lines of r have labels of their own that the model knows, and precision and recall of
// what is predicted for these lines; before that, with perLabel, a line for each label. The recall of a label is
// what later sources of fastText print: 0.9.2 forgets to count what it is a share of, prints none, and an F1 of
// up to 2.
func (c Classifier) Test(ctx context.Context, w io.Writer, r io.Reader, perLabel bool) error {
	result, err := classify.Test{K: c.K, Threshold: c.Threshold}.Lines(ctx, c.Model, r)
	if err != nil {
		return err
	}
	var out []byte
	format := byte('g')
	if perLabel {
		format = 'f' // from here on
		for _, l := range result.Labels {
			for _, metric := range []struct {
				name  string
				value float64
			}{{"F1-Score", l.F1()}, {"Precision", l.Precision()}, {"Recall", l.Recall()}} {
				out = append(out, metric.name+" : "...)
				if math.IsNaN(metric.value) {
					out = append(out, "--------"...)
				} else {
					out = strconv.AppendFloat(out, metric.value, 'f', 6, 64)
				}
				out = append(out, "  "...)
			}
			out = append(append(append(out, ' '), l.Name...), '\n')
		}
	}
	out = append(strconv.AppendInt(append(out, "N\t"...), int64(result.Texts), 10), '\n')
	for _, metric := range []struct {
		name  string
		value float64
	}{{"P", result.Precision()}, {"R", result.Recall()}} {
		out = append(strconv.AppendInt(append(out, metric.name+"@"...), int64(c.K), 10), '\t')
		if math.IsNaN(metric.value) {
			out = append(out, "nan"...)
		} else {
			out = strconv.AppendFloat(out, metric.value, format, 3, 64)
		}
		out = append(out, '\n')
	}
	_, err = w.Write(out)
	return err
}

// SentenceVectors prints a vector for each line of r: the mean of all rows of the line.
func (c Classifier) SentenceVectors(ctx context.Context, w io.Writer, r io.Reader) error {
	return c.Model.WriteVectors(ctx, w, r, func(out []byte, vector []float32) []byte {
		return append(decimal.AppendRow(out, vector, vectorDigits), '\n')
	})
}

// QuantizeOptions are the arguments of fastText's command quantize.
type QuantizeOptions struct {
	transform.ClassifierOptions
	// Retrain trains the rows that a cutoff leaves again, on the text of Input.
	Retrain bool
	Again   classify.RetrainOptions // Negatives comes from the model
	Input   string
	Stdin   io.Reader // read as the input "-"
}

// Quantize makes output.ftz of the classifier output.bin, as "fasttext quantize" does. Its centroids are w2v's
// own, so codes are other ones. A *MissingError says that there is no input to train on again.
func Quantize(ctx context.Context, output string, opt QuantizeOptions) (err error) {
	if opt.Retrain && opt.Cutoff > 0 && opt.Input == "" {
		return &MissingError{Name: "input", For: "retrain"}
	}
	file, err := format.Open(output + ".bin")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	set := file
	if opt.Retrain && opt.Cutoff > 0 {
		opt.Again.Negatives = set.Training().Int("negatives")
		pruned, err := transform.PruneClassifier(ctx, set, opt.Cutoff, opt.Computation)
		if err != nil {
			return fmt.Errorf("%s.bin: %w", output, err)
		}
		opt.Cutoff = 0
		if pruned != set {
			if set, err = classify.Retrain(ctx, classify.Files(opt.Stdin, opt.Input), pruned, opt.Again); err != nil {
				return err
			}
		}
	}
	small, err := transform.QuantizeClassifier(ctx, set, opt.ClassifierOptions)
	if err != nil {
		return fmt.Errorf("%s.bin: %w", output, err)
	}
	return format.Write(ctx, output+".ftz", small, format.FastText)
}
