package eval

import (
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A solver holds the used questions of a set, which it answers together.
type solver struct {
	words      *lookup
	candidates int // this many first words of the vocabulary may be answers
	method     vectors.AnalogyMethod
	asked      []Answered // all questions
	problems   []problem
	missing    *wordList

	units    [][]float32    // distinct words of the problems, of length 1
	ids      []int          // of the words of units; -1 for others
	position map[string]int // the row in units of a question's word
	shared   map[int]int    // the row in units of the word with an id
}

// A problem is a used question.
type problem struct {
	a, b, c  int    // rows of units; a and b are -1 if the method has only one row
	own      [3]int // ids of the question's words, which cannot be the answer; -1 for others
	also     []int  // ids of further words that cannot be the answer
	accepted []int  // ids of the right answers
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

func newSolver(words *lookup, candidates int, method vectors.AnalogyMethod) *solver {
	return &solver{
		words:      words,
		candidates: candidates,
		method:     method,
		missing:    newWordList(),
		position:   make(map[string]int),
		shared:     make(map[int]int),
	}
}

// ask adds a question of a section that has no problem yet, and returns its position.
func (x *solver) ask(section string, words [4]string) int {
	x.asked = append(x.asked, Answered{Section: section, Words: words})
	return len(x.asked) - 1
}

// add adds a question, and a problem if it can be used.
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
		x.missing.add(q[3])
		usable = false
	}
	if usable {
		x.solve(p, q[0], q[1], q[2])
	}
}

// solve adds a problem of three words.
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

// find looks up a word that is not an answer. It is missing if it has no vector, or is in the
// vocabulary but no candidate. Only words that are not in the vocabulary are composed.
func (x *solver) find(word string) (entry, bool) {
	e := x.words.find(word)
	if e.missing() || e.id >= x.candidates {
		x.missing.add(word)
		return e, false
	}
	return e, true
}

// accept returns the candidates that an answer stands for. An answer cannot be composed, because
// answers are found among the candidates.
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

// unit returns the row in units of a word. Spellings that are looked up as the same word share
// one row.
func (x *solver) unit(word string) int {
	if at, ok := x.position[word]; ok {
		return at
	}
	e := x.words.find(word)
	at, ok := x.shared[e.id]
	if !ok || e.composed() {
		at = x.addUnit(e.vector, e.id)
		x.shared[e.id] = at
	}
	x.position[word] = at
	return at
}

// addUnit adds the direction of a vector as a row of units. Zeros stay zeros and have cosine 0
// with all.
func (x *solver) addUnit(of []float32, id int) int {
	v := make([]float32, len(of))
	vectors.Unit(v, of)
	x.units, x.ids = append(x.units, v), append(x.ids, id)
	return len(x.units) - 1
}

// right reports whether a candidate is a right answer to a problem.
func (x *solver) right(p *problem, id int) bool {
	return id >= 0 && slices.Contains(p.accepted, x.words.same(id))
}

// owns reports whether the word with this id is one of the question's own words. The id is one
// that lookup.same returned.
func (p *problem) owns(id int) bool {
	return id == p.own[0] || id == p.own[1] || id == p.own[2] || slices.Contains(p.also, id)
}

// note writes the answers to the questions.
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

// refine gives an answer the score that it has by double precision, where methods need it.
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
