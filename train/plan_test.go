package train_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/graph"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/train"
)

// zipfian is a text whose vocabulary grows as that of a language does.
func zipfian(lines int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	all := make([]string, lines)
	for i := range all {
		words := make([]string, 12)
		for j := range words {
			words[j] = fmt.Sprintf("w%d", int(math.Pow(r.Float64(), -1.2)))
		}
		all[i] = strings.Join(words, " ")
	}
	return all
}

func written(t *testing.T, name string, lines []string, form func(line string) string) string {
	var text bytes.Buffer
	for _, line := range lines {
		text.WriteString(form(line) + "\n")
	}
	path := filepath.Join(t.TempDir(), name)
	content := text.Bytes()
	if strings.HasSuffix(name, ".gz") {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(content)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		content = packed.Bytes()
	}
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A plan of a sample says about what a plan of the whole corpus does, and that says what a run takes.
func TestPlanRun(t *testing.T) {
	lines := zipfian(60_000)
	plain := func(line string) string { return line }
	quoted := func(line string) string { return "7,\"" + strings.Replace(line, " ", "\n", 1) + "\"" }
	column := func(s *train.Settings) {
		s.Text.TextColumn, s.Text.Header = "text", true
	}
	for _, test := range []struct {
		paths  []string
		change func(*train.Settings)
	}{
		{[]string{written(t, "text.txt", lines, plain)}, nil},
		{[]string{written(t, "text.gz", lines[:30_000], plain), written(t, "more.txt", lines[30_000:], plain)}, nil},
		{[]string{written(t, "text.jsonl.gz", lines, func(line string) string { return `{"text":"` + line + `"}` })}, func(s *train.Settings) { s.Text.JSONField = "text" }},
		{[]string{written(t, "text.csv", append([]string{""}, lines...), func(line string) string {
			if line == "" {
				return "number,text"
			}
			return quoted(line)
		})}, column},
	} {
		o := train.Options{Settings: train.Defaults(), Output: filepath.Join(t.TempDir(), "m.w2v")}
		o.Settings.Model.Dim, o.Settings.Model.Epochs, o.Settings.Model.Threads = 10, 1, 1
		if test.change != nil {
			test.change(&o.Settings)
		}
		c := train.Files(test.paths...)
		short := train.PlanOptions{CPU: 20 * time.Millisecond}
		whole, err := train.PlanRun(t.Context(), c, o, short)
		if err != nil {
			t.Fatal(test.paths, err)
		}
		result, err := train.Run(t.Context(), c, o, train.Hooks{})
		if err != nil {
			t.Fatal(test.paths, err)
		}
		if !whole.Whole || whole.Trained != result.Tokens || whole.Words != result.Words || whole.Parts[0].Epochs != 1 || whole.CPU <= 0 {
			t.Errorf("%s: %+v; a run has %d tokens and %d words", test.paths, whole, result.Tokens, result.Words)
		}
		short.Text = 2 << 20
		counted, err := train.PlanRun(t.Context(), c, o, short)
		if err != nil {
			t.Fatal(test.paths, err)
		}
		if counted.Whole || !counted.Counted || counted.Trained != result.Tokens || counted.Words != result.Words {
			t.Errorf("%s: %+v, counted; a run has %d tokens and %d words", test.paths, counted, result.Tokens, result.Words)
		}
		short.Count = -1
		part, err := train.PlanRun(t.Context(), c, o, short)
		if err != nil {
			t.Fatal(test.paths, err)
		}
		off := func(a, b int) float64 { return math.Abs(float64(a)/float64(b) - 1) }
		if part.Whole || off(int(part.Trained), int(result.Tokens)) > 0.05 || off(part.Words, result.Words) > 0.15 {
			t.Errorf("%s: %+v of a part; a run has %d tokens and %d words", test.paths, part, result.Tokens, result.Words)
		}
		if info, err := os.Stat(o.Output); err != nil || off(int(whole.Model), int(info.Size())) > 0.02 {
			t.Errorf("%s: a model of %d bytes is planned: %v, %v", test.paths, whole.Model, info, err)
		}
	}
}

// Evaluations of finished vectors need a copy of the parameters.
func TestPlanRunOfEvaluations(t *testing.T) {
	file := written(t, "text.txt", zipfian(20_000), func(line string) string { return line })
	for _, test := range []struct {
		subwords, power string
		copies          float64
	}{{"fasttext", "0.85", 1}, {"none", "0.5", 1}, {"none", "1", 0}} {
		o := train.Options{Settings: train.Defaults()}
		o.Settings.Model.Dim, o.Settings.Model.Epochs, o.Settings.Model.Threads = 300, 1, 1
		for name, value := range map[string]string{"subwords": test.subwords, "power": test.power} {
			if err := o.Settings.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		var of [2]*train.RunPlan
		for i, folder := range []string{"", t.TempDir()} {
			var err error
			o.Evaluation.EpochModels = folder
			if of[i], err = train.PlanRun(t.Context(), train.Files(file), o, train.PlanOptions{CPU: 20 * time.Millisecond}); err != nil {
				t.Fatal(err)
			}
		}
		more := (float64(of[1].Parts[0].Memory) - float64(of[0].Parts[0].Memory)) / float64(of[0].Model)
		if math.Abs(more-test.copies) > 0.3 {
			t.Errorf("%+v: evaluations need memory for %.2f models", test, more)
		}
	}
}

// A corpus that is certainly not that of a checkpoint is refused before it is read. The beginning of a long compressed file is no sample.
func TestResumeRefusesBySample(t *testing.T) {
	lines := zipfian(60_000)
	plain := func(line string) string { return line }
	once := func(c train.Corpus, k train.Checkpoint, h train.Hooks) error {
		o := train.Options{Checkpoint: k}
		if k.Resume == "" {
			o.Settings = train.Defaults()
			o.Settings.Model.Dim, o.Settings.Model.Epochs = 8, 1
		}
		_, err := train.Run(t.Context(), c, o, h)
		return err
	}
	file := filepath.Join(t.TempDir(), "ck")
	unlike := slices.Repeat([]string{strings.Repeat("x", 300)}, 58_000)
	for _, path := range []string{written(t, "unlike.gz", slices.Concat(unlike, lines), plain), written(t, "text.txt", lines, plain)} {
		for _, k := range []train.Checkpoint{{File: file}, {Resume: file, ExtendEpochs: 1}} {
			if err := once(train.Files(path), k, train.Hooks{}); err != nil {
				t.Fatal(path, err)
			}
		}
	}
	ready := false
	other := train.Files(written(t, "other.txt", lines, func(line string) string { return strings.ReplaceAll(line, "w", "v") }))
	err := once(other, train.Checkpoint{Resume: file}, train.Hooks{Ready: func() error { ready = true; return nil }})
	if err == nil || !strings.Contains(err.Error(), "a sample says that the corpus has about 0 tokens") || ready {
		t.Errorf("%v; it was read: %t", err, ready)
	}
	if _, planned := train.PlanRun(t.Context(), other, train.Options{Checkpoint: train.Checkpoint{Resume: file}}, train.PlanOptions{}); planned == nil || err == nil || planned.Error() != err.Error() {
		t.Errorf("a plan says %v, and the run %v", planned, err)
	}
}

// A plan knows the files of a recipe, and that finding phrases takes more than training a small model.
func TestPlanRunOfRecipesAndPhrases(t *testing.T) {
	o := train.Options{Settings: train.Defaults(), Recipe: train.RecipeBest, Output: filepath.Join(t.TempDir(), "m.w2v")}
	o.Settings.Model.Dim, o.Settings.Model.Epochs, o.Settings.Model.Threads, o.Checkpoint.File = 5, 1, 1, o.Output+".ck"
	c := train.Files(written(t, "text.txt", zipfian(2000), func(line string) string { return line }))
	short := train.PlanOptions{CPU: time.Millisecond}
	plan, err := train.PlanRun(t.Context(), c, o, short)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(t.Context(), c, o, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	size := func(path string) float64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return float64(info.Size())
	}
	off := func(a uint64, b float64) float64 { return math.Abs(float64(a)/b - 1) }
	words, ngrams, cbow := size(o.Checkpoint.File+".wide-words"), size(o.Checkpoint.File+".n-grams"), size(o.Checkpoint.File+".cbow")
	if off(plan.Model, size(o.Output)) > 0.02 || off(plan.Checkpoint, words+ngrams+cbow) > 0.02 || off(plan.CheckpointMost, words+ngrams+2*cbow) > 0.02 {
		t.Errorf("%+v; the model has %.0f bytes, its checkpoints %.0f, %.0f and %.0f", plan, size(o.Output), words, ngrams, cbow)
	}
	o.Settings.Model.Dim = 80
	cpu := sysinfo.CPUTime()
	result, err := train.Run(t.Context(), c, train.Options{Settings: o.Settings, Recipe: o.Recipe}, train.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if cpu = sysinfo.CPUTime() - cpu; result.CPU < cpu/2 || !math.IsNaN(result.Progress.Loss) {
		t.Errorf("training and merging took %v of %v, with the loss %v", result.CPU, cpu, result.Progress.Loss)
	}
	o.Settings.Model.Dim = 300
	plan, err = train.PlanRun(t.Context(), c, o, short)
	if err != nil {
		t.Fatal(err)
	}
	merging, largest, joined := plan.TrainCPU, uint64(0), 1800.0
	for _, part := range plan.Parts {
		merging, largest = merging-part.TrainCPU-part.PrepareCPU, max(largest, part.Memory)
	}
	if moments := uint64(8 * joined * joined); merging < 10 || merging > 30 || plan.Memory < largest+2*moments {
		t.Errorf("merging 1,800 dimensions takes %.1f s and %d bytes beside the models, of which moments are %d", merging, plan.Memory-largest, moments)
	}
	o = train.Options{Settings: o.Settings}
	o.Settings.Model.Dim = 5
	before, err := train.PlanRun(t.Context(), c, o, short)
	o.Settings.Phrases.Join = true
	found, also := train.PlanRun(t.Context(), c, o, short)
	if err != nil || also != nil || found.Memory != found.Counting || found.Counting <= before.Counting {
		t.Errorf("%+v, with phrases %+v: %v, %v", before, found, err, also)
	}
}

func TestPlanRunOfGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	edges := make([]string, 20_000)
	for i := range edges {
		edges[i] = fmt.Sprintf("n%d n%d", r.IntN(3000), r.IntN(3000))
	}
	path := written(t, "edges.txt", edges, func(line string) string { return line })
	o := train.Options{Settings: train.Defaults()}
	o.Settings.Model.Dim = 10
	c := train.Walks(nil, []string{path}, graph.ReadOptions{}, graph.WalkOptions{Length: 10, PerNode: 2})
	plan, err := train.PlanRun(t.Context(), c, o, train.PlanOptions{CPU: 20 * time.Millisecond, Ranks: 4})
	if err != nil {
		t.Fatal(err)
	}
	if plan.Nodes != 3000 || plan.Edges != 20_000 || plan.Tokens != 60_000 || plan.Parts[0].Epochs != 5 || plan.Ranks == nil || plan.Ranks.Turns == 0 || plan.Ranks.RankSent == 0 || plan.Ranks.Sent < 3*plan.Ranks.RankSent {
		t.Errorf("%+v", plan)
	}
}

func TestPlanRunRefuses(t *testing.T) {
	o := train.Options{Settings: train.Defaults()}
	for _, c := range []train.Corpus{train.FilesAndInput(strings.NewReader("a b"), "-"), train.Reader("r", strings.NewReader("a b"))} {
		if _, err := train.PlanRun(t.Context(), c, o, train.PlanOptions{}); err == nil || !strings.Contains(err.Error(), "read only once") {
			t.Error(err)
		}
	}
}

// The plan of a run that trains counts knows its checkpoint. While pairs are counted there is nothing to save.
func TestCheckpointsOfCounts(t *testing.T) {
	var o train.Options
	o.Settings, o.Checkpoint.File = train.Defaults(), filepath.Join(t.TempDir(), "m.ckpt")
	if err := o.Settings.Set("loss", "glove"); err != nil {
		t.Fatal(err)
	}
	o.Settings.Model.Dim, o.Settings.Model.Epochs, o.Settings.Model.Threads = 40, 1, 1
	c := train.Files(written(t, "text.txt", zipfian(3000), func(line string) string { return line }))
	plan, err := train.PlanRun(t.Context(), c, o, train.PlanOptions{CPU: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	saving := 0
	hooks := train.Hooks{Note: func(train.Message) { interrupt() }, Saving: func(train.Saving) { saving++ }}
	if _, err := train.Run(ctx, c, o, hooks); !errors.Is(err, context.Canceled) || saving > 0 {
		t.Errorf("%v, want an interruption; saving was announced %d times", err, saving)
	}
	if _, err := train.Run(t.Context(), c, o, train.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(o.Checkpoint.File); err != nil || math.Abs(float64(plan.Checkpoint)/float64(info.Size())-1) > 0.05 {
		t.Errorf("a checkpoint of %d bytes is planned: %v, %v", plan.Checkpoint, info, err)
	}
}
