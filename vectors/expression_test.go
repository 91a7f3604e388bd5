package vectors_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

func TestParseExpression(t *testing.T) {
	known := func(word string) bool {
		return slices.Contains([]string{"king", "man", "+", "well - known", "2*2", "new york", `"`}, word)
	}
	for text, want := range map[string]vectors.Expression{
		"king":                        {{"king", 1}},
		" unheard ":                   {{"unheard", 1}},
		"new york":                    {{"new york", 1}},
		"king - man + woman":          {{"king", 1}, {"man", -1}, {"woman", 1}},
		"king\t−  man":                {{"king", 1}, {"man", -1}},
		"- man + king":                {{"man", -1}, {"king", 1}},
		"well-known - un+known":       {{"well-known", 1}, {"un+known", -1}},
		"well - known":                {{"well - known", 1}},
		"king - new york + boston":    {{"king", 1}, {"new york", -1}, {"boston", 1}},
		"0.5*king - 2 * man":          {{"king", 0.5}, {"man", -2}},
		"-1e-1*king":                  {{"king", -0.1}},
		"2*2":                         {{"2*2", 1}},
		"3*2 + 2*2":                   {{"2", 3}, {"2*2", 1}},
		"a*b":                         {{"a*b", 1}},
		"2*":                          {{"2*", 1}},
		"*":                           {{"*", 1}},
		"+":                           {{"+", 1}},
		"-":                           {{"-", 1}},
		`"-" + king`:                  {{"-", 1}, {"king", 1}},
		`"a - b" - 2*"c + d" + "2*3"`: {{"a - b", 1}, {"c + d", -2}, {"2*3", 1}},
		`" - king`:                    {{`"`, 1}, {"king", -1}},
		`"quoted`:                     {{`"quoted`, 1}},
		`""`:                          {{`""`, 1}},
		"a\u00a0- b":                  {{"a\u00a0- b", 1}},
	} {
		e, err := vectors.ParseExpression(text, known)
		if err != nil || !slices.Equal(e, want) {
			t.Errorf("%q is %v, %v, want %v", text, e, err, want)
		}
	}
	for text, want := range map[string]string{
		"":             `"" is not an expression: there is no word`,
		"king -":       `"king -" is not an expression: no word stands behind the last -`,
		"king - + man": `"king - + man" is not an expression: no word stands between - and +`,
		"+ - man":      `"+ - man" is not an expression: no word stands between + and -`,
		"1e400*king":   `"1e400*king" is not an expression: 1e400 is not a factor`,
		"nan*king":     `"nan*king" is not an expression: nan is not a factor`,
	} {
		if _, err := vectors.ParseExpression(text, known); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// Whatever stands in a text, it is an expression of words or an error.
func FuzzParseExpression(f *testing.F) {
	for _, seed := range []string{"king - man + woman", `"a - b" + 2*c`, "0.5 * x − y", `" " "`, "+ -"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := vectors.ParseExpression(text, func(word string) bool { return strings.HasSuffix(word, "x") })
		if (err == nil) != (len(e) > 0) {
			t.Fatalf("%v, %v", e, err)
		}
		for _, term := range e {
			if term.Word == "" || math.IsNaN(term.Weight) || math.IsInf(term.Weight, 0) {
				t.Errorf("%q has the term %v", text, term)
			}
		}
	})
}

// The words of an expression are spelt as the set spells them.
func TestLookupParses(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("king", "new york", "x - y"), Input: vectors.NewMatrix(3, 2)})
	l, err := s.Lookup(vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]vectors.Expression{
		"King":                  {{"king", 1}},
		"X - Y":                 {{"x - y", 1}},
		"King - New York + Man": {{"king", 1}, {"new york", -1}, {"man", 1}},
	} {
		if e, err := l.Parse(text); err != nil || !slices.Equal(e, want) {
			t.Errorf("%q is %v, %v, want %v", text, e, err, want)
		}
	}
}

// The word nearest to b − a + c is the answer to the analogy, with the same cosine.
func TestExpressIsAnAnalogy(t *testing.T) {
	s := trial.Plain(40, 6)
	a, b, c := s.Words().At(3), s.Words().At(4), s.Words().At(5)
	want, err := analogy(s, vectors.AnalogyOptions{K: 5}, a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	v := make([]float32, s.Dim())
	if err := s.Express(v, vectors.Expression{{b, 1}, {a, -1}, {c, 1}}); err != nil {
		t.Fatal(err)
	}
	for i, n := range trial.Nearest(s, v, 5, 3, 4, 5) {
		if n.Word != want[i].Word || math.Abs(float64(n.Similarity-want[i].Similarity)) > 1e-6 {
			t.Errorf("answer %d is %v, want %v", i, n, want[i])
		}
	}
	if err := s.Express(v, vectors.Expression{{a, 1}}); err != nil || !slices.Equal(v, trial.WordVector(s, 3)) {
		t.Errorf("one word: %v, %v", v, err)
	}
	if err := s.Express(v, vectors.Expression{{a, 2}, {"none", 1}}); err == nil || err.Error() != `no vector for the word "none"` {
		t.Errorf("a missing word: %v", err)
	}
}

// Answers come from the candidates alone, and are never words of the question.
func TestAnalogyAmong(t *testing.T) {
	s := trial.Plain(40, 6)
	words := s.Words().Strings()
	some := trial.New(vectors.Parts{Words: vectors.NewWords(words[4], words[20], words[30]), Input: func() vectors.Matrix {
		m := vectors.NewMatrix(3, s.Dim())
		for i, id := range []int{4, 20, 30} {
			s.WordVector(m.Row(i), id)
		}
		return m
	}()})
	for _, method := range vectors.AnalogyMethods() {
		got, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 10, Method: method, Candidates: some}, [3]string(words[3:6]))
		if err != nil || got[0].Err != nil {
			t.Fatal(err, got[0].Err)
		}
		all, err := analogy(s, vectors.AnalogyOptions{K: 40, Method: method}, words[3:6]...)
		if err != nil {
			t.Fatal(err)
		}
		var want []vectors.Neighbor
		for _, n := range all {
			if n.ID == 20 || n.ID == 30 {
				n.ID = n.ID/10 - 1
				want = append(want, n)
			}
		}
		if !slices.Equal(got[0].Neighbors, want) {
			t.Errorf("%s: %v, want %v", method, got[0].Neighbors, want)
		}
	}
	if _, err := s.Analogy(t.Context(), vectors.AnalogyOptions{Candidates: trial.Plain(3, 5)}); err == nil || err.Error() != "vectors: questions of 6 dimensions and candidates of 5" {
		t.Errorf("other dimensions: %v", err)
	}
}

// The word that matches the others least comes last.
func TestCentrality(t *testing.T) {
	s := trial.OfRows([]float32{1, 0}, []float32{0, 3}, []float32{5, 1}, []float32{0, 0})
	w := s.Words().Strings()
	ranked, missing := s.Centrality([]string{w[0], w[1], "none", w[2], w[3]})
	if len(ranked) != 3 || !slices.Equal(missing, []string{"none", w[3]}) {
		t.Fatalf("%v, missing %v", ranked, missing)
	}
	if ranked[0].Word != w[2] || ranked[2].Word != w[1] || ranked[2].ID != 1 {
		t.Errorf("%v", ranked)
	}
	// The mean direction of (1,0), (0,1) and (5,1)/√26 is (1.98058, 1.19612)/2.31374.
	for i, want := range []float64{0.94077, 0.85601, 0.51696} {
		if math.Abs(float64(ranked[i].Similarity)-want) > 1e-5 {
			t.Errorf("%v, want %v", ranked[i], want)
		}
	}
}

// Parts sum up to the vector, and contributions to the cosine.
func TestWordParts(t *testing.T) {
	for name, s := range trial.NgramKinds(t) {
		t.Run(name, func(t *testing.T) {
			words := append(trial.Unknown(), s.Words().At(0), s.Words().At(1), s.Words().At(2))
			for _, word := range words {
				parts := s.WordParts(word)
				want, ok := trial.Vector(s, word)
				if ok != (len(parts) > 0) {
					t.Fatalf("%q has %d parts, and a vector: %t", word, len(parts), ok)
				}
				if !ok {
					continue
				}
				sum := make([]float32, s.Dim())
				for _, p := range parts {
					if s.Learned().Any() && p.Own != (p.Text == word) {
						t.Errorf("%q: part %q is the word's own: %t", word, p.Text, p.Own)
					}
					for k, x := range p.Vector {
						sum[k] += x
					}
				}
				trial.Near(t, word, sum, want)
				for _, other := range words {
					v, ok := trial.Vector(s, other)
					if !ok {
						continue
					}
					others := s.WordParts(other)
					pairs, cosine := vectors.Contributions(parts, others)
					want := vectors.Cosine(trialVector(s, word), v)
					if math.IsNaN(want) != math.IsNaN(cosine) || math.Abs(cosine-want) > 1e-5 {
						t.Errorf("cosine of %q and %q: %v, want %v", word, other, cosine, want)
					}
					var total float64
					for i, p := range pairs {
						total += p.Cosine
						if i > 0 && p.Cosine > pairs[i-1].Cosine {
							t.Errorf("contribution %d is larger than the one before", i)
						}
					}
					if len(pairs) > 0 && (len(pairs) != len(parts)*len(others) || math.Abs(total-cosine) > 1e-12) {
						t.Errorf("%d contributions of %d and %d parts sum up to %v, want %v", len(pairs), len(parts), len(others), total, cosine)
					}
				}
			}
		})
	}
}

func trialVector(s *vectors.Set, word string) []float32 {
	v, _ := trial.Vector(s, word)
	return v
}

// court returns a set of five words.
func court() *vectors.Set {
	words := vectors.NewWords("king", "queen", "man", "woman", "crown")
	rows := vectors.NewMatrix(words.Len(), 3)
	for i, row := range [][]float32{{1, 0, 1}, {0, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}} {
		copy(rows.Row(i), row)
	}
	s, err := vectors.New(vectors.Parts{Words: words, Input: rows})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func ExampleSet_Express() {
	s := court()
	words, err := s.Lookup(vectors.CaseAuto)
	if err != nil {
		log.Fatal(err)
	}
	sum, err := words.Parse("King - man + 0.5*woman")
	if err != nil {
		log.Fatal(err)
	}
	v := make([]float32, s.Dim())
	if err := s.Express(v, sum); err != nil {
		log.Fatal(err)
	}
	var own []int // words of an expression are not answers
	for _, term := range sum {
		if id, ok := s.ID(term.Word); ok {
			own = append(own, id)
		}
	}
	near, err := s.Nearest(context.Background(), vectors.Query{Vector: v, K: 2, Skip: own})
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range near[0] {
		fmt.Printf("%s %.2f\n", n.Word, n.Similarity)
	}
	// Output:
	// queen 0.93
	// crown 0.77
}

func ExampleSet_Centrality() {
	ranked, missing := court().Centrality([]string{"king", "man", "crown", "woman", "jester"})
	fmt.Println("missing:", missing)
	fmt.Println("does not match:", ranked[len(ranked)-1].Word)
	// Output:
	// missing: [jester]
	// does not match: woman
}
