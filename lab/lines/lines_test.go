package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/sgns"
)

// Four cores on two dies, and the cores use one row after the other: where it comes from.
func TestWhereRowsComeFrom(t *testing.T) {
	type use struct {
		core    int
		row     int
		changed bool
		from    distance
	}
	for _, test := range []struct {
		name    string
		domains int
		sockets int
		uses    []use
	}{
		{"what a core has is its own until another changes it", 2, 1, []use{
			{0, 7, false, memory}, {0, 7, true, own}, {0, 7, true, own}, {1, 7, true, near}, {0, 7, false, near},
		}},
		{"readers all have a copy", 2, 1, []use{
			{0, 7, true, memory}, {2, 7, false, far}, {3, 7, false, near}, {1, 7, false, near}, {2, 7, false, own}, {0, 7, false, own},
		}},
		{"a change takes all other copies", 2, 1, []use{
			{0, 7, false, memory}, {1, 7, false, near}, {2, 7, true, far}, {0, 7, false, far}, {1, 7, false, near}, {2, 7, false, own},
		}},
		{"rows are apart", 2, 1, []use{{0, 7, true, memory}, {1, 8, true, memory}, {0, 7, true, own}, {1, 8, true, own}}},
		{"each core alone", 4, 1, []use{{0, 7, true, memory}, {1, 7, true, far}, {3, 7, true, far}}},
		{"two sockets", 2, 2, []use{{0, 7, true, memory}, {1, 7, true, near}, {2, 7, true, across}, {0, 7, false, across}, {1, 7, false, near}}},
	} {
		c := counter{caches: newCaches(4, test.domains, test.sockets)}
		var want moved
		for i, u := range test.uses {
			counted := i > 0
			c.use(u.core, sgns.Access{Place: u.row, Row: u.row, Changed: u.changed}, counted)
			if counted {
				want[inputs][0][u.from]++
			}
			if c.moved != want {
				t.Errorf("%s: use %d gives %v, want %v", test.name, i, c.moved, want)
				break
			}
		}
	}
}

// Inputs, outputs and meetings are counted apart, each by the rank of its word, and a copy is another place than
// its row.
func TestWhatRowsAreFor(t *testing.T) {
	c := counter{caches: newCaches(2, 2, 1)}
	for _, core := range []int{0, 1} {
		for _, a := range []sgns.Access{
			{Place: 3, Row: 3, Changed: true},
			{Output: true, Place: 3, Row: 3, Changed: true},
			{Output: true, Place: 10, Row: 10, Changed: true},
			{Output: true, Place: 20 + core, Row: 5, Changed: true}, // a copy of its own
			{Output: true, Place: 5, Row: 5, Changed: true, Meeting: true},
		} {
			c.use(core, a, true)
		}
	}
	var want moved
	want[inputs][0] = [distances]uint64{memory: 1, far: 1}
	want[outputs][0] = [distances]uint64{memory: 3, far: 1}
	want[outputs][1] = [distances]uint64{memory: 1, far: 1}
	want[meetings][0] = [distances]uint64{memory: 1, far: 1}
	if c.moved != want {
		t.Errorf("moved %v, want %v", c.moved, want)
	}
}

func TestRanks(t *testing.T) {
	for word, want := range map[int]string{0: "1–10", 9: "1–10", 10: "11–100", 99: "11–100", 100: "101–1000", 5_000_000: "1000001 and rarer"} {
		if got := ranks(decade(word)); got != want {
			t.Errorf("word %d is one of %s, want %s", word, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	for dim, want := range map[int]float64{16: 1, 17: 2, 100: 7, 300: 19} {
		if got := lines(dim); got != want {
			t.Errorf("a row of %d has %v lines, want %v", dim, got, want)
		}
	}
}

// pairOf returns trials of two threads whose blocks move so many rows.
func pairOf(hogwildRows, copiesRows uint64) (all []*trial) {
	for i, rows := range []uint64{hogwildRows, copiesRows} {
		t := &trial{blocks: 1, tokens: 32, on: newCaches(2, 1, 1)}
		t.config.Threads, t.config.Sharing = 2, []sgns.Config{{Sharing: hogwild}, {}}[i].Sharing
		t.moved[outputs][0][near] = rows
		all = append(all, t)
	}
	return all
}

// Speeds that a known cost gives lead back to this cost, and to what it predicts.
func TestCostIsFitted(t *testing.T) {
	trials := pairOf(50, 4)
	cost := fit{Block: 8000, Copies: 300, Near: 2, Far: 15}
	speed := func(threads, more, line, rows float64) float64 {
		return threads * 32 / (cost.Block + more + line*rows*lines(100)) * 1e3
	}
	speedsOf := func(line float64) speeds {
		return speeds{speed(1, 0, 0, 0), speed(2, 0, line, 50), speed(2, cost.Copies, line, 4)}
	}
	got, err := fitted(speedsOf(cost.Near), speedsOf(cost.Far), trials[0], trials[1], 100)
	if err != nil {
		t.Fatal(err)
	}
	for i, pair := range [][2]float64{{got.Block, 8000}, {got.Copies, 300}, {got.Near, 2}, {got.Far, 15}} {
		if math.Abs(pair[0]-pair[1]) > 1e-6*pair[1] {
			t.Errorf("number %d of the fit is %v, want %v", i, pair[0], pair[1])
		}
	}
	many := &trial{blocks: 1, on: newCaches(64, 8, 2)}
	many.config.Threads, many.config.Sharing = 64, hogwild
	many.moved[outputs][0] = [distances]uint64{near: 1, far: 2, across: 3}
	for sockets, across := range map[int]float64{1: 15, 2: 30} {
		want := 64 * 8000 / (8000 + 7*(2+2*15+3*across))
		if p := got.predict(many, sockets, 2, 100); math.Abs(p.Gain-want) > 1e-6*want {
			t.Errorf("%d sockets gain %v, want %v", sockets, p.Gain, want)
		}
	}
}

// The whole way: more rows move between more cores, fewer with copies, and the tables and the JSON say so.
func TestRun(t *testing.T) {
	folder := t.TempDir()
	text, file := filepath.Join(folder, "text.txt"), filepath.Join(folder, "out.json")
	var lines strings.Builder
	for i := range 40_000 {
		for j := range 5 {
			fmt.Fprintf(&lines, "w%d ", (i*(j+3)*2654435761>>7)%(1+i%200))
		}
		lines.WriteByte('\n')
	}
	if err := os.WriteFile(text, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	args := []string{"-corpus", text, "-threads", "2,8", "-die", "4", "-blocks", "900", "-dim", "4", "-fast", "4,7,7", "-slow", "4,5,7", "-json", file}
	if err := run(t.Context(), args, &out); err != nil {
		t.Fatal(err)
	}
	encoded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got report
	if err := json.Unmarshal(encoded, &got); err != nil {
		t.Fatal(err)
	}
	var rows []float64
	for _, trial := range got.Trials {
		sum := 0.0
		for _, r := range trial.Rows {
			sum += r.Near + r.Far + r.Across
		}
		rows = append(rows, sum)
		if trial.Blocks != 600 || trial.TokensPerBlock < 16 {
			t.Errorf("counted %d blocks of %v tokens, want 600 of 16 or more", trial.Blocks, trial.TokensPerBlock)
		}
	}
	if len(rows) != 4 || !(rows[1] < rows[0] && rows[0] < rows[2] && rows[3] < rows[2]) {
		t.Errorf("%v rows moved: Hogwild and copies with 2 and with 8 threads", rows)
	}
	if got.Fit == nil || len(got.Predictions) != 6 {
		t.Errorf("fit %v and %d predictions, want 6: two of two threads, four of eight", got.Fit, len(got.Predictions))
	}
	for _, want := range []string{"another of 2 dies", "8 threads, rows from another die", "A block takes"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

func TestRefusedOptions(t *testing.T) {
	for _, args := range [][]string{
		{}, {"-corpus", "x", "y"}, {"-corpus", "x", "-threads", "0"}, {"-corpus", "x", "-threads", "257"},
		{"-corpus", "x", "-sharing", "half"}, {"-corpus", "x", "-fast", "1,2,3"}, {"-corpus", "x", "-fast", "1,2"}, {"-corpus", "x", "-die", "0"},
	} {
		if _, err := parseOptions(args); err == nil {
			t.Errorf("%q are options", args)
		}
	}
	o, err := parseOptions([]string{"-corpus", "x", "-threads", "2,16"})
	if err != nil || !slices.Equal(o.threads, []int{2, 16}) || o.dim != 100 {
		t.Errorf("options %v, %v", o, err)
	}
}
