package vectors

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// An AnalogyMethod is a way to score the answers to "a is to b as c is to ?".
type AnalogyMethod string

const (
	// CosAdd (3CosAdd) scores d by its cosine with b − a + c, all of length 1: Mikolov, Yih and Zweig,
	// "Linguistic Regularities in Continuous Space Word Representations", 2013.
	CosAdd AnalogyMethod = "3cosadd"
	// CosMul (3CosMul) scores d by cos(d,b)·cos(d,c) / (cos(d,a) + ε), each cosine moved to 0…1 by (cos+1)/2:
	// Levy and Goldberg, "Linguistic Regularities in Sparse and Explicit Word Representations", 2014.
	CosMul AnalogyMethod = "3cosmul"
	// PairDirection scores d by the cosine of d − c with b − a, all of length 1: Levy and Goldberg 2014.
	PairDirection AnalogyMethod = "pairdirection"
)

// AnalogyMethods returns every method.
func AnalogyMethods() []AnalogyMethod { return []AnalogyMethod{CosAdd, CosMul, PairDirection} }

// CosMulEpsilon is the ε of 3CosMul, which keeps it from dividing by zero.
const CosMulEpsilon = 0.001

// Validate reports an unknown method. The empty method stands for CosAdd.
func (m AnalogyMethod) Validate() error {
	if m == "" || slices.Contains(AnalogyMethods(), m) {
		return nil
	}
	return fmt.Errorf("unknown analogy method %q, want %s, %s or %s", string(m), CosAdd, CosMul, PairDirection)
}

// A MissingWordError says that a word has no vector. The word is not in the vocabulary and has no n-grams to
// compose it from, or its vector has no direction: it is zero or not finite.
type MissingWordError struct {
	Word string
}

func (e *MissingWordError) Error() string {
	return fmt.Sprintf("no vector for the word %q", e.Word)
}

// AnalogyOptions say how analogies are answered. The zero value returns no answers, because K is 0.
type AnalogyOptions struct {
	K      int           // how many answers
	Method AnalogyMethod // empty for CosAdd
	First  int           // restricts answers to the first words of the vocabulary, which are the most frequent; 0 allows all
	// Candidates holds the words that may answer, for example a subset of the set's words; nil means the set
	// itself. Candidates must have the same number of dimensions. Ids of answers are ids of Candidates.
	Candidates *Set
	// Among reports whether a word of Candidates may answer; nil allows all. It is called as Query.Among is.
	Among func(id int) bool
}

// An Answer is what Analogy finds for a question.
type Answer struct {
	Neighbors []Neighbor
	Err       error // a *MissingWordError if a word of the question has no vector
}

// Analogy answers questions of three words each: "a is to b as c is to ?". Answers are ordered by score, the
// best first; of equal scores the lower id comes first. The three words of a question are never its answers.
// Words outside the vocabulary are composed of their n-grams. The error is about the set, the context or the
// options; Answer.Err is about a question.
//
// The similarity of an answer is a cosine with CosAdd and PairDirection, and with CosMul a score that can
// exceed 1. PairDirection finds no answers if a and b have the same direction, and never returns words with
// the direction of c.
//
// Many questions in one call share each pass over the vectors.
func (s *Set) Analogy(ctx context.Context, o AnalogyOptions, questions ...[3]string) ([]Answer, error) {
	candidates := o.Candidates
	if candidates == nil {
		candidates = s
	}
	for _, set := range []*Set{s, candidates} {
		if err := set.usable(); err != nil {
			return nil, err
		}
	}
	if s.Dim() != candidates.Dim() {
		return nil, fmt.Errorf("vectors: questions of %d dimensions and candidates of %d", s.Dim(), candidates.Dim())
	}
	if err := o.Method.Validate(); err != nil {
		return nil, err
	}
	o.K = max(0, min(o.K, candidates.Len()))
	answers := make([]Answer, 0, len(questions))
	for group := range slices.Chunk(questions, inPass(3, o.K)) {
		units := NewMatrix(3*len(group), s.Dim())
		first := len(answers)
		var skip [][]int // of the questions whose words have vectors
		for _, words := range group {
			of := Matrix{Data: units.Data[3*len(skip)*units.Stride:], Rows: 3, Cols: units.Cols, Stride: units.Stride}
			known, err := s.unitsOf(of, words, candidates)
			if err := s.Err(); err != nil {
				return nil, err
			}
			if answers = append(answers, Answer{Err: err}); err == nil {
				skip = append(skip, known)
			}
		}
		units.Rows = 3 * len(skip)
		found, err := candidates.solve(ctx, units, skip, o)
		if err != nil {
			return nil, err
		}
		for i := range answers[first:] {
			if a := &answers[first+i]; a.Err == nil {
				a.Neighbors, found = found[0], found[1:]
			}
		}
	}
	return answers, nil
}

func (s *Set) unitsOf(units Matrix, words [3]string, candidates *Set) (known []int, err error) {
	for i, word := range words {
		v := units.Row(i)
		if !s.Vector(v, word) || !Unit(v, v) {
			return nil, &MissingWordError{Word: word}
		}
		if id, ok := candidates.ID(word); ok {
			known = append(known, id)
		}
	}
	return known, nil
}

// solve returns the best answers to each question. The words a, b and c of a question have three consecutive
// rows of units. Words in skip are left out.
func (s *Set) solve(ctx context.Context, units Matrix, skip [][]int, o AnalogyOptions) ([][]Neighbor, error) {
	n := len(skip)
	if o.Method == CosMul || o.Method == PairDirection {
		of := search{units: units, score: products}
		if o.Method == PairDirection {
			of.score = directions(units)
		}
		for _, ids := range skip {
			sel := s.selection(o.K, o.First, ids)
			sel.among = o.Among
			of.kept = append(of.kept, sel)
		}
		return s.search(ctx, of)
	}
	targets, queries := NewMatrix(n, units.Cols), make([]Query, n)
	for q := range n {
		a, b, c := units.Row(3*q), units.Row(3*q+1), units.Row(3*q+2)
		target := targets.Row(q)
		for j := range target {
			target[j] = b[j] - a[j] + c[j]
		}
		queries[q] = Query{Vector: target, K: o.K, First: o.First, Skip: skip[q], Among: o.Among}
	}
	return s.Nearest(ctx, queries...)
}

// products scores the words of a block for each question by 3CosMul. A question has three unit vectors.
func products(to []selection, b block) {
	for q := range to {
		best := &to[q]
		floor, inverse := best.floor, best.allowed(b)
		da, db, dc := b.dots(3 * q)[:len(inverse)], b.dots(3*q + 1)[:len(inverse)], b.dots(3*q + 2)[:len(inverse)]
		for i, inv := range inverse {
			ca, cb, cc := da[i]*inv, db[i]*inv, dc[i]*inv
			if score := (cb + 1) / 2 * ((cc + 1) / 2) / ((ca+1)/2 + CosMulEpsilon); score > floor {
				floor = best.offer(b.first+i, score)
			}
		}
	}
}

// sameDirection is the distance below which two unit vectors count as equal: it may be a rounding error.
const sameDirection = 1e-6

// directions returns what scores a block by PairDirection. A question has three unit vectors.
func directions(units Matrix) func(to []selection, b block) {
	questions := make([]struct{ offset, inverse float64 }, units.Rows/3)
	for q := range questions {
		a, b, c := units.Row(3*q), units.Row(3*q+1), units.Row(3*q+2)
		var offset, square float64
		for i := range a {
			d := float64(b[i]) - float64(a[i])
			offset += d * float64(c[i])
			square += d * d
		}
		questions[q].offset, questions[q].inverse = offset, math.NaN()
		if length := math.Sqrt(square); length >= sameDirection {
			questions[q].inverse = 1 / length
		}
	}
	return func(to []selection, b block) {
		for q := range to {
			best := &to[q]
			floor, inverse := best.floor, best.allowed(b)
			da, db, dc := b.dots(3 * q)[:len(inverse)], b.dots(3*q + 1)[:len(inverse)], b.dots(3*q + 2)[:len(inverse)]
			for i, inv := range inverse {
				cc := dc[i] * inv
				if !(cc < 1-sameDirection) {
					continue
				}
				along := float64(db[i]*inv-da[i]*inv) - questions[q].offset
				if score := float32(along * questions[q].inverse / math.Sqrt(2-2*float64(cc))); score > floor {
					floor = best.offer(b.first+i, score)
				}
			}
		}
	}
}

// Centrality ranks words by the cosine of their vectors with the mean of all their directions, the largest
// first: the last word matches the others least. Words of equal cosine keep their order. Missing lists the
// words without a vector, or whose vector is zero or not finite. This is gensim's rank_by_centrality;
// gensim's doesnt_match returns the last word.
func (s *Set) Centrality(words []string) (ranked []Neighbor, missing []string) {
	mean := make([]float64, s.Dim())
	var units [][]float32
	ranked = []Neighbor{}
	for _, word := range words {
		v := make([]float32, s.Dim())
		if !s.Vector(v, word) || !Unit(v, v) {
			missing = append(missing, word)
			continue
		}
		id, _ := s.ID(word)
		units, ranked = append(units, v), append(ranked, Neighbor{Word: word, ID: id})
		for k, x := range v {
			mean[k] += float64(x)
		}
	}
	var squares float64
	for _, x := range mean {
		squares += x * x
	}
	for i, v := range units {
		var dot float64
		for k, x := range v {
			dot += float64(x) * mean[k]
		}
		if squares > 0 {
			dot /= math.Sqrt(squares)
		}
		ranked[i].Similarity = float32(min(1, max(-1, dot)))
	}
	slices.SortStableFunc(ranked, func(a, b Neighbor) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return ranked, missing
}
