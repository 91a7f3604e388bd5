package sweep

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
)

// A Config describes a sweep. Parse reads a Config from a file.
type Config struct {
	Corpus train.Corpus
	// Base are the settings that all models share: how the text is read, the vocabulary, the number
	// of threads, and everything that is not swept. The zero Settings stand for train.Defaults().
	Base train.Settings

	// Variants are the settings to try, each its own grid. Without variants there is one model.
	Variants []Variant
	Search   Search   // how points are chosen from the variants; empty means Grid
	Trials   int      // points of a random search
	Draw     int64    // seed of a random search
	Seeds    []uint64 // of training; each point is trained with each seed; nil means 1

	Sets     []Set // that each model is evaluated by
	Restrict int   // analogies use only this number of first words; 0 means all

	Output string // folder of the results
	Keep   bool   // also write the models there
	Force  bool   // train even if memory seems too small

	Cache       string // folder for the tokenised corpus: see train.Options.Cache
	VocabMemory uint64 // for counting: see train.Options.VocabMemory

	folders   []string  // folders in Corpus, which are read completely
	configure configure // nil means Base and the table of settings
}

// A Search is a way to choose points. Its value is its name.
type Search string

const (
	Grid   Search = "grid"   // all combinations
	Random Search = "random" // some combinations, drawn at random
)

// A Variant is a list of settings, each with its values.
type Variant struct {
	Name string // may be empty
	Axes []Axis
}

// An Axis is a setting and its possible values. Values and Between make axes.
type Axis struct {
	Setting string   // its name: see train.Table
	Values  []string // as train.Settings.Set takes them
	Range   *Range   // used if Values is empty
}

// A Range is an interval of numbers, including its ends.
type Range struct {
	Min, Max float64
	Log      bool // all orders of magnitude are equally likely
	Whole    bool // only whole numbers
}

// Values returns the axis of a setting with numbers, names, booleans or lists of numbers.
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

// Between returns the axis of a setting that is drawn from an interval, for a random search.
func Between(setting string, least, most float64) Axis {
	return Axis{Setting: setting, Range: &Range{Min: least, Max: most}}
}

func (v Variant) over(all Variant) Variant {
	overridden := func(a Axis) bool {
		return slices.ContainsFunc(v.Axes, func(b Axis) bool { return b.Setting == a.Setting })
	}
	return Variant{v.Name, append(slices.DeleteFunc(slices.Clone(all.Axes), overridden), v.Axes...)}
}

type problem struct{ key, text string }

var (
	trialsOfGrid   = &problem{"trials", "trials are those of a random search; a grid has all combinations"}
	restrictOfNone = &problem{"restrict", "restrict is for the sets of analogy, and there are none"}
)

func (c *Config) problem() *problem {
	fail := func(key, format string, args ...any) *problem { return &problem{key, fmt.Sprintf(format, args...)} }
	analogies := slices.ContainsFunc(c.Sets, func(s Set) bool { return s.Kind == eval.TaskAnalogy })
	switch {
	case len(c.Sets) == 0:
		return fail("", `nothing to evaluate models by: similarity = ["pairs.tsv"] or analogy = ["questions.txt"] names sets`)
	case c.Search != Grid && c.Search != Random:
		return fail("search", "search = %q is not known: %s and %s are", c.Search, Grid, Random)
	case c.Search == Random && c.Trials < 1:
		return fail("search", "a random search needs trials = N, at least 1")
	case c.Search == Grid && c.Trials != 0:
		return trialsOfGrid
	case c.Restrict < 0:
		return fail("restrict", "restrict must not be negative, is %d", c.Restrict)
	case c.Restrict != 0 && !analogies:
		return restrictOfNone
	}
	for i, seed := range c.Seeds {
		if slices.Contains(c.Seeds[:i], seed) {
			return fail("seeds", "the seed %d stands there twice", seed)
		}
	}
	return nil
}

func (c *Config) complete() error {
	if reflect.ValueOf(c.Base).IsZero() {
		c.Base = train.Defaults()
	}
	c.Search = cmp.Or(c.Search, Grid)
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

var ofOneRun = []string{
	"output", "format", "skip-unwritable", "cache", "force", "vocab", "phrase-table", "save-vocab", "validate", "eval", "epoch-models", "recipe", "init", "update-vocab",
	"checkpoint", "checkpoint-every", "resume", "extend-epochs", "no-cache", "bootstrap", "bootstrap-words", "bootstrap-neighbors", "vocab-memory",
	"divide", "sync-budget", "sync-every", "plan", "plan-ranks",
}

var ofCorpus = []string{
	"graph", "directed", "walks", "walk-length", "p", "q", "plus", "fresh-walks",
	"kmers", "stride", "alphabet", "canonical", "join",
}

func isSetting(name string) error {
	table := train.Table()
	i := slices.IndexFunc(table, func(s train.Setting) bool { return s.Name == name })
	ok := i >= 0
	switch {
	case name == "seed":
		return errors.New("seed is not a setting to choose the best of: seeds = [1, 2, 3], at the top, trains each point with each")
	case name == "threads":
		return errors.New("threads would change the speed alone, and trials could not be compared by it: it stands at the top, above [settings]")
	case ok && (table[i].Group == sgns.GroupModel || table[i].Group == train.GroupSubwords):
		return nil
	case ok && table[i].Group == train.GroupText:
		return fmt.Errorf("%s decides about the vocabulary, and all trials share one, or their scores would be of different words: it stands at the top, above [settings]", name)
	case ok || slices.Contains(ofOneRun, name):
		return fmt.Errorf("%s is about one run of training; trials of a sweep train all of the corpus, from the start, with its vocabulary", name)
	case slices.Contains(ofCorpus, name):
		return fmt.Errorf("%s makes the corpus of graphs or sequences, and all trials share one corpus: write it to a file first", name)
	}
	var names []string
	for _, row := range table {
		if isSetting(row.Name) == nil {
			names = append(names, row.Name)
		}
	}
	text := fmt.Sprintf("%q is not a setting of a model", name)
	if meant := wording.Nearest(name, names); meant != "" {
		text += fmt.Sprintf("; did you mean %s?", meant)
	}
	return errors.New(text)
}

// A Point is a combination of settings to train with, or a baseline.
type Point struct {
	Number   int      // from 1; 0 for baselines
	Variant  string   // name of the variant, if any
	Baseline Baseline // empty for none
	Settings Settings
	// Skipped says why the settings are invalid; empty if they are valid.
	Skipped string

	settings train.Settings // all of them
}

// A Baseline is a model that scores are compared with. Its value is its name.
type Baseline string

const (
	// RandomVectors are untrained. Their score is the score of chance, for words without n-grams.
	RandomVectors Baseline = "random vectors"
	// Dim8 is the first point with 8 dimensions. Settings about dimensions are left out if they do
	// not fit 8 dimensions. Its score shows what a nearly free model achieves.
	Dim8 Baseline = "dim 8"
)

// maxPoints is the largest number of points; more are probably a mistake.
const maxPoints = 100_000

// Points returns the points of a sweep: the baselines, then the others in training order. It
// returns an error if no point can be trained.
func (c Config) Points() ([]Point, error) {
	if len(c.Variants) == 0 {
		c.Variants = []Variant{{}}
	}
	var points []Point
	var err error
	if c.Search == Random {
		points, err = c.drawn()
	} else {
		points, err = c.grid()
	}
	if err != nil {
		return nil, err
	}
	first := slices.IndexFunc(points, func(p Point) bool { return p.Skipped == "" })
	switch {
	case len(points) == 0:
		return nil, errors.New("there are no points to train")
	case first < 0:
		return nil, fmt.Errorf("none of %d points can be trained, the first because: %s", len(points), points[0].Skipped)
	}
	return slices.Concat(c.baselines(points[first]), points), nil
}

func (c *Config) baselines(first Point) []Point {
	dim := first.settings.Model.Dim
	random := Point{Baseline: RandomVectors, Settings: Settings{{"dim", strconv.Itoa(dim)}}}
	random.settings.Model.Dim = dim
	settings := first.Settings.with("dim", "8")
	small := c.point(first.Variant, settings)
	if small.Skipped != "" { // settings about some of the dimensions may not fit fewer dimensions
		small = c.point(first.Variant, slices.DeleteFunc(settings, func(set Setting) bool {
			return slices.ContainsFunc(train.Table(), func(row train.Setting) bool { return row.Name == set.Name && row.OfDimensions })
		}))
	}
	small.Baseline = Dim8
	return []Point{random, small}
}

func (c *Config) point(variant string, s Settings) Point {
	p := Point{Variant: variant, Settings: s}
	settings, usual, err := c.configured(s)
	if err != nil {
		p.Skipped = err.Error()
		return p
	}
	p.settings, p.Settings = settings, usual
	return p
}

// grid returns all combinations of each variant's settings; the last setting changes fastest.
func (c *Config) grid() ([]Point, error) {
	var points []Point
	for _, v := range c.Variants {
		count := 1
		for _, a := range v.Axes {
			if count *= len(a.Values); count+len(points) > maxPoints {
				return nil, fmt.Errorf("the grid has more than %d points: search = %q tries some of them", maxPoints, Random)
			}
		}
		for i := range count {
			settings := make(Settings, len(v.Axes))
			rest := i
			for k := len(v.Axes) - 1; k >= 0; k-- {
				values := v.Axes[k].Values
				settings[k] = Setting{v.Axes[k].Setting, values[rest%len(values)]}
				rest /= len(values)
			}
			p := c.point(v.Name, settings)
			p.Number = len(points) + 1
			points = append(points, p)
		}
	}
	return points, nil
}

// drawn returns Trials distinct points, and those among them that cannot be trained. A larger Trials
// only adds points, because each depends on the seed and earlier draws.
func (c *Config) drawn() ([]Point, error) {
	if c.Trials > maxPoints {
		return nil, fmt.Errorf("%d trials, at most %d are possible", c.Trials, maxPoints)
	}
	r := rand.New(rand.NewPCG(uint64(c.Draw), 0))
	var points []Point
	seen := make(map[string]bool)
	for good, in := 0, 0; good < c.Trials; {
		v := c.Variants[r.IntN(len(c.Variants))]
		p := c.point(v.Name, wording.Map(v.Axes, func(a Axis) Setting { return Setting{a.Setting, a.draw(r)} }))
		key := v.Name + "\x00" + p.Settings.String()
		in++
		if !seen[key] && p.Skipped == "" {
			good, in = good+1, 0
		}
		if in >= 1000 { // the space has no more points, or hardly any
			break
		}
		if !seen[key] {
			seen[key] = true
			p.Number = len(points) + 1
			points = append(points, p)
		}
	}
	return points, nil
}

// A Setting is a name and a value, as train.Settings.Set takes them.
type Setting struct{ Name, Value string }

// Settings are the settings that a sweep sets, in the order of its configuration. All other
// settings are those of Config.Base. In JSON they are an object.
type Settings []Setting

// configure makes the settings of a model from names and values. No name may repeat. It also
// returns names and values in their usual spelling. The error says why the settings are invalid.
type configure func(Settings) (train.Settings, Settings, error)

func (c *Config) configured(settings Settings) (train.Settings, Settings, error) {
	if c.configure != nil {
		return c.configure(settings)
	}
	s := c.Base
	for _, set := range settings {
		if err := s.Set(set.Name, set.Value); err != nil {
			return s, nil, train.Spell(err, asKey)
		}
	}
	if err := s.Complete(); err != nil {
		return s, nil, train.Spell(err, asKey)
	}
	usual := make(Settings, len(settings))
	for i, set := range settings {
		usual[i] = Setting{set.Name, s.Value(set.Name)}
	}
	return s, usual, nil
}

func asKey(name, value string) string { return strings.TrimSpace(name + " " + value) }

func (s Settings) value(name string) string {
	if i := s.index(name); i >= 0 {
		return s[i].Value
	}
	return ""
}

func (s Settings) index(name string) int {
	return slices.IndexFunc(s, func(set Setting) bool { return set.Name == name })
}

func (s Settings) with(name, value string) Settings {
	t := slices.Clone(s)
	if i := t.index(name); i >= 0 {
		t[i].Value = value
		return t
	}
	return append(t, Setting{name, value})
}

// String formats the settings as text: "dim 100, window 5".
func (s Settings) String() string {
	return strings.Join(wording.Map(s, func(set Setting) string { return set.Name + " " + set.Value }), ", ")
}

func (s Settings) sorted() Settings {
	return slices.SortedFunc(slices.Values(s), func(a, b Setting) int { return strings.Compare(a.Name, b.Name) })
}

// bare matches values that JSON writes without quotes.
var bare = regexp.MustCompile(`^(true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?)$`)

// MarshalJSON writes an object: numbers, true and false unquoted, other values as strings.
func (s Settings) MarshalJSON() ([]byte, error) {
	fields := make([]string, len(s))
	for i, set := range s {
		name, errName := json.Marshal(set.Name)
		value, err := json.Marshal(set.Value)
		if err := cmp.Or(errName, err); err != nil {
			return nil, err
		}
		if bare.MatchString(set.Value) {
			value = []byte(set.Value)
		}
		fields[i] = fmt.Sprintf("%s:%s", name, value)
	}
	return []byte("{" + strings.Join(fields, ",") + "}"), nil
}

// UnmarshalJSON reads what MarshalJSON writes, and sorts the settings by name.
func (s *Settings) UnmarshalJSON(data []byte) error {
	var all map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&all); err != nil {
		return err
	}
	*s = nil
	for name, value := range all {
		*s = append(*s, Setting{name, fmt.Sprint(value)})
	}
	*s = s.sorted()
	return nil
}

// A Set is a set of pairs or questions that evaluates models, from a file or a text.
type Set struct {
	Kind eval.Task // eval.TaskSimilarity or eval.TaskAnalogy
	Path string    // of a file, which may be compressed
	Text []byte    // of a set that is not in a file
	Name string    // in reports; empty means the file's name without folder and extensions
}

type sets struct {
	all         []eval.Set
	restrict    int
	fingerprint string // identifies the sets
}

func readSets(c *Config) (*sets, error) {
	all := &sets{restrict: c.Restrict}
	h := sha256.New()
	number(h, uint64(c.Restrict))
	for _, set := range c.Sets {
		text, err := set.text()
		if err != nil {
			return nil, err
		}
		from := cmp.Or(set.Path, set.Name)
		if set.Kind != eval.TaskSimilarity && set.Kind != eval.TaskAnalogy {
			return nil, fmt.Errorf("%s: a set is of kind %q or %q, not %q", from, eval.TaskSimilarity, eval.TaskAnalogy, set.Kind)
		}
		s, err := eval.ReadSet(bytes.NewReader(text), from, set.Kind)
		if err != nil {
			return nil, err // the error names the file
		}
		s.Name = cmp.Or(set.Name, eval.SetName(set.Path))
		if slices.ContainsFunc(all.all, func(other eval.Set) bool { return other.Name == s.Name }) {
			s.Name = from
		}
		all.all = append(all.all, s)
		fmt.Fprintf(h, "%s %s %d\n", s.Task, s.Name, len(text))
		h.Write(text)
	}
	all.fingerprint = short(h.Sum(nil))
	return all, nil
}

func (s Set) text() ([]byte, error) {
	if s.Path == "" {
		return s.Text, nil
	}
	return compression.ReadFile(s.Path, io.ReadAll)
}
