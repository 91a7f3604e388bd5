package plots

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/chart"
	"github.com/w2v-go/w2v/vectors/inspect"
	"github.com/w2v-go/w2v/vectors/metadata"
)

// words are vectors of three dimensions: two pairs that are near each other, and a word apart.
func words() []Word {
	return []Word{
		{Text: "cat", ID: 0, Vector: []float32{2, 0, 0}},
		{Text: "car", ID: 1, Vector: []float32{0, 3, 0}},
		{Text: "dog", ID: 2, Vector: []float32{1, 0.1, 0}},
		{Text: "bus", ID: 3, Vector: []float32{0.1, 1, 0.1}},
		{Text: "sky", ID: -1, Vector: []float32{0, 0, 5}, Strong: true},
	}
}

func TestHeatmap(t *testing.T) {
	h, err := NewHeatmap(t.Context(), words(), OrderCluster)
	if err != nil {
		t.Fatal(err)
	}
	place := map[string]int{}
	for i, w := range h.Words {
		place[w] = i
	}
	for _, pair := range [][2]string{{"cat", "dog"}, {"car", "bus"}} {
		if d := place[pair[0]] - place[pair[1]]; d*d != 1 {
			t.Errorf("%v are not beside each other in %v", pair, h.Words)
		}
	}
	for i, row := range h.Similarity {
		for k, x := range row {
			if i == k && x != 1 || x != h.Similarity[k][i] || x < -1 || x > 1 {
				t.Errorf("%s, %s: %v", h.Words[i], h.Words[k], x)
			}
		}
	}
	if x, want := h.Similarity[place["cat"]][place["dog"]], 1/math.Sqrt(1.01); math.Abs(x-want) > 1e-7 {
		t.Errorf("cat and dog: %v, want %v", x, want)
	}
	// Joins name earlier ones, and become higher.
	for i, j := range h.Tree {
		if j.A >= len(h.Words)+i || j.B >= len(h.Words)+i || i > 0 && j.Distance < h.Tree[i-1].Distance {
			t.Errorf("join %d: %+v after %+v", i, j, h.Tree[:i])
		}
	}
	if len(h.Tree) != 4 {
		t.Errorf("%d joins", len(h.Tree))
	}
	given, err := NewHeatmap(t.Context(), words(), OrderGiven)
	if err != nil || !slices.Equal(given.Words, []string{"cat", "car", "dog", "bus", "sky"}) || given.Tree != nil {
		t.Errorf("%+v, %v", given, err)
	}
}

// Average linkage by its definition: the pair of clusters with the smallest mean distance of their items,
// again and again.
func TestAverageLinkage(t *testing.T) {
	points := []float64{0, 10, 1, 30, 11.5, 33, 2.2, 100}
	distance := func(i, k int) float64 { return math.Abs(points[i] - points[k]) }
	clusters := map[int][]int{}
	for i := range points {
		clusters[i] = []int{i}
	}
	for i, j := range average(distance, len(points)) {
		best, pair := math.Inf(1), [2]int{}
		mean := func(a, b int) (sum float64) {
			for _, x := range clusters[a] {
				for _, y := range clusters[b] {
					sum += distance(x, y)
				}
			}
			return sum / float64(len(clusters[a])*len(clusters[b]))
		}
		for a := range clusters {
			for b := range clusters {
				if a < b && mean(a, b) < best {
					best, pair = mean(a, b), [2]int{a, b}
				}
			}
		}
		if got := [2]int{min(j.A, j.B), max(j.A, j.B)}; got != pair || math.Abs(j.Distance-best) > 1e-9 {
			t.Fatalf("join %d is of %v at %v, want %v at %v", i, got, j.Distance, pair, best)
		}
		clusters[len(points)+i] = append(clusters[j.A], clusters[j.B]...)
		delete(clusters, j.A)
		delete(clusters, j.B)
	}
	order := leaves(average(distance, len(points)), len(points), distance)
	if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("the leaves are %v", order)
	}
	if same := average(func(int, int) float64 { return 0 }, 5); len(same) != 4 {
		t.Errorf("items at one place: %v", same)
	}
}

// Words whose unit vectors lie in a plane keep their distances on a map of principal components.
func TestMapOfAPlane(t *testing.T) {
	flat := words()[:4]
	flat[3].Vector = []float32{-1, 1, 0}
	m, err := NewMap(t.Context(), flat, MapOptions{Relations: [][][2]int{{{0, 1}, {2, 3}}}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := units(flat)
	if err != nil {
		t.Fatal(err)
	}
	for i := range flat {
		for k := range flat {
			var want float64
			for d, x := range rows.Row(i) {
				want += math.Pow(float64(x-rows.Row(k)[d]), 2)
			}
			if got := math.Hypot(m.Words[i].X-m.Words[k].X, m.Words[i].Y-m.Words[k].Y); math.Abs(got-math.Sqrt(want)) > 1e-5 {
				t.Errorf("%s and %s are %v apart, want %v", flat[i].Text, flat[k].Text, got, math.Sqrt(want))
			}
		}
	}
	if sum := m.Explained[0] + m.Explained[1]; math.Abs(sum-1) > 1e-6 {
		t.Errorf("two components have %v of the variance of a plane", sum)
	}
	a, b, c, at := m.Words[0], m.Words[1], m.Words[2], m.Relations[0].Corners[0]
	if x, y := c.X+b.X-a.X, c.Y+b.Y-a.Y; at != [2]float64{x, y} {
		t.Errorf("the corner is at %v, want %v, %v", at, x, y)
	}
}

func TestWhatCannotBeDrawn(t *testing.T) {
	zero := append(words(), Word{Text: "nil", Vector: make([]float32, 3)})
	short := append(words(), Word{Text: "two", Vector: make([]float32, 2)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for want, try := range map[string]func() error{
		"two words at least":     func() error { _, err := NewMap(t.Context(), words()[:1], MapOptions{}); return err },
		`"nil" is zero`:          func() error { _, err := NewMap(t.Context(), zero, MapOptions{}); return err },
		`"two" has 2 dimensions`: func() error { _, err := NewHeatmap(t.Context(), short, OrderGiven); return err },
		"there are no words":     func() error { _, err := NewHeatmap(t.Context(), nil, OrderGiven); return err },
		"not an order":           func() error { _, err := NewHeatmap(t.Context(), words(), "size"); return err },
		"may have 1000 words":    func() error { _, err := NewHeatmap(t.Context(), make([]Word, 1001), OrderGiven); return err },
		"may have 20000 words":   func() error { _, err := NewMap(t.Context(), make([]Word, 20001), MapOptions{}); return err },
		"context canceled":       func() error { _, err := NewHeatmap(ctx, words(), OrderGiven); return err },
		"not a projection":       func() error { _, err := NewMap(t.Context(), words(), MapOptions{Projection: "globe"}); return err },
		"has word 9": func() error {
			_, err := NewMap(t.Context(), words(), MapOptions{Relations: [][][2]int{{{0, 9}}}})
			return err
		},
		"has no pairs": func() error {
			_, err := NewMap(t.Context(), words(), MapOptions{Relations: [][][2]int{{}}})
			return err
		},
		"colours for 1 words": func() error {
			_, err := NewMap(t.Context(), words(), MapOptions{Colors: Coloring{Of: []int{0}}})
			return err
		},
		"cannot make 6 clusters":   func() error { _, err := ByCluster(words(), 6, 0); return err },
		"cannot make 101 clusters": func() error { _, err := ByCluster(make([]Word, 200), MaxClusters+1, 0); return err },
		"there are no scores":      func() error { _, err := NewFrequency(nil); return err },
		"needs a model at least":   func() error { _, err := NewScree(nil, nil); return err },
		"there are no runs":        func() error { _, err := NewTraining(nil, ""); return err },
		"no such axis of a traini": func() error { _, err := NewTraining([]*Run{{}}, "moons"); return err },
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestColours(t *testing.T) {
	c, err := ByCluster(words(), 3, 1)
	if err != nil || c.Of[0] != c.Of[2] || c.Of[1] != c.Of[3] || c.Of[4] == c.Of[0] || len(c.Groups) != 3 || c.Groups[c.Of[4]] != "sky" {
		t.Errorf("%+v, %v", c, err)
	}
	table, err := metadata.Read(strings.NewReader("word\tkind\tage\ncat\tanimal\t3\ndog\tanimal\t\ncar\tmachine\t5\n"), "facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	fields := table.Fields([]string{"cat", "car", "dog", "bus", "sky"})
	if c := ByField(fields[0]); !slices.Equal(c.Groups, []string{"animal", "machine"}) || !slices.Equal(c.Of, []int{0, 1, 0, -1, -1}) {
		t.Errorf("%+v", c)
	}
	m, err := NewMap(t.Context(), words(), MapOptions{Colors: ByField(fields[1])})
	if err != nil || *m.Words[1].Value != 5 || m.Words[2].Value != nil || m.Words[0].Group != nil {
		t.Errorf("%+v, %v", m, err)
	}
}

// Every picture is drawn as both kinds of file, and its JSON has the data.
func TestEveryPicture(t *testing.T) {
	m, err := NewMap(t.Context(), words(), MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	umap, err := NewMap(t.Context(), words(), MapOptions{Projection: UMAP, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	h, _ := NewHeatmap(t.Context(), words(), OrderCluster)
	runs, err := ReadRuns(strings.NewReader(`{"event":"progress","tokens":5,"total":9,"lr":1,"loss":2,"elapsed":1}`), "log")
	if err != nil {
		t.Fatal(err)
	}
	training, _ := NewTraining(runs, AgainstShare)
	f, _ := NewFrequency([]eval.Record{{Summary: eval.Summary{Set: "pairs", Metric: "spearman"}, Bands: []eval.Band{
		{From: 1, To: 10, Items: 3, Score: 0.5, Interval: eval.Between(0.2, 0.7)}, {From: 11, To: 20}, {From: 21, To: 30, Items: 1, Score: eval.Score(math.NaN())}}}})
	s, _ := NewScree([]string{"a"}, []*inspect.Spectrum{{Words: 3, Dim: 2, SingularValues: []float64{2, 1}, Variance: []float64{0.8, 0.2}}})
	for name, c := range map[string]struct {
		Picture
		json string
	}{
		"map":       {m, `"projection":"pca"`},
		"umap":      {umap, `"projection":"umap"`},
		"heatmap":   {h, `"order":"cluster"`},
		"training":  {training, `"loss":2`},
		"frequency": {f, `"interval":[0.2,0.7]`},
		"scree":     {s, `"components_90":2`},
	} {
		t.Run(name, func(t *testing.T) {
			for _, to := range Formats() {
				var out, again bytes.Buffer
				if _, err := Write(&out, c.Picture, to, Style{}); err != nil {
					t.Fatal(err)
				}
				if _, err := Write(&again, c.Picture, to, Style{}); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
					t.Errorf("the same %s is another file, %v", to, err)
				}
				if bytes.Contains(out.Bytes(), []byte("NaN")) {
					t.Error("NaN")
				}
			}
			data, err := json.Marshal(c.Picture)
			if err != nil || !strings.Contains(string(data), c.json) {
				t.Errorf("%s, %v, want %s", data, err, c.json)
			}
		})
	}
}

func start(tokens int, resumed bool) string {
	return fmt.Sprintf(`{"event":"start","tokens":%d,"total":1000,"words":7,"resumed":%t}`, tokens, resumed)
}

func progress(tokens int, elapsed float64) string {
	return fmt.Sprintf(`{"event":"progress","tokens":%d,"total":1000,"lr":0.01,"loss":%g,"tokens_per_second_now":5,"elapsed":%g}`, tokens, 3-float64(tokens)/1000, elapsed)
}

const final = `{"event":"progress","tokens":1000,"total":1000,"lr":0,"loss":1,"tokens_per_second_now":5,"elapsed":9,"final":true}`

func TestReadRuns(t *testing.T) {
	type run struct {
		tokens  []uint64
		seconds []float64
		events  []Event
		done    bool
	}
	for name, c := range map[string]struct {
		lines []string
		want  []run
	}{
		"one session": {
			[]string{`{"event":"note","text":"before the start"}`, start(0, false), progress(100, 1), progress(200, 2), final, `{"event":"done","output":"m"}`},
			[]run{{tokens: []uint64{100, 200, 1000}, seconds: []float64{1, 2, 9}, done: true}},
		},
		"resumed at a checkpoint: what was lost is left out": {
			[]string{start(0, false), progress(100, 1), progress(200, 2), progress(300, 3), start(200, true), progress(250, 0.5), `{"event":"done"}`},
			[]run{{tokens: []uint64{100, 200, 250}, seconds: []float64{1, 2, 2.5}, events: []Event{{Resumed, 200, 2}}, done: true}},
		},
		"resumed twice": {
			[]string{start(0, false), progress(100, 1), start(100, true), progress(200, 1), start(150, true), progress(300, 2)},
			[]run{{tokens: []uint64{100, 300}, seconds: []float64{1, 3}, events: []Event{{Resumed, 100, 1}, {Resumed, 150, 1}}}},
		},
		"diverged: it goes on where it went back to": {
			[]string{start(0, false), progress(100, 1), progress(200, 2), `{"event":"divergence","tokens":200,"back_to":100,"lr":0.01}`, progress(150, 3)},
			[]run{{tokens: []uint64{100, 150}, seconds: []float64{1, 3}, events: []Event{{Diverged, 100, 1}}}},
		},
		"two runs in one file": {
			[]string{start(0, false), progress(100, 1), start(0, false), progress(50, 1)},
			[]run{{tokens: []uint64{100}, seconds: []float64{1}}, {tokens: []uint64{50}, seconds: []float64{1}}},
		},
		"the beginning is missing": {
			[]string{progress(100, 1), progress(200, 2)},
			[]run{{tokens: []uint64{100, 200}, seconds: []float64{1, 2}}},
		},
		"the last line is being written": {
			[]string{start(0, false), progress(100, 1), `{"event":"prog`},
			[]run{{tokens: []uint64{100}, seconds: []float64{1}}},
		},
		"a session goes on in a line that another was killed in": {
			[]string{start(0, false), progress(100, 1), `{"event":"prog` + start(100, true), progress(200, 1)},
			[]run{{tokens: []uint64{100, 200}, seconds: []float64{1, 2}, events: []Event{{Resumed, 100, 1}}}},
		},
		"it failed": {
			[]string{start(0, false), progress(100, 1), `{"event":"failed","error":"no room"}`},
			[]run{{tokens: []uint64{100}, seconds: []float64{1}, events: []Event{{Failed, 100, 1}}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			runs, err := ReadRuns(iotest.OneByteReader(strings.NewReader(strings.Join(c.lines, "\n"))), "log")
			if err != nil || len(runs) != len(c.want) {
				t.Fatalf("%d runs, %v", len(runs), err)
			}
			for i, want := range c.want {
				got := run{events: runs[i].Events, done: runs[i].Done}
				for _, p := range runs[i].Progress {
					got.tokens, got.seconds = append(got.tokens, p.Tokens), append(got.seconds, p.Seconds)
				}
				if !slices.Equal(got.tokens, want.tokens) || !slices.Equal(got.seconds, want.seconds) || !slices.Equal(got.events, want.events) || got.done != want.done {
					t.Errorf("run %d: %+v, want %+v", i, got, want)
				}
			}
		})
	}
}

// The loss of the final line is that of the whole last epoch, and belongs to no curve, unless there is
// nothing else.
func TestFinalLoss(t *testing.T) {
	for lines, want := range map[string][]float64{
		start(0, false) + "\n" + progress(500, 1) + "\n" + final: {2.5, math.NaN()},
		start(0, false) + "\n" + final:                           {1},
	} {
		runs, err := ReadRuns(strings.NewReader(lines), "log")
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range runs[0].Progress {
			if p.Loss == nil != math.IsNaN(want[i]) || p.Loss != nil && *p.Loss != want[i] {
				t.Errorf("loss %d of %d is %v, want %v", i, len(want), p.Loss, want[i])
			}
		}
	}
}

func TestLogsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "log: there is no training in it",
		"\n\n":                       "log: there is no training in it",
		"king\nqueen\n":              "log: line 1 is not an event of a training log",
		start(0, false) + "\n{]\n\n": "log: line 2 is not an event of a training log",
		`{"event":"note"}` + "\n":    "log: there is no training in it",
		"[1]\n":                      "log: line 1 is not an event",
	} {
		if _, err := ReadRuns(strings.NewReader(text), "log"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := ReadRuns(iotest.ErrReader(fmt.Errorf("the disk is gone")), "log"); err == nil || err.Error() != "log: line 1: the disk is gone" {
		t.Error(err)
	}
}

func TestThinned(t *testing.T) {
	var all []chart.Point
	for i := range 10 * most {
		all = append(all, chart.Point{X: float64(i), Y: 2 * float64(i)})
	}
	few := thinned(all)
	if len(few) != most || few[0] != (chart.Point{X: 4.5, Y: 9}) {
		t.Errorf("%d points, the first at %+v", len(few), few[0])
	}
	if got := thinned(all[:most]); len(got) != most || got[1] != all[1] {
		t.Error("few points are changed")
	}
}

func FuzzReadRuns(f *testing.F) {
	f.Add(start(0, false) + "\n" + progress(100, 1) + "\n" + final)
	f.Add(`{"event":"evaluation","held_out_loss":null,"scores":[{"set":"a","score":null}]}`)
	f.Add(`{"event":"divergence","back_to":18446744073709551615}`)
	f.Add(`{"event":"progress","tokens":3,"elapsed":1e308,"lr":-1e308,"loss":1e-320}`)
	f.Fuzz(func(t *testing.T, text string) {
		runs, err := ReadRuns(strings.NewReader(text), "log")
		if err != nil {
			return
		}
		for _, against := range Axes() {
			training, err := NewTraining(runs, against)
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if _, err := Write(&out, training, SVG, Style{}); err == nil && (strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf")) && !strings.Contains(text, "NaN") && !strings.Contains(text, "Inf") {
				t.Errorf("a number is none: %s", out.String())
			}
		}
	})
}
