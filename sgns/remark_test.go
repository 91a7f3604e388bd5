package sgns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/longtest"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// topics is text in which words of a topic stand together, so that there is something to
// learn: as many topics as directions that vectors can have.
func topics(sentences int) string {
	random := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	for range sentences {
		topic := random.IntN(30)
		for range 8 {
			fmt.Fprintf(&text, "t%dw%d ", topic, random.IntN(6))
		}
		text.WriteString("\n")
	}
	return text.String()
}

// dataOf reads a text.
func dataOf(t *testing.T, text string) Data {
	v, ids := indexed(t, text)
	return Data{IDs: ids, Vocab: v}
}

// remarksOn trains with one thread and returns the kinds of the remarks.
func remarksOn(t *testing.T, text string, change func(*Config), init *vectors.Set) ([]RemarkKind, *Model) {
	t.Helper()
	d := dataOf(t, text)
	d.Init = init
	c := Defaults()
	c.Threads, c.Dim, c.Sample, c.Epochs = 1, 24, 0, UsualEpochs
	if change != nil {
		change(&c)
	}
	m, err := Train(t.Context(), d, c, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []RemarkKind
	for _, r := range m.Remarks {
		kinds = append(kinds, r.Kind)
		if r.String() == "" || strings.Contains(r.String(), "--") || strings.Contains(r.String(), "%!") {
			t.Errorf("%v: %q", r.Kind, r)
		}
	}
	return kinds, m
}

// What cannot be good is remarked on, and what can be is not.
func TestRemarks(t *testing.T) {
	tied := func(c *Config) { c.Tied = true }
	for _, test := range []struct {
		name   string
		text   string
		change func(*Config)
		want   []RemarkKind
	}{
		{"enough text", topics(4000), nil, nil},
		{"enough text, tied", topics(4000), tied, nil},
		{"enough text, CBOW", topics(4000), func(c *Config) { c.Arch = CBOW }, nil},
		{"enough text, n-grams", topics(4000), func(c *Config) { c.Subword = subword.FastText{MinN: 3, MaxN: 4, Buckets: 1000} }, nil},
		{"enough epochs", topics(200), func(c *Config) { c.Epochs = 100 }, nil},
		{"enough epochs, tied", topics(200), func(c *Config) { c.Epochs, c.Tied = 150, true }, nil},
		{"hardly any text", topics(8), nil, []RemarkKind{RemarkUntrained}},
		{"hardly any text, tied", topics(8), tied, []RemarkKind{RemarkUntrained}},
		{"a rate that does nothing", topics(1000), func(c *Config) { c.LearningRate = 1e-7 }, []RemarkKind{RemarkUntrained}},
		{"little text", topics(60), nil, []RemarkKind{RemarkCollapsed}},
		{"one word", strings.Repeat("word word word\n", 1000), nil, []RemarkKind{RemarkOneWord}},
		{"two words", strings.Repeat("one two two\n", 1000), nil, nil},
		{"few dimensions", topics(60), func(c *Config) { c.Dim = 4 }, nil}, // any two of so few are near each other
		{"a rate that is too high", topics(2000), func(c *Config) { c.LearningRate = 0.6 }, []RemarkKind{RemarkHalved}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, m := remarksOn(t, test.text, test.change, nil); !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v; loss %v", got, test.want, m.Progress.Loss)
			}
		})
	}
}

// Vectors that were good before are not said to be untrained because a run has left them.
func TestRemarksOfWarmStarts(t *testing.T) {
	_, m := remarksOn(t, topics(4000), nil, nil)
	if got, _ := remarksOn(t, topics(8), nil, m.Vectors); slices.Contains(got, RemarkUntrained) {
		t.Errorf("%v", got)
	}
}

// The advice of remarks is how many epochs train about a million tokens.
func TestRemarkEpochs(t *testing.T) {
	text := topics(60)
	_, m := remarksOn(t, text, nil, nil)
	if len(m.Remarks) != 1 || m.Remarks[0].Epochs != int(math.Ceil(1e6/(60*8))) {
		t.Fatalf("%+v", m.Remarks)
	}
	longtest.Only(t) // the rest trains a million tokens
	if got, m := remarksOn(t, text, func(c *Config) { c.Epochs = m.Remarks[0].Epochs }, nil); slices.Contains(got, RemarkCollapsed) {
		t.Errorf("after %d epochs: %+v", m.Progress.Total, m.Remarks)
	}
}

// A run that was stopped has no remarks, and one that gives up says at which rate.
func TestNoRemarksWithoutAnEnd(t *testing.T) {
	d := dataOf(t, topics(500))
	c := Defaults()
	c.Threads, c.Epochs = 1, UsualEpochs
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, err := Train(ctx, d, c, Hooks{}); !errors.Is(err, context.Canceled) || m.Remarks != nil {
		t.Errorf("stopped: %v, %v", m, err)
	}
	c.LearningRate = 1e6
	_, err := Train(t.Context(), d, c, Hooks{})
	e, ok := errors.AsType[*DivergedError](err)
	if !ok || !errors.Is(err, ErrDiverged) || e.Times != 4 || e.LastRate != 125_000 || e.UsualRate != c.RateFor(d.IDs.Tokens()*5) {
		t.Errorf("%v, %+v", err, e)
	}
	for _, test := range []struct {
		usual float64
		want  string
	}{
		{0.07, "training diverged 4 times, at last at learning rate 0.1; 0.07 suits most corpora of this size"},
		{0.8, "training diverged 4 times, at last at learning rate 0.1"}, // which is no advice
	} {
		if got := (&DivergedError{Times: 4, LastRate: 0.1, UsualRate: test.usual}).Error(); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

// What training starts from is told once, however often it goes back to that.
func TestWarmIsToldOnce(t *testing.T) {
	_, m := remarksOn(t, topics(500), nil, nil)
	d := dataOf(t, topics(500))
	d.Init = m.Vectors
	c := Defaults()
	c.Threads, c.Dim, c.LearningRate = 1, 24, 1e6
	told, back := 0, 0
	h := Hooks{Warm: func(Warm) { told++ }, Diverged: func(Divergence) { back++ }}
	if _, err := Train(t.Context(), d, c, h); !errors.Is(err, ErrDiverged) || told != 1 || back != 3 {
		t.Errorf("told %d times, went back %d times, %v", told, back, err)
	}
}
