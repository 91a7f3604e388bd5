package sweep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/train"
)

const head = "corpus = [\"a.txt\", \"b.gz\"]\nsimilarity = [\"s.tsv\"]\n" // two lines

func TestParse(t *testing.T) {
	c, err := Parse("s.toml", []byte(head+`
lowercase = true
tokenizer = "unicode"
max-vocab = 9
seeds = [3, 1]
search = "random"
trials = 4
[settings]
window = [2, 5]
lr = { min = 0.01, max = 1, log = true }
epochs = 3
"dim" = { min = 10, max = 20 }
nested = [[8, 16], [4, 16], "16"]
[[variants]]
name = "a"
[[variants]]
name = "b"
window = 7
arch = "cbow"
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if b := c.Base; !b.Text.Lowercase || b.Text.Tokenizer != corpus.Unicode || b.MaxVocab != 9 || b.MinCount != 5 || !slices.Equal(c.Seeds, []uint64{3, 1}) || c.Trials != 4 || c.Draw != 1 {
		t.Errorf("%+v", c)
	}
	if len(c.Variants) != 2 {
		t.Fatalf("%d variants", len(c.Variants))
	}
	for i, want := range []string{
		`a: window [2 5], lr 0.01…1 log, epochs [3], dim 10…20 whole, nested [8,16 4,16 16]`,
		`b: lr 0.01…1 log, epochs [3], dim 10…20 whole, nested [8,16 4,16 16], window [7], arch [cbow]`,
	} {
		var parts []string
		for _, a := range c.Variants[i].Axes {
			text := fmt.Sprint(a.Values)
			if in := a.Range; in != nil {
				text = fmt.Sprintf("%v…%v", in.Min, in.Max)
				if in.Log {
					text += " log"
				}
				if in.Whole {
					text += " whole"
				}
			}
			parts = append(parts, a.Setting+" "+text)
		}
		if got := c.Variants[i].Name + ": " + strings.Join(parts, ", "); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// Every setting of text is a key of a sweep, above the settings that may differ.
func TestSettingsOfText(t *testing.T) {
	for _, row := range train.Table() {
		if row.Group != train.GroupText {
			continue
		}
		value := map[string]string{"bool": "true", "int": "7", "name": "other", "float64": "0.25", "words": "of,the"}[row.Type]
		line := value
		if row.Type == "name" || row.Type == "words" {
			line = strconv.Quote(value)
		}
		if n := len(row.Choices); n > 0 {
			value = row.Choices[n-1].Value
			line = strconv.Quote(value)
		}
		c, err := Parse("s.toml", []byte(head+row.Name+" = "+line), nil)
		if err != nil || c.Base.Value(row.Name) != value || value == row.Default {
			t.Errorf("%s = %s: %q, %v", row.Name, line, c.Base.Value(row.Name), err)
		}
		if _, err := Parse("s.toml", []byte(head+"[settings]\n"+row.Name+" = "+line), nil); err == nil {
			t.Errorf("models differ by %s", row.Name)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `s.toml: no corpus: corpus = ["text.gz"] names one`},
		{`corpus = ["a"]`, `s.toml: nothing to evaluate models by: similarity = ["pairs.tsv"] or analogy = ["questions.txt"] names sets`},
		{"\ncorpus = 3", "s.toml:2: corpus: incompatible types"},
		{"corpus = [", "s.toml:1: "},
		{head + "\nwat = 1", `s.toml:4: "wat" is not a key of a sweep; settings of the models stand under [settings]`},
		{head + "dim = 8", `s.toml:3: "dim" is not a key of a sweep; settings of the models stand under [settings]`},
		{head + "[other]\ndim = 8", `s.toml:3: "other" is not a key of a sweep; settings of the models stand under [settings]`},
		{head + `search = "bayes"`, `s.toml:3: search = "bayes" is not known: grid and random are`},
		{head + `search = "random"`, "s.toml:3: a random search needs trials = N, at least 1"},
		{head + "trials = 9", "s.toml:3: trials are those of a random search; a grid has all combinations"},
		{head + "seed = 9", "s.toml:3: seed is that of a random search; seeds = [1, 2] are those of training"},
		{head + "seeds = []", "s.toml:3: seeds has none: leave it out for 1"},
		{head + "seeds = [1, 2, 1]", "s.toml:3: the seed 1 stands there twice"},
		{head + "seeds = [-1]", "s.toml:3: a seed must not be negative, is -1"},
		{head + "restrict = 9", "s.toml:3: restrict is for the sets of analogy, and there are none"},
		{head + "min-count = -9", "s.toml:3: min-count must not be negative, is -9"},
		{head + "tokenizer = 'odd'", `s.toml:3: tokenizer: "odd" is not whitespace, unicode or characters, nor the path of a tokenizer.json`},
		{head + "lowercase = 3", `s.toml:3: lowercase: "3" is not true, false, af, az, el, lt, nl or tr`},
		{head + "lowercase.a = true", "s.toml:3: lowercase: all models share it, so it has one value"},
		{head + "max-vocab = [1, 2]", "s.toml:3: max-vocab: all models share it, so it has one value"},
		{head + "[settings]\nmin-count = [1, 5]", "s.toml:4: min-count decides about the vocabulary, and all trials share one, or their scores would be of different words: it stands at the top, above [settings]"},
		{head + "[settings]\nlowercase = true", "s.toml:4: lowercase decides about the vocabulary"},
		{head + "[settings]\ninit = 'a.bin'", "s.toml:4: init is about one run of training; trials of a sweep train all of the corpus, from the start, with its vocabulary"},
		{head + "[settings]\nseed = [1]", "s.toml:4: seed is not a setting to choose the best of: seeds = [1, 2, 3], at the top, trains each point with each"},
		{head + "[settings]\nthreads = [1, 2]", "s.toml:4: threads would change the speed alone"},
		{head + "[settings]\nwindow = 3\ndims = [8]", `s.toml:5: "dims" is not a setting`},
		{head + "[settings]\ndim = []", "s.toml:4: dim: there is nothing in the list"},
		{head + "[settings]\ndim = { min = 1, max = 9 }", `s.toml:4: dim: a range has no end of values for a grid: give a list, or say search = "random"`},
		{head + "[settings]\ndim = { min = 9, max = 1 }", "s.toml:4: dim: min, 9, is not below max, 1"},
		{head + "[settings]\ndim = { min = 0, max = 1, log = true }", "s.toml:4: dim: log needs min above 0, is 0"},
		{head + "[settings]\ndim = { min = 1 }", "s.toml:4: dim: a range is { min = 0.02, max = 0.1, log = true }: max must be a number"},
		{head + "[settings]\ndim = { min = 1, max = 2, log = 3 }", "s.toml:4: dim: log is true or false"},
		{head + "[settings]\ndim = { min = 1, max = 2, step = 3 }", `s.toml:4: dim: "step" is not a key of a range, which are min, max and log`},
		{head + "[settings]\ndim = 2024-01-01", "s.toml:4: dim: 2024-01-01 00:00:00"},
		{head + "[settings]\ndim = [[[8]]]", "s.toml:4: dim: lists in lists in lists mean nothing"},
		{head + "[settings]\ndim = 8\n[[variants]]\ndim = 9\n[[variants]]\n\nepoch = 9", `s.toml:9: "epoch" is not a setting`},
		{head + "settings = 3", "s.toml:3: settings stand below a line [settings]"},
		{head + "variants = [{ name = 'a' }]", "s.toml:3: settings stand below a line [settings]"},
		{head + "[[settings]]\ndim = 8", "s.toml:3: settings stand below a line [settings]"},
		{head + "[settings]\nlr.low = 1\nlr.max = 2", `s.toml:4: lr: "low" is not a key of a range`},
		{head + "[settings]\nname = 'a'", `s.toml:4: "name" is not a setting`},
		{head + "[[variants]]\nname = 3", "s.toml:4: name: a variant's name is a text"},
	} {
		_, err := Parse("s.toml", []byte(tt.text), nil)
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v\nwant %s", tt.text, err, tt.want)
		}
	}
}

// Whatever is in a file, what is made of it are points or one line.
func FuzzParse(f *testing.F) {
	f.Add(head + "[settings]\ndim = [8, 16]\n[[variants]]\nname = \"a\"\n")
	f.Add(head + "search = 'random'\ntrials = 3\n[settings]\nlr = { min = 0.1, max = 1.0, log = true }\n")
	f.Add("[[settings]]\n[variants]\nx.y.z = 1")
	f.Add("variants = [{name = 'a'}, {}]\nsettings = {dim = 8}\n" + head)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("s.toml", []byte(text), nil)
		if err == nil && c.Trials < 1000 {
			c.configure = plain
			_, err = c.Points()
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q", err)
		}
	})
}

func FuzzLog(f *testing.F) {
	f.Add("{\"key\":\"a\",\"settings\":{\"dim\":8,\"arch\":\"cbow\"}}\n{\"key\":\"b\"")
	f.Add("{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		l := log{path: "results.jsonl", done: make(map[string]Result)}
		if whole, err := l.read([]byte(text)); err == nil && whole > len(text) {
			t.Error(whole)
		}
	})
}

var errOdd = errors.New("odd dimensions are not possible")

// plain configures what the tests set: dimensions, which must be even, and so on.
func plain(settings Settings) (train.Settings, Settings, error) {
	all := train.Defaults()
	c := &all.Model
	for _, s := range settings {
		x, err := strconv.ParseFloat(s.Value, 64)
		if err != nil {
			return all, nil, err
		}
		switch s.Name {
		case "dim":
			c.Dim = int(x)
		case "window":
			c.Window = int(x)
		case "epochs":
			c.Epochs = int(x)
		case "sample":
			c.Sample = x
		case "lr":
			c.LearningRate = x
		case "rank":
			c.Rank = int(x)
		}
	}
	if c.Dim%2 == 1 {
		return all, nil, errOdd
	}
	return all, settings, c.Validate()
}

// parsed is a configuration whose models plain configures.
func parsed(t *testing.T, text string) Config {
	t.Helper()
	c, err := Parse("s.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.configure = plain
	return c
}

func pointsOf(t *testing.T, text string) []Point {
	t.Helper()
	c := parsed(t, head+text)
	points, err := c.Points()
	if err != nil {
		t.Fatal(err)
	}
	return points
}

func TestGrid(t *testing.T) {
	var got []string
	for _, p := range pointsOf(t, `
[settings]
dim = [7, 16, 32]
epochs = 2
window = [5, 3]
[[variants]]
name = "all"
[[variants]]
name = "one"
dim = 64
window = 2
`) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%d %s%s: %s %s", p.Number, p.Variant, p.Baseline, p.Settings, p.Skipped)))
	}
	want := []string{
		"0 random vectors: dim 16", // those of the first point that can be
		"0 alldim 8: dim 8, epochs 2, window 5",
		"1 all: dim 7, epochs 2, window 5 odd dimensions are not possible",
		"2 all: dim 7, epochs 2, window 3 odd dimensions are not possible",
		"3 all: dim 16, epochs 2, window 5",
		"4 all: dim 16, epochs 2, window 3",
		"5 all: dim 32, epochs 2, window 5",
		"6 all: dim 32, epochs 2, window 3",
		"7 one: epochs 2, dim 64, window 2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The baseline has a rank if it is one of 8 dimensions, and none if not.
func TestBaselineOfRanks(t *testing.T) {
	for rank, want := range map[int]string{4: "rank 4, dim 8", 16: "dim 8"} {
		small := pointsOf(t, fmt.Sprintf("[settings]\nrank = %d\n", rank))[1]
		if small.Settings.String() != want || small.Skipped != "" {
			t.Errorf("rank %d: baseline of %s, %s", rank, small.Settings, small.Skipped)
		}
	}
}

// Without settings there is the model of all defaults.
func TestNoSettings(t *testing.T) {
	points := pointsOf(t, "")
	if len(points) != 3 || points[0].Settings.String() != "dim 100" || points[1].Settings.String() != "dim 8" || points[2].settings.Model.Dim != 100 {
		t.Errorf("%+v", points)
	}
}

func TestNoPoints(t *testing.T) {
	for text, want := range map[string]string{
		"[settings]\ndim = [7, 9]": "none of 2 points can be trained, the first because: odd dimensions are not possible",
		"[settings]\n" + many("dim") + many("window") + many("epochs") + many("rank") + many("sample") + many("lr"): "the grid has more than 100000 points: search = \"random\" tries some of them",
		"search = 'random'\ntrials = 3\n[settings]\ndim = 9":                                                        "none of 1 points can be trained, the first because: odd dimensions are not possible",
	} {
		if _, err := parsed(t, head+text).Points(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func many(name string) string { return name + " = [1, 2, 3, 4, 5, 6, 7, 8]\n" }

const drawing = `
[settings]
dim = { min = 3, max = 40 }
lr = { min = 0.001, max = 0.1, log = true }
epochs = { min = 1, max = 64, log = true }
window = [2, 5]
[[variants]]
name = "a"
[[variants]]
name = "b"
sample = { min = 0.0, max = 1.0 }
`

func TestRandomSearch(t *testing.T) {
	points := pointsOf(t, "search = 'random'\ntrials = 400\n"+drawing)[2:]
	var good, low, few int
	dims, seen, variants := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, p := range points {
		if seen[p.Variant+p.Settings.String()] {
			t.Errorf("%s stands there twice", p.Settings)
		}
		seen[p.Variant+p.Settings.String()] = true
		if p.Skipped != "" {
			continue
		}
		good++
		variants[p.Variant]++
		dims[p.Settings.value("dim")] = true
		if c := p.settings.Model; c.Dim < 3 || c.Dim > 40 || c.LearningRate < 0.001 || c.LearningRate > 0.1 || c.Epochs < 1 || c.Epochs > 64 {
			t.Errorf("%s", p.Settings)
		}
		if p.settings.Model.LearningRate < 0.01 { // half of the orders of magnitude
			low++
		}
		if p.settings.Model.Epochs <= 8 {
			few++
		}
		if digits := len(strings.TrimLeft(p.Settings.value("lr"), "0.")); digits > 4 {
			t.Errorf("a rate of %s", p.Settings.value("lr"))
		}
	}
	if good != 400 || len(dims) != 19 || variants["a"] < 150 || variants["b"] < 150 {
		t.Errorf("%d points, %d dimensions, %v", good, len(dims), variants)
	}
	for what, n := range map[string]int{"low rates": low, "few epochs": few} {
		if math.Abs(float64(n)-200) > 50 {
			t.Errorf("%d of 400 %s", n, what)
		}
	}
}

// The same seed draws the same points, and more trials the same ones and more.
func TestRandomSearchGoesOn(t *testing.T) {
	draw := func(trials int, seed uint64) string {
		var all []string
		for _, p := range pointsOf(t, fmt.Sprintf("search = 'random'\ntrials = %d\nseed = %d\n%s", trials, seed, drawing))[2:] {
			all = append(all, p.Settings.String())
		}
		return strings.Join(all, "\n")
	}
	if ten := draw(10, 1); !strings.HasPrefix(draw(20, 1), ten) || draw(10, 1) != ten || draw(10, 2) == ten {
		t.Error("the points depend on something else than the seed")
	}
}

// Where there are only few different points, these are all.
func TestRandomSearchOfFew(t *testing.T) {
	points := pointsOf(t, "search = 'random'\ntrials = 40\n[settings]\ndim = [2, 3, 4]\nwindow = [1, 2]\n")[2:]
	if len(points) != 6 {
		t.Errorf("%d points", len(points))
	}
}
