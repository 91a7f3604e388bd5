package sweep

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/w2v-go/w2v/train"
)

// file is a configuration as TOML has it, but for the settings of all models: see atTop.
// docs/sweep.md describes it.
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

// Parse reads a configuration in TOML: the text of the file of that name, whose corpus may
// name stdin "-". Errors are one line that begins with the name and, if it is known, the
// line.
func Parse(name string, text []byte, stdin io.Reader) (Config, error) {
	f := file{Search: Grid, Seed: 1}
	place := locator{name, strings.Split(string(text), "\n")}
	md, err := toml.Decode(string(text), &f)
	if e, ok := errors.AsType[toml.ParseError](err); ok {
		return Config{}, place.failAt(e.Position.Line, "%s", strings.TrimPrefix(e.Message, "toml: "))
	}
	if err != nil { // a value of another type
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
			continue // are looked at by variant and by base
		}
		return Config{}, place.fail(key[0], "%q is no key of a sweep; settings of the models stand under [settings]", key.String())
	}
	base, err := base(string(text), md, place)
	if err != nil {
		return Config{}, err
	}
	return f.config(base, md, place, stdin)
}

// atTop reports whether all models share the setting of that name, which stands above [settings].
func atTop(name string) bool {
	return slices.ContainsFunc(train.Table(), func(s train.Setting) bool {
		return s.Name == name && (s.Group == train.GroupText || s.Name == "threads")
	})
}

// base returns the settings that all models share.
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
		var set error
		switch value := values[name].(type) {
		case string, bool, int64, float64:
			text, err := literal(value)
			if set = err; err == nil {
				set = s.Set(name, text)
			}
		default:
			return s, place.fail(name, "%s: all models share it, so it has one value", name)
		}
		if set == nil {
			set = s.Validate()
		}
		if set != nil {
			return s, place.fail(name, "%s", train.Spell(set, asKey))
		}
	}
	return s, nil
}

// mistyped is how package toml says that a value is of another type than it should be.
var mistyped = regexp.MustCompile(`^toml: line (\d+) \(last key "(.*?)"\): (.*)$`)

// config checks the file, and makes a configuration of it with the settings of all models.
func (f *file) config(base train.Settings, md toml.MetaData, place locator, stdin io.Reader) (Config, error) {
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
	for _, path := range f.Similarity {
		c.Sets = append(c.Sets, Set{Kind: Similarity, Path: path})
	}
	for _, path := range f.Analogy {
		c.Sets = append(c.Sets, Set{Kind: Analogy, Path: path})
	}
	for _, seed := range f.Seeds {
		if seed < 0 {
			return c, place.fail("seeds", "a seed must not be negative, is %d", seed)
		}
		c.Seeds = append(c.Seeds, uint64(seed))
	}
	if p := f.misplaced(md); p != nil {
		return c, place.fail(p.key, "%s", p.text)
	}
	if p := c.problem(); p != nil {
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

// misplaced returns a key that stands there and says nothing.
func (f *file) misplaced(md toml.MetaData) *problem {
	switch {
	case f.Search == Grid && md.IsDefined("trials"):
		return &problem{"trials", "trials are those of a random search; a grid has all combinations"}
	case f.Search == Grid && md.IsDefined("seed"):
		return &problem{"seed", "seed is that of a random search; seeds = [1, 2] are those of training"}
	case md.IsDefined("seeds") && len(f.Seeds) == 0:
		return &problem{"seeds", "seeds has none: leave it out for 1"}
	case md.IsDefined("restrict") && len(f.Analogy) == 0 && len(f.Similarity) > 0:
		return &problem{"restrict", "restrict is for the sets of analogy, and there are none"}
	}
	return nil
}

// variant makes a variant of a table of settings, in the order of its keys.
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
