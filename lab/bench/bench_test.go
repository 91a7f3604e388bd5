package main

import (
	"math"
	"os"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/figures"
	"github.com/w2v-go/w2v/lab/frontier"
	"github.com/w2v-go/w2v/lab/trainers"
)

// w2v is better by more tokens a second and by fewer bytes, round by round.
func TestResultAsMarkdown(t *testing.T) {
	ours := &row{Program: "w2v", Setting: "rate 0.05"}
	theirs := &row{Program: "péer", Setting: "rate 0.05", rival: ours}
	for round := range 3 {
		ours.add("speed", float64(2+round)*1e6)
		theirs.add("speed", 1e6)
		ours.add("size", 10e6)
		theirs.add("size", 25e6)
	}
	theirs.add("score", 0.25) // and w2v has none
	r := result{
		Title: "Training",
		Metrics: []metric{
			{Key: "speed", Title: "tokens/s", show: figures.Shown(figures.Millions), ratio: larger},
			{Key: "size", Title: "memory", show: figures.Shown(figures.Megabytes), ratio: smaller},
			{Key: "score", Title: "score", show: figures.MeanAndDeviation},
		},
		Rows:  []*row{ours, theirs},
		Notes: []string{"A note."},
	}
	want := `### Training

| program |           | tokens/s | ×                | memory | ×                | score |
| ------- | --------- | -------- | ---------------- | ------ | ---------------- | ----- |
| w2v     | rate 0.05 | 3.00 M   |                  | 10 MB  |                  |       |
| péer    | rate 0.05 | 1.00 M   | 3.00 (2.00–4.00) | 25 MB  | 2.50 (2.50–2.50) | 0.250 |

A note.
`
	if got := r.markdown(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Each peer is compared with a w2v of its own learning rate, which two peers with
// the same rate share.
func TestContestants(t *testing.T) {
	list := func(b *bench) string {
		b.ours = &trainers.W2V{}
		var names []string
		for _, c := range b.contestants(b.peers) {
			name := c.Title() + " " + c.row.Setting
			if c.row.rival != nil {
				name += " against " + c.row.rival.Program + " " + c.row.rival.Setting
			}
			names = append(names, name)
		}
		return strings.Join(names, "; ")
	}
	peers := []trainers.Trainer{&trainers.FastText{}, &trainers.Gensim{}}
	for _, test := range []struct {
		bench bench
		want  string
	}{
		{bench{}, "w2v its own rate"},
		{bench{peers: peers},
			"w2v rate 0.05; fastText rate 0.05 against w2v rate 0.05; w2v rate 0.025; gensim rate 0.025 against w2v rate 0.025"},
		{bench{peers: peers, options: options{rate: 0.03}},
			"w2v rate 0.03; fastText rate 0.03 against w2v rate 0.03; gensim rate 0.03 against w2v rate 0.03"},
	} {
		if got := list(&test.bench); got != test.want {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
}

func TestChooseParts(t *testing.T) {
	chosen, err := chooseParts("query,words")
	if err != nil || len(chosen) != 2 || chosen[0].name != "query" || chosen[1].name != "words" {
		t.Errorf("%v, %v", chosen, err)
	}
	for _, names := range []string{"", "words,", "speed"} {
		if _, err := chooseParts(names); err == nil {
			t.Errorf("%q is a list of parts", names)
		}
	}
	if _, err := chooseParts(defaultRuns()); err != nil {
		t.Error(err)
	}
}

// The time to a peer's quality is that of the means of rounds. Where a score is not defined, there is none.
func TestTimeToQuality(t *testing.T) {
	ours := []frontier.Point{{Epochs: 1, Seconds: 10, Score: 0.2}, {Epochs: 3, Seconds: 30, Score: 0.4}}
	for want, theirs := range map[string][]frontier.Point{
		"w2v reaches the mean of peer in 20.0 s, 2.0 epochs: × 5.00 less CPU time.": {{Seconds: 90, Score: 0.2}, {Seconds: 110, Score: 0.4}},
		"no time to the mean of peer: a model knows too few words of a set.":        {{Seconds: 90, Score: 0.2}, {Seconds: 110, Score: math.NaN()}},
	} {
		if got := timeToQuality("peer", ours, theirs); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// A part that needs evaluation sets does not end a run that has none.
func TestQualityWithoutSets(t *testing.T) {
	r, err := new(bench).compareReach(t.Context())
	if err != nil || len(r.Notes) != 1 || !strings.Contains(r.markdown(), "no evaluation sets") {
		t.Errorf("%q, %v", r.Notes, err)
	}
}

func TestWordInLine(t *testing.T) {
	path := t.TempDir() + "/counts.txt"
	if err := os.WriteFile(path, []byte("the 9\nof\t8\nand 7\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{1: "the", 2: "of", 100: "and"} {
		if got, err := wordInLine(path, n); err != nil || got != want {
			t.Errorf("line %d: %q, %v", n, got, err)
		}
	}
}
