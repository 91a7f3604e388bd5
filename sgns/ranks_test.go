package sgns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/cluster"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/ranktest"
	"github.com/w2v-go/w2v/sgns/internal/ranks/replica"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// parted returns the vocabulary of a text, and the ids of n parts of it, one behind the other.
func parted(t testing.TB, text string, n int) (v *vocab.Vocab, parts []*vocab.IDs) {
	t.Helper()
	v, _ = indexed(t, text)
	lines := strings.SplitAfter(text, "\n")
	for k := range n {
		part := strings.Join(lines[len(lines)*k/n:len(lines)*(k+1)/n], "")
		_, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(part), corpus.Options{}), vocab.Options{Fixed: v}, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ids.Close() })
		parts = append(parts, ids)
	}
	return v, parts
}

// onRanks runs a function on a rank for each part, each on a machine of its own, and returns what each returned.
func onRanks(v *vocab.Vocab, parts []*vocab.IDs, run func(Data) (*Model, error)) (models []*Model, errs []error) {
	return onMachines(slices.Repeat([]int{1}, len(parts)), v, parts, run)
}

// onMachines is onRanks with so many ranks on each machine.
func onMachines(ranks []int, v *vocab.Vocab, parts []*vocab.IDs, run func(Data) (*Model, error)) (models []*Model, errs []error) {
	models, errs = make([]*Model, len(parts)), make([]error, len(parts))
	var all sync.WaitGroup
	for rank, comm := range ranktest.Machines(ranks...) {
		all.Go(func() {
			models[rank], errs[rank] = run(Data{IDs: parts[rank], Vocab: v, Ranks: comm, SyncEvery: 500})
		})
	}
	all.Wait()
	return models, errs
}

// steady makes ranks wait for turns that are due, so that what they come to is no matter of how busy the
// machine is.
func steady(d Data) Data {
	o := replica.Defaults()
	o.Every = 500
	d.exchange = &o
	return d
}

// together trains on a rank for each part. Hooks are those of rank 0; the others fail the test if they
// are called.
func together(t testing.TB, v *vocab.Vocab, parts []*vocab.IDs, c Config, h Hooks) []*Model {
	t.Helper()
	models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
		if d.Ranks.Rank() > 0 {
			return Train(t.Context(), steady(d), c, silent(t))
		}
		return Train(t.Context(), steady(d), c, h)
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	return models
}

// Ranks of one machine train one copy of the model, which the first of them exchanges with other machines. A run goes on
// with its ranks on other machines.
func TestMachinesTrainTogether(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has memory that processes share")
	}
	text := sentences(3000)
	for _, test := range []struct{ before, after []int }{{[]int{2}, []int{2, 2}}, {[]int{2, 2}, []int{3}}, {[]int{1, 3}, []int{1, 1}}, {[]int{1, 1}, []int{2}}} {
		t.Run(fmt.Sprint(test.before, " to ", test.after), func(t *testing.T) {
			c := small(func(c *Config) { c.Epochs = 6 })
			v, before := parted(t, text, sum(test.before))
			_, after := parted(t, text, sum(test.after))
			total := v.Total() * uint64(c.Epochs)
			file := cutOnMachines(t, test.before, v, before, c, total/2)
			models, errs := onMachines(test.after, v, after, func(d Data) (*Model, error) {
				m, err := Resume(t.Context(), d, decode(t, file), Hooks{})
				if between := d.Ranks.Network(); (between > 0) != (len(test.after) > 1) {
					t.Errorf("%d bytes of %d go to other machines", between, d.Ranks.Sent())
				}
				return m, err
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for _, m := range models {
				sameModel(t, m.Vectors, models[0].Vectors)
			}
			if p := models[0].Progress; p.Tokens != total || p.Total != total {
				t.Errorf("%d tokens of %d are trained, want %d", p.Tokens, p.Total, total)
			}
			if s := separation(models[0].Vectors); s < 0.2 {
				t.Errorf("words of a topic are nearer by %.3f", s)
			}
		})
	}
}

func sum(numbers []int) (n int) {
	for _, k := range numbers {
		n += k
	}
	return n
}

// silent are hooks that are not to be called.
func silent(t testing.TB) Hooks {
	return Hooks{
		Progress:   func(Progress) { t.Error("Progress is called") },
		Checkpoint: func(*Checkpoint) { t.Error("Checkpoint is called") },
		Evaluate: func(context.Context, *vectors.Set) (float64, error) {
			t.Error("Evaluate is called")
			return 0, nil
		},
		Evaluated: func(Evaluation) { t.Error("Evaluated is called") },
		Warm:      func(Warm) { t.Error("Warm is called") },
	}
}

// separation is how much nearer words of one topic are to each other than to words of others.
func separation(s *vectors.Set) float64 {
	var sums, counts [2]float64
	words := s.Words().Strings()
	vector := make([][]float64, len(words))
	for w := range words {
		row := make([]float32, s.Dim())
		s.WordVector(row, w)
		var norm float64
		for _, x := range row {
			norm += float64(x) * float64(x)
		}
		for _, x := range row {
			vector[w] = append(vector[w], float64(x)/math.Sqrt(norm))
		}
	}
	for i, a := range words {
		for j, b := range words[:i] {
			if a == "the" || b == "the" {
				continue
			}
			same := 0
			if a[0] == b[0] {
				same = 1
			}
			for k, x := range vector[i] {
				sums[same] += x * vector[j][k]
			}
			counts[same]++
		}
	}
	return sums[1]/counts[1] - sums[0]/counts[0]
}

// All ranks come to the same vectors, which are about as good as those of one.
func TestRanksTrainTogether(t *testing.T) {
	const n = 3
	text := sentences(3000)
	all := map[string]func(*Config){
		"words":    func(*Config) {},
		"subwords": func(c *Config) { c.Subword = fastText },
		"threads":  func(c *Config) { c.Threads = 2 },
		"shuffled": func(c *Config) { c.Shuffle = true },
	}
	for name, change := range few(t) {
		if small(change).Precision == F32 { // ranks refuse others
			all[name] = change
		}
	}
	for name, change := range all {
		t.Run(name, func(t *testing.T) {
			c := small(change)
			v, parts := parted(t, text, n)
			models := together(t, v, parts, c, Hooks{})
			for _, m := range models {
				sameModel(t, m.Vectors, models[0].Vectors)
			}
			p := models[0].Progress
			if want := v.Total() * uint64(c.Epochs); p.Tokens != want || p.Total != want || p.Ranks != n || p.Sent == 0 {
				t.Errorf("%d of %d tokens, of %d ranks that sent %d bytes", p.Tokens, p.Total, p.Ranks, p.Sent)
			}
			if got := separation(models[0].Vectors); !(got > 0.1) {
				t.Errorf("words of a topic are nearer by %.3f, on one rank by %.3f", got, separation(train(t, text, c).Vectors))
			}
		})
	}
}

// The part of a rank may be empty. It has its share of the rows all the same.
func TestRanksWithoutText(t *testing.T) {
	const ranks = 3
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(sentences(300), "\n", " ")+"\n"+sentences(1)), 0o600); err != nil {
		t.Fatal(err)
	}
	models, empty := make([]*Model, ranks), 0
	var mutex sync.Mutex
	err := ranktest.Each(ranks, func(c cluster.Comm) error {
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			return err
		}
		v, ids, err := vocab.Index(t.Context(), src, vocab.Options{Ranks: c}, t.TempDir())
		if err != nil {
			return err
		}
		defer ids.Close()
		m, err := Train(t.Context(), steady(Data{IDs: ids, Vocab: v, Ranks: c}), small(func(c *Config) { c.Epochs = 5 }), Hooks{})
		mutex.Lock()
		defer mutex.Unlock()
		models[c.Rank()] = m
		if ids.Tokens() == 0 {
			empty++
		}
		return err
	})
	if err != nil || empty == 0 {
		t.Fatalf("%d ranks without text: %v", empty, err)
	}
	for _, m := range models {
		sameModel(t, m.Vectors, models[0].Vectors)
	}
}

// What is said of a run is said of all ranks.
func TestRanksAgree(t *testing.T) {
	text := sentences(2000)
	t.Run("one is interrupted", func(t *testing.T) {
		v, parts := parted(t, text, 3)
		var k *Checkpoint
		models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			h := Hooks{}
			switch d.Ranks.Rank() {
			case 0:
				h.Checkpoint = func(c *Checkpoint) { k = c }
			case 1:
				cancel()
			}
			return Train(ctx, d, small(func(c *Config) { c.Epochs = 50 }), h)
		})
		for rank, err := range errs {
			if !errors.Is(err, context.Canceled) || models[rank] == nil {
				t.Fatalf("rank %d returns %v", rank, err)
			}
			sameModel(t, models[rank].Vectors, models[0].Vectors)
		}
		if k == nil || k.Tokens != models[0].Progress.Tokens || k.Tokens >= k.Total || k.Total != 50*v.Total() {
			t.Errorf("checkpoint %+v, of a run that came to %+v", k, models[0].Progress)
		}
	})
	t.Run("evaluations are no better", func(t *testing.T) {
		v, parts := parted(t, text, 2)
		n := 0
		models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			h := silent(t)
			if d.Ranks.Rank() == 0 {
				h = Hooks{Evaluate: func(context.Context, *vectors.Set) (float64, error) { n++; return float64(-n), nil }}
			}
			return Train(t.Context(), steady(d), small(func(c *Config) { c.Epochs, c.Patience = 50, 2 }), h)
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		p := models[0].Progress
		if n != 3 || !p.Early || !models[1].Progress.Early || p.Tokens == p.Total {
			t.Errorf("%d evaluations, %+v", n, p)
		}
		if e := models[0].Evaluation; e == nil || e.Score != -1 {
			t.Errorf("the best is %+v", e)
		}
	})
	t.Run("training diverges", func(t *testing.T) {
		v, parts := parted(t, text, 2)
		_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			return Train(t.Context(), d, small(func(c *Config) { c.LearningRate = 1e5 }), Hooks{})
		})
		for rank, err := range errs {
			if !errors.Is(err, ErrDiverged) {
				t.Errorf("rank %d returns %v", rank, err)
			}
		}
	})
	t.Run("an evaluation fails", func(t *testing.T) {
		v, parts := parted(t, text, 2)
		broken := errors.New("broken")
		_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			return Train(t.Context(), d, small(func(c *Config) { c.EvaluateEvery = 1000 }), Hooks{Evaluate: func(context.Context, *vectors.Set) (float64, error) { return 0, broken }})
		})
		if !errors.Is(errs[0], broken) || errs[1] == nil {
			t.Errorf("ranks return %v", errs)
		}
	})
}

// A rank sends no more than the budget allows, and a run with a small one trains all the same.
func TestSyncBudget(t *testing.T) {
	v, parts := parted(t, sentences(8000), 2)
	sent := func(set func(Data) Data) uint64 {
		models, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			return Train(t.Context(), set(d), small(func(c *Config) { c.Epochs = 8 }), Hooks{})
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		sameModel(t, models[1].Vectors, models[0].Vectors)
		return models[0].Progress.Sent
	}
	budget := func(d Data) Data {
		d.SyncBudget = 1000
		return d
	}
	if free, held := sent(steady), sent(budget); held*2 > free {
		t.Errorf("%d bytes with a budget of a kilobyte a second, and %d without one", held, free)
	}
}

func TestRanksRefuse(t *testing.T) {
	v, parts := parted(t, sentences(100), 2)
	for name, change := range map[string]func(*Config){
		"sgns: ranks exchange what they have trained while they train, so a run on several of them cannot be deterministic": func(c *Config) { c.Deterministic = true },
		"sgns: ranks exchange rows of float32": func(c *Config) { c.Subword, c.Precision = fastText, F16 },
	} {
		_, errs := onRanks(v, parts, func(d Data) (*Model, error) { return Train(t.Context(), d, small(change), Hooks{}) })
		for _, err := range errs {
			if err == nil || !strings.HasPrefix(err.Error(), name) {
				t.Errorf("error %v, want %s…", err, name)
			}
		}
	}
}

// Ranks that would begin with other words or vectors, because their files differ, do not train.
func TestRanksAlike(t *testing.T) {
	v, parts := parted(t, sentences(100), 2)
	other, _ := parted(t, sentences(90), 2)
	for want, change := range map[string]func(d *Data, c *Config){
		"rank 1 begins with other vectors than rank 0: all ranks must find the same files": func(_ *Data, c *Config) { c.Seed = 9 },
		"rank 1 has another vocabulary than rank 0: all ranks must find the same files":    func(d *Data, _ *Config) { d.Vocab = other },
		"rank 1 has other settings than rank 0: all ranks must get the same command line":  func(_ *Data, c *Config) { c.Epochs++ },
	} {
		_, errs := onRanks(v, parts, func(d Data) (*Model, error) {
			c := small(func(*Config) {})
			if d.Ranks.Rank() == 1 {
				change(&d, &c)
			}
			return Train(t.Context(), d, c, Hooks{})
		})
		if errs[0] == nil || errs[0].Error() != want {
			t.Errorf("rank 0: %v, want %s", errs[0], want)
		}
		if _, ok := errors.AsType[*cluster.EndedError](errs[1]); !ok {
			t.Errorf("rank 1: %v", errs[1])
		}
	}
}
