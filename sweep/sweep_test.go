package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors/format"
)

// A bench is a folder with the demo's texts and sets, and a sweep over them.
type bench struct {
	t       *testing.T
	dir     string
	trained []string // what was trained, not taken over
	skipped []string
	older   int    // trials with results of another revision, as the last run said
	during  func() // called when a trial begins; nil for nothing
	stop    func() // called when the third trial begins; nil for nothing
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir()}
	text, err := io.ReadAll(demo.Corpus(1500, demo.DefaultSeed))
	if err != nil {
		t.Fatal(err)
	}
	b.write("text.txt", string(text))
	b.write("similarity.tsv", demo.Similarities())
	b.write("analogy.txt", demo.Analogies())
	return b
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(filepath.Join(b.dir, name), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// run sweeps over settings.
func (b *bench) run(text string) (*Report, error) {
	b.t.Helper()
	in := func(name string) string { return filepath.Join(b.dir, name) }
	c := parsed(b.t, fmt.Sprintf("corpus = [%q]\nsimilarity = [%q]\nanalogy = [%q]\nthreads = 1\n", in("text.txt"), in("similarity.tsv"), in("analogy.txt"))+text)
	c.Output, c.Cache = in("out"), b.dir
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b.trained, b.skipped, b.older = nil, nil, 0
	return Run(ctx, c, Hooks{
		Begin: func(p Point, seed uint64) {
			name := fmt.Sprintf("%s %d", p.Settings, seed)
			if p.Baseline == RandomVectors {
				name = "random " + name
			}
			if b.during != nil {
				b.during()
			}
			if b.trained = append(b.trained, name); len(b.trained) == 3 && b.stop != nil {
				cancel()
			}
		},
		Read: func(begun Begun) { b.older = begun.Older },
		End: func(r Result, earlier bool) {
			if r.Skipped != "" {
				b.skipped = append(b.skipped, fmt.Sprintf("%s: %s", r.Settings, r.Skipped))
			}
		},
	})
}

func (b *bench) mustRun(text string) *Report {
	b.t.Helper()
	report, err := b.run(text)
	if err != nil {
		b.t.Fatal(err)
	}
	return report
}

func (b *bench) wantTrained(want ...string) {
	b.t.Helper()
	if !slices.Equal(b.trained, want) {
		b.t.Errorf("trained %q, want %q", b.trained, want)
	}
}

const small = "[settings]\nsample = 0\nepochs = 1\ndim = [15, 16, 24]\n"

func TestRun(t *testing.T) {
	b := newBench(t)
	report := b.mustRun("seeds = [1, 2]\n" + small)
	b.wantTrained("random dim 16 1", "random dim 16 2",
		"sample 0, epochs 1, dim 8 1", "sample 0, epochs 1, dim 8 2",
		"sample 0, epochs 1, dim 16 1", "sample 0, epochs 1, dim 16 2",
		"sample 0, epochs 1, dim 24 1", "sample 0, epochs 1, dim 24 2")
	if want := []string{"sample 0, epochs 1, dim 15: odd dimensions are not possible"}; !slices.Equal(b.skipped, want) {
		t.Errorf("skipped %q", b.skipped)
	}
	if report.Trials != 8 || report.Done != 8 || len(report.Points) != 5 {
		t.Errorf("%d of %d trials, %d points", report.Done, report.Trials, len(report.Points))
	}
	random, last := report.Points[0].Results[0], report.Points[4].Results[1]
	words := random.Words
	if words < 100 || random.Parameters != uint64(16*words) || random.TrainedParameters != random.Parameters || random.Tokens != 0 {
		t.Errorf("random vectors: %+v", random)
	}
	if last.Words != words || last.Dim != 24 || last.Parameters != uint64(24*words) || last.TrainedParameters != uint64(48*words) ||
		last.Bytes < 4*last.Parameters || last.TrainedBytes < last.Bytes+4*last.Parameters || last.Tokens < 1000 || !(last.TokensPerSecond > 0) || last.Loss == nil {
		t.Errorf("the last point: %+v", last)
	}
	for i, e := range last.Evaluations {
		if name := []string{"similarity", "analogy"}[i]; e.Set != name || string(e.Kind) != name || e.Used == 0 || e.Used > e.Questions || e.CI95 == (eval.Interval{}) {
			t.Errorf("%+v", e)
		}
	}

	// The lines of the log are the results.
	lines := strings.Split(strings.TrimSpace(b.read("out/results.jsonl")), "\n")
	var logged Result
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &logged); err != nil || len(lines) != 8 || logged.Key != last.Key || logged.Settings.value("dim") != "24" {
		t.Errorf("%d lines, the last %+v, %v", len(lines), logged, err)
	}
	if !strings.Contains(lines[7], `"settings":{"sample":0,"epochs":1,"dim":24},"seed":2,`) {
		t.Error(lines[7])
	}
	if err := report.Write(filepath.Join(b.dir, "out")); err != nil {
		t.Fatal(err)
	}
	table := b.read("out/results.md")
	for _, want := range []string{"| random vectors | 16 |", "| dim 8 | 8 |", "| 3 | 24 |", "1: sample 0, epochs 1, dim 15 skipped: odd dimensions are not possible", " ± "} {
		if !strings.Contains(table, want) {
			t.Errorf("%q is not in\n%s", want, table)
		}
	}
	for _, plot := range []string{"parameters", "bytes", "time"} {
		if svg, png := b.read("out/"+plot+".svg"), b.read("out/"+plot+".png"); !strings.Contains(svg, ">similarity<") || !strings.HasPrefix(png, "\x89PNG") {
			t.Errorf("plots against %s: %.200q, %.20q", plot, svg, png)
		}
	}
}

// What another revision of the algorithm did, or one that has no number, is done again, and
// that is said. What this one did is not.
func TestRunAgainAfterAnotherRevision(t *testing.T) {
	b := newBench(t)
	const three = "[settings]\nsample = 0\nepochs = 1\ndim = 16"
	first := b.mustRun(three)
	path := filepath.Join(b.dir, "out", "results.jsonl")
	lines := strings.SplitAfter(b.read("out/results.jsonl"), "\n")
	now := fmt.Sprintf(`"revision":%d,`, sgns.Revision)
	for i, older := range []string{"", fmt.Sprintf(`"revision":%d,`, sgns.Revision+1)} {
		if !strings.Contains(lines[i], now) {
			t.Fatalf("%q has no %s", lines[i], now)
		}
		lines[i] = strings.Replace(lines[i], now, older, 1)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	again := b.mustRun(three)
	b.wantTrained("random dim 16 1", "sample 0, epochs 1, dim 8 1")
	if b.older != 2 {
		t.Errorf("%d trials of another revision, want 2", b.older)
	}
	if first.Points[1].Results[0].Evaluations[0].Score != again.Points[1].Results[0].Evaluations[0].Score {
		t.Error("the result is another")
	}
	b.mustRun(three)
	b.wantTrained()
	if b.older != 0 {
		t.Errorf("%d trials of another revision, want none", b.older)
	}
	// The older lines are still there, and do not count, wherever they stand.
	all := strings.SplitAfter(strings.TrimSuffix(b.read("out/results.jsonl"), "\n")+"\n", "\n")
	slices.Reverse(all)
	if err := os.WriteFile(path, []byte(strings.Join(all, "")), 0o666); err != nil {
		t.Fatal(err)
	}
	b.mustRun(three)
	b.wantTrained()
}

// What is done is not done again, in whatever order the settings stand; what is another
// corpus, other settings, other sets or another seed is.
func TestRunGoesOn(t *testing.T) {
	b := newBench(t)
	first := b.mustRun("[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.mustRun("[settings]\ndim = [16, 24]\nepochs = 1\nsample = 0")
	b.wantTrained("dim 24, epochs 1, sample 0 1")
	again := b.mustRun("[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.wantTrained()
	if a, c := first.Table().Markdown(), again.Table().Markdown(); a != c {
		t.Errorf("%s\nwas %s", c, a)
	}
	b.mustRun("seeds = [2]\n[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.wantTrained("random dim 16 2", "sample 0, epochs 1, dim 8 2", "sample 0, epochs 1, dim 16 2")
	everything := []string{"random dim 16 1", "sample 0, epochs 1, dim 8 1", "sample 0, epochs 1, dim 16 1"}
	b.mustRun("restrict = 100\n[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.wantTrained(everything...)
	b.mustRun("min-count = 4\n[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.wantTrained(everything...)
	b.write("text.txt", b.read("text.txt")+"the king and the queen\n")
	b.mustRun("[settings]\nsample = 0\nepochs = 1\ndim = 16")
	b.wantTrained(everything...)
}

// An interrupted sweep has what is done by then, a table too, and goes on there; so does one
// that was killed while it wrote a line.
func TestRunInterrupted(t *testing.T) {
	b := newBench(t)
	b.stop = func() {}
	report, err := b.run("keep = true\n" + small)
	if !errors.Is(err, context.Canceled) || report == nil || report.Done != 2 || report.Trials != 4 {
		t.Fatalf("%+v, %v", report, err)
	}
	if table := report.Table().Markdown(); !strings.Contains(table, "2 of 4 trials are done") {
		t.Error(table)
	}
	b.stop = nil
	whole := b.read("out/results.jsonl")
	b.write("out/results.jsonl", whole[:len(whole)-20])
	report = b.mustRun("keep = true\n" + small)
	b.wantTrained("sample 0, epochs 1, dim 8 1", "sample 0, epochs 1, dim 16 1", "sample 0, epochs 1, dim 24 1")
	if n := strings.Count(b.read("out/results.jsonl"), "\n"); n != 4 {
		t.Errorf("%d lines", n)
	}

	// A model that was to be kept and is gone is trained again.
	model := report.Points[4].Results[0].Model
	s, err := format.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	if s.Dim() != 24 || s.Training().Int("min_count") != 5 || s.Training().Text("tokenizer") != "whitespace" {
		t.Errorf("%d dimensions, %+v", s.Dim(), s.Training())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(model); err != nil {
		t.Fatal(err)
	}
	b.mustRun("keep = true\n" + small)
	b.wantTrained("sample 0, epochs 1, dim 24 1")
}

// A model that cannot be trained is no end of the others.
func TestRunFailed(t *testing.T) {
	b := newBench(t)
	report := b.mustRun("[settings]\nlr = [0.025, 1e6]\nepochs = 1\ndim = 16")
	if text := report.Table().Markdown(); !strings.Contains(text, "2: lr 1e+06, epochs 1, dim 16, seed 1 failed: ") || report.Done != 3 {
		t.Errorf("%d done: %s", report.Done, text)
	}
	if strings.Contains(b.read("out/results.jsonl"), "failed") {
		t.Error("a failure is in the log")
	}
	if _, err := b.run("[settings]\nlr = 1e6\nepochs = 1\ndim = 16"); err == nil || !strings.HasPrefix(err.Error(), "no model could be trained, the first because: ") {
		t.Error(err)
	}
}

func TestRunErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		prepare func(b *bench)
		text    string
		want    string
	}{
		"a folder with something else": {func(b *bench) { b.mkdir("out"); b.write("out/results.jsonl", "{\"x\":1}\n") }, "", "results.jsonl:1: is not a result of a sweep"},
		"a file with something else":   {func(b *bench) { b.mkdir("out"); b.write("out/results.jsonl", "mine") }, "", "results.jsonl:1: is not a result of a sweep"},
		"no folder":                    {func(b *bench) { b.write("out", "") }, "", "out: not a directory"},
		"a bad set":                    {func(b *bench) { b.write("similarity.tsv", "one two\n") }, "", "similarity.tsv"},
		"rare words":                   {func(b *bench) {}, "min-count = 1000000\n", "see min-count"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			tt.prepare(b)
			_, err := b.run(tt.text + "[settings]\nsample = 0\nepochs = 1\ndim = 16")
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

// What a sweep reads and what it writes are not in each other's folders.
func TestFilesOfASweepAreApart(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"texts/deep/a.txt", "out/pairs.tsv", "out/b.txt"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte("a b 1\n"), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	results, whole := "where results are written: name another place", "is in a folder of which all files are read, that of the corpus: name another place"
	for _, test := range []struct{ corpus, set, output, cache, want string }{
		{"texts", "out/pairs.tsv", "new", "kept", ""},
		{"texts", "out/pairs.tsv", "out/new", "", ""},
		{"out/b.txt", "texts/deep/a.txt", "./texts/../out", "", "the corpus, out/b.txt, is in the folder of output, " + results},
		{"texts", "out/pairs.tsv", "out", "", "similarity, out/pairs.tsv, is in the folder of output, " + results},
		{"texts", "out/pairs.tsv", "texts/new", "", "output, texts/new, " + whole},
		{"texts", "out/pairs.tsv", "new", "texts/deep/kept", "the cache, texts/deep/kept, " + whole},
		{"texts/*/*.txt", "out/pairs.tsv", "texts/new", "", ""},
		{"texts", "out/pairs.tsv", "new", "new", "output and the cache are the same file, new"},
	} {
		c, err := Parse("s.toml", fmt.Appendf(nil, "corpus = [%q]\nsimilarity = [%q]\noutput = %q\n", test.corpus, test.set, test.output), nil)
		if err != nil {
			t.Fatal(err)
		}
		c.Cache = test.cache
		files, err := c.Corpus.Paths(t.Context(), c.Base.Text)
		if err != nil {
			t.Fatal(err)
		}
		if test.want == "" {
			err = c.apart(files)
		} else if _, err = Run(t.Context(), c, Hooks{}); err != nil && err.Error() == test.want {
			err = nil
		} else {
			err = fmt.Errorf("Run returns %w", err)
		}
		if err != nil {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// Two sweeps do not write into one folder at a time, and the second leaves the results of the first as they are.
func TestSweepsDoNotShareAFolder(t *testing.T) {
	b := newBench(t)
	b.during = func() {
		other := &bench{t: t, dir: b.dir}
		_, err := other.run(small)
		if _, used := errors.AsType[*atomicfile.InUseError](err); !used || !strings.Contains(err.Error(), "results.jsonl: is being written by another run") {
			t.Errorf("a second sweep in the folder: %v", err)
		}
	}
	b.mustRun(small)
	if b.during = nil; strings.Count(b.read("out/results.jsonl"), "\n") != len(b.trained) {
		t.Errorf("%q", b.read("out/results.jsonl"))
	}
	b.mustRun(small) // the folder is free again
	b.wantTrained()
}

func (b *bench) mkdir(name string) {
	b.t.Helper()
	if err := os.Mkdir(filepath.Join(b.dir, name), 0o777); err != nil {
		b.t.Fatal(err)
	}
}

func TestSummary(t *testing.T) {
	model := func(score, low, high float64) Result {
		return Result{Scores: Scores{Evaluations: []Evaluation{{Score: eval.Score(score), CI95: eval.Between(low, high), Used: 7}}}}
	}
	for _, tt := range []struct {
		results []Result
		want    string
	}{
		{nil, "-"},
		{[]Result{model(0.5, 0.4, 0.6)}, "0.500 [0.400, 0.600]"},
		{[]Result{model(0.5, 0.4, 0.6), model(0.6, 0.5, 0.8)}, "0.550 ± 0.071 [0.450, 0.700]"},
		{[]Result{model(0.5, 0.4, 0.6), {Trial: Trial{Failed: "no"}}, model(math.NaN(), 0, 0)}, "0.500 [0.400, 0.600]"},
		{[]Result{model(math.NaN(), 0, 0)}, "-"},
	} {
		if got := (Outcome{Results: tt.results}).Summary(0).String(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// Scores of different pairs stand beside those of the same ones.
func TestTableOfComposedWords(t *testing.T) {
	known := Evaluation{Set: "ws", Score: 0.5, Used: 10}
	composed := Evaluation{Set: "ws", Score: 0.3, Used: 20, InVocabulary: &InVocabulary{0.6, 10}}
	r := Report{Trials: 2, Done: 2, Points: []Outcome{
		{Point: Point{Number: 1, Variant: "a|b"}, Results: []Result{{Scores: Scores{Evaluations: []Evaluation{known}}}}},
		{Point: Point{Number: 2, Variant: "c", Settings: Settings{{"dim", "16"}}}, Results: []Result{{Scores: Scores{Dim: 16, Evaluations: []Evaluation{composed}}}}},
	}}
	want := `| point | variant | dim | parameters | bytes | with context | tokens/s | CPU s | ws | used | in vocabulary |
|---|---|---|---|---|---|---|---|---|---|---|
| 1 | a\|b | 0 | 0 | 0 | 0 | 0 | 0.0 | 0.500 | 10 | 0.500 (10) |
| 2 | c | 16 | 0 | 0 | 0 | 0 | 0.0 | 0.300 | 20 | 0.600 (10) |
`
	if got := r.Table().Markdown(); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant %s", got, want)
	}
}
