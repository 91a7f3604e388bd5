package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
)

func newClassify(s streams) *cobra.Command {
	c := command("classify", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() })
	c.AddCommand(newClassifyTrain(s), newClassifyTune(s), newClassifyPredict(s), newClassifyTest(s), newClassifyExplain(s), newClassifyAnswer(s))
	return c
}

// withClassifier calls use with the model at a path.
func withClassifier(path string, use func(m *classify.Model) error) (err error) {
	m, err := classify.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	return use(m)
}

type predictFlags struct {
	k         int
	threshold float32
	fields    corpus.Fields
}

func (f *predictFlags) add(c *cobra.Command, labelled bool) {
	whole(c.Flags(), 0, &f.k, "number", "k", 1, "predict the `K` most probable labels; 0 for all")
	c.Flags().Float32Var(&f.threshold, "threshold", 0, "leave out labels whose probability is less than `P`")
	addFields(c.Flags(), &f.fields, labelled)
	checked(c, func([]string) error {
		return cmp.Or(classifyError(f.fields.Validate(labelled)), broken(rule{f.threshold != f.threshold, "--threshold must be a number"}))
	})
}

// addFields adds the flags that say where the text of a row is, and, with labelled, its labels.
func addFields(flags *pflag.FlagSet, f *corpus.Fields, labelled bool) {
	flags.StringVar(&f.Prefix, "label-prefix", "", "`TEXT` that labels in lines of text begin with (default __label__)"+when(labelled, "; it is put before labels of columns and fields"))
	flags.StringVar(&f.TextColumn, "text-column", "", "`COLUMNS` of a table that have the text, by number, or by name with --header; several are separated by commas")
	flags.BoolVar(&f.Header, "header", false, "the first row of each table has the names of the columns")
	flags.StringVar(&f.TextField, "json-field", "", "`FIELDS` of JSON lines that have the text; a.b is field b of the object in field a")
	if labelled {
		flags.StringVar(&f.LabelColumn, "label-column", "", "`COLUMNS` of a table that have labels")
		flags.StringVar(&f.LabelField, "label-field", "", "`FIELDS` of JSON lines that have a label, or a list of labels")
		flags.StringVar(&f.LabelSplit, "label-split", "", "`TEXT` between several labels in one column or field")
	}
}

// rows opens the rows of files, folders and globs, or of standard input.
func (f *predictFlags) rows(ctx context.Context, s streams, paths []string) (*corpus.Rows, error) {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	src, err := corpus.Files(paths, s.in, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return src.Rows(ctx, f.fields), nil
}

func newClassifyPredict(s streams) *cobra.Command {
	var f predictFlags
	var as, output string
	c := command("classify-predict", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return withClassifier(args[0], func(m *classify.Model) (err error) {
			rows, err := f.rows(c.Context(), s, args[1:])
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, rows.Close()) }()
			write := func(w io.Writer) error {
				return m.WriteRows(c.Context(), w, rows, classify.Output{K: f.k, Threshold: f.threshold, As: as})
			}
			if output == "" || output == "-" {
				return write(s.out)
			}
			return atomicfile.Write(output, write)
		})
	})
	f.add(c, false)
	c.Flags().StringVar(&as, "as", "label", "`NAME` of the column or field of labels; that of probabilities is NAME_probability")
	c.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` when all is predicted, instead of to standard output")
	checked(c, func([]string) error {
		return broken(rule{c.Flags().Changed("as") && f.fields.TextField == "" && !f.fields.Header, "--as names a field or a column of a table with --header"})
	})
	return c
}

// A metric is a number with its interval in JSON; null if it is not defined.
type metric struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

func metricOf(x float64, intervals ...eval.Interval) metric {
	if math.IsNaN(x) {
		return metric{}
	}
	m := metric{Value: &x}
	for _, i := range intervals {
		if !i.Known {
			continue
		}
		m.Low, m.High = &i.Low, &i.High
	}
	return m
}

func (m metric) String() string {
	switch {
	case m.Value == nil:
		return "-"
	case m.Low == nil:
		return fmt.Sprintf("%.4f", *m.Value)
	}
	return fmt.Sprintf("%.4f\t%.4f…%.4f", *m.Value, *m.Low, *m.High)
}

type labelScores struct {
	Label     string `json:"label"`
	Texts     uint64 `json:"texts"`
	Predicted uint64 `json:"predicted"`
	Precision metric `json:"precision"`
	Recall    metric `json:"recall"`
	F1        metric `json:"f1"`
}

// testResult is what w2v classify test prints. Its JSON is read by scripts.
type testResult struct {
	Model       string         `json:"model"`
	K           int            `json:"k"`
	Threshold   float32        `json:"threshold"`
	Texts       uint64         `json:"texts"`
	LeftOut     uint64         `json:"left_out"`
	Precision   metric         `json:"precision"`
	Recall      metric         `json:"recall"`
	F1          metric         `json:"micro_f1"`
	MacroF1     metric         `json:"macro_f1"`
	Accuracy    metric         `json:"accuracy"`
	Calibration metric         `json:"calibration_error"`
	Labels      []labelScores  `json:"labels"`
	Confusions  []confusedPair `json:"confusion"`
}

type confusedPair struct {
	Own       string `json:"label"`
	Predicted string `json:"predicted"`
	Texts     uint64 `json:"texts"`
}

func newClassifyTest(s streams) *cobra.Command {
	var f predictFlags
	var asJSON, perLabel bool
	var confused, samples int
	var seed uint64
	c := command("classify-test", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return withClassifier(args[0], func(m *classify.Model) error {
			r, err := s.testClassifier(c.Context(), m, args[1:], f)
			if err != nil {
				return err
			}
			if r.Texts == 0 {
				return fmt.Errorf("%s: no line has labels and words that the model knows, of %d", args[0], r.LeftOut())
			}
			of := resultOf(args[0], f, r, samples, seed)
			if asJSON {
				return printJSON(s.out, of)
			}
			return of.print(s.out, perLabel, confused)
		})
	})
	f.add(c, true)
	c.Flags().BoolVar(&perLabel, "per-label", false, "print precision, recall and F1 of each label")
	whole(c.Flags(), 0, &confused, "confusion", "", 0, "print the `N` pairs of labels that are most often confused")
	whole(c.Flags(), 0, &samples, "bootstrap", "", 1000, "samples of the bootstrap; 0 for no intervals")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the bootstrap")
	addJSON(c, &asJSON)
	return c
}

func (s streams) testClassifier(ctx context.Context, m *classify.Model, paths []string, f predictFlags) (_ *classify.Result, err error) {
	rows, err := f.rows(ctx, s, paths)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	t := m.NewTest(f.k, f.threshold)
	return t.Result(), t.AddRows(ctx, rows)
}

func resultOf(model string, f predictFlags, r *classify.Result, samples int, seed uint64) testResult {
	of := testResult{Model: model, K: f.k, Threshold: f.threshold, Texts: r.Texts, LeftOut: r.LeftOut(), Calibration: metricOf(r.CalibrationError())}
	i := r.Bootstrap(cmp.Or(samples, -1), seed)
	for _, m := range []struct {
		to *metric
		of eval.Estimate
	}{{&of.Precision, i.Precision}, {&of.Recall, i.Recall}, {&of.F1, i.F1}, {&of.MacroF1, i.MacroF1}, {&of.Accuracy, i.Accuracy}} {
		*m.to = metricOf(float64(m.of.Value), m.of.Interval)
	}
	for _, l := range r.Labels {
		of.Labels = append(of.Labels, labelScores{l.Label, l.Own, l.Predicted, metricOf(l.Precision()), metricOf(l.Recall()), metricOf(l.F1())})
	}
	for _, p := range r.Confusions() {
		of.Confusions = append(of.Confusions, confusedPair(p))
	}
	return of
}

func (r testResult) print(w io.Writer, perLabel bool, confused int) error {
	t := newTable(w)
	fmt.Fprintf(t, "texts\t%d\n", r.Texts)
	if r.LeftOut > 0 {
		fmt.Fprintf(t, "left out\t%d\n", r.LeftOut)
	}
	fmt.Fprintf(t, "precision at %d\t%s\nrecall at %d\t%s\nmicro F1\t%s\nmacro F1\t%s\naccuracy\t%s\ncalibration error\t%s\n",
		r.K, r.Precision, r.K, r.Recall, r.F1, r.MacroF1, r.Accuracy, r.Calibration)
	t.Flush()
	if perLabel {
		t := newTable(w)
		fmt.Fprintf(t, "\nlabel\ttexts\tpredicted\tprecision\trecall\tF1\n")
		for _, l := range r.Labels {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\n", l.Label, l.Texts, l.Predicted, l.Precision, l.Recall, l.F1)
		}
		t.Flush()
	}
	if confused > 0 {
		wrong := slices.DeleteFunc(slices.Clone(r.Confusions), func(p confusedPair) bool { return p.Own == p.Predicted })
		t := newTable(w)
		fmt.Fprintf(t, "\nlabel\tpredicted\ttexts\n")
		for _, p := range wrong[:min(confused, len(wrong))] {
			fmt.Fprintf(t, "%s\t%s\t%d\n", p.Own, cmp.Or(p.Predicted, "-"), p.Texts)
		}
		t.Flush()
	}
	return nil
}

// explainedText is what w2v classify explain prints of a text. Its JSON is read by scripts.
type explainedText struct {
	Text        string          `json:"text"`
	Label       string          `json:"label"`
	Probability float32         `json:"probability"`
	Score       float64         `json:"score"`
	Parts       []explainedPart `json:"parts"`
}

type explainedPart struct {
	Text  string  `json:"text"`
	Kind  string  `json:"kind"`
	Of    string  `json:"of,omitempty"`
	Score float64 `json:"contribution"`
}

func newClassifyExplain(s streams) *cobra.Command {
	var label string
	var n int
	var asJSON bool
	c := command("classify-explain", cobra.MinimumNArgs(1), func(_ *cobra.Command, args []string) error {
		return withClassifier(args[0], func(m *classify.Model) error {
			explain := func(text string) error {
				e, err := m.Explain(text, label)
				if errors.Is(err, classify.ErrUnknownText) {
					s.note("%s: %.40q", err, text)
					return nil
				}
				if err != nil {
					return fmt.Errorf("%s: %w", args[0], err)
				}
				of := explanationOf(text, e)
				if asJSON {
					return printJSON(s.out, of)
				}
				return of.print(s.out, n)
			}
			for _, text := range args[1:] {
				if err := explain(text); err != nil {
					return err
				}
			}
			if len(args) > 1 {
				return nil
			}
			for line, err := range lines(s.in) {
				if err == nil {
					err = explain(line)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	c.Flags().StringVar(&label, "label", "", "explain this `LABEL` instead of the most probable one")
	whole(c.Flags(), 1, &n, "number", "n", 10, "print the `N` largest contributions for the label, and as many against it")
	addJSON(c, &asJSON)
	return c
}

func (e explainedText) print(w io.Writer, n int) error {
	t := newTable(w)
	fmt.Fprintf(t, "%s\t%s\tscore %.4f\n", e.Label, classify.AppendProbability(nil, e.Probability), e.Score)
	for i, p := range e.Parts {
		if against := len(e.Parts) - 1 - i; i < n && p.Score > 0 || against < n && p.Score < 0 {
			of := either(p.Of != "", "of "+p.Of, "")
			fmt.Fprintf(t, "%+.4f\t%s\t%s\t%s\n", p.Score, p.Kind, p.Text, of)
		}
	}
	t.Flush()
	return nil
}
