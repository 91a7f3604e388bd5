package vectors_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

func TestAnalogyAgainstFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	s := randomSet(rng, 900, 12)
	for range 200 {
		ids := []int{rng.IntN(900), rng.IntN(900), rng.IntN(900)}
		cosine := make([]func(id int) float64, 3)
		missing := -1
		for i, q := range ids {
			cosine[i] = func(id int) float64 { return trueCosine(s.Input().Row(q), s.Input().Row(id)) }
			if missing < 0 && math.IsNaN(cosine[i](q)) {
				missing = q
			}
		}
		target := make([]float64, 12)
		var norm float64
		for j := range target {
			for i, sign := range []float64{-1, 1, 1} {
				row := s.Input().Row(ids[i])
				var sum float64
				for _, x := range row {
					sum += float64(x) * float64(x)
				}
				target[j] += sign * float64(row[j]) / math.Sqrt(sum)
			}
			norm += target[j] * target[j]
		}
		for method, score := range map[vectors.AnalogyMethod]func(id int) float64{
			vectors.CosAdd: func(id int) float64 {
				return (cosine[1](id) - cosine[0](id) + cosine[2](id)) / math.Sqrt(norm)
			},
			vectors.CosMul: func(id int) float64 {
				a, b, c := (cosine[0](id)+1)/2, (cosine[1](id)+1)/2, (cosine[2](id)+1)/2
				return b * c / (a + 0.001)
			},
		} {
			got, err := analogy(s, vectors.AnalogyOptions{K: 10, Method: method}, fmt.Sprint("w", ids[0]), fmt.Sprint("w", ids[1]), fmt.Sprint("w", ids[2]))
			if missing >= 0 {
				var e *vectors.MissingWordError
				if !errors.As(err, &e) || e.Word != fmt.Sprint("w", missing) {
					t.Fatalf("error %v, want one that names w%d", err, missing)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			want := best(900, ids, score)
			// 3CosMul divides by what may be almost ε.
			tolerance := 1e-5 * max(1, want[0].score*want[0].score*100)
			if err := sameRanking(got, want, 10, tolerance); err != nil {
				t.Fatalf("%s %v: %v", method, ids, err)
			}
		}
	}
}

func TestAnalogyOnAnyNumberOfCores(t *testing.T) {
	s := randomSet(rand.New(rand.NewPCG(9, 10)), 2000, 4)
	for i := range s.Input().Data {
		s.Input().Data[i] = float32(math.Round(float64(s.Input().Data[i])))
	}
	var words []string
	_, inverse := s.Directions()
	for i, inv := range inverse {
		if inv > 0 {
			words = append(words, s.Words().At(i))
		}
	}
	for _, method := range []vectors.AnalogyMethod{"", vectors.CosAdd, vectors.CosMul} {
		var first []vectors.Neighbor
		withProcs(func(procs int) {
			got, err := analogy(s, vectors.AnalogyOptions{K: 30, Method: method}, words[:]...)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(got, first) {
				t.Errorf("%s on %d cores: %v, on one %v", method, procs, got, first)
			}
		})
	}
}

// Many questions at once have the answers of one after the other, those without an answer too.
func TestAnalogyBatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	s := randomSet(rng, 700, 6)
	questions := make([][3]string, 150) // more than one pass of either method
	for i := range questions {
		for j := range questions[i] {
			questions[i][j] = fmt.Sprint("w", rng.IntN(710))
		}
	}
	for _, method := range vectors.AnalogyMethods() {
		got, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 7, Method: method}, questions...)
		if err != nil || len(got) != len(questions) {
			t.Fatalf("%d answers, %v", len(got), err)
		}
		answered := 0
		for i, q := range questions {
			want, err := analogy(s, vectors.AnalogyOptions{K: 7, Method: method}, q[:]...)
			if err == nil {
				answered++
			}
			if !slices.Equal(got[i].Neighbors, want) || fmt.Sprint(got[i].Err) != fmt.Sprint(err) {
				t.Errorf("%s %v: %v, alone %v, %v", method, q, got[i], want, err)
			}
		}
		if answered == 0 || answered == len(questions) {
			t.Errorf("%d of %d questions are answered", answered, len(questions))
		}
	}
}

func TestAnalogyOfComposedWord(t *testing.T) {
	s := newSet(vectors.Parts{
		Words:   vectors.NewWords("abc", "xyz"),
		Subword: subword.FastText{MinN: 3, MaxN: 3, Buckets: 5},
		Input:   vectors.NewMatrix(7, 3),
	})
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range s.Input().Data {
		s.Input().Data[i] = rng.Float32() - 0.5
	}
	got, err := analogy(s, vectors.AnalogyOptions{K: 5}, "abc", "abd", "abc")
	if err != nil {
		t.Fatal(err)
	}
	// a and c cancel, so the answer is what is near abd, which is not a word.
	v := make([]float32, 3)
	s.Vector(v, "abd")
	if want := trial.Nearest(s, v, 1, 0); len(got) != 1 || got[0].ID != 1 || math.Abs(float64(got[0].Similarity-want[0].Similarity)) > 1e-6 {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnalogyErrors(t *testing.T) {
	s := wordSet([]float32{1, 0}, []float32{0, 1}, []float32{0, 0})
	for _, words := range [][3]string{{"w0", "w1", "nowhere"}, {"nowhere", "w9", "w0"}, {"w0", "nowhere", "w1"}} {
		_, err := analogy(s, vectors.AnalogyOptions{K: 3, Method: vectors.CosMul}, words[:]...)
		var missing *vectors.MissingWordError
		if !errors.As(err, &missing) || missing.Word != "nowhere" || err.Error() != `no vector for the word "nowhere"` {
			t.Errorf("%v: error %v", words, err)
		}
	}
	if _, err := analogy(s, vectors.AnalogyOptions{K: 3, Method: "4cosadd"}, "w0", "w1", "w0"); err == nil {
		t.Error("no error for an unknown method")
	}
	for _, method := range []vectors.AnalogyMethod{vectors.CosAdd, vectors.CosMul} {
		if got, err := analogy(s, vectors.AnalogyOptions{Method: method}, "w0", "w1", "w0"); err != nil || len(got) != 0 {
			t.Errorf("k = 0: %v, %v", got, err)
		}
	}
}

func ExampleSet_Analogy() {
	s := newSet(vectors.Parts{
		Words: vectors.NewWords("man", "woman", "king", "queen", "apple"),
		Input: vectors.Matrix{Data: []float32{
			1, 0, 1,
			1, 1, 0,
			4, 0, 1,
			4, 1, 0,
			0, 3, 1,
		}, Rows: 5, Cols: 3, Stride: 3},
	})
	answers, err := s.Analogy(context.Background(), vectors.AnalogyOptions{K: 2}, [3]string{"man", "woman", "king"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range answers[0].Neighbors {
		fmt.Printf("%s %.2f\n", a.Word, a.Similarity)
	}
	// Output:
	// queen 0.86
	// apple 0.41
}

// Answers of the first words are those of all words without the others.
func TestAnalogyFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 2))
	s := randomSet(rng, 1000, 7)
	for _, method := range vectors.AnalogyMethods() {
		for range 50 {
			var question [3]string
			for i := range question {
				question[i] = fmt.Sprint("w", rng.IntN(1000))
			}
			first := 1 + rng.IntN(1100)
			all, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 1000, Method: method}, question)
			if err != nil {
				t.Fatal(err)
			}
			some, err := s.Analogy(t.Context(), vectors.AnalogyOptions{K: 5, First: first, Method: method}, question)
			if err != nil {
				t.Fatal(err)
			}
			var want []vectors.Neighbor
			for _, n := range all[0].Neighbors {
				if len(want) < 5 && n.ID < first {
					want = append(want, n)
				}
			}
			if (all[0].Err == nil) != (some[0].Err == nil) || len(want) != len(some[0].Neighbors) || len(want) > 0 && !slices.Equal(want, some[0].Neighbors) {
				t.Errorf("%s %v among %d: %v, want %v", method, question, first, some[0], want)
			}
		}
	}
}

// analogy returns the answers to one question.
func analogy(s *vectors.Set, o vectors.AnalogyOptions, words ...string) ([]vectors.Neighbor, error) {
	answers, err := s.Analogy(context.Background(), o, [3]string(words))
	if err != nil {
		return nil, err
	}
	return answers[0].Neighbors, answers[0].Err
}
