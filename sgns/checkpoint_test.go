package sgns

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/engine"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// cut trains, from a checkpoint if there is one, until so many tokens are trained, and
// returns the checkpoint that is written then, as it comes from a file; or the model if
// training ended before.
func cut(t testing.TB, d Data, c Config, from *Checkpoint, tokens uint64) (*Checkpoint, *Model) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var file bytes.Buffer
	h := Hooks{
		Every: time.Millisecond,
		Progress: func(p Progress) {
			if p.Tokens >= tokens {
				cancel()
			}
		},
		Checkpoint: func(k *Checkpoint) {
			file.Reset()
			if err := encode(&file, k); err != nil {
				t.Error(err)
			}
		},
		CheckpointEvery: 3 * time.Millisecond,
		Note:            json.RawMessage(`{"a":1}`),
	}
	var m *Model
	var err error
	if from == nil {
		m, err = Train(ctx, d, c, h)
	} else {
		m, err = Resume(ctx, d, from, h)
	}
	if err == nil {
		return nil, m
	}
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return decode(t, file.Bytes()), nil
}

// copied returns a copy of the model of a checkpoint.
func copied(k *Checkpoint) *vectors.Set {
	set, _ := k.Set()
	return copyOfSet(set)
}

func copyOfSet(set *vectors.Set) *vectors.Set {
	p := set.Parts()
	for i, m := range p.Matrices {
		p.Matrices[i].Matrix = copyOf(m.Matrix)
	}
	if input, projection, ok := set.Input().Factors(); ok {
		p.Input = vectors.Product(copyOf(input), copyOf(projection))
	} else {
		p.Input = copyOf(set.Input())
	}
	byPosition := slices.IndexFunc(p.Matrices, func(m vectors.NamedMatrix) bool { return m.Name == vectors.MatrixPositionOutput })
	switch {
	case set.Training().Bool("tied"):
		p.Output = p.Input
	case byPosition >= 0:
		p.Output = vectors.Matrix{} // New makes it of that matrix
	default:
		p.Output = copyOf(set.Output())
	}
	p.StateRows = nil
	for _, m := range set.StateRows() {
		p.StateRows = append(p.StateRows, copyOf(m))
	}
	return newSet(p)
}

// copyOf returns a copy of a matrix in memory, as float32.
func copyOf(m vectors.Matrix) vectors.Matrix {
	if m.Storage == nil {
		m.Data = slices.Clone(m.Data)
		return m
	}
	c := vectors.NewMatrix(m.Rows, m.Cols)
	for r := range m.Rows {
		m.Read(c.Row(r), r)
	}
	return c
}

func encode(w *bytes.Buffer, k *Checkpoint) error {
	set, err := k.Set()
	if err != nil {
		return err
	}
	return format.Encode(w, set, format.W2V)
}

func decode(t testing.TB, file []byte) *Checkpoint {
	t.Helper()
	set, err := format.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewCheckpoint(set)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// A run that is stopped and resumed again and again, at any moment, comes to the same
// bits as one that was not.
func TestResumeIsByteIdenticalWithOneWorker(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	text := sentences(500)
	ofTwo := func(c *Config) { c.Dim, c.Epochs, c.Deterministic, c.Threads = 100, 4, true, 2 }
	for name, c := range map[string]Config{
		"words":                       small(func(c *Config) { c.Epochs = 4 }),
		"subwords":                    small(func(c *Config) { c.Subword, c.Epochs = fastText, 4 }),
		"the best":                    small(func(c *Config) { c.Epochs, c.Patience, c.EvaluateEvery = 4, 1000, 5000 }),
		"a group":                     small(ofTwo),
		"shuffled":                    small(func(c *Config) { c.Epochs, c.Shuffle = 4, true }),
		"whole lines":                 small(func(c *Config) { c.Epochs, c.Window = 4, 0 }),
		"harmonic windows, few draws": small(func(c *Config) { c.Epochs, c.WindowMode, c.Draws = 4, WindowHarmonic, 20 }),
		"a group, shuffled, the best": small(func(c *Config) {
			ofTwo(c)
			c.Shuffle, c.Patience, c.EvaluateEvery = true, 1000, 5000
		}),
		"a group for n-grams, the best": small(func(c *Config) {
			ofTwo(c)
			c.Subword, c.Patience, c.EvaluateEvery = fastText, 1000, 5000
		}),
	} {
		t.Run(name, func(t *testing.T) { resumes(t, text, c) })
	}
	for name, change := range few(t) {
		c := small(func(c *Config) {
			c.Epochs, c.Patience, c.EvaluateEvery = 2, 1000, 5000
			change(c)
		})
		t.Run(name, func(t *testing.T) { resumes(t, sentences(400), c) })
	}
}

// resumes checks that a run comes to the same bits when it is stopped and resumed again and
// again.
func resumes(t *testing.T, text string, c Config) {
	v, ids := indexed(t, text)
	d := Data{IDs: ids, Vocab: v}
	if c.Patience > 0 {
		d.IDs, d.HeldOut = split(t, ids, 0.05)
	}
	whole, err := Train(t.Context(), d, c, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var k *Checkpoint
	var m *Model
	cuts := 0
	for at := uint64(0); m == nil; cuts++ {
		at += 1 + r.Uint64N(d.IDs.Tokens()/2)
		k, m = cut(t, d, c, k, at)
		if k != nil && string(k.Note) != `{"a":1}` {
			t.Errorf("note %s", k.Note)
		}
	}
	t.Log(cuts, "cuts")
	sameModel(t, m.Vectors, whole.Vectors)
	if a, b := whole.Progress, m.Progress; a.Loss != b.Loss || a.Tokens != b.Tokens {
		t.Errorf("loss %v after %d tokens, want %v after %d", b.Loss, b.Tokens, a.Loss, a.Tokens)
	}
	if c.Patience > 0 && whole.Evaluation.Loss != m.Evaluation.Loss {
		t.Errorf("best loss %v, want %v", m.Evaluation.Loss, whole.Evaluation.Loss)
	}
}

// A run that is interrupted while it reads the text again loses nothing of it.
func TestInterruptedReadingGoesOn(t *testing.T) {
	text := strings.Repeat(sentences(3000), 25) // more than is kept of a text that is read again
	path := filepath.Join(t.TempDir(), "text.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	reading, interrupt := context.WithCancel(t.Context())
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, ids := indexed(t, text)
	_, again, err := vocab.Index(reading, src, vocab.Options{Fixed: v, NoCache: true}, "")
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	var file bytes.Buffer
	_, err = Train(t.Context(), Data{IDs: again, Vocab: v}, small(func(c *Config) { c.Epochs = 2 }), Hooks{
		Every: time.Millisecond,
		Progress: func(p Progress) {
			if p.Tokens > p.Total/4 {
				interrupt()
			}
		},
		CheckpointEvery: time.Hour,
		Checkpoint: func(k *Checkpoint) {
			file.Reset()
			if err := encode(&file, k); err != nil {
				t.Error(err)
			}
		},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	m, err := Resume(t.Context(), Data{IDs: ids, Vocab: v}, decode(t, file.Bytes()), Hooks{})
	if err != nil || m.Progress.Tokens != m.Progress.Total {
		t.Fatal(m, err)
	}
}

// sameModel fails the test unless all parameters are the same, to the bit.
func sameModel(t testing.TB, got, want *vectors.Set) {
	t.Helper()
	a, b := parametersOf(got), parametersOf(want)
	for name := range b {
		if !bytes.Equal(numbers(a[name]), numbers(b[name])) {
			t.Errorf("the %s are others", name)
		}
	}
}

// parametersOf returns the matrices of a model, by name, in memory as float32.
func parametersOf(s *vectors.Set) map[string]vectors.Matrix {
	input, projection, ok := s.Input().Factors()
	if !ok {
		input = s.Input()
	}
	if input.Storage != nil {
		input = copyOf(input)
	}
	parts := map[string]vectors.Matrix{"input vectors": input, "projection": projection, "context vectors": s.Output()}
	for name, part := range partNames {
		parts[part] = s.Matrix(name)
	}
	return parts
}

// partNames are what tests call the matrices that only some models have.
var partNames = map[string]string{
	vectors.MatrixPositionOutput: "context vectors by position", vectors.MatrixNodes: "nodes", vectors.MatrixImportance: "weights of pieces",
	vectors.MatrixDirections: "directions", vectors.MatrixPositionWeights: "position weights", vectors.MatrixWordNgrams: "rows of word n-grams",
}

// However many workers, no token is trained twice and none is left out.
func TestSeveralWorkersTrainExactTokens(t *testing.T) {
	v, ids := indexed(t, sentences(6000))
	c := small(func(c *Config) { c.Threads, c.Epochs = 4, 3 })
	d := Data{IDs: ids, Vocab: v}
	var k *Checkpoint
	var m *Model
	for at := uint64(1); m == nil; at += ids.Tokens() / 3 {
		k, m = cut(t, d, c, k, at)
	}
	if want := 3 * ids.Tokens(); m.Progress.Tokens != want {
		t.Errorf("trained %d tokens, want %d", m.Progress.Tokens, want)
	}
}

// More epochs go on from the end of a run, at the rate of a run that long.
func TestExtend(t *testing.T) {
	v, ids := indexed(t, sentences(1000))
	d, c := Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Epochs, c.LearningRate = 2, 0.06 })
	var file bytes.Buffer
	m, err := Train(t.Context(), d, c, Hooks{Checkpoint: func(k *Checkpoint) {
		if err := encode(&file, k); err != nil {
			t.Error(err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	k := decode(t, file.Bytes())
	if k.Tokens != 2*ids.Tokens() || k.Total != k.Tokens {
		t.Errorf("a finished run of %d tokens is at %d of %d", 2*ids.Tokens(), k.Tokens, k.Total)
	}
	same, err := Resume(t.Context(), d, k, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(numbers(m.Vectors.Input()), numbers(same.Vectors.Input())) {
		t.Error("resuming a finished run changes it")
	}
	k.Extend(4)
	var first Progress
	m, err = Resume(t.Context(), d, k, Hooks{Every: time.Nanosecond, Progress: func(p Progress) {
		if first.Total == 0 {
			first = p
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if want := 6 * ids.Tokens(); m.Progress.Tokens != want {
		t.Errorf("trained %d tokens, want %d", m.Progress.Tokens, want)
	}
	if first.LearningRate > 0.04 {
		t.Errorf("rate %v after a third of the tokens, want 0.04 at most", first.LearningRate)
	}
}

func TestResumeRefusesOtherText(t *testing.T) {
	text := sentences(500)
	lines := strings.SplitAfter(text, "\n")
	v, ids := indexed(t, text)
	k, _ := cut(t, Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Epochs = 1000 }), nil, 1)
	word := v.Token(0)
	for _, test := range []struct{ name, text, want string }{
		{"swapped lines", strings.Join(lines[1:], "") + lines[0], "the corpus has other text than in the checkpoint, first about 0 % into it"},
		{"a word less", strings.Replace(text, word, "", 1), "the corpus has \"" + word + "\""},
		{"a new word", "new " + text, "the vocabulary has 82 words, that of the checkpoint 81"},
	} {
		v, ids := indexed(t, test.text)
		_, err := Resume(t.Context(), Data{IDs: ids, Vocab: v}, k, Hooks{})
		if _, ok := errors.AsType[*MismatchError](err); !ok || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
	train, heldOut := split(t, ids, 0.1)
	_, err := Resume(t.Context(), Data{IDs: train, Vocab: v, HeldOut: heldOut}, k, Hooks{})
	if _, ok := errors.AsType[*MismatchError](err); !ok {
		t.Errorf("with text held out: error %v", err)
	}
}

// What is frozen stays as it is when the run goes on, once and again, and the rest is trained.
func TestFrozenWordsStayWhenResumed(t *testing.T) {
	for name, arch := range map[string]Arch{"skip-gram": SkipGram, "CBOW": CBOW} {
		from := train(t, sentences(100), small(func(*Config) {})).Vectors
		v, ids := indexed(t, strings.ReplaceAll(sentences(400), "arow", "newrow"))
		d := Data{IDs: ids, Vocab: v, Init: from}
		c := small(func(c *Config) { c.Freeze, c.Arch, c.Epochs = FreezeKnown, arch, 1000 })
		k, _ := cut(t, d, c, nil, 1)
		for range 2 {
			if k == nil {
				t.Fatalf("%s: the run is at its end", name)
			}
			before, was := setOf(k), k.Tokens
			d.Init = nil
			if k, _ = cut(t, d, c, k, was+ids.Tokens()); k == nil {
				t.Fatalf("%s: the run is at its end", name)
			}
			for id, word := range setOf(k).Words().All() {
				_, known := from.ID(word)
				if known == slices.Equal(vectorOf(before, word), vectorOf(setOf(k), word)) && known == slices.Equal(before.Output().Row(id), setOf(k).Output().Row(id)) {
					continue
				}
				t.Errorf("%s: %s, known %v, is another or the same", name, word, known)
			}
		}
	}
}

// The pause of a checkpoint is known, and so is what went into it while training went on.
func TestCheckpointWhileTraining(t *testing.T) {
	v, ids := indexed(t, sentences(6000))
	c := small(func(c *Config) { c.Threads, c.Epochs = 2, 20 })
	var points []uint64
	m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{
		CheckpointEvery: time.Millisecond,
		Every:           time.Millisecond,
		Checkpoint: func(k *Checkpoint) {
			points = append(points, k.Tokens)
			if k.Pause <= 0 && k.Tokens < k.Total {
				t.Errorf("a pause of %v", k.Pause)
			}
			if !params.Finite(setOf(k).Input().Data) {
				t.Error("a checkpoint that is not finite")
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := points[len(points)-1]; last != m.Progress.Tokens {
		t.Errorf("the last checkpoint is of %d tokens of %d", last, m.Progress.Tokens)
	}
	for i := 1; i < len(points); i++ {
		if points[i] < points[i-1] {
			t.Errorf("checkpoints of %d tokens", points)
		}
	}
}

// Rates that are far too high are halved. Where that is not enough, training fails. Nothing
// that contains NaN or Inf is ever handed out. Whether 0.2 diverges depends on when threads run; half of it never did.
func TestDivergence(t *testing.T) {
	text := sentences(3000)
	for _, test := range []struct {
		rate     float64
		recovers bool
	}{{0.05, true}, {0.2, true}, {1e6, false}} {
		v, ids := indexed(t, text)
		for _, threads := range []int{1, 3, -2} {
			c := small(func(c *Config) { c.LearningRate, c.Threads, c.Epochs = test.rate, threads, 2 })
			if threads < 0 { // a column-parallel group
				c.Dim, c.Threads, c.Deterministic = 100, -threads, true
			}
			var back []Divergence
			m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{
				Diverged:        func(d Divergence) { back = append(back, d) },
				CheckpointEvery: time.Millisecond,
				Every:           time.Millisecond,
				Checkpoint: func(k *Checkpoint) {
					if !params.Finite(setOf(k).Input().Data) || !params.Finite(setOf(k).Output().Data) {
						t.Error("a checkpoint that is not finite")
					}
				},
			})
			if got := err == nil; got != test.recovers {
				t.Fatalf("rate %v: error %v after going back %+v", test.rate, err, back)
			}
			if err != nil {
				if !errors.Is(err, ErrDiverged) || len(back) != 3 || m != nil {
					t.Errorf("rate %v: error %v after going back %+v", test.rate, err, back)
				}
				continue
			}
			if want := math.Ldexp(test.rate, -len(back)); m.Vectors.Training().Float("lr") != want {
				t.Errorf("rate %v in the model, want %v", m.Vectors.Training().Float("lr"), want)
			}
			if m.Progress.Loss > 2*float64(1+c.Negatives)*math.Ln2 || m.Progress.Tokens != 2*ids.Tokens() {
				t.Errorf("rate %v: %+v", test.rate, m.Progress)
			}
		}
	}
}

// A model that is not a checkpoint, and one whose state is not what it should be, are
// refused.
func TestNewCheckpointRefuses(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	k, _ := cut(t, Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Epochs = 1000 }), nil, 1)
	for name, change := range map[string]func(s *checkpoint.Saved){
		"version":      func(s *checkpoint.Saved) { s.Version = 9 },
		"dimensions":   func(s *checkpoint.Saved) { s.Config.Dim = 7 },
		"no epochs":    func(s *checkpoint.Saved) { s.Config.Epochs = 0 },
		"no workers":   func(s *checkpoint.Saved) { s.State.Workers = nil },
		"chunk":        func(s *checkpoint.Saved) { s.State.Workers[0].Chunk = 1 << 40 },
		"before":       func(s *checkpoint.Saved) { s.State.Workers[0].Chunk = -2 },
		"offset":       func(s *checkpoint.Saved) { s.State.Workers[0].Place = engine.Place{Chunk: 0, Offset: 1 << 30} },
		"negative":     func(s *checkpoint.Saved) { s.State.Workers[0].Place = engine.Place{Chunk: 0, Offset: -1} },
		"next":         func(s *checkpoint.Saved) { s.State.Next = 1 << 50 },
		"negatives":    func(s *checkpoint.Saved) { s.State.Workers[0].Ahead = nil },
		"unknown word": func(s *checkpoint.Saved) { s.State.Workers[0].Ahead[0] = 1 << 31 },
	} {
		set, err := k.Set()
		if err != nil {
			t.Fatal(err)
		}
		var s checkpoint.Saved
		if err := json.Unmarshal(set.State(), &s); err != nil {
			t.Fatal(err)
		}
		change(&s)
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		set = withState(set, text)
		other, err := NewCheckpoint(set)
		if err == nil {
			_, err = Resume(t.Context(), Data{IDs: ids, Vocab: v}, other, Hooks{})
		}
		if err == nil {
			t.Errorf("%s: resumed", name)
		}
	}
	set, _ := k.Set()
	set = changedSet(set, func(p *vectors.Parts) { p.State, p.StateRows = nil, nil })
	if _, err := NewCheckpoint(set); err == nil || !strings.Contains(err.Error(), "not a checkpoint") {
		t.Errorf("a model as checkpoint: error %v", err)
	}
}

// What a state says is believed of nothing: it may come from anywhere, with a checksum
// that is right.
func FuzzCheckpoint(f *testing.F) {
	text := "a b c a\nb c a b\n" + strings.Repeat("c a b\n", 50)
	src := corpus.Stream("text", strings.NewReader(text), corpus.Options{})
	v, ids, err := vocab.Index(context.Background(), src, vocab.Options{}, f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { ids.Close() })
	var sets []*vectors.Set
	for _, change := range []func(*Config){
		func(*Config) {},
		func(c *Config) { c.Subword = fastText },
		func(c *Config) { c.Patience = 2 },
		func(c *Config) { c.Patience, c.Arch, c.Window = 2, Structured, 2 },
		func(c *Config) { c.Patience, c.Loss, c.Rank, c.Subword = 2, HierarchicalSoftmax, 1, floret },
		func(c *Config) {
			c.Arch, c.PositionWeights, c.WordNgrams, c.WordBuckets, c.Subword = CBOW, true, 2, 10, hashes
		},
		func(c *Config) { c.Tied, c.Nested = true, []int{1, 2} },
	} {
		c := Defaults()
		c.Dim, c.Threads, c.Sample, c.Epochs = 2, 1, 0, 3
		change(&c)
		d := Data{IDs: ids, Vocab: v}
		if c.Patience > 0 {
			d.HeldOut = ids
		}
		_, err := Train(context.Background(), d, c, Hooks{Checkpoint: func(k *Checkpoint) {
			k.Extend(1)
			set, err := k.Set()
			if err != nil {
				f.Error(err)
			}
			f.Add(len(sets), set.State())
			sets = append(sets, set)
		}})
		if err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, number int, state []byte) {
		set := withState(sets[uint(number)%uint(len(sets))], state)
		k, err := NewCheckpoint(set)
		if err != nil {
			return
		}
		if c := k.Config; c.Epochs > 1000 || c.Window > 1000 || c.Negatives > 1000 || len(stateOf(k).Workers) > 100 {
			return // takes long
		}
		for _, heldOut := range []*vocab.IDs{nil, ids} {
			m, err := Resume(t.Context(), Data{IDs: ids, Vocab: v, HeldOut: heldOut}, k, Hooks{})
			if err != nil {
				continue
			}
			for name, m := range parametersOf(m.Vectors) {
				if !params.Finite(m.Data) {
					t.Errorf("the %s are not finite", name)
				}
			}
		}
	})
}

// A run of one worker that diverges comes to the same bits whether it was interrupted or
// not, and however often checkpoints are made.
func TestDivergenceRepeatsItself(t *testing.T) {
	v, ids := indexed(t, sentences(3000))
	d := Data{IDs: ids, Vocab: v}
	c := small(func(c *Config) { c.LearningRate, c.Epochs = 0.4, 2 })
	back := 0
	whole, err := Train(t.Context(), d, c, Hooks{Diverged: func(d Divergence) {
		if back++; d.BackTo != 0 {
			t.Errorf("%+v", d)
		}
	}})
	if err != nil || back == 0 {
		t.Fatalf("error %v after going back %d times", err, back)
	}
	var k *Checkpoint
	var m *Model
	for at := uint64(1000); m == nil; at += 17_000 {
		k, m = cut(t, d, c, k, at)
	}
	if !bytes.Equal(numbers(whole.Vectors.Input()), numbers(m.Vectors.Input())) {
		t.Error("the vectors are others")
	}
}

// setOf and stateOf are those of a checkpoint.
func setOf(k *Checkpoint) *vectors.Set       { return contentsOf(k).Set }
func stateOf(k *Checkpoint) checkpoint.State { return contentsOf(k).State }

func contentsOf(k *Checkpoint) *checkpoint.Contents {
	return checkpoint.ContentsOf(k)
}
