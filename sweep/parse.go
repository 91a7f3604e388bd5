// Package sweep trains many models on one corpus that differ in their settings, each
// with the same vocabulary and the same ids, and says what each is worth: a grid or a random
// search, with two baselines.
package sweep

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/w2v-go/w2v/corpus"
)

// A Config says what is swept. Parse reads one.
type Config struct {
	Corpus    []string         `toml:"corpus"`    // files, folders and globs, "-" for standard input
	Lowercase bool             `toml:"lowercase"` // as for training, and so are the next three
	Tokenizer corpus.Tokenizer `toml:"tokenizer"`
	MinCount  int              `toml:"min-count"`
	MaxVocab  int              `toml:"max-vocab"`
	Threads   int              `toml:"threads"` // 0 for one a core

	Output string `toml:"output"` // folder of the results
	Keep   bool   `toml:"keep"`   // write models there too

	Search string  `toml:"search"` // Grid or Random
	Trials int     `toml:"trials"` // points of a random search
	Seed   int64   `toml:"seed"`   // of a random search
	Seeds  []int64 `toml:"seeds"`  // of training: each point is trained with each

	Similarity []string `toml:"similarity"` // files
	Analogy    []string `toml:"analogy"`
	Restrict   int      `toml:"restrict"` // words that count in analogies; 0 for all

	Settings map[string]any   `toml:"settings"`
	Variants []map[string]any `toml:"variants"`

	spaces []space
}

// How points are chosen.
const (
	Grid   = "grid"   // all combinations
	Random = "random" // some, drawn at random
)

// A space is the settings of a variant, each with its values.
type space struct {
	name string // empty for none
	axes []axis
}

// An axis is a setting and what it may be: one of the values, or in a range.
type axis struct {
	name   string
	values []string
	in     *interval
}

// A Names knows the settings of a model: it returns why a name is none, or nil. It is
// asked for names that are not settings of the whole sweep.
type Names func(name string) error

// Parse reads a configuration, in TOML, of that name. Errors are one line that begins
// with the name and, if it is known, the line.
func Parse(name string, text []byte, names Names) (Config, error) {
	c := Config{MinCount: 5, Search: Grid, Seed: 1}
	place := locator{name, strings.Split(string(text), "\n")}
	md, err := toml.Decode(string(text), &c)
	if e, ok := errors.AsType[toml.ParseError](err); ok {
		return c, place.failAt(e.Position.Line, "%s", strings.TrimPrefix(e.Message, "toml: "))
	}
	if err != nil { // a value of another type
		if parts := mistyped.FindStringSubmatch(err.Error()); parts != nil {
			return c, fmt.Errorf("%s:%s: %s: %s", name, parts[1], parts[2], parts[3])
		}
		return c, fmt.Errorf("%s: %w", name, err)
	}
	for table, kind := range map[string]string{"settings": "Hash", "variants": "ArrayHash"} {
		if md.IsDefined(table) && md.Type(table) != kind {
			return c, place.fail(table, "settings stand below a line [settings], and those of each variant below one of its own, [[variants]]")
		}
	}
	for _, key := range md.Undecoded() {
		if key[0] == "settings" || key[0] == "variants" {
			continue // are looked at by space
		}
		return c, place.fail(key[0], "%q is no key of a sweep; settings of the models stand under [settings]", key.String())
	}
	return c, c.complete(md, place, names)
}

// mistyped is how package toml says that a value is of another type than it should be.
var mistyped = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): (.*)$`)

// complete checks a configuration, and makes its spaces.
func (c *Config) complete(md toml.MetaData, place locator, names Names) error {
	switch {
	case len(c.Corpus) == 0:
		return place.failAt(0, `no corpus: corpus = ["text.gz"] names one`)
	case len(c.Similarity)+len(c.Analogy) == 0:
		return place.failAt(0, `nothing to evaluate models by: similarity = ["pairs.tsv"] or analogy = ["questions.txt"] names sets`)
	case c.Search != Grid && c.Search != Random:
		return place.fail("search", "search = %q is not known: %s and %s are", c.Search, Grid, Random)
	case c.Search == Random && c.Trials < 1:
		return place.fail("search", "a random search needs trials = N, at least 1")
	case c.Search == Grid && md.IsDefined("trials"):
		return place.fail("trials", "trials are those of a random search; a grid has all combinations")
	case c.Search == Grid && md.IsDefined("seed"):
		return place.fail("seed", "seed is that of a random search; seeds = [1, 2] are those of training")
	case md.IsDefined("seeds") && len(c.Seeds) == 0:
		return place.fail("seeds", "seeds has none: leave it out for 1")
	case md.IsDefined("restrict") && len(c.Analogy) == 0:
		return place.fail("restrict", "restrict is for the sets of analogy, and there are none")
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"min-count", c.MinCount}, {"max-vocab", c.MaxVocab}, {"threads", c.Threads}, {"restrict", c.Restrict}} {
		if n.value < 0 {
			return place.fail(n.name, "%s must not be negative, is %d", n.name, n.value)
		}
	}
	if len(c.Seeds) == 0 {
		c.Seeds = []int64{1}
	}
	for i, seed := range c.Seeds {
		if seed < 0 {
			return place.fail("seeds", "a seed must not be negative, is %d", seed)
		}
		if slices.Contains(c.Seeds[:i], seed) {
			return place.fail("seeds", "the seed %d stands there twice", seed)
		}
	}
	common, err := c.space(c.Settings, false, keysUnder(md, "settings", 0), place.table("settings", 0), names)
	if err != nil {
		return err
	}
	if len(c.Variants) == 0 {
		c.spaces = []space{common}
	}
	for i, variant := range c.Variants {
		of, err := c.space(variant, true, keysUnder(md, "variants", i), place.table("variants", i), names)
		if err != nil {
			return err
		}
		c.spaces = append(c.spaces, common.with(of))
	}
	return nil
}

// space makes a space of a table of settings, in the order of its keys.
func (c *Config) space(table map[string]any, variant bool, keys []string, place locator, names Names) (space, error) {
	var s space
	for _, key := range keys {
		value := table[key]
		if key == "name" && variant {
			var ok bool
			if s.name, ok = value.(string); !ok {
				return s, place.fail(key, "name: a variant's name is a text")
			}
			continue
		}
		a := axis{name: key}
		if err := isSetting(key, names); err != nil {
			return s, place.fail(key, "%s", err)
		}
		if err := a.read(value); err != nil {
			return s, place.fail(key, "%s: %s", key, err)
		}
		if a.in != nil && c.Search == Grid {
			return s, place.fail(key, "%s: a range has no end of values for a grid: give a list, or say search = %q", key, Random)
		}
		s.axes = append(s.axes, a)
	}
	return s, nil
}

// with lays the settings of a variant over those of all.
func (s space) with(variant space) space {
	laid := space{name: variant.name}
	for _, a := range s.axes {
		if !slices.ContainsFunc(variant.axes, func(b axis) bool { return b.name == a.name }) {
			laid.axes = append(laid.axes, a)
		}
	}
	laid.axes = append(laid.axes, variant.axes...)
	return laid
}

// isSetting returns why a model has no setting of that name, or none that may differ.
func isSetting(name string, names Names) error {
	switch name {
	case "min-count", "max-vocab", "lowercase", "tokenizer":
		return fmt.Errorf("%s decides about the vocabulary, and all trials share one, or their scores would be of different words: it stands at the top, above [settings]", name)
	case "vocab", "save-vocab", "validate", "init", "update-vocab", "freeze":
		return fmt.Errorf("%s is about one run of w2v train; trials of a sweep train all of the corpus, from the start, with its vocabulary", name)
	case "seed":
		return errors.New("seed is no setting to choose the best of: seeds = [1, 2, 3], at the top, trains each point with each")
	case "threads":
		return errors.New("threads would change the speed alone, and trials could not be compared by it: it stands at the top, above [settings]")
	}
	return names(name)
}

// keysUnder returns the keys of table number i of that name, in their order.
func keysUnder(md toml.MetaData, table string, i int) []string {
	var keys []string
	at := -1
	if table == "settings" {
		at = 0
	}
	for _, key := range md.Keys() {
		switch {
		case key[0] != table:
		case len(key) == 1 && table != "settings":
			at++
		case len(key) > 1 && at == i && !slices.Contains(keys, key[1]):
			keys = append(keys, key[1])
		}
	}
	return keys
}
