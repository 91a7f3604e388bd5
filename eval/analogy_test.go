package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
	"github.com/w2v-go/w2v/vectors"
)

func mustQuestions(t testing.TB, text string) eval.Set {
	t.Helper()
	set, err := eval.ReadSet(strings.NewReader(text), "test", eval.TaskAnalogy)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func mustAnalogy(t testing.TB, s *vectors.Set, set eval.Set, opt eval.Options) eval.AnalogyResult {
	t.Helper()
	got, err := details[eval.AnalogyResult](t.Context(), s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Used+got.OOV != got.Questions {
		t.Errorf("used %d + oov %d ≠ questions %d", got.Used, got.OOV, got.Questions)
	}
	return got
}

// royal is a set in which man is to woman as king is to queen.
func royal() *vectors.Set {
	return wordSet([]string{"man", "woman", "king", "queen", "apple", "queen2"},
		[]float32{1, 0, 1}, []float32{1, 1, 0}, []float32{4, 0, 1}, []float32{4, 1, 0}, []float32{0, 3, 1}, []float32{8, 2, 0})
}

func TestAnalogy(t *testing.T) {
	const questions = `
man woman king queen
: family
Man Woman King Queen
man woman king queen2
man woman king king
: gram1
woman man queen king
woman man queen apple
: none
man woman king nowhere
nowhere woman apple apple
: empty
`
	for _, method := range []vectors.AnalogyMethod{"", vectors.CosAdd, vectors.CosMul} {
		got := mustAnalogy(t, royal(), mustQuestions(t, questions), eval.Options{Method: method})
		encoded, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		name := method
		if name == "" {
			name = vectors.CosAdd
		}
		// queen2 has the direction of queen and a higher id, so queen is the
		// answer; king is the question's own.
		ci := func(i eval.Interval) string { return fmt.Sprintf(`,"ci95":[%v,%v]`, i.Low, i.High) }
		want := `{"set":"test","questions":8,"used":6,"correct":3,"accuracy":0.5,"sections":[` +
			`{"name":"questions","questions":1,"used":1,"correct":1,"accuracy":1},` +
			`{"name":"family","questions":3,"used":3,"correct":1,"accuracy":0.3333333333333333` + ci(got.Sections[1].CI95) + `},` +
			`{"name":"gram1","questions":2,"used":2,"correct":1,"accuracy":0.5` + ci(got.Sections[2].CI95) + `},` +
			`{"name":"none","questions":2,"used":0,"correct":0,"accuracy":null},` +
			`{"name":"empty","questions":0,"used":0,"correct":0,"accuracy":null}],` +
			`"oov":2` + ci(got.CI95) + `,` +
			`"semantic":{"questions":6,"used":4,"correct":2,"accuracy":0.5},` +
			`"syntactic":{"questions":2,"used":2,"correct":1,"accuracy":0.5},` +
			`"composed":0,"method":"` + string(name) + `","restrict":0,"ignore_case":true,"missing":["nowhere"]}`
		if string(encoded) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", method, encoded, want)
		}
	}
}

func TestAnalogyRestrict(t *testing.T) {
	set := mustQuestions(t, "man woman king queen\nwoman man queen king\nman woman king apple\nman woman king man\n")
	tests := []struct {
		restrict, used, correct int
		missing                 []string
	}{
		{0, 4, 2, []string{}},
		{6, 4, 2, []string{}},
		{100, 4, 2, []string{}},
		{4, 3, 2, []string{"apple"}},          // apple is in the vocabulary, but no candidate
		{3, 1, 0, []string{"queen", "apple"}}, // in the other queen is a word of the question or the answer
		{2, 0, 0, []string{"king", "queen", "apple"}},
	}
	for _, test := range tests {
		got := mustAnalogy(t, royal(), set, eval.Options{Restrict: test.restrict})
		if got.Used != test.used || got.Correct != test.correct || got.Restrict != test.restrict || !slices.Equal(got.Missing, test.missing) {
			t.Errorf("restrict %d: %+v", test.restrict, got)
		}
		if got.Semantic != nil || got.Syntactic != nil {
			t.Errorf("halves of a set that names none: %+v", got)
		}
		if got.Accuracy.Defined() != (test.used > 0) {
			t.Errorf("restrict %d: accuracy %v", test.restrict, got.Accuracy)
		}
	}
}

func TestAnalogyOfComposedWords(t *testing.T) {
	s := subwordSet("one", "two", "three", "four", "five")
	set := mustQuestions(t, `
one two three four
one two unseen four
unseen unheard Untold five
one two three unseen
two five one four
one five two three
`)
	got := mustAnalogy(t, s, set, eval.Options{})
	// An answer is never composed.
	if got.Used != 5 || got.Composed != 2 || !slices.Equal(got.Missing, []string{"unseen"}) {
		t.Errorf("got %+v", got)
	}
	known := eval.Set{Task: eval.TaskAnalogy, Sections: []eval.QuestionSection{{Questions: []eval.Question{
		{"one", "two", "three", "four"}, {"two", "five", "one", "four"}, {"one", "five", "two", "three"},
	}}}}
	want := mustAnalogy(t, s, known, eval.Options{})
	if v := got.InVocabulary; v == nil || v.Used != 3 || v.Correct != want.Correct || v.Accuracy != want.Accuracy {
		t.Errorf("in vocabulary %+v, want %+v", got.InVocabulary, want)
	}
	// With four candidates "five" is neither a candidate nor composed, though
	// the set could.
	got = mustAnalogy(t, s, set, eval.Options{Restrict: 4})
	if got.Used != 2 || got.Composed != 1 || !slices.Equal(got.Missing, []string{"five", "unseen"}) {
		t.Errorf("got %+v", got)
	}
}

func TestAnalogyErrors(t *testing.T) {
	set := mustQuestions(t, "man woman king queen")
	for _, opt := range []eval.Options{{Method: "cos"}, {Restrict: -1}, {Case: -1}} {
		if _, err := details[eval.AnalogyResult](t.Context(), royal(), set, opt); err == nil {
			t.Errorf("no error for %+v", opt)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := details[eval.AnalogyResult](ctx, royal(), set, eval.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// numbered returns the words w0, w1, …
func numbered(n int) vectors.Words {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("w", i)
	}
	return vectors.NewWords(words...)
}

// randomExam is a set of vectors, some of which are zero, not finite or equal to
// others, and questions about it. Many answers are planted so that they are
// right.
func randomExam(rng *rand.Rand, words, dim, questions int) (*vectors.Set, eval.Set) {
	s := newSet(vectors.Parts{Words: numbered(words), Input: vectors.NewMatrix(words, dim)})
	for i := range words {
		row := s.Input().Row(i)
		for j := range row {
			row[j] = float32(rng.NormFloat64())
		}
		switch rng.IntN(20) {
		case 0:
			clear(row)
		case 1:
			row[0] = float32(math.NaN())
		case 2:
			row[0] = float32(math.Inf(1))
		case 3, 4:
			copy(row, s.Input().Row(rng.IntN(i+1)))
		}
	}
	set := eval.Set{Task: eval.TaskAnalogy, Name: "random", Sections: make([]eval.QuestionSection, 3)}
	for i := range questions {
		var q [4]int
		for j := range q {
			q[j] = rng.IntN(words)
		}
		if rng.IntN(2) == 0 {
			if best, ok := naive(s, q, words, vectors.CosAdd); ok {
				q[3] = best
			}
		}
		part := &set.Sections[i%3]
		part.Questions = append(part.Questions, eval.Question{s.Words().At(q[0]), s.Words().At(q[1]), s.Words().At(q[2]), s.Words().At(q[3])})
	}
	return s, set
}

// naive answers a question in float64 by a scan of its own.
func naive(s *vectors.Set, q [4]int, candidates int, method vectors.AnalogyMethod) (int, bool) {
	cosine := func(i, j int) float64 {
		var ab, aa, bb float64
		for k, x := range s.Input().Row(i) {
			x, y := float64(x), float64(s.Input().Row(j)[k])
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		if math.IsInf(aa, 0) || math.IsInf(bb, 0) || bb == 0 {
			return math.NaN()
		}
		if aa == 0 {
			return 0 // a question may have a word of zeros
		}
		return ab / (math.Sqrt(aa) * math.Sqrt(bb))
	}
	best, score := -1, math.Inf(-1)
	for d := range candidates {
		a, b, c := cosine(q[0], d), cosine(q[1], d), cosine(q[2], d)
		x := b - a + c
		if method == vectors.CosMul {
			x = (b + 1) / 2 * (c + 1) / 2 / ((a+1)/2 + 0.001)
		}
		if d != q[0] && d != q[1] && d != q[2] && x > score {
			best, score = d, x
		}
	}
	return best, best >= 0
}

func TestAnalogyAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []struct{ words, dim, questions int }{{5, 3, 20}, {300, 8, 100}, {500, 33, 150}, {5000, 10, 15}} {
		s, set := randomExam(rng, size.words, size.dim, size.questions)
		usable := func(id int) bool {
			for _, x := range s.Input().Row(id) {
				if x-x != 0 {
					return false
				}
			}
			return true
		}
		for _, method := range []vectors.AnalogyMethod{vectors.CosAdd, vectors.CosMul} {
			for _, restrict := range []int{0, size.words / 2} {
				candidates := size.words
				if restrict > 0 {
					candidates = restrict
				}
				used, correct := 0, 0
				for _, part := range set.Sections {
				questions:
					for _, words := range part.Questions {
						var q [4]int
						for i, w := range words {
							fmt.Sscanf(w, "w%d", &q[i])
							if q[i] >= candidates || !usable(q[i]) {
								continue questions
							}
						}
						used++
						if best, ok := naive(s, q, candidates, method); ok && best == q[3] {
							correct++
						}
					}
				}
				got := mustAnalogy(t, s, set, eval.Options{Restrict: restrict, Method: method})
				if got.Used != used || got.Correct != correct {
					t.Errorf("%+v %s restrict %d: used %d, correct %d; want %d, %d", size, method, restrict, got.Used, got.Correct, used, correct)
				}
				if method == vectors.CosAdd && restrict == 0 && correct < used/5 {
					t.Errorf("%+v: only %d of %d planted answers", size, correct, used)
				}
			}
		}
	}
}

func TestAnalogyOnAnyNumberOfCores(t *testing.T) {
	s, set := randomExam(rand.New(rand.NewPCG(3, 4)), 6000, 4, 300)
	for i := range s.Input().Data { // few different values: many ties
		s.Input().Data[i] = float32(math.Round(float64(s.Input().Data[i])))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, method := range []vectors.AnalogyMethod{vectors.CosAdd, vectors.CosMul} {
		var first *eval.AnalogyResult
		for _, procs := range []int{1, 2, 3, 8} {
			runtime.GOMAXPROCS(procs)
			got := mustAnalogy(t, s, set, eval.Options{Method: method})
			if first == nil {
				first = &got
			}
			if !reflect.DeepEqual(got, *first) {
				t.Errorf("%s on %d cores: %+v, on one %+v", method, procs, got, *first)
			}
		}
	}
}

func ExampleEvaluate_analogies() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("man", "woman", "king", "queen", "apple"),
		Input: vectors.Matrix{Data: []float32{1, 0, 1, 1, 1, 0, 4, 0, 1, 4, 1, 0, 0, 3, 1}, Rows: 5, Cols: 3, Stride: 3},
	})
	set, err := eval.ReadSet(strings.NewReader(": family\nman woman king queen\nwoman man queen king\nman woman boy girl\n"), "royal", eval.TaskAnalogy)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.AnalogyResult)
	fmt.Printf("%s: %d of %d right, %d not asked, missing %v\n", r.Set, r.Correct, r.Used, r.OOV, r.Missing)
	// Output:
	// royal: 2 of 2 right, 1 not asked, missing [boy girl]
}

// BenchmarkAnalogy is of the size of questions-words: 19,500 questions about
// 900 words, over 30,000 candidates of 100 dimensions.
func BenchmarkAnalogy(b *testing.B) {
	const words, dim, distinct, questions = 30_000, 100, 900, 19_500
	rng := rand.New(rand.NewPCG(5, 6))
	s := newSet(vectors.Parts{Words: numbered(words), Input: vectors.NewMatrix(words, dim)})
	for i := range words {
		for j := range s.Input().Row(i) {
			s.Input().Row(i)[j] = float32(rng.NormFloat64())
		}
	}
	set := eval.Set{Task: eval.TaskAnalogy, Sections: make([]eval.QuestionSection, 1)}
	for range questions {
		var q eval.Question
		for i := range q {
			q[i] = s.Words().At(rng.IntN(distinct))
		}
		set.Sections[0].Questions = append(set.Sections[0].Questions, q)
	}
	for _, method := range []vectors.AnalogyMethod{vectors.CosAdd, vectors.CosMul} {
		b.Run(string(method), func(b *testing.B) {
			for b.Loop() {
				mustAnalogy(b, s, set, eval.Options{Resamples: -1, Method: method})
			}
			b.ReportMetric(float64(questions)*float64(b.N)/b.Elapsed().Seconds(), "questions/s")
		})
	}
}

func TestReadQuestions(t *testing.T) {
	const text = "\ufeff# ours\r\n" +
		"a b c d\r\n" +
		"\r\n" +
		": capital-world\r\n" +
		"Athens Greece\tBaghdad  Iraq\r\n" +
		":empty\n" +
		" :  nouns: SI/PL \n" +
		"Gepäck Gepäcke Stuhl Stühle\n" +
		"Gep\xe4ck Gep\xe4cke Stuhl St\xfchle\n" + // ISO 8859-1
		": capital-world\nOslo Norway Rome Italy"
	got, err := eval.ReadSet(strings.NewReader(text), "set", eval.TaskAnalogy)
	if err != nil {
		t.Fatal(err)
	}
	german := eval.Question{"Gepäck", "Gepäcke", "Stuhl", "Stühle"}
	want := eval.Set{Task: eval.TaskAnalogy, Name: "set", Sections: []eval.QuestionSection{
		{Name: eval.UnnamedSection, Questions: []eval.Question{{"a", "b", "c", "d"}}},
		{Name: "capital-world", Questions: []eval.Question{{"Athens", "Greece", "Baghdad", "Iraq"}, {"Oslo", "Norway", "Rome", "Italy"}}},
		{Name: "empty"},
		{Name: "nouns: SI/PL", Questions: []eval.Question{german, german}},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadQuestionsErrors(t *testing.T) {
	tests := []struct{ name, text, err string }{
		{"empty", "", "q: no questions: want lines of four words"},
		{"only a section", ": a\n", "q: no questions: want lines of four words"},
		{"three words", "a b c d\n\na b c\n", `q:3: want four words or a colon and the name of a section, not "a b c"`},
		{"five words", "a b c d e", `q:1: want four words or a colon and the name of a section, not "a b c d e"`},
		{"section without a name", "a b c d\n:\n", "q:2: want the name of a section after the colon"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "q", eval.TaskAnalogy)
			var parse *eval.ParseError
			if !errors.As(err, &parse) || err.Error() != test.err {
				t.Errorf("got  %v\nwant %s", err, test.err)
			}
		})
	}
}

func FuzzReadQuestions(f *testing.F) {
	for _, seed := range []string{"a b c d\n", ": s\r\na b c d\n#\n\n: t\ne f g h", "\ufeff:x\n\xe4 b c d"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "set", eval.TaskAnalogy)
		if err != nil {
			var parse *eval.ParseError
			if !errors.As(err, &parse) || parse.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		var plain strings.Builder
		for _, part := range set.Sections {
			fmt.Fprintf(&plain, ": %s\n", part.Name)
			for _, q := range part.Questions {
				if q[0][0] == ':' || q[0][0] == '#' {
					t.Fatalf("question %q", q)
				}
				fmt.Fprintln(&plain, strings.Join(q[:], " "))
			}
		}
		again, err := eval.ReadSet(strings.NewReader(plain.String()), "set", eval.TaskAnalogy)
		if err != nil || !reflect.DeepEqual(again, set) {
			t.Fatalf("read %+v, wrote %q, read %+v, %v", set, plain.String(), again, err)
		}
	})
}
