package vectors

import (
	"fmt"
	"math"
	"slices"
)

// An AnalogyMethod is a way to score the answers to "a is to b as c is to ?".
type AnalogyMethod string

const (
	// CosAdd (3CosAdd) scores d by its cosine with b − a + c, all of length 1:
	// Mikolov, Yih and Zweig, "Linguistic Regularities in Continuous Space Word
	// Representations", 2013.
	CosAdd AnalogyMethod = "3cosadd"
	// CosMul (3CosMul) scores d by cos(d,b)·cos(d,c) / (cos(d,a) + ε), each
	// cosine moved to 0…1 by (cos+1)/2: Levy and Goldberg, "Linguistic
	// Regularities in Sparse and Explicit Word Representations", 2014.
	CosMul AnalogyMethod = "3cosmul"
)

// AnalogyMethods returns every method.
func AnalogyMethods() []AnalogyMethod { return []AnalogyMethod{CosAdd, CosMul} }

// CosMulEpsilon is the ε of 3CosMul, which keeps it from dividing by zero.
const CosMulEpsilon = 0.001

// Validate reports an unknown method. The empty one stands for CosAdd.
func (m AnalogyMethod) Validate() error {
	if m == "" || slices.Contains(AnalogyMethods(), m) {
		return nil
	}
	return fmt.Errorf("unknown analogy method %q, want %s or %s", string(m), CosAdd, CosMul)
}

// A MissingWordError says that a word has no vector: it is not in the
// vocabulary and cannot be composed from n-grams, or its vector is zero or not
// finite and so points nowhere.
type MissingWordError struct {
	Word string
}

func (e *MissingWordError) Error() string {
	return fmt.Sprintf("no vector for the word %q", e.Word)
}

// Analogy returns the k best answers to "a is to b as c is to ?", best first
// and of equal ones the lower id first. The three words themselves are no
// answers. Words that are not in the vocabulary are composed from their n-grams
// where the set can; otherwise the error is a *MissingWordError that names the
// first such word.
//
// With CosAdd, or no method, the similarity of an answer is its cosine with
// b − a + c; with CosMul it is the score of that method, which can exceed 1.
func (s *Set) Analogy(a, b, c string, k int, method AnalogyMethod) ([]Neighbor, error) {
	if err := s.usable(); err != nil {
		return nil, err
	}
	if err := method.Validate(); err != nil {
		return nil, err
	}
	units := NewMatrix(3, s.Dim())
	var skip []int
	for i, word := range []string{a, b, c} {
		v := units.Row(i)
		if !s.Vector(v, word) || !Unit(v, v) {
			if err := s.Err(); err != nil {
				return nil, err
			}
			return nil, &MissingWordError{Word: word}
		}
		if id, ok := s.ID(word); ok {
			skip = append(skip, id)
		}
	}
	if method == CosMul {
		return s.nearestByProduct(units, k, skip), nil
	}
	target := make([]float32, s.Dim())
	ua, ub, uc := units.Row(0), units.Row(1), units.Row(2)
	for j := range target {
		target[j] = ub[j] - ua[j] + uc[j]
	}
	return s.Nearest(target, k, skip...), nil
}

// nearestByProduct returns the k best words by 3CosMul for the rows a, b, c of
// units.
func (s *Set) nearestByProduct(units Matrix, k int, skip []int) []Neighbor {
	k = min(k, s.Len())
	if k <= 0 {
		return []Neighbor{}
	}
	workers := make([][]selection, s.scanWorkers())
	for w := range workers {
		workers[w] = []selection{{k: k, skip: skip, floor: float32(math.Inf(-1))}}
	}
	s.scan(units, len(workers), func(worker, first int, cosines []float32) {
		sel := &workers[worker][0]
		for i := 0; i+3 <= len(cosines); i += 3 {
			ca, cb, cc := cosines[i], cosines[i+1], cosines[i+2]
			score := (cb + 1) / 2 * ((cc + 1) / 2) / ((ca+1)/2 + CosMulEpsilon)
			if score > sel.floor {
				sel.offer(first+i/3, score)
			}
		}
	})
	return s.mergeSelections(workers, 0)
}
