package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/train"
)

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
