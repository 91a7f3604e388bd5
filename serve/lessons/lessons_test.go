package lessons

import (
	"encoding/json"
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

	words, err := l.words.of()
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
		if !of.Own() || of.Name == "negatives" { // which needs counts
			continue
		}
		var got struct{ Model facts }
		value(t, l, of.Name, &got)
		if want := (facts{"compass", false, 3, 2}); got.Model != want {
			t.Errorf("%s is of %v, want %v", of.Name, got.Model, want)
		}
	}
	var s struct{ Norms []float64 }
	if value(t, l, "scaling", &s); !slices.Equal(s.Norms, []float64{2, 1, 1}) { // king is worth showing
		t.Errorf("lengths %v", s.Norms)
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
	for name, test := range map[string]struct{ text, want string }{
		"no JSON":   {"dim,score", "invalid results"},
		"nothing":   {"", "fewer than two points"},
		"one point": {`{"settings":{"dim":2},"dim":2,"evaluations":[{"set":"a","score":1}]}`, "fewer than two points"},
		"two settings": {`{"settings":{"dim":2,"epochs":1},"dim":2,"evaluations":[{"set":"a","score":1}]}
			{"settings":{"dim":2,"epochs":2},"dim":2,"evaluations":[{"set":"a","score":1}]}`, "vary more than dim"},
	} {
		if _, err := New(Options{Sweep: strings.NewReader(test.text)}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
	l, err := New(Options{Sweep: strings.NewReader(`{"baseline":"random vectors","settings":{"dim":4},"dim":4,"evaluations":[{"set":"a","score":0.1}]}
		{"settings":{"dim":4},"dim":4,"evaluations":[{"set":"a","score":0.25}],"cpu_seconds":1}
		{"settings":{"dim":2},"dim":2,"evaluations":[{"set":"a","score":null}]}
		{"settings":{"dim":4},"dim":4,"evaluations":[{"set":"a","score":0.75}],"cpu_seconds":3}`)})
	if err != nil {
		t.Fatal(err)
	}
	of, _ := Find("dimension")
	got, err := l.Data(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"sets":["a"],"points":[{"dim":2,"parameters":0,"seconds":0,"scores":[null],"seeds":1},{"dim":4,"parameters":0,"seconds":2,"scores":[0.5],"seeds":2}],"random":[{"dim":4,"parameters":0,"seconds":0,"scores":[0.1],"seeds":1}],"own":true}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
