package sgns

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// What a caller gets wrong is an error that says so, of the caller's own goroutine, before
// there are any others.
func TestMisuse(t *testing.T) {
	v, ids := indexed(t, sentences(60))
	few, fewIDs := indexed(t, "a b c a b a\nb a c\n")
	closed := func() *vocab.IDs {
		_, ids := indexed(t, sentences(60))
		if err := ids.Close(); err != nil {
			t.Fatal(err)
		}
		return ids
	}
	d, c := Data{IDs: ids, Vocab: v}, small(func(c *Config) { c.Epochs = 1 })
	with := func(change func(d *Data)) Data {
		other := d
		change(&other)
		return other
	}
	cut := func(indexer subword.Indexer) Config { return small(func(c *Config) { c.Subword = indexer }) }
	fewer := fmt.Sprintf("has id %d, and the vocabulary has 3 words: take the vocabulary that vocab.Index returned with the ids", v.Len()-1)
	for _, test := range []struct {
		name string
		d    Data
		c    Config
		h    Hooks
		want string
	}{
		{"a vocabulary of nothing", Data{IDs: ids, Vocab: &vocab.Vocab{}}, c, Hooks{}, fmt.Sprintf("sgns: the corpus, Data.IDs, has id %d, and the vocabulary has 0 words: take the vocabulary that vocab.Index returned with the ids", v.Len()-1)},
		{"ids of nothing", Data{IDs: &vocab.IDs{}, Vocab: v}, c, Hooks{}, "sgns: no tokens to train on"},
		{"nothing at all", Data{IDs: &vocab.IDs{}, Vocab: &vocab.Vocab{}}, c, Hooks{}, "sgns: no tokens to train on"},
		{"ids of another vocabulary", Data{IDs: ids, Vocab: few}, c, Hooks{}, "sgns: the corpus, Data.IDs, " + fewer},
		{"held-out ids of another vocabulary", Data{IDs: fewIDs, Vocab: few, HeldOut: ids}, c, Hooks{}, "sgns: the held-out text, Data.HeldOut, " + fewer},
		{"closed ids", with(func(d *Data) { d.IDs = closed() }), c, Hooks{}, "sgns: the corpus, Data.IDs, is closed: close ids when Train has returned"},
		{"closed held-out ids", with(func(d *Data) { d.HeldOut = closed() }), c, Hooks{}, "sgns: the held-out text, Data.HeldOut, is closed: close ids when Train has returned"},
		{"a set of nothing to start from", with(func(d *Data) { d.Init = newSet(vectors.Parts{}) }), c, Hooks{}, "the vectors to start from: not a valid model: 0 dimensions, must be at least 1"},
		{"a set that is not valid", with(func(d *Data) {
			d.Init = newSet(vectors.Parts{Words: vectors.NewWords("a", "b"), WordRows: []uint32{0, 1}, Input: vectors.NewMatrix(1, 20)})
		}), c, Hooks{}, "the vectors to start from: not a valid model: word 1 has input row 1 of 1"},
		{"a negative time between reports", d, c, Hooks{Every: -1}, "sgns: Hooks.Every is -1ns, must be 0 (a second) or more"},
		{"a negative time between checkpoints", d, c, Hooks{CheckpointEvery: -time.Second}, "sgns: Hooks.CheckpointEvery is -1s, must be 0 (only at the end) or more"},
		{"a note that is not JSON", d, c, Hooks{Note: json.RawMessage("{a")}, `sgns: Hooks.Note is not JSON: "{a"`},

		{"no configuration", d, Config{}, Hooks{}, "sgns: dimensions: 0 is not from 1 to 1073741824"},
		{"negative dimensions", d, small(func(c *Config) { c.Dim = -1 }), Hooks{}, "sgns: dimensions: -1 is not from 1 to 1073741824"},
		{"a negative window", d, small(func(c *Config) { c.Window = -1 }), Hooks{}, "sgns: window: -1 is not from 0 to 1073741824"},
		{"a window mode", d, small(func(c *Config) { c.WindowMode = "wide" }), Hooks{}, `sgns: window mode: "wide" is not known; "fixed" and "harmonic" are`},
		{"a window mode of whole lines", d, small(func(c *Config) { c.Window, c.WindowMode = 0, WindowFixed }), Hooks{}, "sgns: window mode fixed is one of windows, and with a window of 0 the whole line is the context"},
		{"whole lines of CBOW", d, small(func(c *Config) { c.Window, c.Arch = 0, CBOW }), Hooks{}, "sgns: with a window of 0, contexts are drawn from the whole line, and CBOW averages the words of a window"},
		{"whole lines by position", d, small(func(c *Config) { c.Window, c.Arch = 0, Structured }), Hooks{}, "sgns: with a window of 0, contexts are drawn from the whole line, and structured skip-gram has output vectors for each relative position"},
		{"directions of whole lines", d, small(func(c *Config) { c.Window, c.Loss = 0, Directional }), Hooks{}, "sgns: the loss directional tells contexts on the left of a word from those on its right, and with a window of 0, contexts are drawn from the whole line"},
		{"negative epochs", d, small(func(c *Config) { c.Epochs = -1 }), Hooks{}, "sgns: epochs: -1 is not from 1, or auto"},
		{"negative negatives", d, small(func(c *Config) { c.Negatives = -5 }), Hooks{}, "sgns: negatives: -5 is not from 1 to 1073741824"},
		{"negative threads", d, small(func(c *Config) { c.Threads = -1 }), Hooks{}, "sgns: threads: -1 is not from 0 to 1073741824"},
		{"negative patience", d, small(func(c *Config) { c.Patience = -1 }), Hooks{}, "sgns: patience: -1 is not from 0 to 1073741824"},
		{"a rate of NaN", d, small(func(c *Config) { c.LearningRate = math.NaN() }), Hooks{}, "sgns: learning rate: NaN is not from 0 to a million"},
		{"a negative sample", d, small(func(c *Config) { c.Sample = -1 }), Hooks{}, "sgns: subsampling threshold: -1 is not 0 or more"},
		{"an infinite exponent", d, small(func(c *Config) { c.NSExponent = math.Inf(1) }), Hooks{}, "sgns: exponent of the noise distribution: +Inf is not from -10 to 10"},
		{"an architecture", d, small(func(c *Config) { c.Arch = "skip" }), Hooks{}, `sgns: architecture "skip" is not known: skipgram, cbow, structured and supervised are`},
		{"a loss", d, small(func(c *Config) { c.Loss = "ova" }), Hooks{}, `sgns: loss "ova" is not known: ` + namesOf(Losses()) + ` are`},
		{"a freeze", d, small(func(c *Config) { c.Freeze = "all" }), Hooks{}, `sgns: freeze: "all" is not known; "known" is`},
		{"a negative rank", d, small(func(c *Config) { c.Rank = -1 }), Hooks{}, "sgns: rank -1 is not from 1 to less than the 20 dimensions: as many, or more, would need more numbers than rows of their own"},
		{"negative runs of words", d, small(func(c *Config) { c.Arch, c.WordNgrams = CBOW, -2 }), Hooks{}, "sgns: word n-grams of -2 tokens are not from 0 to 8"},
		{"negative buckets of runs", d, small(func(c *Config) { c.Arch, c.WordNgrams, c.WordBuckets = CBOW, 2, -2 }), Hooks{}, "sgns: word n-grams: -2 buckets are not from 1 to 1073741824"},
		{"negative nested dimensions", d, small(func(c *Config) { c.Nested = []int{-4, 20} }), Hooks{}, "sgns: nested dimensions [-4 20] do not rise from 1 on"},

		{"an empty list of n-grams", d, cut(&subword.Explicit{}), Hooks{}, "subword: the Explicit is empty: NewExplicit makes one"},
		{"hash embeddings of nothing", d, cut(&subword.Hash{}), Hooks{}, "subword: buckets is 0, must be from 1 to 2147483647"},
		{"negative buckets without n-grams", d, cut(subword.FastText{MaxN: 0, Buckets: -5}), Hooks{}, "subword: buckets is -5, must be from 0 to 2147483647"},
		{"appended weights of a pointer", d, small(func(c *Config) {
			c.Subword, c.Rank = &subword.Hash{Buckets: 9, Hashes: 2, Importances: 9, AppendWeights: true}, 3
		}), Hooks{}, "sgns: appended weights are dimensions of the vectors themselves, and a projection would mix them with others"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := Train(t.Context(), test.d, test.c, test.h)
			if m != nil || err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// A checkpoint of nothing, or of something else, is an error.
func TestMisuseOfCheckpoints(t *testing.T) {
	v, ids := indexed(t, sentences(60))
	d := Data{IDs: ids, Vocab: v}
	file := interrupted(t, d, small(func(c *Config) { c.Epochs = 1000 }))
	k := decode(t, file)
	few, fewIDs := indexed(t, "a b c a b a\nb a c\n")
	resume := func(ctx context.Context, d Data, k *Checkpoint, h Hooks) error {
		m, err := Resume(ctx, d, k, h)
		if m != nil {
			return errors.New("there is a model")
		}
		return err
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"of a set of nothing", func() error { _, err := NewCheckpoint(newSet(vectors.Parts{})); return err }, "is a model, not a checkpoint: it has no state of training to go on from"},
		{"of a state of nothing", func() error { _, err := NewCheckpoint(newSet(vectors.Parts{State: []byte("{}")})); return err }, "the state of training is of version 0, and this program goes on from versions 1 to 3"},
		{"of a state of pairs", func() error { _, err := NewCheckpoint(newSet(vectors.Parts{State: []byte(`{"Pairs":1}`)})); return err }, "the state is that of training on pairs of texts: pairs goes on with it"},
		{"resuming with other ids", func() error { return resume(t.Context(), Data{IDs: fewIDs, Vocab: v}, k, Hooks{}) }, fmt.Sprintf("the corpus has 9 tokens of the vocabulary, in the checkpoint it has %d", ids.Tokens())},
		{"resuming with ids of another vocabulary", func() error { return resume(t.Context(), Data{IDs: ids, Vocab: few}, k, Hooks{}) }, fmt.Sprintf("sgns: the corpus, Data.IDs, has id %d, and the vocabulary has 3 words: take the vocabulary that vocab.Index returned with the ids", v.Len()-1)},
		{"resuming with a note that is not JSON", func() error { return resume(t.Context(), d, k, Hooks{Note: json.RawMessage("}")}) }, `sgns: Hooks.Note is not JSON: "}"`},
		{"other dimensions", func() error {
			k := decode(t, file)
			k.Config.Dim = 21
			return resume(t.Context(), d, k, Hooks{})
		}, "the state of training: the checkpoint has input vectors of 81 × 20 numbers, expected 81 × 21"},
		{"another division of the work", func() error {
			k := decode(t, file)
			k.Config.Deterministic = true
			return resume(t.Context(), d, k, Hooks{})
		}, "the checkpoint began with steps of 0 blocks, and this program has from 1 to 136 where several threads train deterministically, and 0 elsewhere: resume it with the w2v that made it, or train again"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
	t.Run("minus two epochs more", func(t *testing.T) {
		defer func() {
			if got, want := fmt.Sprint(recover()), "sgns: a run cannot be made longer by -2 epochs"; got != want {
				t.Errorf("panic %s\nwant  %s", got, want)
			}
		}()
		decode(t, file).Extend(-2)
	})
	if !new(Checkpoint).Ended() {
		t.Error("a run of nothing has something left to train")
	}
}

// A pointer to settings of n-grams trains the model that the settings train, and its
// checkpoints are the same.
func TestPointersTrainTheirSettings(t *testing.T) {
	fast, float := fastText, floret
	hash := subword.Hash{MinN: 2, MaxN: 4, Buckets: 90, Hashes: 2, Importances: 70, AppendWeights: true}
	final := subword.Finalfusion{MinN: 2, MaxN: 4, Exponent: 6}
	text := sentences(150)
	v, ids := indexed(t, text)
	for name, test := range map[string]struct{ pointer, value subword.Indexer }{
		"fastText": {&fast, fast}, "floret": {&float, float}, "hash embeddings": {&hash, hash}, "finalfusion": {&final, final},
	} {
		t.Run(name, func(t *testing.T) {
			var models [2]*Model
			var files [2]bytes.Buffer
			for i, indexer := range []subword.Indexer{test.pointer, test.value} {
				c := small(func(c *Config) { c.Subword, c.Epochs, c.LearningRate = indexer, 2, 0.04 })
				var err error
				models[i], err = Train(t.Context(), Data{IDs: ids, Vocab: v}, c, Hooks{Checkpoint: func(k *Checkpoint) {
					if err := encode(&files[i], k); err != nil {
						t.Error(err)
					}
				}})
				if err != nil {
					t.Fatal(err)
				}
			}
			sameModel(t, models[0].Vectors, models[1].Vectors)
			if a, b := models[0].Vectors, models[1].Vectors; a.Composition() != b.Composition() || a.Subword() != b.Subword() || a.Dim() != b.Dim() {
				t.Errorf("%q of %#v, want %q of %#v", a.Composition().Name(), a.Subword(), b.Composition().Name(), b.Subword())
			}
			if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
				t.Error("the checkpoints differ")
			}
			for _, other := range []subword.Indexer{test.pointer, test.value} {
				a, b := Defaults(), Defaults()
				a.Subword, b.Subword = other, test.value
				if a.RateFor(1e9) != b.RateFor(1e9) {
					t.Errorf("a rate of %v, want %v", a.RateFor(1e9), b.RateFor(1e9))
				}
			}
			// A model whose n-grams are given by a pointer is a start, and is written, as well.
			start := copyOfSet(models[1].Vectors)
			start = changedSet(start, func(p *vectors.Parts) { p.Subword = test.pointer })
			var warm Warm
			c := small(func(c *Config) { c.Subword, c.Epochs = test.value, 1 })
			if _, err := Train(t.Context(), Data{IDs: ids, Vocab: v, Init: start}, c, Hooks{Warm: func(w Warm) { warm = w }}); err != nil || warm.Composed || warm.Ngrams == 0 {
				t.Errorf("started from %+v, %v", warm, err)
			}
			var pointed, direct bytes.Buffer
			if err := errors.Join(format.Encode(&pointed, start, format.W2V), format.Encode(&direct, models[1].Vectors, format.W2V)); err != nil || !bytes.Equal(pointed.Bytes(), direct.Bytes()) {
				t.Errorf("the files differ, %v", err)
			}
		})
	}
}

// namesOf lists names as messages do.
func namesOf(losses []Loss) string {
	var names []string
	for _, loss := range losses {
		names = append(names, string(loss))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
