package train_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors/format"
)

// twoTopics is a text of lines about one of two topics.
func twoTopics() string {
	r := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for range 600 {
		topic := []string{"sea", "sky"}[r.IntN(2)]
		for range 8 {
			fmt.Fprintf(&text, "%s%d ", topic, r.IntN(6))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func bootstrapOptions() train.BootstrapOptions {
	o := train.BootstrapOptions{Settings: train.Defaults(), Runs: 4, Words: []string{"sea0", "sky1"}, Neighbors: 3}
	o.Settings.Model.Dim, o.Settings.Model.Threads, o.Settings.Model.Epochs = 8, 1, 10
	o.Settings.MinCount = 1
	return o
}

func TestBootstrapSaysWhatDependsOnDocuments(t *testing.T) {
	pairs, err := eval.ReadSet(strings.NewReader("sea0 sea1 9\nsea0 sea2 8\nsea1 sky1 1\nsky0 sky3 9\nsea4 sky2 2\nsky4 sea3 1\n"), "topics", eval.TaskSimilarity)
	if err != nil {
		t.Fatal(err)
	}
	o := bootstrapOptions()
	o.Sets = []eval.SetFile{{Set: pairs}}
	o.Output = filepath.Join(t.TempDir(), "model.vec.gz")
	var done []int
	hooks := train.BootstrapHooks{Done: func(run train.BootstrapRun) { done = append(done, run.Run) }}
	result, err := train.Bootstrap(context.Background(), train.Reader("topics", strings.NewReader(twoTopics())), o, hooks)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(done) != "[1 2 3 4]" || result.Tokens != 4800 || result.Words != 12 {
		t.Errorf("runs %v, %d tokens of %d words", done, result.Tokens, result.Words)
	}
	sizes := map[uint64]bool{}
	for i, run := range result.Runs {
		sizes[run.Tokens] = true
		if math.Abs(float64(run.Tokens)-4800) > 1000 || run.Tokens%8 != 0 {
			t.Errorf("run %d has %d tokens", run.Run, run.Tokens)
		}
		set, err := format.Open(strings.Replace(o.Output, "model", fmt.Sprintf("model-%d", i+1), 1))
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() != 12 {
			t.Errorf("model %d has %d words", i+1, set.Len())
		}
		if err := set.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(sizes) < 2 {
		t.Error("all resamples have the same size")
	}
	score := result.Scores[0]
	if score.Set != "topics" || score.Runs != 4 || score.Mean < 0.5 || !(score.Interval.Low <= float64(score.Mean) && float64(score.Mean) <= score.Interval.High) {
		t.Errorf("score %+v", score)
	}
	if len(result.Nearest) != 2 || result.Nearest[0].Word != "sea0" {
		t.Fatalf("neighbours of %+v", result.Nearest)
	}
	shares := 0.0
	for _, near := range result.Nearest[0].Neighbors {
		shares += near.Share
		if !strings.HasPrefix(near.Word, "sea") || near.Runs != 4 || near.MeanRank < 1 || near.Mean <= 0 {
			t.Errorf("neighbour %+v of sea0", near)
		}
	}
	if math.Abs(shares-3) > 1e-12 { // three neighbours a run
		t.Errorf("shares sum to %v, want 3", shares)
	}
	if j := result.Nearest[0].Jaccard; !(j >= 0 && j <= 1) {
		t.Errorf("Jaccard similarity %v", j)
	}
}

func TestBootstrapIsDeterministic(t *testing.T) {
	var first []byte
	for range 2 {
		result, err := train.Bootstrap(context.Background(), train.Reader("topics", strings.NewReader(twoTopics())), bootstrapOptions(), train.BootstrapHooks{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(result.Nearest)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if !bytes.Equal(first, text) {
			t.Errorf("two calls differ:\n%s\n%s", first, text)
		}
	}
}

func TestBootstrapReturnsWhatIsDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hooks := train.BootstrapHooks{Done: func(run train.BootstrapRun) {
		if run.Run == 2 {
			cancel()
		}
	}}
	result, err := train.Bootstrap(ctx, train.Reader("topics", strings.NewReader(twoTopics())), bootstrapOptions(), hooks)
	if !errors.Is(err, context.Canceled) || result == nil || len(result.Runs) != 2 {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestBootstrapRefuses(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "text-1.vec")
	if err := os.WriteFile(path, []byte(twoTopics()), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(o *train.BootstrapOptions){
		"must be 2 or more, is 1":     func(o *train.BootstrapOptions) { o.Runs = 1 },
		"must be 1 or more, is -1":    func(o *train.BootstrapOptions) { o.Neighbors = -1 },
		"not in the vocabulary: moon": func(o *train.BootstrapOptions) { o.Words = []string{"sea1", "moon"} },
		"a model would replace it":    func(o *train.BootstrapOptions) { o.Output = filepath.Join(folder, "text.vec") },
		"text.unknown":                func(o *train.BootstrapOptions) { o.Output = "text.unknown" },
	} {
		o := bootstrapOptions()
		change(&o)
		result, err := train.Bootstrap(context.Background(), train.Files(path), o, train.BootstrapHooks{})
		if err == nil || result != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want an error with %q", result, err, want)
		}
	}
}
