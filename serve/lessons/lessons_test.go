package lessons

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/vectors"
)

// The formula that the page shows is what the trainer does.
func TestStepIsThatOfTheTrainer(t *testing.T) {
	value, err := new(source).step(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	frames := value.(struct {
		Words     []string `json:"words"`
		Rate      float64  `json:"rate"`
		Negatives int      `json:"negatives"`
		Frames    []frame  `json:"frames"`
	}).Frames
	for i, from := range frames[:len(frames)-1] {
		want, got := stepped(from), frames[i+1]
		for w := range toyWords {
			for k := range want.Input[w] {
				if math.Abs(float64(want.Input[w][k]-got.Input[w][k])) > 1e-4 || math.Abs(float64(want.Output[w][k]-got.Output[w][k])) > 1e-4 {
					t.Fatalf("step %d, %s: %v %v, want %v %v", i, toyWords[w], got.Input[w], got.Output[w], want.Input[w], want.Output[w])
				}
			}
		}
	}
}

// The pages of the built-in text: each is one file that loads nothing, and shows what was computed.
func TestWrite(t *testing.T) {
	l, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "lessons")
	if err := l.Write(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	loads := regexp.MustCompile(`(?i)(src|href)\s*=\s*"?(https?:)?//|url\(|@import|https?://[^w]`)
	for _, name := range Files() {
		page, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		text := string(page)
		if found := loads.FindString(text); found != "" {
			t.Errorf("%s loads %s", name, found)
		}
		if !strings.Contains(text, "default-src 'none'; script-src 'sha256-") || strings.Contains(text, "{{") || len(page) > 1<<20 {
			t.Errorf("%s: no policy, or something is not filled in, or %d bytes are too many", name, len(page))
		}
		for _, of := range All() {
			if name == of.Name+".html" && !strings.Contains(text, html.EscapeString(of.Command)) {
				t.Errorf("%s does not say %s", name, of.Command)
			}
		}
	}

	words, err := builtInWords.get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		Questions     []analogyQuestion
		Score, Chance float64
	}
	value(t, l, "parallelogram", &p)
	if len(p.Questions) != len(demo.Showcase()) || p.Score < 0.4 || p.Chance > 0.02 {
		t.Errorf("%d questions, score %v, of random vectors %v", len(p.Questions), p.Score, p.Chance)
	}
	var r struct {
		Singular, Values []float64
		Kept             []struct{ Rank, Neighbours float64 }
	}
	value(t, l, "rank", &r)
	if len(r.Singular) != words.Dim() || r.Values[words.Dim()-1] < 1e-4 || r.Values[words.Dim()] > 1e-4 {
		t.Errorf("products of %d dimensions have the singular values %v", words.Dim(), r.Values)
	}
	if last := r.Kept[len(r.Kept)-1].Neighbours; last < r.Kept[0].Neighbours || last > 1 {
		t.Errorf("kept are %v", r.Kept)
	}
	var n struct{ Tried []struct{ Near []near } }
	value(t, l, "ngrams", &n)
	if first := n.Tried[0].Near; !slices.ContainsFunc(first, func(n near) bool { return n.Word == "unhappy" }) {
		t.Errorf("near to %s are %v", tried[0], first)
	}
}

// value decodes the data of a lesson.
func value(t *testing.T, l *Lessons, name string, into any) {
	t.Helper()
	of, ok := Find(name)
	if !ok {
		t.Fatalf("there is no lesson %s", name)
	}
	data, err := l.Data(t.Context(), of)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The list of texts and that of numbers are of the same lessons.
func TestListsAgree(t *testing.T) {
	names := regexp.MustCompile(`(?m)^\[(.*)\]$`).FindAllStringSubmatch(file("lessons.txt"), -1)
	if len(names) != len(numbers) {
		t.Fatalf("%d texts, %d numbers", len(names), len(numbers))
	}
	for i, of := range All() {
		if of.Name != names[i][1] {
			t.Errorf("%s has the text of %s", of.Name, names[i][1])
		}
		if _, err := os.Stat(filepath.Join("..", "..", of.Manual)); err != nil {
			t.Error(err)
		}
	}
}

// A lesson shows the words of a model, whatever it has.
func TestOwnModel(t *testing.T) {
	m := vectors.NewMatrix(3, 2)
	for i, row := range [][]float32{{1, 0}, {0.6, 0.8}, {0, 2}} {
		copy(m.Row(i), row)
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords("north", "east", "king"), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(Options{Set: set, Model: "compass"})
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range All() {
		if !of.Own() {
			continue
		}
		want := facts{"compass", false, 3, 2}
		if of.Name == "negatives" { // is about counts, which the model has not
			demo, err := builtInWords.get(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want = facts{"the demo", true, demo.Len(), demo.Dim()}
		}
		var got struct{ Model facts }
		if value(t, l, of.Name, &got); got.Model != want {
			t.Errorf("%s is of %v, want %v", of.Name, got.Model, want)
		}
	}
	var r struct {
		Kept []struct{ Rank, Neighbours float64 }
	}
	if value(t, l, "rank", &r); r.Kept[len(r.Kept)-1].Neighbours != 1 { // all directions, though there are no ten others
		t.Errorf("kept are %v", r.Kept)
	}
	var s struct{ Norms []float64 }
	if value(t, l, "scaling", &s); !slices.Equal(s.Norms, []float64{2, 1, 1}) { // king is worth showing
		t.Errorf("lengths %v", s.Norms)
	}
}

// What has no direction or makes no parallelogram is left out, and the rest of a lesson stays.
func TestDegenerateVectors(t *testing.T) {
	showcase := demo.Showcase()
	words := func() (all []string) {
		for _, q := range showcase {
			for _, word := range append(q[:], "best"+q[0]) {
				if !slices.Contains(all, word) {
					all = append(all, word)
				}
			}
		}
		return all
	}()
	q := showcase[0]
	for name, test := range map[string]struct {
		change func(set func(word string, x, y float32))
		left   bool // the first question is left
	}{
		"none":      {func(func(string, float32, float32)) {}, true},
		"two equal": {func(set func(string, float32, float32)) { set(q[0], 1, 2); set(q[1], 1, 2) }, false},
		"one zero":  {func(set func(string, float32, float32)) { set(q[2], 0, 0) }, false},
		"corner of zero": {func(set func(string, float32, float32)) {
			set(q[0], 1, 0)
			set(q[1], 0.5, 0.8660254)
			set(q[2], 0.5, -0.8660254)
		}, false},
		"all zero": {func(set func(string, float32, float32)) {
			for _, word := range words {
				set(word, 0, 0)
			}
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := vectors.NewMatrix(len(words), 2)
			for i := range words {
				copy(m.Row(i), []float32{float32(math.Cos(float64(i + 1))), float32(math.Sin(float64(i + 1)))})
			}
			test.change(func(word string, x, y float32) { copy(m.Row(slices.Index(words, word)), []float32{x, y}) })
			set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
			if err != nil {
				t.Fatal(err)
			}
			l, err := New(Options{Set: set})
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range All() {
				if !of.Own() {
					continue
				}
				if _, err := l.Data(t.Context(), of); err != nil {
					t.Error(err)
				}
			}
			var p struct{ Questions []analogyQuestion }
			value(t, l, "parallelogram", &p)
			if got := slices.ContainsFunc(p.Questions, func(a analogyQuestion) bool { return a.Words == q }); got != test.left {
				t.Errorf("%v is asked: %v, want %v", q, got, test.left)
			}
		})
	}
}

// A model without words, and numbers that JSON has not, are errors that name the lesson.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		words []string
		want  string
	}{
		"no words": {nil, `the lesson "How long vectors are": the model has no words`},
		"infinite": {[]string{"a"}, `the lesson "How long vectors are": json: unsupported value: +Inf`},
	} {
		m := vectors.NewMatrix(len(test.words), 1)
		for i := range test.words {
			m.Row(i)[0] = float32(math.Inf(1))
		}
		set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(test.words...), Input: m})
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(Options{Set: set})
		if err != nil {
			t.Fatal(err)
		}
		of, _ := Find("scaling")
		if _, err := l.Data(t.Context(), of); err == nil || err.Error() != strings.Replace(test.want, "How long vectors are", of.Title, 1) {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
}

// One makes a value. Others wait as long as their contexts last, and one of them makes it if the first could not.
func TestLazy(t *testing.T) {
	begun, failure, times := make(chan struct{}), errors.New("no"), 0
	l := newLazy(func(ctx context.Context) (int, error) {
		if times++; times == 1 {
			close(begun)
			<-ctx.Done()
			return 0, ctx.Err()
		} else if times == 2 {
			return 0, failure
		}
		return times, nil
	})
	first, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { _, err := l.get(first); ended <- err }()
	<-begun
	second, leave := context.WithCancel(t.Context())
	leave()
	if _, err := l.get(second); err != context.Canceled {
		t.Errorf("a wait without a reader: %v", err)
	}
	stop()
	if err := <-ended; err != context.Canceled {
		t.Errorf("the first: %v", err)
	}
	if _, err := l.get(t.Context()); err != failure {
		t.Errorf("the second: %v", err)
	}
	for range 2 {
		if n, err := l.get(t.Context()); n != 3 || err != nil {
			t.Errorf("made the value %d: %v", n, err)
		}
	}
}

// The published number of parameters of the smallest GPT-2 is 124 million.
func TestParametersOfGPT2(t *testing.T) {
	if got := gpt2.parameters(true); got != 124_439_808 {
		t.Errorf("%d parameters", got)
	}
	if got := gpt2.parameters(false) - gpt2.parameters(true); got != 50_257*768 {
		t.Errorf("a second table has %d", got)
	}
}

// No number is written into a text: numbers come from the data.
func TestTextsHaveNoNumbers(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, of := range All() {
		text := tags.ReplaceAllString(file(of.Name+".html"), "")
		text = strings.NewReplacer("w2v", "", "word2vec", "", "GPT-2", "", "(d/2)", "", "1/d", "", "1/B", "", "n − 1", "", "ⁿ⁻¹", "", "(1 −", "", "length 1", "", "power 1", "", "and 0 ", "", "at most 1", "").Replace(text)
		if found := regexp.MustCompile(`.{0,20}[0-9].{0,20}`).FindString(text); found != "" {
			t.Errorf("%s: %q", of.Name, found)
		}
	}
}

func TestSweeps(t *testing.T) {
	// line is a result: its dim, seed, facts of the trial and evaluations.
	line := func(dim, seed int, facts string, evaluations ...string) string {
		return fmt.Sprintf(`{"settings":{"dim":%d},"dim":%d,"seed":%d%s,"evaluations":[%s]}`+"\n", dim, dim, seed, facts, strings.Join(evaluations, ","))
	}
	score := func(set, score string) string { return fmt.Sprintf(`{"set":%q,"score":%s,"questions":9}`, set, score) }
	for name, test := range map[string]struct{ text, want string }{
		"no JSON":     {"dim,score", "invalid results"},
		"nothing":     {"", "fewer than two points"},
		"one point":   {line(2, 1, "", score("a", "1")), "fewer than two points"},
		"no scores":   {line(2, 1, "", score("a", "null")) + line(4, 1, "", score("a", "null")), "fewer than two points"},
		"random only": {line(2, 1, `,"baseline":"random vectors"`, score("a", "1")), "fewer than two points"},
		"skipped":     {line(2, 1, "", score("a", "1")) + line(4, 1, `,"skipped":"why"`) + line(8, 1, `,"failed":"why"`), "fewer than two points"},
		"two settings": {`{"settings":{"dim":2,"epochs":1},"dim":2,"evaluations":[{"set":"a","score":1}]}
			{"settings":{"dim":2,"epochs":2},"dim":2,"evaluations":[{"set":"a","score":1}]}`, "vary more than dim"},
		"words of two corpora":  {line(2, 1, `,"words":5`, score("a", "1")) + line(4, 1, `,"words":6`, score("a", "1")), "different corpora, with "},
		"random of another":     {line(2, 1, `,"words":5`, score("a", "1")) + line(4, 1, `,"words":5`, score("a", "1")) + line(2, 1, `,"words":6,"baseline":"random vectors"`), "different corpora, with "},
		"tokens of two corpora": {line(2, 1, `,"tokens":5`, score("a", "1")) + line(4, 1, `,"tokens":6`, score("a", "1")), "different corpora, with 5 and with 6 trained tokens"},
		"two revisions":         {line(2, 1, `,"revision":1`, score("a", "1")) + line(4, 1, `,"revision":2`, score("a", "1")), "revisions 1 and 2"},
		"two sets of a name":    {line(2, 1, "", score("a", "1")) + line(4, 1, "", `{"set":"a","score":1,"questions":8}`), `two sets that are called "a", with 9 and with 8 questions`},
	} {
		if _, err := New(Options{Sweep: strings.NewReader(test.text)}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	for name, test := range map[string]struct{ text, want string }{
		"means of seeds, and random vectors": {
			line(4, 1, `,"baseline":"random vectors"`, score("a", "0.1")) + line(4, 1, `,"cpu_seconds":1`, score("a", "0.25")) +
				line(2, 1, "", score("a", "null")) + line(4, 2, `,"cpu_seconds":3`, score("a", "0.75")),
			`{"sets":["a"],"points":[{"dim":2,"parameters":0,"seconds":0,"scores":[null],"seeds":1},{"dim":4,"parameters":0,"seconds":2,"scores":[0.5],"seeds":2}],"random":[{"dim":4,"parameters":0,"seconds":0,"scores":[0.1],"seeds":1}],"own":true}`,
		},
		"again, with a second set": {
			line(2, 1, "", score("a", "0.5")) + line(2, 2, "", score("a", "0.5")) + line(4, 1, "", score("a", "0.5")) +
				line(2, 1, "", score("a", "0.25"), score("b", "0.5")) + line(2, 2, "", score("a", "0.75"), score("b", "1")),
			`{"sets":["a","b"],"points":[{"dim":2,"parameters":0,"seconds":0,"scores":[0.5,0.75],"seeds":2},{"dim":4,"parameters":0,"seconds":0,"scores":[0.5,null],"seeds":1}],"random":null,"own":true}`,
		},
		"a set that one seed lacks, in another order": {
			line(2, 1, "", score("a", "0.5")) + line(2, 2, "", score("b", "0.25"), score("a", "1")) + line(4, 1, "", score("b", "1")),
			`{"sets":["a","b"],"points":[{"dim":2,"parameters":0,"seconds":0,"scores":[0.75,0.25],"seeds":2},{"dim":4,"parameters":0,"seconds":0,"scores":[null,1],"seeds":1}],"random":null,"own":true}`,
		},
	} {
		l, err := New(Options{Sweep: strings.NewReader(test.text)})
		if err != nil {
			t.Fatal(err)
		}
		of, _ := Find("dimension")
		got, err := l.Data(t.Context(), of)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != test.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, test.want)
		}
	}
}
