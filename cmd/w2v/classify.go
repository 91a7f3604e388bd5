package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/compression"
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

// eachInput calls use with each file, which may be compressed, or with standard input.
func (s streams) eachInput(paths []string, use func(r io.Reader) error) error {
	if len(paths) == 0 {
		return use(s.in)
	}
	for _, path := range paths {
		_, err := compression.ReadFile(path, func(r io.Reader) (struct{}, error) { return struct{}{}, use(r) })
		if err != nil {
			return err
		}
	}
	return nil
}

type predictFlags struct {
	k         int
	threshold float32
}

func (f *predictFlags) add(c *cobra.Command) {
	whole(c.Flags(), 1, &f.k, "number", "k", 1, "predict the `K` most probable labels")
	c.Flags().Float32Var(&f.threshold, "threshold", 0, "leave out labels whose probability is less than `P`")
}

// A rowForm is where the text of a row is, and how a row is written with predictions.
type rowForm struct {
	column int
	header bool
	field  string
	name   string
	k      int
}

func newClassifyPredict(s streams) *cobra.Command {
	var f predictFlags
	var form rowForm
	c := command("classify-predict", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		form.k = f.k
		return withClassifier(args[0], func(m *classify.Model) error {
			first := true
			return s.eachInput(args[1:], func(r io.Reader) error {
				if form.header {
					head, rest, err := firstLine(r)
					if err != nil {
						return err
					}
					if r = rest; first {
						if _, err := s.out.Write(form.heading(head)); err != nil {
							return err
						}
					}
				}
				first = false
				return m.WriteRows(c.Context(), s.out, r, f.k, f.threshold, form.text, form.with)
			})
		})
	})
	f.add(c)
	whole(c.Flags(), 1, &form.column, "text-column", "", 0, "the lines are rows of a table, and column `N` is the text")
	c.Flags().BoolVar(&form.header, "header", false, "the first row names the columns")
	c.Flags().StringVar(&form.field, "json-field", "", "the lines are objects of JSON, and field `NAME` is the text; a.b is field b of the object a")
	c.Flags().StringVar(&form.name, "as", "label", "`NAME` of the column or field of labels; that of probabilities is NAME_probability")
	checked(c, func([]string) error {
		return cmp.Or(
			broken(rule{form.column > 0 && form.field != "", "--text-column and --json-field exclude each other"}),
			broken(rule{form.header && form.column == 0, "--header needs --text-column"}),
			broken(rule{c.Flags().Changed("as") && form.field == "" && !form.header, "--as names a field or a column of a table with --header"}),
			broken(rule{f.threshold != f.threshold, "--threshold must be a number"}))
	})
	return c
}

// firstLine reads the first line, and returns what is left.
func firstLine(r io.Reader) (line []byte, rest io.Reader, err error) {
	one := make([]byte, 1<<16)
	for {
		n, err := r.Read(one)
		line = append(line, one[:n]...)
		if before, after, ok := bytes.Cut(line, []byte{'\n'}); ok {
			return before, io.MultiReader(bytes.NewReader(after), r), nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return line, bytes.NewReader(nil), nil
		case err != nil:
			return nil, nil, err
		}
	}
}

func (f *rowForm) heading(head []byte) []byte {
	head = slices.Clone(bytes.TrimSuffix(head, []byte{'\r'})) // what follows it in memory is the next row
	for i := range f.k {
		suffix := either(i > 0, fmt.Sprintf("_%d", i+1), "")
		head = fmt.Appendf(head, "\t%s%s\t%s_probability%s", f.name, suffix, f.name, suffix)
	}
	return append(head, '\n')
}

// text returns the text of a row.
func (f *rowForm) text(row []byte) ([]byte, error) {
	switch {
	case f.column > 0:
		columns := bytes.Split(bytes.TrimSuffix(row, []byte{'\r'}), []byte{'\t'})
		if len(columns) < f.column {
			return nil, fmt.Errorf("expected %d columns with tabs between them, found %d", f.column, len(columns))
		}
		return columns[f.column-1], nil
	case f.field != "":
		return f.ofObject(row)
	}
	return row, nil
}

func (f *rowForm) ofObject(row []byte) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(row, &object); err != nil || object == nil {
		return nil, fmt.Errorf("expected an object of JSON: %w", cmp.Or(err, errors.New("it is null")))
	}
	for _, name := range []string{f.name, f.name + "_probability"} {
		if _, taken := object[name]; taken {
			return nil, fmt.Errorf("the object has a field %q already: --as names another one", name)
		}
	}
	value, rest := json.RawMessage(nil), f.field
	for {
		if whole, ok := object[rest]; ok {
			value = whole
			break
		}
		name, more, nested := bytes.Cut([]byte(rest), []byte{'.'})
		if !nested {
			return nil, fmt.Errorf("the object has no field %q", f.field)
		}
		inner := object[string(name)]
		object = nil
		if err := json.Unmarshal(inner, &object); err != nil || object == nil {
			return nil, fmt.Errorf("the object has no field %q", f.field)
		}
		rest = string(more)
	}
	var text *string
	if err := json.Unmarshal(value, &text); err != nil {
		return nil, fmt.Errorf("field %q is no string: %w", f.field, err)
	}
	if text == nil { // null: a text without words
		return nil, nil
	}
	return []byte(*text), nil
}

// with appends a row with its predictions.
func (f *rowForm) with(out, row []byte, line classify.Line) ([]byte, error) {
	row = bytes.TrimSuffix(row, []byte{'\r'})
	switch {
	case f.column > 0:
		out = append(append(out, row...), '\t')
		return append(f.pairs(out, line), '\n'), nil
	case f.field != "":
		end := bytes.LastIndexByte(row, '}') // the row is an object
		inner := bytes.TrimRight(row[:end], " \t")
		out = append(out, inner...)
		if !bytes.HasSuffix(inner, []byte{'{'}) {
			out = append(out, ',')
		}
		out, err := f.fields(out, line)
		return append(append(out, row[len(inner):]...), '\n'), err
	}
	out = append(f.pairs(out, line), '\t')
	return append(append(out, row...), '\n'), nil
}

// pairs appends k labels and probabilities with tabs between them.
func (f *rowForm) pairs(out []byte, line classify.Line) []byte {
	for i := range f.k {
		if i > 0 {
			out = append(out, '\t')
		}
		if i < len(line.Best) {
			out = append(append(out, line.Best[i].Label...), '\t')
			out = appendProbability(out, line.Best[i].Probability)
		} else {
			out = append(out, '\t')
		}
	}
	return out
}

func appendProbability(out []byte, p float32) []byte {
	return strconv.AppendFloat(out, float64(p), 'g', 6, 64)
}

// fields appends the fields of an object.
func (f *rowForm) fields(out []byte, line classify.Line) ([]byte, error) {
	name, err := json.Marshal(f.name)
	if err != nil {
		return nil, err
	}
	pair := func(best classify.Prediction) (label, probability []byte) {
		label, _ = json.Marshal(best.Label) // a string has no errors
		return label, appendProbability(nil, best.Probability)
	}
	if f.k > 1 {
		out = append(append(out, name...), ":["...)
		for i, best := range line.Best {
			if i > 0 {
				out = append(out, ',')
			}
			label, probability := pair(best)
			out = fmt.Appendf(out, `{"label":%s,"probability":%s}`, label, probability)
		}
		return append(out, ']'), nil
	}
	label, probability := []byte("null"), []byte("null")
	if len(line.Best) > 0 {
		label, probability = pair(line.Best[0])
	}
	second, err := json.Marshal(f.name + "_probability")
	return fmt.Appendf(out, "%s:%s,%s:%s", name, label, second, probability), err
}

// A metric is a number with its interval in JSON; null if it is not defined.
type metric struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

func metricOf(x float64, intervals ...classify.Interval) metric {
	if math.IsNaN(x) {
		return metric{}
	}
	m := metric{Value: &x}
	for _, i := range intervals {
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
				return fmt.Errorf("%s: no line has labels and words that the model knows, of %d", args[0], r.LeftOut)
			}
			of := resultOf(args[0], f, r, samples, seed)
			if asJSON {
				return printJSON(s.out, of)
			}
			return of.print(s.out, perLabel, confused)
		})
	})
	f.add(c)
	c.Flags().BoolVar(&perLabel, "per-label", false, "print precision, recall and F1 of each label")
	whole(c.Flags(), 0, &confused, "confusion", "", 0, "print the `N` pairs of labels that are most often confused")
	whole(c.Flags(), 0, &samples, "bootstrap", "", 1000, "samples of the bootstrap; 0 for no intervals")
	c.Flags().Uint64Var(&seed, "seed", 0, "seed of the bootstrap")
	addJSON(c, &asJSON)
	return c
}

func (s streams) testClassifier(ctx context.Context, m *classify.Model, paths []string, f predictFlags) (*classify.Result, error) {
	t := m.NewTest(f.k, f.threshold)
	err := s.eachInput(paths, func(r io.Reader) error { return t.Add(ctx, r) })
	return t.Result(), err
}

func resultOf(model string, f predictFlags, r *classify.Result, samples int, seed uint64) testResult {
	of := testResult{Model: model, K: f.k, Threshold: f.threshold, Texts: r.Texts, LeftOut: r.LeftOut, Calibration: metricOf(r.CalibrationError())}
	var precision, recall, f1, macro, accuracy []classify.Interval
	if samples > 0 {
		i := r.Bootstrap(samples, seed)
		precision, recall, f1 = []classify.Interval{i.Precision}, []classify.Interval{i.Recall}, []classify.Interval{i.F1}
		macro, accuracy = []classify.Interval{i.MacroF1}, []classify.Interval{i.Accuracy}
	}
	of.Precision, of.Recall, of.F1 = metricOf(r.Precision(), precision...), metricOf(r.Recall(), recall...), metricOf(r.F1(), f1...)
	of.MacroF1, of.Accuracy = metricOf(r.MacroF1(), macro...), metricOf(r.Accuracy(), accuracy...)
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
	fmt.Fprintf(t, "%s\t%s\tscore %.4f\n", e.Label, appendProbability(nil, e.Probability), e.Score)
	for i, p := range e.Parts {
		if against := len(e.Parts) - 1 - i; i < n && p.Score > 0 || against < n && p.Score < 0 {
			of := either(p.Of != "", "of "+p.Of, "")
			fmt.Fprintf(t, "%+.4f\t%s\t%s\t%s\n", p.Score, p.Kind, p.Text, of)
		}
	}
	t.Flush()
	return nil
}
