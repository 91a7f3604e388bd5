package trainers

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/command"
)

// The arguments of each program: first its own defaults, then all settings.
func TestArguments(t *testing.T) {
	own := Settings{Dim: 100, MinCount: 5, Threads: 2, Seed: 3, Epochs: 4}
	all := own
	all.Window, all.Negatives, all.Sample, all.Rate = 6, 7, 1e-4, 0.5
	all.Subwords, all.MinN, all.MaxN, all.Buckets = true, 3, 6, 9
	ours := &W2V{Flags: []string{"--lr", "0.1"}}
	for _, test := range []struct {
		name string
		args func(Settings) []string
		own  string
		all  string
	}{
		{
			"w2v", func(s Settings) []string { return ours.Arguments("t", "f/m", s) },
			"train t -o f/m --json --progress never --cache f --dim 100 --threads 2 --seed 3 --lr 0.1 --epochs 4 --min-count 5",
			"train t -o f/m --json --progress never --cache f --dim 100 --threads 2 --seed 3 --lr 0.1 --window 6 --negatives 7 --epochs 4 --min-count 5 --sample 0.0001 --lr 0.5 --subwords fasttext --minn 3 --maxn 6 --buckets 9",
		},
		{
			"fastText", func(s Settings) []string { return (&FastText{}).Arguments("t", "m", s.Epochs, s) },
			"skipgram -input t -output m -loss ns -dim 100 -epoch 4 -thread 2 -seed 3 -minCount 5 -maxn 0",
			"skipgram -input t -output m -loss ns -dim 100 -epoch 4 -thread 2 -seed 3 -ws 6 -neg 7 -minCount 5 -t 0.0001 -lr 0.5 -minn 3 -maxn 6 -bucket 9",
		},
		{
			"word2vec", func(s Settings) []string { return (&Word2Vec{cbow: true}).Arguments("t", "m", s.Epochs, s) },
			"-train t -output m -binary 1 -debug 0 -size 100 -iter 4 -threads 2 -cbow 0 -min-count 5",
			"-train t -output m -binary 1 -debug 0 -size 100 -iter 4 -threads 2 -cbow 0 -window 6 -negative 7 -min-count 5 -sample 0.0001 -alpha 0.5",
		},
		{
			"pWord2Vec", func(s Settings) []string { return (&Word2Vec{}).Arguments("t", "m", s.Epochs, s) },
			"-train t -output m -binary 1 -debug 0 -size 100 -iter 4 -threads 2 -min-count 5",
			"-train t -output m -binary 1 -debug 0 -size 100 -iter 4 -threads 2 -window 6 -negative 7 -min-count 5 -sample 0.0001 -alpha 0.5",
		},
		{
			"koan", func(s Settings) []string { return (&Koan{}).Arguments("t", "m", s.Epochs, s) },
			"--files t --embedding-path m --no-progress --cbow false --dim 100 --epochs 4 --threads 2 --min-count 5",
			"--files t --embedding-path m --no-progress --cbow false --dim 100 --epochs 4 --threads 2 --context-size 6 --negatives 7 --min-count 5 --downsample-threshold 0.0001 --learning-rate 0.5",
		},
	} {
		if got := strings.Join(test.args(own), " "); got != test.own {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.own)
		}
		if got := strings.Join(test.args(all), " "); got != test.all {
			t.Errorf("%s with all settings:\n%s\nwant\n%s", test.name, got, test.all)
		}
	}
}

// What a program lacks, it does not train.
func TestLacks(t *testing.T) {
	for _, p := range []Trainer{&Word2Vec{title: "word2vec"}, &Koan{}} {
		if p.Lacks(Settings{Subwords: true}) == "" || p.Lacks(Settings{}) != "" {
			t.Errorf("%s has n-grams, or no words", p.Title())
		}
		if _, err := p.Train(t.Context(), Text{}, "", Settings{Subwords: true}); err == nil {
			t.Errorf("%s trains n-grams", p.Title())
		}
	}
	if (&Word2Vec{}).Lacks(Settings{CBOW: true}) == "" || (&Word2Vec{cbow: true}).Lacks(Settings{CBOW: true}) != "" {
		t.Error("of the two, word2vec has CBOW")
	}
}

// The time of training is what more epochs take more, for all epochs.
func TestTrainingSeconds(t *testing.T) {
	const start, epoch = 2.0, 3.0
	for _, epochs := range []int{1, 2, 5} {
		other := 1
		if epochs == 1 {
			other = 2
		}
		got := trainingSeconds(start+float64(epochs)*epoch, start+float64(other)*epoch, epochs, other, epochs)
		if want := epoch * float64(epochs); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d epochs: %v, want %v", epochs, got, want)
		}
	}
}

// program makes a script, and puts its folder into PATH.
func program(t *testing.T, name, script string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell here")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh\n"+script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// A program in PATH is found by its title, trained twice, and its files are removed.
func TestProgramInPath(t *testing.T) {
	program(t, "koan", `for a; do case $last in --embedding-path) model=$a;; --epochs) echo $a >> "$CALLS";; esac; last=$a; done
echo x > "$model"; echo x > "$model.vocab"`)
	calls := filepath.Join(t.TempDir(), "calls")
	t.Setenv("CALLS", calls)
	p, err := FindPeer(t.Context(), "koan", command.Runner{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	trained, err := p.Train(t.Context(), Text{Path: "t", Tokens: 10}, filepath.Join(folder, "model"), Settings{Dim: 2, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if trained.Epochs != koanEpochs || trained.Tokens != 10*koanEpochs {
		t.Errorf("%+v", trained)
	}
	if epochs, err := os.ReadFile(calls); err != nil || string(epochs) != "1\n5\n" {
		t.Errorf("epochs %q, %v", epochs, err)
	}
	if err := trained.Remove(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// Two versions of a program have two fingerprints, and one that is not there is an error.
func TestFingerprints(t *testing.T) {
	var sums []string
	for _, script := range []string{"exit 0", "exit 1"} {
		program(t, "pWord2Vec", script)
		p, err := FindPeer(t.Context(), "pWord2Vec", command.Runner{})
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, p.Fingerprint())
	}
	if sums[0] == sums[1] || slices.Contains(sums, "") {
		t.Errorf("fingerprints %q", sums)
	}
	t.Setenv("PATH", t.TempDir())
	for _, name := range append(PeerNames(), "other") {
		if name == "gensim" { // which is found by its path
			continue
		}
		if _, err := FindPeer(t.Context(), name, command.Runner{}); err == nil {
			t.Errorf("%s is here", name)
		}
	}
}

// w2v's summary says what training took. A run that stopped early is an error.
func TestSummary(t *testing.T) {
	program(t, "w2v", `echo '{"tokens":7,"epochs":3,"cpu_seconds":1.5,"complete":'$COMPLETE'}'`)
	for complete, want := range map[string]bool{"true": true, "false": false} {
		t.Setenv("COMPLETE", complete)
		path, _, err := find("w2v")
		if err != nil {
			t.Fatal(err)
		}
		w, err := NewW2V(path, "w2v 1", command.Runner{})
		if err != nil {
			t.Fatal(err)
		}
		trained, err := w.Train(t.Context(), Text{Path: "t"}, "m", Settings{Dim: 2, Threads: 1})
		if (err == nil) != want {
			t.Errorf("complete %s: %v", complete, err)
		}
		if want && (trained.Tokens != 21 || trained.Epochs != 3 || trained.Seconds != 1.5 || trained.Model != "m.w2v") {
			t.Errorf("%+v", trained)
		}
	}
}

// However a text is cut into writes, its tokens are the same.
func TestCounter(t *testing.T) {
	const words = "one two\n\n\tthree\x00four  \n five"
	for size := 1; size <= len(words); size++ {
		var c Counter
		for part := range slices.Chunk([]byte(words), size) {
			_, _ = c.Write(part) // cannot fail
		}
		if c.Tokens != 5 || c.Lines != 3 {
			t.Errorf("writes of %d: %d tokens, %d lines", size, c.Tokens, c.Lines)
		}
	}
}
