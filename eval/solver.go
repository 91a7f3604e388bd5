package eval

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"golang.org/x/sync/errgroup"
)

type solver struct {
	words      *lookup
	candidates int // the first words of the vocabulary that may be answers
	method     vectors.AnalogyMethod
	asked      []Answered // all questions
	problems   []problem

	units [][]float32    // unit vectors of the distinct words of the problems
	ids   []int          // of the words of units; -1 for words outside the vocabulary
	rowOf map[string]int // the row in units of a word
}

type problem struct {
	a, b, c  int    // rows of units; a and b are -1 if the method has only one row
	own      [3]int // ids of the question's words, which cannot be the answer; -1 for others
	also     []int  // further ids that cannot be the answer
	accepted []int  // ids of right answers
	section  int
	question int  // position in asked
	composed bool // whether one of its words is composed

	offset float32 // PairDirection: cos(b,c) − cos(a,c)
	length float64 // PairDirection: the length of b − a
	// LRCos: the probability is the logistic function of slope · cosine with row b + intercept.
	slope, intercept float64
	normal           []float64 // row b times slope
	word             []float64 // row c in double precision
}

func newSolver(words *lookup, opt Options, method vectors.AnalogyMethod) *solver {
	candidates := words.set.Len()
	if opt.Restrict > 0 {
		candidates = min(candidates, opt.Restrict)
	}
	return &solver{words: words, candidates: candidates, method: method, rowOf: make(map[string]int)}
}

func (x *solver) ask(section string, words [4]string) int {
	x.asked = append(x.asked, Answered{Section: section, Words: words})
	return len(x.asked) - 1
}

func (x *solver) add(section int, name string, q Question) {
	p := problem{section: section, question: x.ask(name, q)}
	usable := true
	for i, word := range q[:3] {
		e, ok := x.find(word)
		usable = usable && ok
		p.own[i] = e.id
		p.composed = p.composed || e.composed()
	}
	if p.accepted = x.accept(q[3]); len(p.accepted) == 0 {
		x.words.missing.add(q[3])
		usable = false
	}
	if usable {
		x.solve(p, q[0], q[1], q[2])
	}
}

func (x *solver) solve(p problem, a, b, c string) {
	p.a, p.b, p.c = x.unit(a), x.unit(b), x.unit(c)
	if x.method == vectors.PairDirection {
		a, b, c := x.units[p.a], x.units[p.b], x.units[p.c]
		p.offset = float32(dot(b, c) - dot(a, c))
		for i := range a {
			p.length += (float64(b[i]) - float64(a[i])) * (float64(b[i]) - float64(a[i]))
		}
		p.length = math.Sqrt(p.length)
	}
	x.problems = append(x.problems, p)
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// find looks up a word of a question that is not the answer. The word is missing if it has no
// vector, or if it is in the vocabulary but not a candidate. Only words outside the vocabulary are
// composed.
func (x *solver) find(word string) (entry, bool) {
	e := x.words.find(word)
	if e.missing() || e.id >= x.candidates {
		x.words.missing.add(word)
		return e, false
	}
	return e, true
}

// accept returns the candidates that an answer stands for. Answers are never composed, because they
// are chosen among the candidates.
func (x *solver) accept(answer string) []int {
	if x.words.find(answer).id >= 0 {
		return x.acceptAll([]string{answer})
	}
	return x.acceptAll(alternatives(answer))
}

func (x *solver) acceptAll(answers []string) []int {
	var ids []int
	for _, word := range answers {
		if id := x.words.find(word).id; id >= 0 && id < x.candidates {
			ids = append(ids, id)
		}
	}
	return ids
}

// unit returns the row of a word in units. Spellings that find the same word share one row.
func (x *solver) unit(word string) int {
	e := x.words.find(word)
	if e.id >= 0 {
		word = x.words.set.Words().At(e.id)
	}
	at, ok := x.rowOf[word]
	if !ok {
		at = x.addUnit(e.vector, e.id)
		x.rowOf[word] = at
	}
	return at
}

// addUnit adds the direction of a vector as a row of units. Zeros stay zeros and have cosine 0 with
// every vector.
func (x *solver) addUnit(of []float32, id int) int {
	v := make([]float32, len(of))
	vectors.Unit(v, of)
	x.units, x.ids = append(x.units, v), append(x.ids, id)
	return len(x.units) - 1
}

func (x *solver) right(p *problem, id int) bool {
	return id >= 0 && slices.Contains(p.accepted, x.words.same(id))
}

// owns reports whether the word with an id is one of the question's own words. The id must come
// from lookup.same.
func (p *problem) owns(id int) bool {
	return id == p.own[0] || id == p.own[1] || id == p.own[2] || slices.Contains(p.also, id)
}

func (x *solver) note(to answers) {
	for i := range x.problems {
		p := &x.problems[i]
		a := &x.asked[p.question]
		id := to.id[i]
		a.Used, a.Correct = true, x.right(p, id)
		a.item = newItem(p.question, slices.DeleteFunc(slices.Clone(a.Words[:]), func(w string) bool { return w == "" })...)
		if id >= 0 {
			a.Answer, a.Score = x.words.set.Words().At(id), float64(to.score[i])
			x.refine(a, p, id)
		}
	}
}

// refine recomputes the score of an answer in double precision, for methods that need it.
func (x *solver) refine(a *Answered, p *problem, id int) {
	switch x.method {
	case vectors.PairDirection:
		a.Score /= p.length
	case LRCos:
		d := direction64(x.words.set, id)
		logit, cosine := p.intercept, 0.0
		for i, v := range d {
			logit += v * p.normal[i]
			cosine += v * p.word[i]
		}
		a.Probability = 1 / (1 + math.Exp(-logit))
		a.Score = a.Probability * cosine
	}
}

// A scan searches all candidates for the best answer to each problem.
//
// All methods need only the cosines of a candidate with rows of units, and the thousands of
// questions of a set share a few hundred words. So a worker takes a block of candidates, computes
// their cosines with every row in one matrix product, and then searches the block for a better
// answer to each question. The largest cosines of the block show that most questions have no better
// answer in it; see block.improve.
type scan struct {
	*solver
	units   vectors.Matrix
	rows    vectors.Matrix // of the candidates
	inverse []float32      // of their lengths
	order   []int          // of the problems; problems with the same words a and b are neighbours
	kind    kind
	third   []int32 // their words c, in this order
	groups  []group
	floor   []float32 // a lower bound of each problem's best score, in this order
}

type group struct {
	pair        *problem // the first problem
	first, last int      // positions in the order
}

// blockFloats is the number of cosines that a worker holds at a time: 2 MB, about the size of a
// second-level cache. Smaller blocks mean more searches.
const blockFloats = 1 << 19

// blockRows returns how many candidates a worker takes at a time. It depends only on the question
// set, so that results do not depend on the number of workers.
func (x *solver) blockRows() int {
	const most = 2048
	return min(most, max(part, blockFloats/max(1, len(x.units))/part*part))
}

// answer returns the best candidate of every problem. The id is -1 if no candidate has a direction.
// Of equally good candidates the first wins.
func (x *solver) answer(ctx context.Context) (answers, error) {
	if len(x.problems) == 0 {
		return answers{}, ctx.Err()
	}
	s := x.newScan()
	size := x.blockRows()
	blocks := (x.candidates + size - 1) / size
	byWorker := make([]answers, max(1, min(runtime.GOMAXPROCS(0), blocks)))
	var taken atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for w := range byWorker {
		byWorker[w] = newAnswers(s.floor)
		g.Go(func() error {
			return x.words.set.Guard(func() error { // rows may be in a mapped file
				b := newBlock(s, size)
				for {
					first := int(taken.Add(1)-1) * size
					if first >= x.candidates {
						return nil
					}
					if err := ctx.Err(); err != nil {
						return err
					}
					b.fill(first, min(size, x.candidates-first))
					b.improve(byWorker[w])
				}
			})
		})
	}
	if err := g.Wait(); err != nil {
		return answers{}, err
	}
	all := byWorker[0]
	for _, other := range byWorker[1:] {
		all.merge(other)
	}
	for i := range x.problems {
		// If a and b are parallel, b−a has no direction.
		if x.method == vectors.PairDirection && x.problems[i].length < 1e-6 {
			all.id[i] = -1
		}
	}
	return all, nil
}

func (x *solver) newScan() *scan {
	s := &scan{solver: x, kind: kinds[x.method], units: vectors.NewMatrix(len(x.units), x.words.set.Dim())}
	s.rows, s.inverse = x.words.set.Directions()
	for i, u := range x.units {
		copy(s.units.Row(i), u)
	}
	s.order = make([]int, len(x.problems))
	for i := range s.order {
		s.order[i] = i
	}
	slices.SortStableFunc(s.order, func(i, j int) int {
		p, q := &x.problems[i], &x.problems[j]
		return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	for at, i := range s.order {
		p := &x.problems[i]
		if last := len(s.groups) - 1; last < 0 || s.groups[last].pair.a != p.a || s.groups[last].pair.b != p.b {
			s.groups = append(s.groups, group{pair: p, first: at})
		}
		s.groups[len(s.groups)-1].last = at + 1
		s.third = append(s.third, int32(p.c))
	}
	s.floor = s.lowest()
	return s
}

// lowest returns a lower bound of each problem's best score: a little less than the score of the
// best candidate among the right answers to all problems, which often include the best candidate.
func (s *scan) lowest() []float32 {
	const rounding = 1e-3
	floor := slices.Repeat([]float32{float32(math.Inf(-1))}, len(s.problems))
	best := newAnswers(floor)
	b := newBlock(s, s.blockRows())
	var accepted []int
	for i := range s.problems {
		accepted = append(accepted, s.problems[i].accepted...)
	}
	slices.Sort(accepted)
	err := s.solver.words.set.Guard(func() error {
		for ids := range slices.Chunk(slices.Compact(accepted), b.size) {
			b.gather(ids)
			b.improve(best)
		}
		return nil
	})
	for at, i := range s.order {
		if x := best.score[i]; err == nil { // the scan reports the same error
			floor[at] = x - rounding*max(1, float32(math.Abs(float64(x))))
		}
	}
	return floor
}

func (b *block) fill(first, n int) {
	b.ids, b.first, b.n = nil, first, n
	rows := b.scan.rows
	b.product(rows.Data[first*rows.Stride:], rows.Stride, b.scan.inverse[first:first+n])
}

func (b *block) gather(ids []int) {
	b.ids, b.n = ids, len(ids)
	rows := vectors.NewMatrix(b.n, b.scan.rows.Cols)
	inverse := make([]float32, b.n)
	for i, id := range ids {
		b.scan.rows.Read(rows.Row(i), id)
		inverse[i] = b.scan.inverse[id]
	}
	b.product(rows.Data, rows.Stride, inverse)
}

func (b *block) product(rows []float32, stride int, inverse []float32) {
	u := b.scan.units
	simd.Dots(b.cosines, b.size, u.Data, u.Stride, u.Rows, rows, stride, b.n, u.Cols)
	b.prepare(inverse)
}

type answers struct {
	score []float32
	id    []int
	goal  []float32 // scores that candidates must reach, by position in the scan's order
}

func newAnswers(floor []float32) answers {
	s := answers{score: make([]float32, len(floor)), id: make([]int, len(floor)), goal: slices.Clone(floor)}
	for i := range s.id {
		s.score[i], s.id[i] = float32(math.Inf(-1)), -1
	}
	return s
}

// merge takes the answers of other that are better, or equally good with a lower id.
func (s answers) merge(other answers) {
	for i, id := range other.id {
		if other.score[i] > s.score[i] || other.score[i] == s.score[i] && id >= 0 && (s.id[i] < 0 || id < s.id[i]) {
			s.score[i], s.id[i] = other.score[i], id
		}
	}
}
