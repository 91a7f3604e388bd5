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

// An exam is the used questions of a set, ready to be answered all at once.
//
// Both methods need no more of a candidate than its cosines with a, b and c, and
// the thousands of questions of a set share some hundred words. So a worker
// takes a block of candidates, computes their cosines with every distinct word
// (one matrix product), and lets each question look for a better answer in it.
type exam struct {
	words      *lookup
	candidates int // the first words of the vocabulary may be answers
	problems   []problem
	missing    *roll

	units    [][]float32    // distinct words of the problems, of length 1
	position map[string]int // of a question's word in units
	shared   map[int]int    // of the word with an id in units
}

// A problem is a used question.
type problem struct {
	a, b, c  int    // rows of units
	own      [3]int // ids of the question's words, which are no answers; -1 for composed ones
	answer   int    // id of the fourth word
	section  int
	composed bool // one of its words is composed
}

func newExam(words *lookup, candidates int) *exam {
	return &exam{
		words:      words,
		candidates: candidates,
		missing:    newRoll(),
		position:   make(map[string]int),
		shared:     make(map[int]int),
	}
}

// add takes a question if it can be used.
func (x *exam) add(section int, q Question) {
	usable := true
	p := problem{section: section}
	for i, word := range q {
		e := x.words.find(word)
		// Only what the whole vocabulary lacks is composed, and an answer never
		// is: there would be nothing to find.
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

// unit returns the row of units that a word has, which all spellings share that
// are looked up as the same word.
func (x *exam) unit(word string) int {
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

// blockFloats is how many cosines a worker holds at a time: 1 MB, which stays
// in the second-level cache.
const blockFloats = 1 << 18

// blockRows returns how many candidates a worker takes at a time. It depends on
// the question set alone, so results do not depend on the number of workers.
func (x *exam) blockRows() int {
	const least, most = 16, 2048
	rows := blockFloats / max(1, len(x.units))
	return min(most, max(least, rows/least*least))
}

// answer returns the id of the best candidate of every problem, -1 where no
// candidate has a direction.
func (x *exam) answer(ctx context.Context, method vectors.AnalogyMethod) ([]int, error) {
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
	sheets := make([]sheet, min(runtime.GOMAXPROCS(0), blocks))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range sheets {
		g.Go(func() error {
			return set.Guard(func() error { // rows may lie in the file
				mine := newSheet(len(x.problems))
				sheets[w] = mine
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
	all := sheets[0]
	for _, other := range sheets[1:] {
		all.merge(other)
	}
	return all.id, nil
}

// A sheet has the best answer so far to every problem.
type sheet struct {
	score []float32
	id    []int
}

func newSheet(problems int) sheet {
	s := sheet{score: make([]float32, problems), id: make([]int, problems)}
	for i := range s.id {
		s.score[i], s.id[i] = float32(math.Inf(-1)), -1
	}
	return s
}

// merge takes over what is better in other, or as good and of a lower id.
func (s sheet) merge(other sheet) {
	for i, id := range other.id {
		if other.score[i] > s.score[i] || other.score[i] == s.score[i] && id >= 0 && (s.id[i] < 0 || id < s.id[i]) {
			s.score[i], s.id[i] = other.score[i], id
		}
	}
}
