package main

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/lab/machine"
	"github.com/w2v-go/w2v/lab/trainers"
)

// write makes a file for a test.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A piece begins with the line that has the token a third into the text, and ends with the line
// that makes it long enough.
func TestPieces(t *testing.T) {
	for _, test := range []struct {
		name, content string
		piece         int
		want          string // the piece; empty for none
		tokens        uint64
	}{
		{"lines of one token", "a\nb\nc\nd\ne\nf\ng\n", 3, "c\nd\ne\n", 3},
		{"the line that crosses the third is whole", "a b\nc d e\nf\ng h i\n", 3, "c d e\n", 3},
		{"longer than asked for", "a b\nc d e\nf\ng h i\n", 4, "c d e\nf\n", 4},
		{"up to a line that is too long", "a\nb c\nd e f g h\ni\n", 3, "d e f g h\n", 5},
		{"blank lines stay", "a\nb\n\nc\n\nd\ne\nf\n", 3, "c\n\nd\ne\n", 3},
		{"nearly all of the text", "a\nb\nc\nd\n", 3, "b\nc\nd\n", 3},
		{"no newline at the end", "a\nb\nc\nd", 3, "b\nc\nd", 3},
		{"as long as the text", "a\nb\nc\n", 3, "", 0},
		{"longer than the text", "a\nb\nc\n", 9, "", 0},
		{"no pieces", "a\nb\nc\n", 0, "", 0},
	} {
		files := []textFile{{"t", "en", write(t, "t.txt", test.content)}}
		all, err := prepareTexts(files, nil, test.piece, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(all[0].Path)
		if err != nil || string(whole) != test.content || all[0].name != "t" {
			t.Errorf("%s: the text %s is %q, %v", test.name, all[0].name, whole, err)
		}
		if test.want == "" {
			if len(all) != 1 {
				t.Errorf("%s: there is a piece %v", test.name, all[1])
			}
			continue
		}
		piece, err := os.ReadFile(all[1].Path)
		if err != nil || string(piece) != test.want || all[1].Tokens != test.tokens || all[1].Lines != uint64(strings.Count(strings.TrimSuffix(test.want, "\n")+"\n", "\n")) {
			t.Errorf("%s: the piece is %q of %d tokens in %d lines, %v", test.name, piece, all[1].Tokens, all[1].Lines, err)
		}
		if all[0].hash == all[1].hash {
			t.Errorf("%s: text and piece have the same hash", test.name)
		}
	}
}

// Names choose texts and pieces. A name that means nothing is an error.
func TestChosenTexts(t *testing.T) {
	path := write(t, "t.txt", "a\nb\nc\nd\n")
	files := []textFile{{"x", "en", path}, {"y", "de", path}}
	for only, want := range map[string]string{"": "x x-2 y y-2", "x": "x", "y-2": "y-2", "x-2,y": "x-2 y"} {
		all, err := prepareTexts(files, parseNames(only), 2, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range all {
			names = append(names, x.name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q chooses %s, want %s", only, got, want)
		}
	}
	for _, only := range []string{"z", "x-3", "x,z"} {
		if _, err := prepareTexts(files, parseNames(only), 2, t.TempDir()); err == nil {
			t.Errorf("%q chooses texts", only)
		}
	}
	if names := tokensName(2_000_000) + " " + tokensName(500_000) + " " + tokensName(1234); names != "2M 500k 1234" {
		t.Error(names)
	}
}

func TestOptions(t *testing.T) {
	o, err := parseOptions([]string{"-text", "a/b=de:c:d=e", "-setting", "more=--epochs 8 --lr 0.05", "-seeds", "4,5", "-kinds", "n-grams", "-epochs", ""})
	if err != nil {
		t.Fatal(err)
	}
	if want := []textFile{{"a/b", "de", "c:d=e"}}; !reflect.DeepEqual(o.texts, want) {
		t.Errorf("texts %v", o.texts)
	}
	if want := []setting{{"more", []string{"--epochs", "8", "--lr", "0.05"}}}; !reflect.DeepEqual(o.settings, want) {
		t.Errorf("settings %v", o.settings)
	}
	if !reflect.DeepEqual(o.seeds, []uint64{4, 5}) || o.epochs != nil || !reflect.DeepEqual(o.only.kinds, []string{ngrams}) {
		t.Errorf("seeds %v, epochs %v, kinds %v", o.seeds, o.epochs, o.only.kinds)
	}
	if o, err := parseOptions(nil); err != nil || len(o.texts) != 3 {
		t.Errorf("texts %v, %v", o.texts, err)
	}
	for _, args := range []string{"x", "-text x", "-text x=y", "-setting w2v=--lr_1", "-setting x", "-setting koan=--lr_1", "-setting x=--lr_1 -setting x=--lr_2", "-seeds 0", "-seeds -1", "-dims x", "-dims ,", "-kinds letters", "-threads 0"} {
		if _, err := parseOptions(strings.Fields(args)); err == nil {
			t.Errorf("%q is fine", args)
		}
	}
}

// A result is found under its key, and not if anything that it depends on is another.
func TestCache(t *testing.T) {
	c := cache{t.TempDir()}
	k := key{
		Text: "text", Program: "program", Flags: []string{"--lr", "1"}, Battery: "sets", Processor: "cpu",
		Settings: trainers.Settings{Dim: 100, Threads: 1, Seed: 1},
	}
	undefined := eval.Score(math.NaN())
	want := result{Epochs: 5, CPUSeconds: 1.5, Scores: []battery.Score{{Set: "WS353", Value: 0.5, Used: 300}, {Set: "RG65", Value: undefined}}}
	if err := c.save(k, want); err != nil {
		t.Fatal(err)
	}
	got, found, err := c.load(k)
	if err != nil || !found || got.Epochs != 5 || got.CPUSeconds != 1.5 || len(got.Scores) != 2 || got.Scores[0] != want.Scores[0] || got.Scores[1].Value.Defined() {
		t.Errorf("%v, %t, %v", got, found, err)
	}
	others := map[string]func(*key){
		"text":      func(k *key) { k.Text = "other" },
		"program":   func(k *key) { k.Program = "other" },
		"flags":     func(k *key) { k.Flags = []string{"--lr 1"} },
		"no flags":  func(k *key) { k.Flags = nil },
		"battery":   func(k *key) { k.Battery = "other" },
		"processor": func(k *key) { k.Processor = "other" },
	}
	settings := reflect.TypeFor[trainers.Settings]()
	for i := range settings.NumField() {
		others[settings.Field(i).Name] = func(k *key) {
			switch f := reflect.ValueOf(&k.Settings).Elem().Field(i); f.Kind() {
			case reflect.Bool:
				f.SetBool(true)
			case reflect.Float64:
				f.SetFloat(0.5)
			case reflect.Int:
				f.SetInt(7)
			case reflect.Uint64:
				f.SetUint(7)
			}
		}
	}
	for name, change := range others {
		other := k
		change(&other)
		if _, found, err := c.load(other); found || err != nil {
			t.Errorf("another %s: found %t, %v", name, found, err)
		}
	}
	name, err := k.file()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.folder, name), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.load(k); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a damaged file: %v", err)
	}
}

// scored are results with scores on two sets, by seed.
func scored(epochs int, seconds float64, a, b []float64) []result {
	var all []result
	for i := range a {
		all = append(all, result{Epochs: epochs, CPUSeconds: seconds, PeakBytes: 5e6, Scores: []battery.Score{{Set: "A", Value: eval.Score(a[i])}, {Set: "B", Value: eval.Score(b[i])}}})
	}
	return all
}

// example is a contest in which w2v is better in the mean and on A, and worse on B.
func example() *contest {
	return &contest{
		Text: "t", Tokens: 9, Kind: words, Dim: 100, Sets: []string{"A", "B"},
		Rows: []*row{
			{Program: "w2v", Ours: true, Runs: scored(5, 10, []float64{0.60, 0.62}, []float64{0.30, 0.30}), Longer: scored(1, 2, []float64{0.50, 0.52}, []float64{0.10, 0.10})},
			{Program: "peer", Runs: scored(5, 60, []float64{0.45, 0.47}, []float64{0.35, 0.35})},
			{Program: "missing"},
		},
	}
}

func TestStatistics(t *testing.T) {
	c := example()
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
	// Each of three groups has the deviation of two scores that are 0.02 apart.
	if got, want := c.seedDeviation("A"), 0.02/math.Sqrt2; !near(got, want) {
		t.Errorf("deviation %v, want %v", got, want)
	}
	d := c.compare(c.Rows[0], c.Rows[1], "A")
	if !near(d.Value, 0.15) || !near(d.Error, 0.02/math.Sqrt2) || d.worse() {
		t.Errorf("A: %v", d)
	}
	if d := c.compare(c.Rows[1], c.Rows[0], "A"); !d.worse() {
		t.Errorf("A, the other way round: %v", d)
	}
	if d := c.compare(c.Rows[0], c.Rows[1], meanColumn); !near(d.Value, 0.05) {
		t.Errorf("mean: %v", d)
	}
	// One seed more has another error, and no noise is known of one seed alone.
	c.Rows[0].Runs = c.Rows[0].Runs[:1]
	if d := c.compare(c.Rows[0], c.Rows[1], "A"); !near(d.Error, 0.02/math.Sqrt2*math.Sqrt(1.5)) {
		t.Errorf("one seed: %v", d)
	}
	c.Rows[0].Longer, c.Rows[1].Runs = nil, c.Rows[1].Runs[:1]
	if d := c.compare(c.Rows[1], c.Rows[0], "A"); !math.IsNaN(d.Error) || d.worse() {
		t.Errorf("no noise is known: %v", d)
	}
}

// A difference is worse below two standard errors.
func TestWorse(t *testing.T) {
	for _, test := range []struct {
		d    difference
		want string
	}{
		{difference{0.1, 0.01}, "+0.100 ± 0.010"},
		{difference{-0.02, 0.01}, "-0.020 ± 0.010"},
		{difference{-0.03, 0.01}, "**-0.030 ± 0.010**"},
		{difference{-0.03, math.NaN()}, "-0.030"},
		{difference{math.NaN(), 0.01}, ""},
	} {
		if got := test.d.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestTables(t *testing.T) {
	r := report{Machine: machine.Machine{When: "now", System: "here", Cores: 2}, Command: []string{"quality"}, Programs: []string{"w2v 1", "peer 2"}, Contests: []*contest{example()}}
	got := r.markdown()
	for _, want := range []string{
		"| text | kind  | dim | program | peer | mean, difference | worse sets | time to the peer's mean: × less |",
		"| t    | words | 100 | w2v     | peer | +0.050 ± 0.007   | B          | 8.18                            |",
		"| w2v                 | 5      | 2     | 0.610 | 0.300 | 0.455 | 10.0 s               | 5 MB        |",
		"| w2v − peer | +0.150 ± 0.014 | **-0.050 ± 0.000** | +0.050 ± 0.007 |",
		"| w2v     | peer | 0.405    | 60.0 s       | 7.33 s              | 3.7    | 8.18   |",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no\n%s\nin\n%s", want, got)
		}
	}
	if strings.Contains(got, "missing") {
		t.Errorf("a program without results is in\n%s", got)
	}
}
