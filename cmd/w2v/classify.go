package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/eval/report"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/internal/wording"
)

func newClassify(s streams) *cobra.Command {
	c := command("classify", cobra.NoArgs, func(c *cobra.Command, _ []string) error { return c.Help() })
	c.AddCommand(newClassifyTrain(s), newClassifyTune(s), newClassifyPredict(s), newClassifyTest(s), newClassifyExplain(s), newClassifyAnswer(s), newClassifyCalibrate(s))
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
	whole(c.Flags(), -1, &f.k, "number", "k", 1, "predict the `K` most probable labels; -1 or 0 for all")
	c.Flags().Float32Var(&f.threshold, "threshold", 0, "leave out labels whose probability is less than `P`")
	addFields(c.Flags(), &f.fields, labelled)
	checked(c, func([]string) error {
		f.k = max(f.k, 0)
		return cmp.Or(classifyError(f.fields.Validate(labelled)), broken(rule{!(f.threshold >= 0 && f.threshold <= 1), "--threshold must be from 0 to 1"}))
	})
}

// addFields adds the flags that say where the text of a row is, and, with labelled, its labels.
func addFields(flags *pflag.FlagSet, f *corpus.Fields, labelled bool) {
	flags.Var((*labelPrefix)(&f.Prefix), "label-prefix", "`TEXT` that labels in lines of text begin with (default __label__)"+when(labelled, "; it is put before labels of columns and fields"))
	flags.StringVar(&f.TextColumn, "text-column", "", "`COLUMNS` of a table that have the text, by number, or by name in Parquet and with --header; several are separated by commas, and a name with a comma is in double quotes")
	flags.BoolVar(&f.Header, "header", false, "the first row of each table has the names of the columns")
	flags.StringVar(&f.TextField, "json-field", "", "`FIELDS` of JSON lines that have the text; a.b is field b of the object in field a")
	if labelled {
		flags.StringVar(&f.LabelColumn, "label-column", "", "`COLUMNS` of a table that have labels")
		flags.StringVar(&f.LabelField, "label-field", "", "`FIELDS` of JSON lines that have a label, or a list of labels")
		flags.StringVar(&f.LabelSplit, "label-split", "", "`TEXT` between several labels in one column or field")
	}
}

// A labelPrefix is the value of --label-prefix, which may not be empty: each word would be a label.
type labelPrefix string

func (p *labelPrefix) String() string { return string(*p) }
func (p *labelPrefix) Type() string   { return "string" }
func (p *labelPrefix) Set(text string) error {
	if text == "" {
		return errors.New("is empty: each word would be a label")
	}
	*p = labelPrefix(text)
	return nil
}

// rows opens the rows of files, folders and globs, or of standard input.
func (f *predictFlags) rows(ctx context.Context, s streams, paths []string) (*corpus.Rows, error) {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	src, err := corpus.FilesContext(ctx, paths, s.in, corpus.Options{})
	if err != nil {
		return nil, err
	}
	return src.Rows(ctx, f.fields), nil
}

// A writerFunc is an io.Writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

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
				err := m.WriteRows(c.Context(), w, rows, classify.Output{K: f.k, Threshold: f.threshold, As: as})
				return advised[*corpus.TakenError](err, "--as gives another one, such as --as predicted")
			}
			if output == "" || output == "-" {
				return write(s.out)
			}
			var unwritten, failed error
			err = atomicfile.Write(output, func(w io.Writer) error {
				begun := false
				failed = write(writerFunc(func(b []byte) (int, error) {
					if !begun && len(b) > 0 {
						begun = true
						if err := fitsName(output, b); err != nil {
							return 0, misuse(err)
						}
					}
					n, err := w.Write(b)
					unwritten = errors.Join(unwritten, err)
					return n, err
				}))
				return failed
			})
			if failed != nil && unwritten == nil {
				return failed // of a file that is read: its name is enough
			}
			return err
		})
	})
	f.add(c, false)
	c.Flags().StringVar(&as, "as", "label", "`NAME` of the column or field of labels; that of probabilities is NAME_probability")
	c.Flags().StringVarP(&output, "output", "o", "", "write to `FILE` when all is predicted, instead of to standard output")
	checked(c, func([]string) error {
		named := f.fields.Header || f.fields.TextField != "" || corpus.Column(f.fields.TextColumn).Number() == 0 && f.fields.TextColumn != ""
		return broken(rule{c.Flags().Changed("as") && !named, "--as names a field, or a column of a table with --header or of Parquet, whose columns are given by name"})
	})
	return c
}

// fitsName returns an error if what begins with b is no table of Parquet and the name of the output says that it is one,
// or the other way round. What is written has the form of what is read.
func fitsName(output string, b []byte) error {
	table, extension := bytes.HasPrefix(b, []byte(parquet.Magic)), strings.ToLower(filepath.Ext(output))
	switch {
	case !table && extension == ".parquet":
		return fmt.Errorf("%s: predictions have the form of what is read, which is no Parquet table: give the output another name", output)
	case table && slices.Contains([]string{".tsv", ".csv", ".jsonl", ".txt"}, extension):
		return fmt.Errorf("%s: predictions have the form of what is read, which is a Parquet table: give the output another name", output)
	}
	return nil
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
	Label     string  `json:"label"`
	Texts     uint64  `json:"texts"`
	Predicted uint64  `json:"predicted"`
	Precision metric  `json:"precision"`
	Recall    metric  `json:"recall"`
	F1        metric  `json:"f1"`
	AUC       *metric `json:"auc,omitempty"` // only with --auc; null if not defined
}

// testResult is what w2v classify test prints. Its JSON is read by scripts.
type testResult struct {
	Model         string            `json:"model"`
	K             int               `json:"k"`
	Threshold     float32           `json:"threshold"`
	Texts         uint64            `json:"texts"`
	LeftOut       uint64            `json:"left_out"`
	Unlabeled     uint64            `json:"without_label"`
	Unknown       uint64            `json:"of_unknown_labels"`
	Wordless      uint64            `json:"of_unknown_words"`
	Doubtful      uint64            `json:"called_unknown,omitempty"`
	UnknownLabels map[string]uint64 `json:"unknown_labels,omitempty"` // texts of each
	Precision     metric            `json:"precision"`
	Recall        metric            `json:"recall"`
	F1            metric            `json:"micro_f1"`
	MacroF1       metric            `json:"macro_f1"`
	Accuracy      metric            `json:"accuracy"`
	Calibration   metric            `json:"calibration_error"`
	MacroAUC      *metric           `json:"macro_auc,omitempty"` // only with --auc
	Bins          []reliability     `json:"calibration"`
	Labels        []labelScores     `json:"labels"`
	Confusions    []confusedPair    `json:"confusion"`
}

// A reliability is how often labels of about the same probability are right.
type reliability struct {
	Texts       uint64  `json:"texts"`
	Probability float64 `json:"probability"` // their mean
	Accuracy    float64 `json:"accuracy"`
}

type confusedPair struct {
	Own       string `json:"label"`
	Predicted string `json:"predicted"`
	Texts     uint64 `json:"texts"`
}

type testFlags struct {
	predictFlags
	against           []string
	perLabel, auc     bool
	confused, samples int
	seed              uint64
	report            reportFlags
}

func newClassifyTest(s streams) *cobra.Command {
	var f testFlags
	c := command("classify-test", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return f.run(c.Context(), s, args[0], args[1:])
	})
	f.add(c, true)
	c.Flags().StringArrayVar(&f.against, "against", nil, "test this `MODEL` on the same texts, and say whether it differs from the first; may be repeated")
	c.Flags().BoolVar(&f.perLabel, "per-label", false, "print precision, recall and F1 of each label")
	c.Flags().BoolVar(&f.auc, "auc", false, "measure the area under the ROC curve: of each label against the others, and on average over labels")
	whole(c.Flags(), 0, &f.confused, "confusion", "", 0, "print the `N` pairs of labels that are most often confused")
	whole(c.Flags(), 0, &f.samples, "bootstrap", "", 1000, "samples of the bootstrap; 0 for no intervals")
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the bootstrap")
	f.report.add(c)
	checked(c, func([]string) error {
		return broken(rule{len(f.against) > 0 && f.samples == 0, "--against needs --bootstrap: p-values come from its samples"},
			rule{len(slices.Compact(slices.Sorted(slices.Values(f.against)))) < len(f.against), "--against: a model is given twice"})
	})
	return c
}

// withClassifiers calls use with the models at paths.
func withClassifiers(paths []string, use func([]*classify.Model) error) error {
	if len(paths) == 0 {
		return use(nil)
	}
	return withClassifier(paths[0], func(m *classify.Model) error {
		return withClassifiers(paths[1:], func(others []*classify.Model) error { return use(append([]*classify.Model{m}, others...)) })
	})
}

func (f *testFlags) run(ctx context.Context, s streams, path string, texts []string) error {
	names := append([]string{path}, f.against...)
	return withClassifiers(names, func(models []*classify.Model) (err error) {
		rows, err := f.rows(ctx, s, texts)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		measured, err := classify.Test{K: f.k, Threshold: f.threshold, AUC: f.auc}.Rows(ctx, rows, models...)
		if err != nil {
			return err
		}
		var all []any
		var results []testResult
		var tested []report.Classifier
		for i, r := range measured {
			noteUnknown(s, names[i], r)
			if r.All() == 0 {
				return errors.New("there is no text to test with")
			}
			if r.Texts == 0 {
				return fmt.Errorf("%s: no text has labels and words that the model knows, of %s", names[i], wording.Count(r.LeftOut(), "text", "texts"))
			}
			if r.HasAUC() && math.IsNaN(r.MacroAUC()) {
				s.note("%s: the AUC is not defined: no label is that of some of the texts and not of others", names[i])
			}
			metrics := r.Bootstrap(cmp.Or(f.samples, -1), f.seed)
			tested = append(tested, report.Classifier{Name: names[i], Result: r, Metrics: metrics})
			results = append(results, f.resultOf(names[i], r, metrics))
			all = append(all, results[i])
		}
		differences, err := labels.Compare(strings.Join(texts, " "), names, measured, cmp.Or(f.samples, -1), f.seed)
		if err != nil {
			return err
		}
		for _, d := range differences {
			all = append(all, d)
		}
		doc := report.NewClassification(tested, differences, f.rules(names))
		return writeReport(&f.report, s.out, doc, all, func(w io.Writer) { f.print(w, results, differences) })
	})
}

// rules returns what readers need to know in order to repeat a test.
func (f *testFlags) rules(names []string) []report.Fact {
	facts := []report.Fact{
		{Name: "predicted", Value: either(f.k == 0, "all labels", either(f.k == 1, "the most probable label", fmt.Sprintf("the %d most probable labels", f.k))) + when(f.threshold > 0, ", of a probability of at least %v", f.threshold)},
		{Name: "intervals", Value: either(f.samples == 0, "none", fmt.Sprintf("95 %%, bootstrap of %s samples, seed %d", wording.Thousands(f.samples), f.seed))},
	}
	for _, name := range names {
		if source, err := eval.Hash(name); err == nil {
			facts = append(facts, report.Fact{Name: name, Value: "SHA-256 " + source.SHA256})
		}
	}
	return append(facts, report.Fact{Name: "w2v", Value: version()})
}

// noteUnknown notes labels of texts that a model does not know.
func noteUnknown(s streams, model string, r *labels.Result) {
	const named = 5
	unknown := slices.SortedFunc(maps.Keys(r.UnknownLabels), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.UnknownLabels[b], r.UnknownLabels[a]), cmp.Compare(a, b))
	})
	if len(unknown) == 0 {
		return
	}
	list := wording.Map(unknown[:min(named, len(unknown))], func(label string) string {
		return fmt.Sprintf("%q (%s)", label, wording.Count(r.UnknownLabels[label], "text", "texts"))
	})
	hint := ""
	for _, l := range r.Labels {
		if strings.HasPrefix(l.Name, corpus.DefaultPrefix) && !strings.HasPrefix(unknown[0], corpus.DefaultPrefix) {
			hint = "; its labels begin with " + corpus.DefaultPrefix + ", which --label-prefix puts before those of columns and fields"
			break
		}
	}
	s.note("%s does not know %s of the texts: %s%s%s", model, wording.Count(len(unknown), "label", "labels"), strings.Join(list, ", "), when(len(unknown) > named, " …"), hint)
}

func (f *testFlags) resultOf(model string, r *labels.Result, i labels.Estimates) testResult {
	of := testResult{
		Model: model, K: f.k, Threshold: f.threshold, Texts: r.Texts, LeftOut: r.LeftOut(), Unlabeled: r.Unlabeled, Unknown: r.Unknown, Wordless: r.Wordless, Doubtful: r.Doubtful,
		UnknownLabels: r.UnknownLabels, Calibration: metricOf(r.CalibrationError()),
	}
	for _, m := range []struct {
		to *metric
		of eval.Estimate
	}{{&of.Precision, i.Precision}, {&of.Recall, i.Recall}, {&of.F1, i.F1}, {&of.MacroF1, i.MacroF1}, {&of.Accuracy, i.Accuracy}} {
		*m.to = metricOf(float64(m.of.Value), m.of.Interval)
	}
	for _, b := range r.Bins {
		if b.Texts > 0 {
			of.Bins = append(of.Bins, reliability{b.Texts, b.Probability(), b.Accuracy()})
		}
	}
	areaOf := func(x float64) *metric {
		if m := metricOf(x); r.HasAUC() {
			return &m
		}
		return nil
	}
	of.MacroAUC = areaOf(r.MacroAUC())
	for i, l := range r.Labels {
		of.Labels = append(of.Labels, labelScores{l.Name, l.Own, l.Predicted, metricOf(l.Precision()), metricOf(l.Recall()), metricOf(l.F1()), areaOf(r.LabelAUC(i))})
	}
	for _, p := range r.Confusions() {
		of.Confusions = append(of.Confusions, confusedPair(p))
	}
	return of
}

func (f *testFlags) print(w io.Writer, results []testResult, differences []eval.Comparison) {
	for i, r := range results {
		if len(results) > 1 {
			fmt.Fprintf(w, "%s%s\n", when(i > 0, "\n"), r.Model)
		}
		r.print(w, f.perLabel, f.confused)
	}
	for _, r := range results[1:] {
		fmt.Fprintln(w)
		printPair(w, slices.DeleteFunc(slices.Clone(differences), func(d eval.Comparison) bool { return d.B != r.Model }), "metric")
	}
	if len(differences) > 0 {
		fmt.Fprintf(w, "p-values of accuracy by McNemar's exact test, others by %s paired samples; Holm's correction for %s\n",
			wording.Thousands(f.samples), wording.Count(len(differences), "comparison", "comparisons"))
	}
}

func (r testResult) print(w io.Writer, perLabel bool, confused int) {
	t := newTable(w)
	fmt.Fprintf(t, "texts\t%d\n", r.Texts)
	for _, of := range []struct {
		name string
		n    uint64
	}{{"without a label", r.Unlabeled}, {"of unknown labels", r.Unknown}, {"of unknown words", r.Wordless}, {"called unknown", r.Doubtful}} {
		if of.n > 0 {
			fmt.Fprintf(t, "%s\t%d\n", of.name, of.n)
		}
	}
	at := either(r.K == 0, "of all", fmt.Sprintf("at %d", r.K))
	fmt.Fprintf(t, "precision %s\t%s\nrecall %s\t%s\nmicro F1\t%s\nmacro F1\t%s\naccuracy\t%s\ncalibration error\t%s\n",
		at, r.Precision, at, r.Recall, r.F1, r.MacroF1, r.Accuracy, r.Calibration)
	if r.MacroAUC != nil {
		fmt.Fprintf(t, "macro AUC\t%s\n", r.MacroAUC)
	}
	t.Flush()
	if perLabel {
		t := newTable(w)
		fmt.Fprintf(t, "\nlabel\ttexts\tpredicted\tprecision\trecall\tF1%s\n", when(r.MacroAUC != nil, "\tAUC"))
		for _, l := range r.Labels {
			fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s", l.Label, l.Texts, l.Predicted, l.Precision, l.Recall, l.F1)
			if l.AUC != nil {
				fmt.Fprintf(t, "\t%s", l.AUC)
			}
			fmt.Fprintln(t)
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
	var asJSON, all bool
	c := command("classify-explain", cobra.MinimumNArgs(1), func(c *cobra.Command, args []string) error {
		return withClassifier(args[0], func(m *classify.Model) error {
			if all {
				return s.explainLabels(c.Context(), args[0], m, label, n, asJSON)
			}
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
	c.Flags().BoolVar(&all, "all", false, "instead of texts, show which of all words and n-grams of the model speak for the label, or for each label")
	whole(c.Flags(), 1, &n, "number", "n", 10, "print the `N` largest contributions for the label, and as many against it")
	addJSON(c, &asJSON)
	checked(c, func(args []string) error {
		return broken(rule{all && len(args) > 1, "--all explains labels without a text: leave out TEXT"})
	})
	return c
}

// explainedLabel is what w2v classify explain --all prints of a label. Its JSON is read by scripts.
type explainedLabel struct {
	Label string          `json:"label"`
	Parts []explainedPart `json:"parts"`
}

// mostExplained is how many labels are explained without naming one.
const mostExplained = 100

func (s streams) explainLabels(ctx context.Context, path string, m *classify.Model, label string, n int, asJSON bool) error {
	labels := []string{label}
	if label == "" {
		if labels = m.Labels(); len(labels) > mostExplained {
			return fmt.Errorf("%s has %s labels: say which one with --label", path, wording.Thousands(len(labels)))
		}
	}
	for i, label := range labels {
		e, err := m.ExplainLabel(ctx, label, n)
		if err != nil {
			return ofModel(path, err)
		}
		parts := explanationOf("", e).Parts
		if asJSON {
			if err := printJSON(s.out, explainedLabel{label, parts}); err != nil {
				return err
			}
			continue
		}
		t := newTable(s.out)
		fmt.Fprintf(t, "%s%s\n", when(i > 0, "\n"), label)
		for _, p := range parts {
			fmt.Fprintf(t, "%+.4f\t%s\t%s\n", p.Score, p.Kind, p.Text)
		}
		t.Flush()
	}
	return nil
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
