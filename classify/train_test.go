package classify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// toyExamples returns texts of three classes, in the order of their labels. Each has words of its class and of all.
func toyExamples(n int, labels ...string) (all []Example) {
	g := rand.New(rand.NewPCG(5, 6))
	for class, label := range labels {
		for range n {
			var words []string
			for range 4 + g.IntN(6) {
				word := fmt.Sprintf("all%d", g.IntN(40))
				if g.IntN(3) == 0 {
					word = fmt.Sprintf("class%dword%d", class, g.IntN(10))
				}
				words = append(words, word)
			}
			all = append(all, Example{Text: strings.Join(words, " "), Labels: []string{label}})
		}
	}
	return all
}

func (t *Trained) labels() (names []string, counts []uint64) {
	l := t.Vectors.Labels()
	return l.Names.Strings(), l.Counts
}

func each(examples []Example) iter.Seq2[Example, error] {
	return func(yield func(Example, error) bool) {
		for _, e := range examples {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func toyOptions(change func(*Options)) Options {
	o := Defaults()
	o.Dim, o.Epochs, o.Threads, o.LearningRate, o.Buckets, o.MaxN = 10, 20, 1, 1, 10_000, 0
	change(&o)
	return o
}

func (t *Trained) predict(tb testing.TB, text string) map[string]float32 {
	tb.Helper()
	m, err := New(t.Vectors)
	if err != nil {
		tb.Fatal(err)
	}
	all, err := m.Predict(text, 0, 0)
	if err != nil {
		tb.Fatal(err)
	}
	of := map[string]float32{}
	for _, p := range all {
		of[p.Label] = p.Probability
	}
	return of
}

func (t *Trained) best(tb testing.TB, text string) (best string) {
	tb.Helper()
	of := t.predict(tb, text)
	for label, p := range of {
		if best == "" || p > of[best] {
			best = label
		}
	}
	return best
}

// Classifiers of sorted texts tell classes apart, with every loss.
func TestTrain(t *testing.T) {
	examples := toyExamples(100, "cat", "dog", "two words")
	for _, loss := range []sgns.Loss{sgns.Softmax, sgns.OneVersusAll, sgns.NegativeSampling, sgns.HierarchicalSoftmax} {
		trained, err := Train(context.Background(), Examples(each(examples)), toyOptions(func(o *Options) { o.Loss, o.MinN, o.MaxN = loss, 3, 4 }), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if names, counts := trained.labels(); !slices.Equal(names, []string{"cat", "dog", "two words"}) || !slices.Equal(counts, []uint64{100, 100, 100}) {
			t.Errorf("%s: labels %q, %d times", loss, names, counts)
		}
		for class, label := range []string{"cat", "dog", "two words"} {
			if got := trained.best(t, fmt.Sprintf("class%dword3 all1", class)); got != label {
				t.Errorf("%s: a word of %s is %s", loss, label, got)
			}
		}
		facts := trained.Vectors.Training()
		if facts.Text("arch") != "supervised" || facts.Text("loss") != string(loss) || facts.Text("tokenizer") != "whitespace" {
			t.Errorf("%s: facts are %v", loss, facts)
		}
	}
}

func TestCounts(t *testing.T) {
	examples := []Example{
		{"a b c", []string{"x", "y", "x"}}, {"a", nil}, {"a b", []string{"x"}}, {"", []string{"x"}}, {"rare", []string{"z"}},
	}
	var counts Contents
	o := toyOptions(func(o *Options) { o.MinCount, o.MinLabelCount = 2, 2 })
	_, err := Train(context.Background(), Examples(each(examples)), o, Hooks{Counted: func(c Contents) { counts = c }})
	if err == nil { // y and z are rare
		if want := (Contents{Texts: 4, Several: 1, Unlabeled: 1, Tokens: 10, Words: 3, Labels: 1, Rare: 2, Epochs: 20}); counts != want {
			t.Errorf("%+v, want %+v", counts, want)
		}
		return
	}
	t.Fatal(err)
}

// Words that are too long are left out, counted, and said with the place of the first, in files and iterators, however text is cut.
func TestWordsTooLong(t *testing.T) {
	longest, longer := strings.Repeat("x", corpus.MaxToken), strings.Repeat("y", corpus.MaxToken+1)
	text := "__label__a good " + longest + "\n__label__b bad " + longer + " poor\n__label__b " + longer + longer + "\n"
	file := filepath.Join(t.TempDir(), "texts.txt")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	examples := []Example{{"good " + longest, []string{"a"}}, {"bad " + longer + " poor", []string{"b"}}, {longer + longer, []string{"b"}}}
	for name, of := range map[string]struct {
		corpus Corpus
		file   string
		cut    corpus.Options
	}{
		"file":      {Files(nil, file), file, corpus.Options{}},
		"lowercase": {Files(nil, file), file, corpus.Options{Lowercase: true}},
		"iterator":  {Examples(each(examples)), "", corpus.Options{}},
	} {
		var counts Contents
		o := toyOptions(func(o *Options) { o.MinCount, o.Text.Text = 1, of.cut })
		if _, err := Train(t.Context(), of.corpus, o, Hooks{Counted: func(c Contents) { counts = c }}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := corpus.TooLong{Tokens: 2, Longest: 2 * uint64(len(longer)), Name: of.file, Line: 2, Begins: longer[:24]}
		if counts.TooLong != want || counts.Words != 5 {
			t.Errorf("%s: %+v, want 5 words and %+v", name, counts, want)
		}
	}
	_, err := Train(t.Context(), Examples(each(examples[2:])), toyOptions(func(*Options) {}), Hooks{})
	if err == nil || !strings.Contains(err.Error(), "no text with a label has a word: a token is left out because of more than 16384 bytes") {
		t.Errorf("texts of long words alone: %v", err)
	}
}

// A text of many words is one text, up to MaxWords. Its label is learned from the mean of all: the words that tell are
// beyond the length of a sentence of other corpora.
func TestLongTexts(t *testing.T) {
	long := func(n int, word string) string { return strings.Repeat("all ", n-300) + strings.Repeat(word+" ", 299) }
	var examples []Example
	for i := range 60 {
		label := string(rune('a' + i%2))
		examples = append(examples, Example{long(1500, "tells-"+label), []string{label}})
	}
	examples = append(examples, Example{long(MaxWords+100, "beyond"), []string{"c"}})
	var counts Contents
	o := toyOptions(func(o *Options) { o.HeldOut, o.LearningRate, o.Epochs = 0.2, 1, 10 })
	trained, err := Train(context.Background(), Examples(each(examples)), o, Hooks{Counted: func(c Contents) { counts = c }})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Contents{Texts: 61, HeldOut: 12, Tokens: 60*1500 + MaxWords, Words: 5, Labels: 3, Cut: Cut{1, 100, MaxWords + 100, "", 61}, Epochs: 10}); counts != want {
		t.Errorf("%+v, want %+v", counts, want)
	}
	if names, counts := trained.labels(); !slices.Equal(names, []string{"a", "b", "c"}) || !slices.Equal(counts, []uint64{30, 30, 1}) {
		t.Errorf("labels %q, %d times", names, counts)
	}
	for _, label := range []string{"a", "b"} {
		if got := trained.best(t, long(1500, "tells-"+label)); got != label {
			t.Errorf("a text of %s is %s", label, got)
		}
	}
}

func labelled(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint("l", i))
	}
	return all
}

func TestRefusals(t *testing.T) {
	some := Examples(each(toyExamples(3, "a", "b")))
	for _, test := range []struct {
		of     Corpus
		change func(*Options)
		want   string
	}{
		{Corpus{}, func(*Options) {}, "classify: there is no corpus: Files and Examples make one"},
		{some, func(o *Options) { o.MinLabelCount = 9 }, "classify: none of 2 labels has 9 texts, the least number that was asked for"},
		{some, func(o *Options) { o.MinCount = 1000 }, "classify: no word occurs 1000 times"},
		{some, func(o *Options) { o.LearningRate = -1 }, "classify: the learning rate is -1, must be above 0"},
		{some, func(o *Options) { o.Patience = 2 }, "classify: early stopping needs held-out texts"},
		{some, func(o *Options) { o.Loss = "hinge" }, `sgns: loss "hinge" is not known: softmax, ova, ns and hs are`},
		{some, func(o *Options) { o.Balanced, o.Weights = true, map[string]float64{"a": 2} }, "classify: labels are balanced or have weights, not both"},
		{some, func(o *Options) { o.Weights = map[string]float64{"c": 2} }, `classify: label "c" has a weight, and no text that is trained has it`},
		{Examples(each([]Example{{"a", []string{"a"}}, {"a", []string{"a"}}, {"b", []string{"rare"}}})), func(o *Options) { o.Weights, o.MinLabelCount = map[string]float64{"rare": 2}, 2 }, `classify: label "rare" has a weight, and no text that is trained has it`},
		{some, func(o *Options) { o.Weights = map[string]float64{"a": 0, "b": 0} }, "classify: every label has the weight 0, and nothing would be trained"},
		{some, func(o *Options) { o.HeldOut, o.Patience, o.Metric = 0.2, 2, labels.Metric{Kind: labels.F1, Label: "c"} }, `classify: the metric is that of label "c", which no text that is trained has`},
		{Examples(each([]Example{{"a", []string{"b"}}, {"a", labelled(257)}})), func(*Options) {}, "classify: text 2: a text has 257 labels, and 256 is the most"},
		{some, func(o *Options) { o.Freeze = true }, "classify: there are no vectors to start from that could be frozen"},
		{Examples(each([]Example{{"a", []string{strings.Repeat("x", corpus.MaxToken)}}})), func(*Options) {}, "classify: text 1: a label has"},
		{Examples(each([]Example{{"a", nil}})), func(*Options) {}, "classify: no text has a label"},
		{Examples(each([]Example{{" ", []string{"x"}}, {"", []string{"y"}}})), func(*Options) {}, "classify: no text with a label has a word"},
		{Examples(each([]Example{{"a b", []string{"x"}}, {"c", []string{"y"}}})), func(o *Options) { o.MinCount = 2 }, "classify: no word occurs 2 times"},
		{Examples(func(yield func(Example, error) bool) { yield(Example{}, errors.New("broken")) }), func(*Options) {}, "broken"},
	} {
		_, err := Train(context.Background(), test.of, toyOptions(test.change), Hooks{})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}

// Weights of labels move the border between classes towards those of less weight.
func TestWeights(t *testing.T) {
	var examples []Example
	for i := range 200 {
		examples = append(examples, Example{"word", []string{[]string{"often", "rare"}[i%4/3]}})
	}
	for _, test := range []struct {
		change func(*Options)
		want   string
	}{
		{func(*Options) {}, "often"},
		{func(o *Options) { o.Weights = map[string]float64{"rare": 6} }, "rare"},
		{func(o *Options) { o.Weights = map[string]float64{"often": 0.1} }, "rare"},
	} {
		trained, err := Train(context.Background(), Examples(each(examples)), toyOptions(test.change), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if got := trained.best(t, "word"); got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
	lonely := append(toyExamples(1000, "a", "b"), Example{"lonely all1 all2 all3", []string{"single"}})
	alone, err := Train(context.Background(), Examples(each(lonely)), toyOptions(func(o *Options) { o.Balanced, o.LearningRate, o.Epochs = true, 2, 5 }), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if got := alone.best(t, "lonely"); got != "single" || len(alone.Remarks) > 0 {
		t.Errorf("%s, %v", got, alone.Remarks)
	}
	balanced, err := Train(context.Background(), Examples(each(examples)), toyOptions(func(o *Options) { o.Balanced = true }), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if p := balanced.predict(t, "word")["rare"]; !(p > 0.4 && p < 0.6) {
		t.Errorf("the probability of a balanced label is %v", p)
	}
}

func bytesOf(t *testing.T, set *vectors.Set) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(context.Background(), file, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A deterministic run gives the same bytes with any number of threads; a run that was interrupted gives those of one
// that was not.
func TestResume(t *testing.T) {
	examples, g, early := toyExamples(300, "a", "b", "c", "d"), rand.New(rand.NewPCG(1, 1)), 0
	for i := range examples { // some labels say nothing, so that runs stop early
		if g.IntN(3) == 0 {
			examples[i].Labels = []string{string(rune('a' + g.IntN(4)))}
		}
	}
	examples = append(examples, Example{strings.Repeat("all1 all2 class1word3 ", 1000), []string{"a", "b"}}) // longer than sentences of other corpora
	for i, loss := range []sgns.Loss{sgns.Softmax, sgns.OneVersusAll, sgns.NegativeSampling, sgns.HierarchicalSoftmax, sgns.Softmax, sgns.HierarchicalSoftmax} {
		options := func(threads int) Options {
			return toyOptions(func(o *Options) {
				o.Loss, o.Deterministic, o.Threads, o.MaxN, o.MinN, o.Dim, o.Epochs, o.HeldOut = loss, true, threads, 4, 3, 64, 12, 0.1
				o.Balanced, o.Patience, o.LearningRate = true, 2, 2
				if i > 3 {
					o.Pooling = sgns.PoolExtremes
				}
			})
		}
		whole, err := Train(context.Background(), Examples(each(examples)), options(1), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		want := bytesOf(t, whole.Vectors)
		if whole.Progress.Early {
			early++
		}
		threads, err := Train(context.Background(), Examples(each(examples)), options(4), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytesOf(t, threads.Vectors), want) {
			t.Errorf("%s: other bytes with four threads", loss)
		}
		ctx, stop := context.WithCancel(context.Background())
		var saved []byte
		h := Hooks{Save: func(set *vectors.Set) error {
			saved = bytesOf(t, set)
			return nil
		}}
		h.Evaluated = func(e sgns.Evaluation) {
			if e.Tokens > whole.Progress.Tokens/3 {
				stop()
			}
		}
		if _, err := Train(ctx, Examples(each(examples)), options(2), h); !errors.Is(err, context.Canceled) {
			t.Fatalf("%s: %v", loss, err)
		}
		file := filepath.Join(t.TempDir(), "checkpoint.w2v")
		if err := os.WriteFile(file, saved, 0o600); err != nil {
			t.Fatal(err)
		}
		from, err := format.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		again, err := OptionsOf(from)
		if err != nil {
			t.Fatal(err)
		}
		resumed, err := Resume(context.Background(), Examples(each(examples)), from, again, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytesOf(t, resumed.Vectors), want) {
			t.Errorf("%s: other bytes after an interruption", loss)
		}
		other := slices.Clone(examples)
		other[0].Labels = []string{"d"}
		_, err = Resume(context.Background(), Examples(each(other)), from, again, Hooks{})
		if _, mismatch := errors.AsType[*sgns.MismatchError](err); !mismatch {
			t.Errorf("%s: other labels: %v", loss, err)
		}
		if err := from.Close(); err != nil {
			t.Error(err)
		}
	}
	if early == 0 {
		t.Error("no run stopped early")
	}
}

// Training starts from vectors, and leaves frozen ones as they are.
func TestInit(t *testing.T) {
	first, err := Train(context.Background(), Examples(each(toyExamples(50, "a", "b"))), toyOptions(func(*Options) {}), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, freeze := range []bool{false, true} {
		var warm sgns.Warm
		h := Hooks{}
		h.Warm = func(w sgns.Warm) { warm = w }
		o := toyOptions(func(o *Options) { o.Init, o.Freeze = first.Vectors, freeze })
		second, err := Train(context.Background(), Examples(each(toyExamples(50, "c", "d"))), o, h)
		if err != nil {
			t.Fatal(err)
		}
		if warm.Known != warm.Words || warm.Words == 0 {
			t.Errorf("%d of %d words are known", warm.Known, warm.Words)
		}
		was, is := make([]float32, 10), make([]float32, 10)
		same := 0
		for _, word := range second.Vectors.Words().All() {
			first.Vectors.Vector(was, word)
			second.Vectors.Vector(is, word)
			if slices.Equal(was, is) {
				same++
			}
		}
		if freeze && same != second.Vectors.Len() || !freeze && same > 0 {
			t.Errorf("frozen %v: %d of %d words keep their vectors", freeze, same, second.Vectors.Len())
		}
	}
}

// All words of the vectors are kept on request: words that no text has keep their vectors, and rare words of the texts count.
// A run that goes on has the same words.
func TestInitKeepsWords(t *testing.T) {
	vectorsOf := func(words ...string) *vectors.Set {
		rows := vectors.NewMatrix(len(words), 10)
		for i := range rows.Data {
			rows.Data[i] = float32(i%7) - 3
		}
		set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	set := vectorsOf("unseen", "rare", "all1", "__label__a", "\x00b", "")
	examples := append(toyExamples(50, "a", "b"), Example{"rare other", []string{"a"}})
	lines := ""
	for _, e := range examples {
		lines += "__label__" + e.Labels[0] + " " + e.Text + "\n"
	}
	file := filepath.Join(t.TempDir(), "lines.txt")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		corpus func() Corpus
		label  bool // is a word too
	}{
		"examples": {func() Corpus { return Examples(each(examples)) }, true},
		"lines":    {func() Corpus { return Files(nil, file) }, false},
	} {
		o := toyOptions(func(o *Options) {
			o.Init, o.UpdateVocab, o.MinCount, o.MaxN, o.WordNgrams, o.Deterministic = set, true, 2, 0, 1, true
		})
		whole, err := Train(t.Context(), test.corpus(), o, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		words := whole.Vectors.Words()
		for word, want := range map[string]bool{"unseen": true, "rare": true, "all1": true, "other": false, "__label__a": test.label, "\x00b": false} {
			if _, ok := words.Find(word); ok != want {
				t.Errorf("%s: %q is a word: %v, want %v", name, word, ok, want)
			}
		}
		if whole.Contents.Words != words.Len() {
			t.Errorf("%s: %d words are said to be trained, and there are %d", name, whole.Contents.Words, words.Len())
		}
		was, is := make([]float32, 10), make([]float32, 10)
		for word, same := range map[string]bool{"unseen": true, "rare": false, "all1": false} {
			set.Vector(was, word)
			whole.Vectors.Vector(is, word)
			if slices.Equal(was, is) != same {
				t.Errorf("%s: %q was %v and is %v", name, word, was, is)
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		var saved []byte
		h := Hooks{Save: func(set *vectors.Set) error {
			saved = bytesOf(t, set)
			return nil
		}}
		h.Progress = func(p sgns.Progress) {
			if p.Tokens > 0 {
				stop()
			}
		}
		if _, err := Train(ctx, test.corpus(), o, h); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		stop()
		from, err := format.Read(bytes.NewReader(saved))
		if err != nil {
			t.Fatal(err)
		}
		again, err := OptionsOf(from)
		if err != nil {
			t.Fatal(err)
		}
		resumed, err := Resume(t.Context(), test.corpus(), from, again, Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(bytesOf(t, resumed.Vectors), bytesOf(t, whole.Vectors)) {
			t.Errorf("%s: a run that went on has other bytes", name)
		}
	}
	o := toyOptions(func(o *Options) { o.UpdateVocab = true })
	if _, err := Train(t.Context(), Examples(each(examples)), o, Hooks{}); err == nil || !strings.Contains(err.Error(), "whose words could be kept") {
		t.Errorf("without vectors: %v", err)
	}
}

// Labels start from the rows of labels with the same names, whose words may be frozen. Others begin as zeros.
func TestInitOfLabels(t *testing.T) {
	first, err := Train(t.Context(), Examples(each(toyExamples(50, "a", "b", "c"))), toyOptions(func(o *Options) { o.MaxN = 4 }), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		loss  sgns.Loss
		known int
	}{{sgns.Softmax, 2}, {sgns.OneVersusAll, 2}, {sgns.HierarchicalSoftmax, 0}} {
		var warm sgns.Warm
		h := Hooks{}
		h.Warm = func(w sgns.Warm) { warm = w }
		o := toyOptions(func(o *Options) {
			o.Init, o.Freeze, o.MaxN, o.LearningRate, o.Epochs, o.Loss = first.Vectors, test.known > 0, 4, 1e-9, 1, test.loss
		})
		second, err := Train(t.Context(), Examples(each(toyExamples(50, "b", "new", "a"))), o, h)
		if err != nil {
			t.Fatal(err)
		}
		if warm.Labels != test.known {
			t.Errorf("%s: %d labels are known", test.loss, warm.Labels)
		}
		if test.known == 0 {
			continue
		}
		for name, want := range map[string]string{"a": "a", "b": "b", "new": ""} {
			at, _ := second.Vectors.Labels().Names.Find(name)
			got := second.Vectors.Labels().Rows.Row(at)
			from := make([]float32, len(got))
			if of, ok := first.Vectors.Labels().Names.Find(want); ok {
				copy(from, first.Vectors.Labels().Rows.Row(of))
			}
			for k := range got {
				if math.Abs(float64(got[k]-from[k])) > 1e-6 {
					t.Errorf("%s: label %s begins as %v, want %v", test.loss, name, got, from)
					break
				}
			}
		}
	}
}

// The best model of a run that stops early is that of an evaluation.
func TestEarlyStopping(t *testing.T) {
	examples := toyExamples(100, "a", "b", "c")
	g := rand.New(rand.NewPCG(1, 1))
	for i := range examples { // a third of the labels say nothing, and held-out texts have words of their own
		examples[i].Text += fmt.Sprintf(" only%d", i)
		if g.IntN(3) == 0 {
			examples[i].Labels = []string{string(rune('a' + g.IntN(3)))}
		}
	}
	o := toyOptions(func(o *Options) { o.HeldOut, o.Patience, o.Epochs, o.LearningRate, o.MaxN = 0.2, 2, 500, 2, 4 })
	trained, err := Train(context.Background(), Examples(each(examples)), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if !trained.Progress.Early || trained.Evaluation == nil || !trained.Evaluation.Best || trained.Evaluation.Tokens >= trained.Progress.Tokens {
		t.Errorf("%+v, %+v", trained.Progress, trained.Evaluation)
	}
}

// A label that is a word too speaks for a text in which it stands.
func TestLabelsThatAreWords(t *testing.T) {
	of := func(label, text string) Example { return Example{Text: text, Labels: []string{label}} }
	examples := []Example{of("cat", "cat"), of("dog", "dog"), of("cat", "a cat"), of("dog", "a dog")}
	o := Defaults()
	o.Dim, o.Epochs, o.Threads, o.MaxN, o.WordNgrams = 4, 50, 1, 0, 1
	trained, err := Train(t.Context(), Examples(each(examples)), o, Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(trained.Vectors)
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"cat", "dog"} {
		best, err := m.Predict("a "+label, 1, 0)
		if err != nil || len(best) != 1 || best[0].Label != label || best[0].Probability < 0.9 {
			t.Errorf("%s: %v, %v", label, best, err)
		}
	}
}

// What is not given goes by the number and the length of texts, and by labels.
func TestSuited(t *testing.T) {
	for name, c := range map[string]struct {
		contents Contents
		change   func(*Options)
		epochs   int
		maxN     int
		rate     float64
	}{
		"languages":     {Contents{Texts: 100_000, Tokens: 1_000_000, Labels: 11}, nil, 5, 5, 2},
		"reviews":       {Contents{Texts: 25_000, Tokens: 5_750_000, Labels: 2}, nil, 5, 0, 0.75},
		"short texts":   {Contents{Texts: 100_000, Tokens: 1_000_000, Labels: 11}, func(o *Options) { o.ShortTexts = true }, 5, 5, 1},
		"topics":        {Contents{Texts: 11_000, Tokens: 2_000_000, Labels: 20}, nil, 7, 0, 2},
		"few texts":     {Contents{Texts: 100, Tokens: 1000, Labels: 2}, nil, 50, 5, 2},
		"many labels":   {Contents{Texts: 1_000_000, Tokens: 9_000_000, Labels: 100_000}, nil, 5, 5, 2},
		"one of all":    {Contents{Texts: 25_000, Tokens: 5_750_000, Labels: 4}, func(o *Options) { o.Loss = sgns.OneVersusAll }, 5, 0, 1},
		"all are given": {Contents{Texts: 100, Tokens: 90_000, Labels: 2}, func(o *Options) { o.Epochs, o.MaxN, o.LearningRate = 9, 4, 3 }, 9, 4, 3},
	} {
		o := Defaults()
		if c.change != nil {
			c.change(&o)
		}
		if got := o.Suited(c.contents); got.Epochs != c.epochs || got.MaxN != c.maxN || got.LearningRate != c.rate {
			t.Errorf("%s: %d epochs, n-grams of up to %d, rate %v", name, got.Epochs, got.MaxN, got.LearningRate)
		}
	}
}

// Short texts are pieces of texts, with their labels; the same ones for a seed.
func TestShortTexts(t *testing.T) {
	o := toyOptions(func(o *Options) { o.ShortTexts = true })
	read := func() (all [][]string) {
		for sentence, err := range o.sentences(each([]Example{{"a b c d e", []string{"x", "y"}}, {"a b c", []string{"z"}}, {"", []string{"z"}}}), nil, new(Contents), nil) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, slices.Clone(sentence))
		}
		return all
	}
	all := read()
	if len(all) != 4 {
		t.Fatalf("%q", all)
	}
	piece := all[1]
	n := len(piece) - 3
	if !slices.Equal(piece[n+1:], all[0][:2]) || piece[n] != scorer.EndOfLine || n < 1 || n > 3 || !strings.Contains("a b c d e", strings.Join(piece[:n], " ")) {
		t.Errorf("piece %q", piece)
	}
	if again := read(); !slices.EqualFunc(all, again, slices.Equal) {
		t.Errorf("%q, again %q", all, again)
	}
}
