package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/internal/chart"
)

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
			if x := number(p.Loss); x != want[i] && !(math.IsNaN(x) && math.IsNaN(want[i])) {
				t.Errorf("loss %d of %d is %v, want %v", i, len(want), x, want[i])
			}
		}
	}
}

func TestLogsThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "log: there is no training in it",
		"\n\n":                       "log: there is no training in it",
		"king\nqueen\n":              "log: line 1 is no event of a training log",
		start(0, false) + "\n{]\n\n": "log: line 2 is no event of a training log",
		`{"event":"note"}` + "\n":    "log: there is no training in it",
		"[1]\n":                      "log: line 1 is no event",
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
