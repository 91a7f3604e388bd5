package eval_test

import (
	"context"
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

func mustRelations(t testing.TB, s *vectors.Set, set eval.Set, opt eval.Options) eval.RelationResult {
	t.Helper()
	opt.Resamples = -1
	got, err := details[eval.RelationResult](t.Context(), s, set, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got.Used+got.OOV != got.Questions {
		t.Errorf("used %d + oov %d ≠ questions %d", got.Used, got.OOV, got.Questions)
	}
	return got
}

func TestReadRelations(t *testing.T) {
	got, err := eval.ReadSet(strings.NewReader("\ufeff# ours\nfinland\tfinnish/swedish\r\n\npapua new guinea\ttok pisin / \nperu spanish/quechua\n: capitals\nperu\tlima\n"), "sets/E02 [country - language].txt", eval.TaskRelation)
	want := eval.Set{Task: eval.TaskRelation, Name: "sets/E02 [country - language].txt", Relations: []eval.Relation{
		{Name: "E02 [country - language]", Pairs: []eval.RelationPair{
			{Word: "finland", Answers: []string{"finnish", "swedish"}},
			{Word: "papua new guinea", Answers: []string{"tok pisin"}},
			{Word: "peru", Answers: []string{"spanish", "quechua"}},
		}},
		{Name: "capitals", Pairs: []eval.RelationPair{{Word: "peru", Answers: []string{"lima"}}}},
	}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if words := got.Words(); len(words) != 10 || words[2] != "swedish" {
		t.Errorf("words %q", words)
	}
}

func TestReadRelationsErrors(t *testing.T) {
	tests := []struct{ text, err string }{
		{"", "r: no pairs: want lines of a word, a tab, and its answers"},
		{": empty\n", "r: no pairs: want lines of a word, a tab, and its answers"},
		{"a\tb\na\n", `r:2: want a word, a tab, and its answers with slashes between them, not "a"`},
		{"a b c\n", `r:1: want a word, a tab, and its answers with slashes between them, not "a b c"`},
		{"a\t//\n", `r:1: want a word, a tab, and its answers with slashes between them, not "a\t//"`},
		{"a\tb\n:\n", "r:2: want the name of a relation after the colon"},
	}
	for _, test := range tests {
		_, err := eval.ReadSet(strings.NewReader(test.text), "r", eval.TaskRelation)
		var parse *eval.ParseError
		if !errors.As(err, &parse) || err.Error() != test.err {
			t.Errorf("%q: got  %v\nwant %s", test.text, err, test.err)
		}
	}
}

func FuzzReadRelations(f *testing.F) {
	for _, seed := range []string{"a\tb/c\n", "a b\n: s\nc d/e", "\ufeff: x\n\xe4\tb", "a\t/\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "set", eval.TaskRelation)
		if err != nil {
			var parse *eval.ParseError
			if !errors.As(err, &parse) || parse.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		pairs := 0
		for _, relation := range set.Relations {
			for _, p := range relation.Pairs {
				pairs++
				if p.Word == "" || len(p.Answers) == 0 || slices.Contains(p.Answers, "") {
					t.Fatalf("pair %q", p)
				}
			}
		}
		if pairs == 0 {
			t.Fatal("a set of no pairs")
		}
	})
}

// BATS and lists of categories have two columns.
func TestRelationsAreRecognised(t *testing.T) {
	for text, want := range map[string]eval.Task{
		"athens\tgreece\nparis\tfrance\nrome\titaly\n":                             eval.TaskRelation,
		"finland\tfinnish/swedish\nperu\tspanish\nchile\tspanish":                  eval.TaskRelation,
		"dog\tanimal\ncat\tanimal\nfox\tanimal\noak\ttree\nelm\ttree\nfir\ttree\n": eval.TaskCategorization,
	} {
		set, err := eval.ReadSet(strings.NewReader(text), "set", "")
		if err != nil || set.Task != want {
			t.Errorf("%q: %T, %v, want %s", text, set, err, want)
		}
	}
}

// unit64 is the direction of a word's vector; zeros stay zeros.
func unit64(s *vectors.Set, word string) []float64 {
	v := make([]float32, s.Dim())
	if !s.Vector(v, word) {
		return nil
	}
	u, square := make([]float64, len(v)), 0.0
	for i, x := range v {
		u[i] = float64(x)
		square += u[i] * u[i]
	}
	for i := range u {
		if square > 0 {
			u[i] /= math.Sqrt(square)
		}
	}
	return u
}

func dot64(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func difference(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = a[i] - b[i]
	}
	return d
}

// plainRelation answers the questions of one relation by the formulas, in double precision.
func plainRelation(s *vectors.Set, pairs []eval.RelationPair, method vectors.AnalogyMethod, candidates int) (used, correct int) {
	known := func(word string) bool { id, ok := s.ID(word); return ok && id < candidates }
	var usable []eval.RelationPair
	var first [][]float64
	for _, p := range pairs {
		at := slices.IndexFunc(p.Answers, known)
		if known(p.Word) && at >= 0 {
			usable, first = append(usable, p), append(first, unit64(s, p.Answers[at]))
		}
	}
	best := func(score func(d []float64) float64, excluded []string) string {
		word, most := "", math.Inf(-1)
		for id := range candidates {
			d := unit64(s, s.Words().At(id))
			if x := score(d); x > most && !slices.Contains(excluded, s.Words().At(id)) && dot64(d, d) > 0 {
				word, most = s.Words().At(id), x
			}
		}
		return word
	}
	for j, q := range usable {
		c := unit64(s, q.Word)
		if method == eval.CosAvg {
			if len(usable) < 2 {
				return
			}
			target := slices.Clone(c)
			for i, p := range usable {
				if i != j {
					for k, x := range difference(first[i], unit64(s, p.Word)) {
						target[k] += x / float64(len(usable)-1)
					}
				}
			}
			used++
			if slices.Contains(q.Answers, best(func(d []float64) float64 { return dot64(d, target) }, []string{q.Word})) {
				correct++
			}
			continue
		}
		for i, p := range usable {
			if i == j {
				continue
			}
			a, b := unit64(s, p.Word), first[i]
			score := func(d []float64) float64 { return dot64(d, b) - dot64(d, a) + dot64(d, c) }
			switch method {
			case vectors.CosMul:
				score = func(d []float64) float64 {
					return (dot64(d, b) + 1) / 2 * (dot64(d, c) + 1) / 2 / ((dot64(d, a)+1)/2 + 0.001)
				}
			case vectors.PairDirection:
				score = func(d []float64) float64 {
					to := difference(d, c)
					length := math.Sqrt(dot64(to, to))
					if length < 1e-6 {
						return math.NaN()
					}
					return dot64(to, difference(b, a)) / length
				}
			}
			used++
			if slices.Contains(q.Answers, best(score, append([]string{p.Word, q.Word}, p.Answers...))) {
				correct++
			}
		}
	}
	return used, correct
}

// randomRelation is a relation between words whose vectors differ by about the same.
func randomRelation(rng *rand.Rand, words, pairs int) (*vectors.Set, eval.Set) {
	const dim = 6
	s := newSet(vectors.Parts{Words: numbered(words), Input: vectors.NewMatrix(words, dim)})
	for i := range s.Input().Data {
		s.Input().Data[i] = float32(rng.NormFloat64())
	}
	relation := eval.Relation{Name: "next"}
	for i := range pairs {
		a, b := s.Input().Row(2*i), s.Input().Row(2*i+1)
		for k := range b {
			b[k] = a[k] + float32(k%3) - 0.3*float32(rng.NormFloat64())
		}
		p := eval.RelationPair{Word: fmt.Sprint("w", 2*i), Answers: []string{fmt.Sprint("w", 2*i+1)}}
		switch rng.IntN(5) {
		case 0:
			p.Answers = append([]string{"nobody"}, p.Answers...)
		case 1:
			p.Answers = append(p.Answers, fmt.Sprint("w", rng.IntN(words)))
		case 2:
			p.Word = fmt.Sprint("w", rng.IntN(words))
		}
		relation.Pairs = append(relation.Pairs, p)
	}
	relation.Pairs = append(relation.Pairs, eval.RelationPair{Word: "nobody", Answers: []string{"w1"}}, eval.RelationPair{Word: "w1", Answers: []string{"nothing"}})
	clear(s.Input().Row(words - 1))
	return s, eval.Set{Task: eval.TaskRelation, Name: "random", Relations: []eval.Relation{relation}}
}

func TestRelationsAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, size := range []struct{ words, pairs int }{{12, 3}, {90, 8}, {400, 15}} {
		s, set := randomRelation(rng, size.words, size.pairs)
		for _, method := range []vectors.AnalogyMethod{vectors.CosAdd, vectors.CosMul, vectors.PairDirection, eval.CosAvg} {
			for _, restrict := range []int{size.words, 2*size.pairs - 1} {
				used, correct := plainRelation(s, set.Relations[0].Pairs, method, restrict)
				got := mustRelations(t, s, set, eval.Options{Restrict: restrict, RelationMethod: method})
				if got.Used != used || got.Correct != correct {
					t.Errorf("%+v %s restrict %d: used %d, correct %d; want %d, %d", size, method, restrict, got.Used, got.Correct, used, correct)
				}
				if got.Method != method || !slices.Contains(got.Missing, "nobody") {
					t.Errorf("%+v", got)
				}
			}
		}
	}
}

// Vectors of one relation in which the classes are apart: a pair shares one number,
// all answers share another one, and the words of no pair a third.
func TestLRCos(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const pairs, words = 9, 60
	s := newSet(vectors.Parts{Words: numbered(words), Input: vectors.NewMatrix(words, pairs+2)})
	set := eval.Set{Task: eval.TaskRelation, Relations: []eval.Relation{{Name: "r"}}}
	for i := range words {
		for k := range s.Input().Row(i) {
			s.Input().Row(i)[k] = 0.05 * float32(rng.NormFloat64())
		}
		if i >= 2*pairs {
			s.Input().Row(i)[pairs+1] += 1
		}
	}
	for i := range pairs {
		s.Input().Row(2 * i)[i] += 1
		s.Input().Row(2*i + 1)[i] += 1
		s.Input().Row(2*i + 1)[pairs] += 2
		set.Relations[0].Pairs = append(set.Relations[0].Pairs, eval.RelationPair{Word: fmt.Sprint("w", 2*i), Answers: []string{fmt.Sprint("w", 2*i+1)}})
	}
	got := mustRelations(t, s, set, eval.Options{RelationMethod: eval.LRCos})
	if got.Questions != pairs || got.Correct != pairs {
		t.Errorf("%d of %d right, want all", got.Correct, got.Questions)
	}
	negatives := got.Negatives["r"]
	if len(negatives) != pairs {
		t.Errorf("negatives %q", negatives)
	}
	for _, word := range negatives {
		var i int
		if fmt.Sscanf(word, "w%d", &i); i < 2*pairs {
			t.Errorf("%s of the relation is a negative", word)
		}
	}
	again := mustRelations(t, s, set, eval.Options{RelationMethod: eval.LRCos})
	if !reflect.DeepEqual(got, again) {
		t.Error("two results of one seed")
	}
	if other := mustRelations(t, s, set, eval.Options{Seed: 5, RelationMethod: eval.LRCos}); reflect.DeepEqual(other.Negatives, got.Negatives) {
		t.Error("one result of two seeds")
	}
	// A relation is asked the same alone as beside others.
	both := eval.Set{Task: eval.TaskRelation, Relations: []eval.Relation{{Name: "s", Pairs: set.Relations[0].Pairs[:4]}, set.Relations[0]}}
	if beside := mustRelations(t, s, both, eval.Options{RelationMethod: eval.LRCos}); !reflect.DeepEqual(beside.Negatives["r"], negatives) || beside.Sections[1].Tally != got.Sections[0].Tally {
		t.Errorf("beside another relation %+v", beside.Sections)
	}
}

func TestRelationsOnAnyNumberOfCores(t *testing.T) {
	s, set := randomRelation(rand.New(rand.NewPCG(3, 4)), 5000, 12)
	for i := range s.Input().Data { // few different values: many ties
		s.Input().Data[i] = float32(math.Round(float64(s.Input().Data[i])))
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, method := range eval.RelationMethods() {
		var first *eval.RelationResult
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			got := mustRelations(t, s, set, eval.Options{RelationMethod: method})
			if first == nil {
				first = &got
			}
			if !reflect.DeepEqual(got, *first) {
				t.Errorf("%s on %d cores differs", method, procs)
			}
		}
	}
}

func TestFewPairs(t *testing.T) {
	s := royal()
	for _, method := range eval.RelationMethods() {
		for text, want := range map[string]int{ // used questions
			"man\twoman\n":                            0,
			"man\twoman\nnobody\tqueen\n":             0,
			"man\twoman\nking\tqueen\n":               2,
			"man\twoman\nman\twoman\n":                2,
			"nobody\tnothing\n":                       0,
			"king\tnobody/queen\nman\tnobody/woman\n": 2,
		} {
			set, err := eval.ReadSet(strings.NewReader(text), "r", eval.TaskRelation)
			if err != nil {
				t.Fatal(err)
			}
			got := mustRelations(t, s, set, eval.Options{RelationMethod: method})
			if got.Used != want || got.Accuracy.Defined() != (want > 0) {
				t.Errorf("%s: %q: %+v", method, text, got)
			}
		}
	}
	if got := mustRelations(t, newSet(vectors.Parts{}), eval.Set{Task: eval.TaskRelation}, eval.Options{RelationMethod: eval.LRCos}); got.Used != 0 || got.Accuracy.Defined() {
		t.Errorf("%+v", got)
	}
}

func TestRelationMisuse(t *testing.T) {
	if _, err := details[eval.RelationResult](t.Context(), royal(), eval.Set{Task: eval.TaskRelation}, eval.Options{RelationMethod: "add"}); err == nil || !strings.Contains(err.Error(), `unknown analogy method "add"`) {
		t.Errorf("error %v", err)
	}
	if _, err := details[eval.AnalogyResult](t.Context(), royal(), eval.Set{Task: eval.TaskAnalogy}, eval.Options{Method: eval.LRCos}); err == nil || !strings.Contains(err.Error(), "lrcos needs relations") {
		t.Errorf("error %v", err)
	}
}

func ExampleEvaluate_relations() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("man", "woman", "king", "queen", "apple"),
		Input: vectors.Matrix{Data: []float32{1, 0, 1, 1, 1, 0, 4, 0, 1, 4, 1, 0, 0, 3, 1}, Rows: 5, Cols: 3, Stride: 3},
	})
	set, err := eval.ReadSet(strings.NewReader("man\twoman\nking\tqueen/empress\n"), "male-female.txt", eval.TaskRelation)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range r.Answers {
		fmt.Printf("%s is to %s as %s is to %s: %t\n", a.Words[0], a.Words[1], a.Words[2], a.Answer, a.Correct)
	}
	// Output:
	// man is to woman as king is to queen: true
	// king is to queen as man is to woman: true
}
