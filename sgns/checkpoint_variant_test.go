package sgns

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/sgns/internal/checkpoint"
	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// few are some of the variants where all take too long.
func few(t testing.TB) map[string]func(*Config) {
	if longtest.Enabled() {
		return variants
	}
	some := map[string]func(*Config){}
	for _, name := range []string{"structured, n-grams", "a rank, hash, a tree", "all of CBOW"} {
		some[name] = variants[name]
	}
	return some
}

// finished returns the model of a checkpoint at the end of a run, with the best parameters
// beside.
func finished(t testing.TB, d Data, c Config) *vectors.Set {
	t.Helper()
	var set *vectors.Set
	_, err := Train(t.Context(), d, c, Hooks{Checkpoint: func(k *Checkpoint) { set = copied(k) }})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// A model that lacks something of what its configuration says, or has it in another shape,
// is not a checkpoint.
func TestDamagedModelsAreNoCheckpoints(t *testing.T) {
	v, ids := indexed(t, sentences(60))
	train, heldOut := split(t, ids, 0.2)
	d := Data{IDs: train, Vocab: v, HeldOut: heldOut}
	wider := func(m *vectors.Matrix) {
		if m.Rows > 0 {
			*m = vectors.NewMatrix(m.Rows, m.Cols+1)
		}
	}
	shorter := func(m *vectors.Matrix) {
		if m.Rows > 0 {
			m.Rows--
		}
	}
	none := func(m *vectors.Matrix) { *m = vectors.Matrix{} }
	for name, change := range few(t) {
		c := small(func(c *Config) {
			c.Epochs, c.Patience, c.Window = 1, 10, 2
			change(c)
		})
		whole := finished(t, d, c)
		for damage, change := range map[string]func(m *vectors.Matrix){"wider": wider, "shorter": shorter, "none": none} {
			for part := range parametersOf(newSet(vectors.Parts{})) {
				p := copyOfSet(whole).Parts()
				input, projection, factors := p.Input.Factors()
				of := map[string]*vectors.Matrix{"input vectors": &p.Input, "projection": &projection, "context vectors": &p.Output}[part]
				for i, m := range p.Matrices {
					if partNames[m.Name] == part {
						of = &p.Matrices[i].Matrix
					}
				}
				if of == nil || of.Rows == 0 {
					continue
				}
				change(of)
				if factors && part == "projection" {
					p.Input = vectors.Product(input, projection)
				}
				set, err := vectors.New(p)
				var k *Checkpoint
				if err == nil {
					k, err = NewCheckpoint(set)
				}
				if err == nil {
					_, err = Resume(t.Context(), d, k, Hooks{})
				}
				other := part == "context vectors" && (c.Arch == Structured || c.Tied) // made of another matrix
				if err == nil && !other {
					t.Errorf("%s, %s %s: resumed", name, part, damage)
				}
			}
		}
		for damage, change := range map[string]func(set *vectors.Parts){
			"composition":          func(set *vectors.Parts) { set.Composition = subword.Whole },
			"too many rows":        func(set *vectors.Parts) { set.Input = vectors.NewMatrix(set.Input.Rows+1, set.Input.Cols) },
			"the best are missing": func(set *vectors.Parts) { set.StateRows = nil },
			"the best are fewer":   func(set *vectors.Parts) { set.StateRows = set.StateRows[1:] },
			"the best are wider":   func(set *vectors.Parts) { wider(&set.StateRows[len(set.StateRows)-1]) },
			"the best are others":  func(set *vectors.Parts) { set.StateRows[0].Data[0] = float32(math.NaN()) },
			"a number":             func(set *vectors.Parts) { numbersOfRows(set.Input)[3] = float32(math.Inf(1)) },
			"a word that was drawn": func(set *vectors.Parts) {
				changeState(t, set, func(s *checkpoint.Saved) {
					if len(s.State.Workers[0].Ahead) == 0 {
						s.Version = 9
						return
					}
					s.State.Workers[0].Ahead[0] = uint32(v.Len())
				})
			},
			"another architecture": func(set *vectors.Parts) {
				changeState(t, set, func(s *checkpoint.Saved) {
					if s.Config.Arch != Structured && s.Config.Loss != HierarchicalSoftmax && !s.Config.Tied && !s.Config.PositionWeights && s.Config.WordNgrams == 0 {
						s.Config.Arch = Structured
					} else {
						s.Config.Arch, s.Config.Loss, s.Config.PositionWeights, s.Config.WordNgrams, s.Config.WordBuckets = CBOW, "", !s.Config.PositionWeights, 5, 77
					}
				})
			},
			"another rank": func(set *vectors.Parts) { changeState(t, set, func(s *checkpoint.Saved) { s.Config.Rank = 3 }) },
		} {
			p := copyOfSet(whole).Parts()
			change(&p)
			set, err := vectors.New(p)
			var k *Checkpoint
			if err == nil {
				k, err = NewCheckpoint(set)
			}
			if err == nil {
				_, err = Resume(t.Context(), d, k, Hooks{})
			}
			if err == nil {
				t.Errorf("%s, %s: resumed", name, damage)
			}
		}
	}
}

// numbersOfRows are the numbers of input rows.
func numbersOfRows(m vectors.Matrix) []float32 {
	if rows, _, ok := m.Factors(); ok {
		return rows.Data
	}
	return m.Data
}

func changeState(t testing.TB, set *vectors.Parts, change func(s *checkpoint.Saved)) {
	t.Helper()
	var s checkpoint.Saved
	if err := json.Unmarshal(set.State, &s); err != nil {
		t.Fatal(err)
	}
	change(&s)
	var err error
	if set.State, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
}

// One worker of a variant comes to the same bits whatever the number of threads is, which
// then measure held-out text alone.
func TestVariantsRepeatThemselvesWithAnyThreads(t *testing.T) {
	v, ids := indexed(t, sentences(150))
	train, heldOut := split(t, ids, 0.2)
	for name, change := range few(t) {
		var first *Model
		for _, threads := range []int{1, 2, 5} {
			c := small(func(c *Config) {
				c.Epochs, c.Patience, c.EvaluateEvery = 2, 100, 500
				change(c)
				c.Threads, c.Deterministic = threads, true
			})
			m, err := Train(t.Context(), Data{IDs: train, Vocab: v, HeldOut: heldOut}, c, Hooks{})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = m
			}
			t.Run(fmt.Sprintf("%s, %d threads", name, threads), func(t *testing.T) { sameModel(t, m.Vectors, first.Vectors) })
			if m.Progress.Loss != first.Progress.Loss || m.Evaluation.Loss != first.Evaluation.Loss {
				t.Errorf("%s, %d threads: losses %v and %v, want %v and %v", name, threads, m.Progress.Loss, m.Evaluation.Loss, first.Progress.Loss, first.Evaluation.Loss)
			}
		}
	}
}

// Variants go back and halve the rate, too, and give up in the end.
func TestVariantsThatDiverge(t *testing.T) {
	v, ids := indexed(t, sentences(600))
	for name, change := range few(t) {
		for _, test := range []struct {
			rate     float64
			recovers bool
		}{{0.05, true}, {1e6, false}} {
			for _, threads := range []int{1, 3} {
				c := small(func(c *Config) {
					c.Epochs, c.LearningRate, c.Threads = 2, test.rate, threads
					change(c)
				})
				var back []Divergence
				m, err := Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{
					Diverged:        func(d Divergence) { back = append(back, d) },
					CheckpointEvery: time.Millisecond,
					Every:           time.Millisecond,
					Checkpoint: func(k *Checkpoint) {
						for part, m := range parametersOf(setOf(k)) {
							if !params.Finite(m.Data) {
								t.Errorf("%s: a checkpoint whose %s are not finite", name, part)
							}
						}
					},
				})
				if got := err == nil; got != test.recovers {
					t.Errorf("%s, rate %v, %d threads: error %v after going back %+v", name, test.rate, threads, err, back)
				}
				if err != nil && (!errors.Is(err, ErrDiverged) || len(back) != 3 || m != nil) {
					t.Errorf("%s, rate %v: error %v after going back %+v", name, test.rate, err, back)
				}
			}
		}
	}
}

// More epochs, and checkpoints while several workers train.
func TestVariantsGoOn(t *testing.T) {
	v, ids := indexed(t, sentences(300))
	d := Data{IDs: ids, Vocab: v}
	for name, change := range few(t) {
		c := small(func(c *Config) {
			c.Epochs, c.Threads = 1, 3
			change(c)
		})
		k, err := NewCheckpoint(finished(t, d, c))
		if err != nil {
			t.Fatal(err)
		}
		same, err := Resume(t.Context(), d, k, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		sameModel(t, same.Vectors, setOf(k))
		k.Extend(2)
		m, err := Resume(t.Context(), d, k, Hooks{CheckpointEvery: time.Millisecond, Every: time.Millisecond, Checkpoint: func(k *Checkpoint) {
			if err := setOf(k).Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		if want := 3 * ids.Tokens(); m.Progress.Tokens != want || bytes.Equal(numbers(parametersOf(m.Vectors)["input vectors"]), numbers(parametersOf(setOf(k))["input vectors"])) {
			t.Errorf("%s: trained %d tokens, want %d", name, m.Progress.Tokens, want)
		}
	}
}

// A program that knows skip-gram with negative sampling alone, of words or n-grams, goes on
// with the states of these, and refuses all others: it would take them for such.
func TestStatesOfVariantsHaveAnotherVersion(t *testing.T) {
	v, ids := indexed(t, sentences(30))
	for name, change := range variants {
		c := small(func(c *Config) {
			c.Epochs = 1
			change(c)
		})
		var s checkpoint.Saved
		if err := json.Unmarshal(finished(t, Data{IDs: ids, Vocab: v}, c).State(), &s); err != nil {
			t.Fatal(err)
		}
		want := 2
		if name == "words" || name == "n-grams" {
			want = 1
		}
		if s.Version != want {
			t.Errorf("%s: version %d, want %d", name, s.Version, want)
		}
	}
}

// Whatever the corpus, every variant ends, with finite numbers, and can be resumed.
func TestVariantsOfOddCorpora(t *testing.T) {
	for _, text := range []string{strings.Repeat("word ", 500), "word", strings.Repeat("a\nb\nc\n", 30), "x x\ny y\n", strings.Repeat("a b c d e ", 3000)} {
		v, ids := indexed(t, text)
		d := Data{IDs: ids, Vocab: v}
		for name, change := range few(t) {
			c := small(func(c *Config) { c.Sample, c.Epochs = 0, 1; change(c) })
			var set *vectors.Set
			_, err := Train(t.Context(), d, c, Hooks{Checkpoint: func(k *Checkpoint) { set = copied(k) }})
			if err != nil {
				t.Errorf("%s, %.10q: error %v", name, text, err)
				continue
			}
			k, err := NewCheckpoint(set)
			if err == nil {
				k.Extend(1)
				_, err = Resume(t.Context(), d, k, Hooks{})
			}
			if err != nil {
				t.Errorf("%s, %.10q, resumed: error %v", name, text, err)
			}
		}
	}
}
