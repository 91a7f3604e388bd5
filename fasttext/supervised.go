package fasttext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// Supervised are the arguments of fastText's command supervised. Its zero value has fastText's defaults.
type Supervised struct {
	Stdin io.Reader // read as the input "-"; nil for standard input
	given map[string]string
}

// supervisedDefaults are the defaults that differ from those of word vectors.
var supervisedDefaults = map[string]string{"lr": "0.1", "minCount": "1", "minn": "0", "maxn": "0", "loss": "softmax"}

// supervisedLosses are fastText's names of losses.
var supervisedLosses = map[string]sgns.Loss{
	"softmax": sgns.Softmax, "one-vs-all": sgns.OneVersusAll, "ova": sgns.OneVersusAll, "ns": sgns.NegativeSampling, "hs": sgns.HierarchicalSoftmax,
}

// trainsClassifiers reports whether an argument of word vectors, or of classifiers alone, has an effect on classifiers, or
// may have any value as in fastText because it has none.
func trainsClassifiers(a Argument) bool {
	return !a.Unsupported || slices.Contains([]string{"minCountLabel", "wordNgrams", "lrUpdateRate"}, a.Name)
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
	case name == "loss" && supervisedLosses[value] == "":
		return fmt.Errorf(`-loss: %q is not softmax, ova, ns or hs`, value)
	case name == "lr" || name == "t":
		if _, err := strconv.ParseFloat(value, 64); err != nil {
			return fmt.Errorf("-%s: %q is not a number", name, value)
		}
	case !a.Switch && !slices.Contains([]string{"input", "output", "label", "loss", "pretrainedVectors"}, name):
		if _, err := strconv.Atoi(value); err != nil {
			return fmt.Errorf("-%s: %q is not a whole number", name, value)
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
	c.Threads, c.Seed = o.Int("thread"), uint64(max(o.Int("seed"), 0))
	return c
}

// Train trains a classifier. It writes OUTPUT.bin, OUTPUT.vec and, with saveOutput, OUTPUT.output, and returns their
// names. If ctx ends before training does, Train writes nothing. A *MissingError says that the input or the output is
// missing.
func (o *Supervised) Train(ctx context.Context, h classify.Hooks) (trained *classify.Trained, files []string, err error) {
	for _, name := range []string{"input", "output"} {
		if o.Value(name) == "" {
			return nil, nil, &MissingError{name}
		}
	}
	options := o.options()
	if path := o.Value("pretrainedVectors"); path != "" {
		set, err := format.Open(path)
		if err != nil {
			return nil, nil, err
		}
		defer func() { err = errors.Join(err, set.Close()) }()
		options.Init = set
	}
	stdin := o.Stdin
	if stdin == nil {
		stdin = os.Stdin
	}
	if trained, err = classify.Train(ctx, classify.Files(stdin, o.Value("input")), options, h); err != nil {
		return nil, nil, err
	}
	set, output := trained.Vectors, o.Value("output")
	if err := format.Write(ctx, output+".bin", set, format.FastText); err != nil {
		return nil, nil, err
	}
	files = append(files, output+".bin")
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
