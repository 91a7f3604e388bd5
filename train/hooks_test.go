package train_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// told returns hooks that note which was called, each name once in a row.
func told(names *[]string) train.Hooks {
	note := func(name string) {
		if n := len(*names); n == 0 || (*names)[n-1] != name {
			*names = append(*names, name)
		}
	}
	return train.Hooks{
		Ready:        func() error { note("ready"); return nil },
		Read:         func(*train.Text) { note("read") },
		Remark:       func(r train.Remark) { note("remark " + r.Kind) },
		Start:        func(train.Start) { note("start") },
		Plan:         func(train.Plan) { note("plan") },
		Warm:         func(train.Warm) { note("warm") },
		Evaluated:    func(train.Evaluated) { note("evaluated") },
		Checkpointed: func(c train.Checkpointed) { note("checkpoint") },
		Saving:       func(train.Saving) { note("saving") },
		Skipped:      func([]*format.UnwritableWord, format.Format) { note("skipped") },
		Note:         func(m train.Message) { note("note " + m.String()) },
	}
}

func TestHooksAreCalledInOrder(t *testing.T) {
	all := sentences(600)
	o := train.Options{Settings: small(), Checkpoint: train.Checkpoint{File: filepath.Join(t.TempDir(), "run.ck"), Every: time.Hour}}
	o.Evaluation.Fraction = 0.1
	var names []string
	if _, err := train.Run(t.Context(), train.Sentences(all), o, told(&names)); err != nil {
		t.Fatal(err)
	}
	want := []string{"ready", "read", "start", "plan", "evaluated", "checkpoint"}
	if !slices.Equal(names, want) {
		t.Errorf("hooks %q, want %q", names, want)
	}

	edges := make([][]string, 100)
	for i := range edges {
		edges[i] = []string{fmt.Sprintf("Word0-%d", i%30), fmt.Sprintf("Word1-%d", i*7%30)}
	}
	names = nil
	o = train.Options{Settings: small(), Init: train.Init{Vectors: run(t, train.Sentences(all), train.Options{Settings: small()}).Vectors}}
	_, err := train.Run(t.Context(), train.Sentences(edges), o, told(&names))
	want = []string{"ready", "remark edge-list", "read", "start", "plan", "warm"}
	if !slices.Equal(names, want) {
		t.Errorf("hooks %q, %v; want %q", names, err, want)
	}
	broken := errors.New("no room for a log")
	if _, err := train.Run(t.Context(), train.Sentences(all), train.Options{}, train.Hooks{Ready: func() error { return broken }}); !errors.Is(err, broken) {
		t.Errorf("not ready: %v", err)
	}
}

// The vectors are judged by held-out text, by sets, or by a function, and the best are kept.
func TestEvaluations(t *testing.T) {
	all := sentences(1000)
	set, err := train.ReadSet("some/pairs.tsv", strings.NewReader("Word0-1\tWord0-2\t9\nWord0-1\tWord1-2\t1\nWord2-1\tWord2-5\t8\n"))
	if err != nil {
		t.Fatal(err)
	}
	falls := 0.0
	worse := func(context.Context, *vectors.Set) (float64, error) { falls--; return falls, nil }
	for _, test := range []struct {
		name   string
		e      train.Evaluation
		loss   bool
		scores []string
	}{
		{"a fraction", train.Evaluation{Fraction: 0.1}, true, nil},
		{"a text", train.Evaluation{HeldOut: train.Sentences(all[:50])}, true, nil},
		{"a set", train.Evaluation{Sets: []train.Set{set}}, false, []string{"pairs"}},
		{"a function", train.Evaluation{Score: worse}, false, nil},
		{"everything", train.Evaluation{Fraction: 0.2, Sets: []train.Set{set}, Score: worse}, true, []string{"pairs"}},
	} {
		o := train.Options{Settings: small(), Evaluation: test.e}
		o.Settings.Model.Patience = 1
		evaluations := 0
		result, err := train.Run(t.Context(), train.Sentences(all), o, train.Hooks{Evaluated: func(e train.Evaluated) {
			evaluations++
			var names []string
			for _, s := range e.Scores {
				names = append(names, s.Set)
			}
			if math.IsNaN(e.Loss) == test.loss || !slices.Equal(names, test.scores) {
				t.Errorf("%s: %+v", test.name, e)
			}
		}})
		if err != nil || result.Best == nil || evaluations == 0 {
			t.Errorf("%s: %d evaluations, %v", test.name, evaluations, err)
		}
		if test.name == "a function" && (!result.Progress.Early || result.Best.Score != -1) {
			t.Errorf("%s: it ends by %+v", test.name, result.Best)
		}
	}
	broken := errors.New("the evaluator is ill")
	o := train.Options{Settings: small(), Evaluation: train.Evaluation{Score: func(context.Context, *vectors.Set) (float64, error) { return 0, broken }}}
	if _, err := train.Run(t.Context(), train.Sentences(all), o, train.Hooks{}); !errors.Is(err, broken) {
		t.Errorf("a function that fails: %v", err)
	}
	o.Evaluation = train.Evaluation{Sets: []train.Set{set}}
	o.Settings.Model.Patience = 1
	_, err = train.Run(t.Context(), train.Sentences([][]string{{"a", "b"}, {"a", "b"}}), o, train.Hooks{})
	if err == nil || !strings.HasPrefix(err.Error(), "nothing in some/pairs.tsv can be scored: ") || !strings.HasSuffix(err.Error(), "and Settings.Model.Patience goes by it: put another set first, or use Evaluation.HeldOut") {
		t.Errorf("a set without words: %v", err)
	}
}

// A model that cannot be written where it should be is written where it can.
func TestModelsAreRescued(t *testing.T) {
	dir, refuge := filepath.Join(t.TempDir(), "gone"), t.TempDir()
	t.Setenv("TMPDIR", refuge)
	t.Setenv("TMP", refuge)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	o := train.Options{Settings: small(), Output: filepath.Join(dir, "model.w2v"), Cache: t.TempDir()}
	result, err := train.Run(t.Context(), train.Sentences(sentences(300)), o, train.Hooks{Start: func(train.Start) { _ = os.RemoveAll(dir) }})
	if err == nil || result == nil || result.Unsaved == nil || !strings.Contains(err.Error(), "; the model is saved as "+refuge) {
		t.Fatalf("%+v, %v", result, err)
	}
	set, err := format.Open(result.Output)
	if err != nil || set.Len() != result.Words {
		t.Errorf("%s: %v", result.Output, err)
	}
	_ = set.Close()
}

// A writer that fails does not keep the model from its file.
func TestWritersFail(t *testing.T) {
	o := train.Options{Settings: small(), Output: filepath.Join(t.TempDir(), "model.w2v"), Writer: full{}}
	result, err := train.Run(t.Context(), train.Sentences(sentences(300)), o, train.Hooks{})
	if err == nil || err.Error() != "the model could not be written: no room" || result.Output != o.Output || !result.Complete {
		t.Errorf("%+v, %v", result, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// Whatever becomes of a run, it leaves no files but those that it was to write.
func TestNothingIsLeftBehind(t *testing.T) {
	broken := errors.New("broken")
	all := sentences(500)
	for _, test := range []struct {
		name  string
		stop  func(*train.Hooks, context.CancelFunc)
		files []string
	}{
		{"done", func(*train.Hooks, context.CancelFunc) {}, []string{"model.w2v"}},
		{"not ready", func(h *train.Hooks, _ context.CancelFunc) { h.Ready = func() error { return broken } }, nil},
		{"interrupted while reading", func(h *train.Hooks, cancel context.CancelFunc) { h.Ready = func() error { cancel(); return nil } }, nil},
		{"interrupted before training", func(h *train.Hooks, cancel context.CancelFunc) { h.Start = func(train.Start) { cancel() } }, nil},
	} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		h := train.Hooks{}
		test.stop(&h, cancel)
		_, err := train.Run(ctx, train.Sentences(all), train.Options{Settings: small(), Output: filepath.Join(dir, "model.w2v"), Cache: dir}, h)
		cancel()
		if (err == nil) != (test.name == "done") {
			t.Errorf("%s: %v", test.name, err)
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var files []string
		for _, e := range entries {
			files = append(files, e.Name())
		}
		if !slices.Equal(files, test.files) {
			t.Errorf("%s: there are %q, want %q", test.name, files, test.files)
		}
	}
}

// What another run has left where a checkpoint goes is kept.
func TestCheckpointsOfOthersAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "run.ck")
	o := train.Options{Settings: small(), Checkpoint: train.Checkpoint{File: file}}
	run(t, train.Sentences(sentences(300)), o)
	first, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var kept *train.Kept
	_, err = train.Run(t.Context(), train.Sentences(sentences(400)), o, train.Hooks{Checkpointed: func(c train.Checkpointed) { kept = c.Kept }})
	if err != nil || kept == nil || kept.File != file+".before" || !kept.Checkpoint || !kept.Ended {
		t.Fatalf("%+v, %v", kept, err)
	}
	if again, err := os.ReadFile(kept.File); err != nil || !slices.Equal(again, first) {
		t.Errorf("it is not what it was: %v", err)
	}

	// The run that wrote the second one is extended.
	o = train.Options{Checkpoint: train.Checkpoint{Resume: file, ExtendEpochs: 2}}
	result := run(t, train.Sentences(sentences(400)), o)
	if result.Settings.Model.Epochs != 5 || result.Progress.Tokens != 5*result.Tokens {
		t.Errorf("%d epochs, %d tokens of %d", result.Settings.Model.Epochs, result.Progress.Tokens, result.Tokens)
	}

	// A new run on new text starts from it, with its settings.
	o = train.Options{Checkpoint: train.Checkpoint{Resume: file}, Init: train.Init{UpdateVocab: true}}
	var warm train.Warm
	result, err = train.Run(t.Context(), train.Sentences(slices.Repeat([][]string{{"new", "Word1-1", "words"}}, 50)), o, train.Hooks{Warm: func(w train.Warm) { warm = w }})
	if err != nil || warm.Known == 0 || warm.Known != warm.Words-2 || result.Vectors.Dim() != 8 {
		t.Errorf("%+v, %v", warm, err)
	}
}

// A vocabulary is written, given, and left out of what a format cannot hold.
func TestVocabularies(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "words.txt")
	all := sentences(300)
	o := train.Options{Settings: small(), Vocabulary: train.Vocabulary{Save: saved}}
	result := run(t, train.Sentences(all), o)
	o.Vocabulary = train.Vocabulary{File: saved}
	again := run(t, train.Sentences(all), o)
	if !reflect.DeepEqual(again.Vectors.Counts(), result.Vectors.Counts()) || again.Words != result.Words {
		t.Errorf("%d words, want %d", again.Words, result.Words)
	}

	odd := append([][]string{{"New York", "a\nb", "New York", "a\nb"}}, all...)
	o = train.Options{Settings: small(), Output: filepath.Join(dir, "odd.vec")}
	_, err := train.Run(t.Context(), train.Sentences(odd), o, train.Hooks{})
	if _, ok := errors.AsType[*format.UnwritableWord](err); !ok || !strings.HasSuffix(err.Error(), "; SkipUnwritable leaves such words out") {
		t.Errorf("a word of two lines: %v", err)
	}
	o.SkipUnwritable = true
	var skipped []string
	_, err = train.Run(t.Context(), train.Sentences(odd), o, train.Hooks{Skipped: func(words []*format.UnwritableWord, _ format.Format) {
		for _, w := range words {
			skipped = append(skipped, w.Word)
		}
	}})
	if err != nil || !slices.Equal(skipped, []string{"a\nb"}) {
		t.Errorf("%q are skipped, %v", skipped, err)
	}
	o = train.Options{Settings: small(), Vocabulary: train.Vocabulary{Save: saved}}
	if _, err := train.Run(t.Context(), train.Sentences(odd), o, train.Hooks{}); err == nil || !strings.Contains(err.Error(), `"a\nb"`) {
		t.Errorf("a vocabulary of a word of two lines: %v", err)
	}
}

// Programs find remarks by their kinds, which the page on logs has.
func TestKindsOfRemarksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	kinds := regexp.MustCompile(`Remark\w+\s+(?:RemarkKind )?= +"([a-z-]+)"`)
	found := 0
	for _, file := range []string{"options.go", "../sgns/internal/run/progress.go"} {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds.FindAllSubmatch(source, -1) {
			if found++; !bytes.Contains(page, fmt.Appendf(nil, "`%s`", kind[1])) {
				t.Errorf("docs/reliability.md does not have %s of %s", kind[1], file)
			}
		}
	}
	if found < 14 {
		t.Errorf("%d kinds are found", found)
	}
}

// A run that nobody gave a number of epochs has as many as suit its corpus, says so before it trains, and keeps the
// number when it is resumed. A run on new text from there has the usual number.
func TestEpochsBySize(t *testing.T) {
	text := train.Sentences(sentences(300))
	s := small()
	s.Model.Epochs = 0
	file := filepath.Join(t.TempDir(), "run.ck")
	var start train.Start
	hooks := train.Hooks{Start: func(at train.Start) { start = at }}
	result, err := train.Run(t.Context(), text, train.Options{Settings: s, Checkpoint: train.Checkpoint{File: file}}, hooks)
	if err != nil {
		t.Fatal(err)
	}
	want := s.Model.EpochsFor(result.Tokens)
	if facts := result.Vectors.Training(); want != 40 || result.Settings.Model.Epochs != want || !start.Auto || start.Total != uint64(want)*result.Tokens || facts.Int("epochs") != want || !facts.Bool("epochs_auto") {
		t.Errorf("%d epochs, want %d: %+v, %v", result.Settings.Model.Epochs, want, start, facts)
	}
	given := train.Settings{}
	if given = train.Defaults(); given.Set("epochs", "auto") != nil || given.Complete() != nil {
		t.Fatal("auto is no number of epochs")
	}
	for name, test := range map[string]struct {
		corpus  train.Corpus
		options train.Options
		want    int
		auto    bool // of the facts
	}{
		"resumed":                {text, train.Options{Checkpoint: train.Checkpoint{Resume: file, File: file + ".2"}}, want, true},
		"resumed with auto":      {text, train.Options{Settings: given, Checkpoint: train.Checkpoint{Resume: file, File: file + ".2"}}, want, true},
		"extended":               {text, train.Options{Checkpoint: train.Checkpoint{Resume: file, File: file + ".2", ExtendEpochs: 1}}, want + 1, true},
		"new text":               {train.Sentences(sentences(100)), train.Options{Checkpoint: train.Checkpoint{Resume: file, File: file + ".2"}, Init: train.Init{UpdateVocab: true}}, sgns.UsualEpochs, true},
		"from a model":           {text, train.Options{Settings: s, Init: train.Init{Vectors: result.Vectors}}, sgns.UsualEpochs, true},
		"new words for a model":  {text, train.Options{Settings: s, Init: train.Init{Vectors: result.Vectors, UpdateVocab: true}}, sgns.UsualEpochs, true},
		"a number":               {text, train.Options{Settings: small()}, 3, false},
		"new text, for a number": {text, train.Options{Settings: s, Init: train.Init{Vectors: run(t, text, train.Options{Settings: small()}).Vectors, UpdateVocab: true}}, 3, false},
	} {
		if result := run(t, test.corpus, test.options); result.Settings.Model.Epochs != test.want || result.Vectors.Training().Bool("epochs_auto") != test.auto {
			t.Errorf("%s: %d epochs, want %d; %v", name, result.Settings.Model.Epochs, test.want, result.Vectors.Training())
		}
	}
	o := train.Options{Settings: small(), Checkpoint: train.Checkpoint{Resume: file, File: file + ".2"}}
	if _, err := train.Run(t.Context(), text, o, train.Hooks{}); err == nil || !strings.Contains(err.Error(), "Settings.Model.Epochs is 3") {
		t.Errorf("another number: %v", err)
	}
}

// The models of epochs are those of the moments at which epochs end: the last one is the result.
func TestModelsOfEpochs(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "models")
	o := train.Options{Settings: small(), Evaluation: train.Evaluation{EpochModels: folder}}
	var epochs []train.Evaluated
	result, err := train.Run(t.Context(), train.Sentences(sentences(600)), o, train.Hooks{Evaluated: func(e train.Evaluated) { epochs = append(epochs, e) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(epochs) != 3 {
		t.Fatalf("%d evaluations of 3 epochs", len(epochs))
	}
	var trained []float64
	for i, e := range epochs {
		if want := filepath.Join(folder, fmt.Sprintf("epoch-%d.w2v", i+1)); e.Epoch != uint64(i+1) || e.Model != want || e.Unwritten != nil || !(e.Trained > 0) {
			t.Errorf("evaluation %d: %+v", i, e)
		}
		trained = append(trained, e.Trained)
		file, err := os.ReadFile(e.Model)
		if err != nil {
			t.Fatal(err)
		}
		if same := bytes.Equal(file, encoded(t, result.Vectors)); same != (i == 2) {
			t.Errorf("epoch %d: the model is the result: %v", i+1, same)
		}
	}
	if math.Abs(trained[2]-result.Progress.Loss) > 1e-9 {
		t.Errorf("losses of epochs %v, and the last one is %v", trained, result.Progress.Loss)
	}

	// Models of two runs are never in one folder.
	if err := os.Rename(filepath.Join(folder, "epoch-3.w2v"), filepath.Join(folder, "epoch-12.w2v")); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{"epoch-1.w2v", "epoch-12.w2v", "epoch-2.w2v"} {
		_, err := train.Run(t.Context(), train.Sentences(sentences(600)), o, train.Hooks{})
		want := "EpochModels: " + folder + ": the folder has the models of another run, such as " + left + ": give a new folder, or go on with that run by Checkpoint.Resume: FILE"
		if _, ok := errors.AsType[*train.OptionError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
		if err := os.Remove(filepath.Join(folder, left)); err != nil {
			t.Fatal(err)
		}
	}

	// A model that cannot be written does not end training.
	epochs = nil
	if err := os.MkdirAll(filepath.Join(folder, "epoch-2.w2v", "full"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := train.Run(t.Context(), train.Sentences(sentences(600)), o, train.Hooks{Evaluated: func(e train.Evaluated) { epochs = append(epochs, e) }}); err != nil {
		t.Fatal(err)
	}
	if len(epochs) != 3 || epochs[0].Unwritten != nil || epochs[1].Unwritten == nil || epochs[2].Unwritten != nil {
		t.Errorf("with a folder in the place of the second model: %+v", epochs)
	}

	o.Settings.Model.EvaluateEvery = 100
	if _, err := train.Run(t.Context(), train.Sentences(sentences(600)), o, train.Hooks{}); err == nil || !strings.Contains(err.Error(), "EpochModels writes a model at the end of each epoch: leave out") {
		t.Errorf("with EvaluateEvery: %v", err)
	}
}

// A loss that scores all words says so if there are many of them, before training begins.
func TestNoteOfManyOutputs(t *testing.T) {
	for words, want := range map[int]int{20_000: 0, 20_001: 1} {
		text := make([][]string, 0, words)
		for i := range words {
			text = append(text, []string{"w" + strconv.Itoa(i)})
		}
		o := train.Options{Settings: train.Defaults(), Output: filepath.Join(t.TempDir(), "m.w2v")}
		o.Settings.Model.Loss, o.Settings.Model.Dim, o.Settings.MinCount = sgns.Softmax, 1, 1
		ctx, stop := context.WithCancel(t.Context())
		var notes int
		_, err := train.Run(ctx, train.Sentences(text), o, train.Hooks{
			Note:  func(m train.Message) { notes += strings.Count(m.String(), "scores all 20,001 words") },
			Start: func(train.Start) { stop() },
		})
		if notes != want || !errors.Is(err, context.Canceled) {
			t.Errorf("%d words: %d notes, want %d: %v", words, notes, want, err)
		}
	}
}
