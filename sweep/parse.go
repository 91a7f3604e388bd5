package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/decimal"
	"github.com/w2v-go/w2v/train"
)

// file is a configuration in TOML without the settings of all models: see atTop, docs/sweep.md.
type file struct {
	Corpus []string `toml:"corpus"` // files, folders and globs, "-" for standard input

	Output string `toml:"output"`
	Keep   bool   `toml:"keep"`

	Search Search  `toml:"search"`
	Trials int     `toml:"trials"`
	Seed   int64   `toml:"seed"`
	Seeds  []int64 `toml:"seeds"`

	Similarity []string `toml:"similarity"` // files
	Analogy    []string `toml:"analogy"`
	Restrict   int      `toml:"restrict"`

	Settings map[string]any   `toml:"settings"`
	Variants []map[string]any `toml:"variants"`
}

// Parse reads a configuration in TOML: the text of the file with this name. Its corpus may be "-",
// which is stdin. Errors are single lines that begin with the name and, if known, the line number.
func Parse(name string, text []byte, stdin io.Reader) (Config, error) {
	f := file{Search: Grid, Seed: 1}
	place := locator{name, strings.Split(string(text), "\n")}
	md, err := toml.Decode(string(text), &f)
	if e, ok := errors.AsType[toml.ParseError](err); ok {
		return Config{}, place.failAt(e.Position.Line, "%s", strings.TrimPrefix(e.Message, "toml: "))
	}
	if err != nil { // a value has the wrong type
		if parts := mistyped.FindStringSubmatch(err.Error()); parts != nil {
			return Config{}, fmt.Errorf("%s:%s: %s: %s", name, parts[1], parts[2], parts[3])
		}
		return Config{}, fmt.Errorf("%s: %w", name, err)
	}
	for table, kind := range map[string]string{"settings": "Hash", "variants": "ArrayHash"} {
		if md.IsDefined(table) && md.Type(table) != kind {
			return Config{}, place.fail(table, "settings stand below a line [settings], and those of each variant below one of its own, [[variants]]")
		}
	}
	for _, key := range md.Undecoded() {
		if key[0] == "settings" || key[0] == "variants" || atTop(key[0]) {
			continue // variant and base check these keys
		}
		return Config{}, place.fail(key[0], "%q is not a key of a sweep; settings of the models stand under [settings]", key.String())
	}
	return f.config(string(text), md, place, stdin)
}

// atTop reports whether all models share the setting with this name, which stands above [settings].
func atTop(name string) bool {
	return slices.ContainsFunc(train.Table(), func(s train.Setting) bool {
		return s.Name == name && (s.Group == train.GroupText || s.Name == "threads")
	})
}

func base(text string, md toml.MetaData, place locator) (train.Settings, error) {
	s := train.Defaults()
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return s, fmt.Errorf("%s: %w", place.name, err)
	}
	for _, key := range md.Keys() {
		name := key[0]
		if !atTop(name) {
			continue
		}
		switch values[name].(type) {
		case string, bool, int64, float64:
		default:
			return s, place.fail(name, "%s: all models share it, so it has one value", name)
		}
		text, err := literal(values[name])
		if err == nil {
			err = s.Set(name, text)
		}
		if err == nil {
			err = s.Validate()
		}
		if err != nil {
			return s, place.fail(name, "%s", train.Spell(err, asKey))
		}
	}
	return s, nil
}

var mistyped = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): (.*)$`)

func (f *file) config(text string, md toml.MetaData, place locator, stdin io.Reader) (Config, error) {
	base, err := base(text, md, place)
	if err != nil {
		return Config{}, err
	}
	if len(f.Corpus) == 0 {
		return Config{}, place.failAt(0, `no corpus: corpus = ["text.gz"] names one`)
	}
	c := Config{
		Corpus:   train.FilesAndInput(stdin, f.Corpus...),
		Base:     base,
		Search:   f.Search,
		Trials:   f.Trials,
		Draw:     f.Seed,
		Restrict: f.Restrict,
		Output:   f.Output,
		Keep:     f.Keep,
	}
	for _, name := range f.Corpus {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			c.folders = append(c.folders, name)
		}
	}
	for i, path := range slices.Concat(f.Similarity, f.Analogy) {
		set := Set{Kind: eval.TaskSimilarity, Path: path}
		if i >= len(f.Similarity) {
			set.Kind = eval.TaskAnalogy
		}
		c.Sets = append(c.Sets, set)
	}
	for _, seed := range f.Seeds {
		if seed < 0 {
			return c, place.fail("seeds", "a seed must not be negative, is %d", seed)
		}
		c.Seeds = append(c.Seeds, uint64(seed))
	}
	if p := cmp.Or(f.misplaced(md), c.problem()); p != nil {
		return c, place.fail(p.key, "%s", p.text)
	}
	common, err := c.variant(f.Settings, false, keysUnder(md, "settings", 0), place.table("settings", 0))
	if err != nil {
		return c, err
	}
	if len(f.Variants) == 0 {
		c.Variants = []Variant{common}
	}
	for i, table := range f.Variants {
		v, err := c.variant(table, true, keysUnder(md, "variants", i), place.table("variants", i))
		if err != nil {
			return c, err
		}
		c.Variants = append(c.Variants, v.over(common))
	}
	return c, nil
}

func (f *file) misplaced(md toml.MetaData) *problem {
	switch {
	case f.Search == Grid && md.IsDefined("trials"):
		return trialsOfGrid
	case f.Search == Grid && md.IsDefined("seed"):
		return &problem{"seed", "seed is that of a random search; seeds = [1, 2] are those of training"}
	case md.IsDefined("seeds") && len(f.Seeds) == 0:
		return &problem{"seeds", "seeds has none: leave it out for 1"}
	case md.IsDefined("restrict") && len(f.Analogy) == 0 && len(f.Similarity) > 0:
		return restrictOfNone
	}
	return nil
}

func (c *Config) variant(table map[string]any, named bool, keys []string, place locator) (Variant, error) {
	var v Variant
	for _, key := range keys {
		value := table[key]
		if key == "name" && named {
			var ok bool
			if v.Name, ok = value.(string); !ok {
				return v, place.fail(key, "name: a variant's name is a text")
			}
			continue
		}
		if err := isSetting(key); err != nil {
			return v, place.fail(key, "%s", err)
		}
		a := Axis{Setting: key}
		err := a.read(value)
		if err == nil {
			err = a.check(c.Search)
		}
		if err != nil {
			return v, place.fail(key, "%s: %s", key, err)
		}
		v.Axes = append(v.Axes, a)
	}
	return v, nil
}

func keysUnder(md toml.MetaData, table string, i int) []string {
	var keys []string
	at := -1
	for _, key := range md.Keys() {
		switch {
		case key[0] != table:
		case len(key) == 1:
			at++
		case (at == i || table == "settings") && !slices.Contains(keys, key[1]):
			keys = append(keys, key[1])
		}
	}
	return keys
}

func (a *Axis) read(value any) error {
	switch v := value.(type) {
	case map[string]any:
		in, err := readRange(v)
		a.Range = in
		return err
	case []any:
		for _, one := range v {
			text, err := literal(one)
			if err != nil {
				return err
			}
			a.Values = append(a.Values, text)
		}
		return nil
	}
	text, err := literal(value)
	a.Values = []string{text}
	return err
}

// literal formats a value, or an inner list with commas, as train.Settings.Set takes it.
func literal(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		var parts []string
		for _, one := range v {
			if _, nested := one.([]any); nested {
				return "", errors.New("lists in lists in lists mean nothing")
			}
			text, err := literal(one)
			if err != nil {
				return "", err
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, ","), nil
	}
	return "", fmt.Errorf("%v is neither a number, nor a text, nor true or false, nor a list of them", value)
}

func readRange(table map[string]any) (*Range, error) {
	in := &Range{Whole: true}
	for key, value := range table {
		switch key {
		case "min", "max":
		case "log":
			var ok bool
			if in.Log, ok = value.(bool); !ok {
				return nil, errors.New("log is true or false")
			}
		default:
			return nil, fmt.Errorf("%q is not a key of a range, which are min, max and log", key)
		}
	}
	for i, to := range []*float64{&in.Min, &in.Max} {
		key := []string{"min", "max"}[i]
		switch v := table[key].(type) {
		case int64:
			*to = float64(v)
		case float64:
			*to, in.Whole = v, false
		default:
			*to = math.NaN()
		}
		if math.IsNaN(*to) || math.IsInf(*to, 0) {
			return nil, fmt.Errorf("a range is { min = 0.02, max = 0.1, log = true }: %s must be a number", key)
		}
	}
	return in, nil
}

func (a Axis) check(search Search) error {
	in := a.Range
	switch {
	case in == nil && len(a.Values) == 0:
		return errors.New("there is nothing in the list")
	case in == nil:
		return nil
	case len(a.Values) > 0:
		return errors.New("it has values and a range: only one of them is possible")
	case !(in.Min < in.Max) || math.IsInf(in.Max-in.Min, 0):
		return fmt.Errorf("min, %v, is not below max, %v", in.Min, in.Max)
	case in.Log && in.Min <= 0:
		return fmt.Errorf("log needs min above 0, is %v", in.Min)
	case search == Grid:
		return fmt.Errorf("a range has no end of values for a grid: give a list, or say search = %q", Random)
	}
	return nil
}

// draw returns a random value. One of a range is whole if both ends are, else of four digits.
func (a Axis) draw(r *rand.Rand) string {
	if a.Range == nil {
		return a.Values[r.IntN(len(a.Values))]
	}
	in, share := *a.Range, r.Float64()
	low, high := in.Min, in.Max
	if in.Whole { // each number is equally likely
		low, high = low-0.5, high+0.5
	}
	x := low + share*(high-low)
	if in.Log { // low is above 0
		x = low * math.Pow(high/low, share)
	}
	if in.Whole {
		return strconv.FormatFloat(min(max(math.Round(x), in.Min), in.Max), 'f', 0, 64)
	}
	short, _ := decimal.Float(strconv.FormatFloat(x, 'g', 4, 64)) // the text was just formatted
	return strconv.FormatFloat(min(max(short, in.Min), in.Max), 'g', -1, 64)
}

type locator struct {
	name  string
	lines []string // blank where keys are not searched
}

func (l locator) failAt(line int, format string, args ...any) error {
	what := fmt.Sprintf(format, args...)
	if line == 0 {
		return fmt.Errorf("%s: %s", l.name, what)
	}
	return fmt.Errorf("%s:%d: %s", l.name, line, what)
}

func (l locator) fail(key, format string, args ...any) error {
	return l.failAt(l.line(key), format, args...)
}

func (l locator) line(key string) int {
	if key == "" {
		return 0
	}
	for i, line := range l.lines {
		line = strings.TrimLeft(line, "[ \t")
		rest, found := strings.CutPrefix(line, key)
		if !found {
			rest, found = strings.CutPrefix(line, `"`+key+`"`)
		}
		if found && strings.IndexAny(strings.TrimLeft(rest, " \t"), "=.]") == 0 {
			return i + 1
		}
	}
	return 0
}

func (l locator) table(name string, i int) locator {
	of := locator{name: l.name, lines: make([]string, len(l.lines))}
	at, within := -1, false
	for k, line := range l.lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "[") {
			header := strings.Trim(strings.SplitN(trimmed, "#", 2)[0], "[] \t")
			if within = header == name; within {
				at++
			}
			continue
		}
		if within && at == i {
			of.lines[k] = line
		}
	}
	return of
}
