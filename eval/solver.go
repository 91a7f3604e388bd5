package eval

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// A solver answers all used questions of a set together.
//
// Both methods need only the cosines of a candidate with a, b and c, and the thousands of
// questions of a set share some hundred words. So a worker takes a block of candidates, computes
// their cosines with every distinct word in one matrix product, and then looks for a better
// answer to each question in the block.
type solver struct {
	words      *lookup
	candidates int // this many first words of the vocabulary may be answers
	problems   []problem
	missing    *wordList

	units    [][]float32    // distinct words of the problems, of length 1
	position map[string]int // the row in units of a question's word
	shared   map[int]int    // the row in units of the word with an id
}

// A problem is a used question.
type problem struct {
	a, b, c  int    // rows of units
	own      [3]int // ids of the question's words, which cannot be the answer; -1 for composed words
	answer   int    // id of the fourth word
	section  int
	composed bool // whether one of its words is composed
}

func newSolver(words *lookup, candidates int) *solver {
	return &solver{
		words:      words,
		candidates: candidates,
		missing:    newWordList(),
		position:   make(map[string]int),
		shared:     make(map[int]int),
	}
}

// add adds a question if it can be used.
func (x *solver) add(section int, q Question) {
	usable := true
	p := problem{section: section}
	for i, word := range q {
		e := x.words.find(word)
		// Only words that are not in the vocabulary are composed. An answer cannot be
		// composed, because answers are found among the candidates.
		if e.missing() || e.id >= x.candidates || i == 3 && e.composed() {
			x.missing.add(word)
			usable = false
			continue
		}
		if i == 3 {
			p.answer = e.id
			continue
		}
		p.own[i] = e.id
		p.composed = p.composed || e.composed()
	}
	if !usable {
		return
	}
	p.a, p.b, p.c = x.unit(q[0]), x.unit(q[1]), x.unit(q[2])
	x.problems = append(x.problems, p)
}

// unit returns the row in units of a word. Spellings that are looked up as the same word share
// one row.
func (x *solver) unit(word string) int {
	if at, ok := x.position[word]; ok {
		return at
	}
	e := x.words.find(word)
	at, ok := x.shared[e.id]
	if !ok || e.composed() {
		at = len(x.units)
		v := make([]float32, len(e.vector))
		vectors.Unit(v, e.vector) // zeros stay zeros and have cosine 0 with all
		x.units = append(x.units, v)
		x.shared[e.id] = at
	}
	x.position[word] = at
	return at
}

// blockFloats is the number of cosines that a worker holds at a time: 1 MB, which stays in the
// second-level cache.
const blockFloats = 1 << 18

// blockRows returns how many candidates a worker takes at a time. It depends only on the question
// set, so that results do not depend on the number of workers.
func (x *solver) blockRows() int {
	const least, most = 16, 2048
	rows := blockFloats / max(1, len(x.units))
	return min(most, max(least, rows/least*least))
}

// answer returns the id of the best candidate of every problem, -1 where no
// candidate has a direction.
func (x *solver) answer(ctx context.Context, method vectors.AnalogyMethod) ([]int, error) {
	if len(x.problems) == 0 {
		return nil, ctx.Err()
	}
	set := x.words.set
	rows, inverse := set.Directions()
	units := vectors.NewMatrix(len(x.units), set.Dim())
	for i, u := range x.units {
		copy(units.Row(i), u)
	}
	size := x.blockRows()
	blocks := (x.candidates + size - 1) / size
	byWorker := make([]answers, min(runtime.GOMAXPROCS(0), blocks))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range byWorker {
		g.Go(func() error {
			return set.Guard(func() error { // rows may be in a mapped file
				mine := newAnswers(len(x.problems))
				byWorker[w] = mine
				b := newBlock(units.Rows, size, method, x.words)
				for {
					first := int(taken.Add(1)-1) * size
					if first >= x.candidates {
						return nil
					}
					if err := ctx.Err(); err != nil {
						return err
					}
					n := min(size, x.candidates-first)
					simd.Dots(b.cosines, size, units.Data, units.Stride, units.Rows,
						rows.Data[first*rows.Stride:], rows.Stride, n, set.Dim())
					b.prepare(inverse[first : first+n])
					for i := range x.problems {
						b.improve(&mine, i, &x.problems[i], first)
					}
				}
			})
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := byWorker[0]
	for _, other := range byWorker[1:] {
		all.merge(other)
	}
	return all.id, nil
}

// answers holds the best answer so far to every problem.
type answers struct {
	score []float32
	id    []int
}

func newAnswers(problems int) answers {
	s := answers{score: make([]float32, problems), id: make([]int, problems)}
	for i := range s.id {
		s.score[i], s.id[i] = float32(math.Inf(-1)), -1
	}
	return s
}

// merge takes answers from other that are better, or as good and of a lower id.
func (s answers) merge(other answers) {
	for i, id := range other.id {
		if other.score[i] > s.score[i] || other.score[i] == s.score[i] && id >= 0 && (s.id[i] < 0 || id < s.id[i]) {
			s.score[i], s.id[i] = other.score[i], id
		}
	}
}
