package fasttext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/classify/tune"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// Supervised are the arguments of fastText's command supervised. Its zero value has fastText's defaults.
type Supervised struct {
	Stdin io.Reader // read as the input "-"; nil for standard input
	// Enough ends the search for settings when it is closed: the best ones so far are trained. nil if nothing does.
	Enough <-chan struct{}
	// GiveUp, when it is closed, ends the saving of what was trained before the context ended. nil: nothing ends it.
	GiveUp <-chan struct{}
	given  map[string]string
}

// supervisedDefaults are the defaults that differ from those of word vectors.
var supervisedDefaults = map[string]string{"lr": "0.1", "minCount": "1", "minn": "0", "maxn": "0", "loss": "softmax"}

// supervisedLosses are fastText's names of losses.
var supervisedLosses = map[string]sgns.Loss{
	"softmax": sgns.Softmax, "one-vs-all": sgns.OneVersusAll, "ova": sgns.OneVersusAll, "ns": sgns.NegativeSampling, "hs": sgns.HierarchicalSoftmax,
}

// leastOf has the least value of arguments whose other values fastText crashes on, or makes models of nothing with.
var leastOf = map[string]int{"dim": 1, "maxn": 0, "thread": 0, "autotune-duration": 1, "autotune-predictions": 1}

// trainsClassifiers reports whether an argument of word vectors, or of classifiers alone, has an effect on classifiers, or
// may have any value as in fastText because it has none.
func trainsClassifiers(a Argument) bool {
	return !a.Unsupported || slices.Contains([]string{"minCountLabel", "wordNgrams", "lrUpdateRate"}, a.Name) || strings.HasPrefix(a.Name, "autotune-")
}

// Set sets an argument. The value of a switch is "true". The error is an *UnknownError, an *UnsupportedError,
// or describes an invalid value.
func (o *Supervised) Set(name, value string) error {
	a, ok := Find(name)
	switch {
	case !ok:
		return &UnknownError{name}
	case !trainsClassifiers(a) && a.Switch:
		return &UnsupportedError{Name: name}
	case !trainsClassifiers(a) && value != a.Default:
		return &UnsupportedError{name, value}
	case a.Switch:
	case name == "loss" && supervisedLosses[value] == "":
		return fmt.Errorf(`-loss: %q is not softmax, ova, ns or hs`, value)
	case name == "label" && value == "":
		return errors.New("-label: labels begin with nothing, and so each word is one")
	case name == "autotune-metric":
		if _, err := metricOf(value); err != nil {
			return err
		}
	case name == "autotune-modelsize":
		if _, err := sizeOf(value); err != nil {
			return err
		}
	case name == "lr" || name == "t":
		if x, err := strconv.ParseFloat(value, 64); err != nil || math.IsNaN(x) || math.IsInf(x, 0) || name == "lr" && x < 0 {
			return fmt.Errorf("-%s: %q is not a number%s", name, value, map[string]string{"lr": " of 0 or more"}[name])
		}
	case !slices.Contains([]string{"input", "output", "label", "loss", "pretrainedVectors", "autotune-validation"}, name):
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("-%s: %q is not a whole number", name, value)
		}
		if least, ok := leastOf[name]; ok && n < least && !(name == "autotune-predictions" && n == -1) {
			return fmt.Errorf("-%s: %d is less than %d", name, n, least)
		}
	}
	if o.given == nil {
		o.given = map[string]string{}
	}
	o.given[name] = value
	return nil
}

// Value returns the value of an argument, or fastText's default if it was not given.
func (o *Supervised) Value(name string) string {
	if value, ok := o.given[name]; ok {
		return value
	}
	if value, ok := supervisedDefaults[name]; ok {
		return value
	}
	a, _ := Find(name)
	return a.Default
}

// Int returns the value of an argument that is a whole number.
func (o *Supervised) Int(name string) int {
	n, _ := strconv.Atoi(o.Value(name)) // checked by Set
	return n
}

// options returns the options of package classify.
func (o *Supervised) options() classify.Options {
	c := classify.Defaults()
	c.LearningRate, _ = strconv.ParseFloat(o.Value("lr"), 64) // checked by Set
	c.Fields.Prefix = o.Value("label")
	c.Dim, c.Epochs, c.Loss, c.Negatives = o.Int("dim"), o.Int("epoch"), supervisedLosses[o.Value("loss")], o.Int("neg")
	c.MinCount, c.MinLabelCount = max(o.Int("minCount"), 1), max(o.Int("minCountLabel"), 1)
	c.MinN, c.MaxN, c.WordNgrams, c.Buckets = o.Int("minn"), o.Int("maxn"), o.Int("wordNgrams"), o.Int("bucket")
	if c.MaxN > 0 {
		c.MinN = max(c.MinN, 1) // n-grams have at least one character
	}
	if !draws(c.Loss) {
		c.Negatives = classify.Defaults().Negatives
	}
	if c.Epochs <= 0 || c.LearningRate == 0 {
		c.Epochs, c.LearningRate = 1, untrained
	}
	c.Threads, c.Seed = o.Int("thread"), uint64(o.Int("seed"))
	return c
}

// draws reports whether a loss draws negatives.
func draws(l sgns.Loss) bool {
	c := sgns.Config{Loss: l}
	return slices.ContainsFunc(sgns.Settings(), func(s sgns.Setting) bool { return s.Name == "negatives" && s.Needs.Met(&c) })
}

// untrained is a learning rate that leaves all rows as they begin: it is 0 in float32, and not what classify calls suited.
const untrained = math.SmallestNonzeroFloat64

// Check returns an error for arguments that are missing or make no sense together.
func (o *Supervised) Check() error {
	for _, name := range []string{"input", "output"} {
		if o.Value(name) == "" {
			return &MissingError{Name: name}
		}
	}
	for name := range o.given {
		if strings.HasPrefix(name, "autotune-") && !o.Tunes() {
			return &MissingError{"autotune-validation", name}
		}
	}
	minn, maxn := o.Int("minn"), o.Int("maxn")
	switch {
	case maxn > 0 && minn > maxn:
		return fmt.Errorf("-minn %d is more than -maxn %d, and no n-gram is between them: -maxn 0 trains words alone", minn, maxn)
	case o.Int("bucket") < 1 && (maxn > 0 || o.Int("wordNgrams") > 1) && !o.Tunes():
		return fmt.Errorf("-bucket %d: n-grams and runs of words need 1 or more", o.Int("bucket"))
	case o.Int("neg") < 1 && draws(supervisedLosses[o.Value("loss")]):
		return fmt.Errorf("-neg %d: -loss %s draws 1 label or more", o.Int("neg"), o.Value("loss"))
	}
	return nil
}

// described returns a set with what fastText's file says of the arguments.
func (o *Supervised) described(set *vectors.Set) *vectors.Set {
	facts := set.Training()
	if !o.Tunes() {
		facts.Set("epochs", o.Int("epoch"))
	}
	t, _ := strconv.ParseFloat(o.Value("t"), 64) // checked by Set
	facts.Set("window", o.Int("ws"))
	facts.Set("sample", t)
	return set.WithTraining(facts)
}

// metricOf returns the metric of fastText's name, whose numbers are percentages.
func metricOf(name string) (labels.Metric, error) {
	for theirs, ours := range map[string]labels.Kind{"precisionAtRecall": labels.PrecisionAtRecall, "recallAtPrecision": labels.RecallAtPrecision} {
		if rest, ok := strings.CutPrefix(name, theirs+":"); ok {
			number, label, more := strings.Cut(rest, ":")
			percent, err := strconv.ParseFloat(number, 64)
			if err != nil || !(percent > 0 && percent <= 100) || more && label == "" {
				return labels.Metric{}, fmt.Errorf("-autotune-metric: %q is not %s:N or %s:N:LABEL with a percentage N", name, theirs, theirs)
			}
			return labels.Metric{Kind: ours, At: percent / 100, Label: label}, nil
		}
	}
	if m, err := labels.ParseMetric(name); err == nil && m.Kind == labels.F1 {
		return m, nil
	}
	return labels.Metric{}, fmt.Errorf("-autotune-metric: %q is not f1, f1:LABEL, precisionAtRecall:N or recallAtPrecision:N with a percentage N, or one of both with :LABEL", name)
}

// sizeOf returns a number of bytes, as 100k, 2M and 1G are; 0 for none.
func sizeOf(text string) (uint64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(text, "kKmMgG")
	unit, ok := map[string]uint64{"": 1, "k": 1e3, "m": 1e6, "g": 1e9}[strings.ToLower(text[len(number):])]
	n, err := strconv.ParseUint(number, 10, 32)
	if !ok || err != nil || n == 0 {
		return 0, fmt.Errorf("-autotune-modelsize: %q is not a size in bytes, as 100k and 2M are", text)
	}
	return n * unit, nil
}

// Tunes reports whether settings are searched for: whether there is a file for that.
func (o *Supervised) Tunes() bool { return o.Value("autotune-validation") != "" }

// tuneOptions returns the options of a search. Arguments that are given stay as they are, and so do those that fastText does
// not search for. The search begins with the defaults of package classify, which suit more texts than fastText's.
func (o *Supervised) tuneOptions(start classify.Options) (t tune.Options) {
	usual := classify.Defaults()
	t = tune.Options{Fixed: []string{"loss", "min-count"}, Number: o.Int("autotune-predictions")}
	for name, keep := range map[string]struct {
		flag  string
		other func()
	}{
		"epoch":      {"epochs", func() { start.Epochs = usual.Epochs }},
		"lr":         {"lr", func() { start.LearningRate = usual.LearningRate }},
		"dim":        {"dim", func() { start.Dim = usual.Dim }},
		"wordNgrams": {"word-ngrams", func() { start.WordNgrams = usual.WordNgrams }},
		"minn":       {"minn", func() { start.MinN = usual.MinN }},
		"maxn":       {"maxn", func() { start.MaxN = usual.MaxN }},
		"bucket":     {"buckets", func() { start.Buckets = usual.Buckets }},
	} {
		if _, given := o.given[name]; given {
			t.Fixed = append(t.Fixed, keep.flag)
		} else {
			keep.other()
		}
	}
	if start.MaxN > 0 {
		start.MinN = min(max(start.MinN, 1), start.MaxN)
	}
	start.Threads = min(start.Threads, runtime.GOMAXPROCS(0))
	t.Options, t.Enough, t.Budget = start, o.Enough, time.Duration(o.Int("autotune-duration"))*time.Second
	t.Format = format.FastText
	t.Metric, _ = metricOf(o.Value("autotune-metric"))     // checked by Set
	t.ModelSize, _ = sizeOf(o.Value("autotune-modelsize")) // checked by Set
	t.Quantize = t.ModelSize > 0
	return t
}

func (o *Supervised) stdin() io.Reader {
	if o.Stdin != nil {
		return o.Stdin
	}
	return os.Stdin
}

// Train trains a classifier. It writes OUTPUT.bin, OUTPUT.vec and, with saveOutput, OUTPUT.output, and returns their
// names. If ctx ends before training does, Train writes only OUTPUT.bin with what is trained so far, or partial-OUTPUT.bin if
// OUTPUT.bin is there, and returns the error of ctx with its name. With an epoch of 0 or less, or a learning rate of 0, rows stay as they begin.
//
// With autotune-validation it trains with the best of many settings, as tune.Run does, and with autotune-modelsize it
// writes OUTPUT.ftz in place of OUTPUT.bin. The time of autotune-duration includes all training.
func (o *Supervised) Train(ctx context.Context, h tune.Hooks) (trained *classify.Trained, files []string, err error) {
	if err := o.Check(); err != nil {
		return nil, nil, err
	}
	output, model := o.Value("output"), ".bin"
	if o.Tunes() && o.Value("autotune-modelsize") != "" {
		model = ".ftz"
	}
	if err := format.CheckTarget(output+model, format.FastText); err != nil {
		return nil, nil, err
	}
	options := o.options()
	if path := o.Value("pretrainedVectors"); path != "" {
		set, err := format.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		options.Init, options.UpdateVocab = set, true
	}
	corpus := classify.Files(o.stdin(), o.Value("input"))
	if o.Tunes() {
		t := o.tuneOptions(options)
		best, err := tune.Run(ctx, corpus.HoldingOut(classify.Files(o.stdin(), o.Value("autotune-validation"))), t, h)
		if err != nil {
			return nil, nil, err
		}
		trained = best.Trained
	} else if trained, err = classify.Train(ctx, corpus, options, h.Hooks); err != nil {
		if trained == nil || ctx.Err() == nil || trained.Progress.Tokens == 0 {
			return nil, nil, err
		}
		path, failed := o.save(ctx, output+model, trained.Vectors)
		if failed != nil {
			return trained, nil, errors.Join(err, failed)
		}
		return trained, []string{path}, err
	}
	set := o.described(trained.Vectors)
	if err := format.Write(ctx, output+model, set, format.FastText); err != nil {
		return nil, nil, err
	}
	files = append(files, output+model)
	texts := map[string]func(io.Writer, *vectors.Set) error{".vec": writeVectors, ".output": writeLabels}
	if o.Value("saveOutput") != "true" {
		delete(texts, ".output")
	}
	for _, ext := range []string{".vec", ".output"} {
		write := texts[ext]
		if write == nil {
			continue
		}
		if err := atomicfile.Write(output+ext, func(w io.Writer) error { return write(w, set) }); err != nil {
			return nil, files, fmt.Errorf("%s: %w", output+ext, err)
		}
		files = append(files, output+ext)
	}
	return trained, files, nil
}

// save writes what is trained so far, of a run whose ctx has ended, and returns its file.
func (o *Supervised) save(ctx context.Context, path string, set *vectors.Set) (string, error) {
	saving, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	go func() {
		select {
		case <-o.GiveUp:
			giveUp()
		case <-saving.Done():
		}
	}()
	path = format.Unfinished(path, format.FastText)
	return path, format.Write(saving, path, o.described(set), format.FastText)
}

// writeLabels writes the rows of labels in the format of fastText's .output file. With hierarchical softmax they are those
// of the tree's nodes, one fewer than labels.
func writeLabels(w io.Writer, s *vectors.Set) error {
	l := s.Labels()
	if _, err := fmt.Fprintf(w, "%d %d\n", l.Names.Len(), s.Dim()); err != nil {
		return err
	}
	row, line := make([]float32, s.Dim()), []byte(nil)
	for i, name := range l.Names.All() {
		clear(row)
		if i < l.Rows.Rows {
			l.Rows.Read(row, i)
		}
		line = appendLine(line[:0], name, row)
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return s.Err()
}
