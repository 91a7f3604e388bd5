package sweep

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// A Config says what is swept. Parse reads one from a file.
type Config struct {
	Corpus train.Corpus
	// Base are the settings of all models: how the text is read, which words there are, the
	// number of threads, and all that is not swept. The zero Settings stand for train.Defaults().
	Base train.Settings

	// Variants are what is tried: each is a grid of its own. Without any there is one model,
	// that of Base.
	Variants []Variant
	Search   Search   // how points of the variants are chosen; empty for Grid
	Trials   int      // points of a random search
	Draw     int64    // seed of a random search
	Seeds    []uint64 // of training: each point is trained with each; nil for 1

	Sets     []Set // that each model is evaluated by
	Restrict int   // only so many of the first words count in analogies; 0 for all

	Output string // folder of the results
	Keep   bool   // write models there too
	Force  bool   // train even if memory seems too small

	Cache       string // folder in which the tokenised corpus is kept: see train.Options.Cache
	VocabMemory uint64 // for counting: see train.Options.VocabMemory

	folders   []string  // those of Corpus, which are read as a whole
	configure configure // nil for what Base and the table of settings say
}

// A Search is a way to choose points. Its value is its name.
type Search string

const (
	Grid   Search = "grid"   // all combinations
	Random Search = "random" // some, drawn at random
)

// A Variant is settings, each with its values.
type Variant struct {
	Name string // empty for none
	Axes []Axis
}

// An Axis is a setting and what it may be. Values and Between make one.
type Axis struct {
	Setting string   // its name: see train.Table
	Values  []string // as train.Settings.Set takes them
	Range   *Range   // if there are no values
}

// A Range is an interval of numbers, its ends included.
type Range struct {
	Min, Max float64
	Log      bool // all orders of magnitude are equally likely
	Whole    bool // whole numbers alone
}

// Values is the axis of a setting that is tried with each of some values: numbers, names,
// true and false, or lists of numbers.
func Values(setting string, values ...any) Axis {
	a := Axis{Setting: setting}
	for _, v := range values {
		text := fmt.Sprint(v)
		if numbers, ok := v.([]int); ok {
			text = strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
		}
		a.Values = append(a.Values, text)
	}
	return a
}

// Between is the axis of a setting that is drawn from an interval of real numbers, for a
// random search.
func Between(setting string, least, most float64) Axis {
	return Axis{Setting: setting, Range: &Range{Min: least, Max: most}}
}

// over lays the settings of a variant over those of all.
func (v Variant) over(all Variant) Variant {
	laid := Variant{Name: v.Name}
	for _, a := range all.Axes {
		if !slices.ContainsFunc(v.Axes, func(b Axis) bool { return b.Setting == a.Setting }) {
			laid.Axes = append(laid.Axes, a)
		}
	}
	laid.Axes = append(laid.Axes, v.Axes...)
	return laid
}

// A problem is what is wrong with a configuration, and the key of a file that says so.
type problem struct{ key, text string }

// problem returns the first thing that is wrong with the configuration as a whole.
func (c *Config) problem() *problem {
	fail := func(key, format string, args ...any) *problem { return &problem{key, fmt.Sprintf(format, args...)} }
	analogies := slices.ContainsFunc(c.Sets, func(s Set) bool { return s.Kind == Analogy })
	switch {
	case len(c.Sets) == 0:
		return fail("", `nothing to evaluate models by: similarity = ["pairs.tsv"] or analogy = ["questions.txt"] names sets`)
	case c.Search != Grid && c.Search != Random:
		return fail("search", "search = %q is not known: %s and %s are", c.Search, Grid, Random)
	case c.Search == Random && c.Trials < 1:
		return fail("search", "a random search needs trials = N, at least 1")
	case c.Search == Grid && c.Trials != 0:
		return fail("trials", "trials are those of a random search; a grid has all combinations")
	case c.Restrict < 0:
		return fail("restrict", "restrict must not be negative, is %d", c.Restrict)
	case c.Restrict != 0 && !analogies:
		return fail("restrict", "restrict is for the sets of analogy, and there are none")
	}
	for i, seed := range c.Seeds {
		if slices.Contains(c.Seeds[:i], seed) {
			return fail("seeds", "the seed %d stands there twice", seed)
		}
	}
	return nil
}

// complete puts what is usual in place of what is not said, and reports what makes no
// sense.
func (c *Config) complete() error {
	if reflect.ValueOf(c.Base).IsZero() {
		c.Base = train.Defaults()
	}
	if c.Search == "" {
		c.Search = Grid
	}
	if len(c.Seeds) == 0 {
		c.Seeds = []uint64{1}
	}
	if c.Output == "" {
		return errors.New(`no folder for the results: Output, "output" in a file, names one`)
	}
	if p := c.problem(); p != nil {
		return errors.New(p.text)
	}
	for _, v := range c.Variants {
		for _, a := range v.Axes {
			if err := isSetting(a.Setting); err != nil {
				return err
			}
			if err := a.check(c.Search); err != nil {
				return fmt.Errorf("%s: %w", a.Setting, err)
			}
		}
	}
	return nil
}

// ofOneRun are options of a run of training that are no settings.
var ofOneRun = []string{
	"output", "format", "skip-unwritable", "cache", "force", "vocab", "save-vocab", "validate", "eval", "init", "update-vocab",
	"checkpoint", "checkpoint-every", "resume", "extend-epochs", "no-cache", "bootstrap", "bootstrap-words", "bootstrap-neighbors", "vocab-memory",
	"divide", "sync-budget", "sync-every",
}

// ofCorpus are options that say what the corpus is.
var ofCorpus = []string{
	"graph", "directed", "walks", "walk-length", "p", "q", "plus", "fresh-walks",
	"kmers", "stride", "alphabet", "canonical", "join",
}

// isSetting returns why a model has no setting of that name, or none that may differ.
func isSetting(name string) error {
	table := train.Table()
	var row train.Setting // none has an empty name
	if i := slices.IndexFunc(table, func(s train.Setting) bool { return s.Name == name }); i >= 0 {
		row = table[i]
	}
	ok := row.Name != ""
	switch {
	case name == "seed":
		return errors.New("seed is no setting to choose the best of: seeds = [1, 2, 3], at the top, trains each point with each")
	case name == "threads":
		return errors.New("threads would change the speed alone, and trials could not be compared by it: it stands at the top, above [settings]")
	case ok && (row.Group == sgns.GroupModel || row.Group == train.GroupSubwords):
		return nil
	case ok && row.Group == train.GroupText:
		return fmt.Errorf("%s decides about the vocabulary, and all trials share one, or their scores would be of different words: it stands at the top, above [settings]", name)
	case ok || slices.Contains(ofOneRun, name):
		return fmt.Errorf("%s is about one run of training; trials of a sweep train all of the corpus, from the start, with its vocabulary", name)
	}
	if slices.Contains(ofCorpus, name) {
		return fmt.Errorf("%s makes the corpus of graphs or sequences, and all trials share one corpus: write it to a file first", name)
	}
	var names []string
	for _, row := range table {
		if isSetting(row.Name) == nil {
			names = append(names, row.Name)
		}
	}
	text := fmt.Sprintf("%q is no setting of a model", name)
	if meant := spelling.Nearest(name, names); meant != "" {
		text += fmt.Sprintf("; did you mean %s?", meant)
	}
	return errors.New(text)
}
