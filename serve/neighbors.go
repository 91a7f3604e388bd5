package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/w2v-go/w2v/serve/internal/facts"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

const (
	batched    = 128     // largest number of questions in a batch, which shares one pass over a model's vectors
	maxAnswers = 100_000 // the largest number of answers to all questions of one request together
	// largest numbers of vector components in one response, and in all responses together
	maxNumbers, maxHeld = 1 << 22, 1 << 24
	searches            = 8 // how often a request may search the vocabulary for suggestions
)

// together computes answers to questions of concurrent requests, those of one type together.
func together[Q, A any](ctx context.Context, m *models.Model, most int, questions []Q, compute func(*vectors.Set, []Q) ([]A, error)) ([]A, error) {
	b, err := models.Attach(m, reflect.TypeFor[Q](), func(m *models.Model) (*batcher[Q, A], error) {
		return &batcher[Q, A]{most: most, run: func(questions []Q) (answers []A, err error) {
			err = m.Read(func() (err error) { answers, err = compute(m.Set, questions); return err })
			return answers, err
		}}, nil
	})
	if err != nil {
		return nil, err
	}
	answers, err := b.answers(ctx, questions)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil, errGone
	}
	return answers, err
}

// errGone is returned to nobody: the client has gone.
var errGone = &problem{Status: 499, Code: "client_closed_request", Message: "the client has closed the connection"}

type finder func(f *query.Finder, dst []float32, asked spelled) (query.Found, error)

// word finds a word in the reading that the vocabulary has, else in its first reading; expression does so for
// expressions.
func word(f *query.Finder, dst []float32, asked spelled) (query.Found, error) {
	return f.Word(dst, knownReading(f, asked))
}

func knownReading(f *query.Finder, asked spelled) string {
	for _, reading := range asked.readings() {
		if _, id := f.Spelling(reading); id >= 0 {
			return reading
		}
	}
	return asked.form
}

func expression(f *query.Finder, dst []float32, asked spelled) (query.Found, error) {
	for _, reading := range asked.readings() {
		e, err := f.ParseCompact(reading)
		if err != nil {
			continue
		}
		known := true
		for _, t := range e {
			_, id := f.Spelling(t.Word)
			known = known && id >= 0
		}
		if known {
			return f.Express(dst, reading, e)
		}
	}
	e, err := f.ParseCompact(asked.form)
	if err != nil {
		return f.Find(dst, asked.form) // returns the reason
	}
	return f.Express(dst, asked.form, e)
}

type term struct {
	Word    string  `json:"word"`
	FoundAs string  `json:"found_as,omitempty" help:"Another spelling, by which the vocabulary has the word."`
	Weight  float64 `json:"weight" help:"What the word's direction is multiplied by."`
}

type finding struct {
	Query    string `json:"query" help:"What was asked."`
	FoundAs  string `json:"found_as,omitempty" help:"How the model spells the word. It is another spelling than that of the request if the word was looked up in lower case."`
	Terms    []term `json:"terms,omitempty" help:"Words of an expression."`
	Composed bool   `json:"composed" help:"The word is not in the vocabulary: its vector is composed of n-grams."`
}

func findingOf(w query.Found) finding {
	f := finding{Query: w.Asked, Composed: w.Composed()}
	for _, t := range w.Terms {
		f.Terms = append(f.Terms, term(t))
	}
	if !w.Missing() {
		f.FoundAs = w.Spelling
	}
	return f
}

func lacking(w query.Found, param string, near *query.Suggester) *problem {
	switch {
	case w.Wrong != nil:
		return badRequest(param, "invalid_expression", "%v", w.Wrong)
	case !w.Missing():
		return nil
	}
	if _, id := near.Finder().Spelling(w.Lacking); id >= 0 {
		return noDirection(w.Lacking, param)
	}
	word := fmt.Sprintf("%.80q", w.Lacking)
	if token, ok := near.Finder().Recast(w.Lacking); ok {
		word += fmt.Sprintf(", %.80q in the training text,", token)
	}
	return &problem{Status: http.StatusNotFound, Code: "unknown_word", Param: param,
		Message: word + " is not in the vocabulary, and has no n-grams that compose it", Suggestions: near.For(w)}
}

func undirected(w query.Found, param string, near *query.Suggester) *problem {
	wrong := lacking(w, param, near)
	if wrong == nil && !vectors.Unit(make([]float32, len(w.Vector)), w.Vector) {
		return noDirection(w.Asked, param)
	}
	return wrong
}

func noDirection(word, param string) *problem {
	return &problem{Status: http.StatusUnprocessableEntity, Code: "no_direction", Param: param,
		Message: fmt.Sprintf("the vector of %.80q is zero or not finite: nothing is near to it", word)}
}

// directed finds words that must have a direction, from parameters of one letter. Call it inside Read of the model.
func directed(m *models.Model, names string, asked ...spelled) ([]query.Found, error) {
	all := make([]query.Found, len(asked))
	for i, asked := range asked {
		var err error
		if all[i], err = word(m.Words, make([]float32, m.Set.Dim()), asked); err != nil {
			return nil, err
		}
		if wrong := undirected(all[i], names[i:i+1], m.Words.Suggester(1)); wrong != nil {
			return nil, wrong
		}
	}
	return all, nil
}

const answerNumbers = 8 // the size of a neighbour and its word, as a number of vector components

func (s *Server) hold(r *http.Request, param string, rows, dim int) error {
	n := int64(rows) * int64(dim)
	if n > maxNumbers {
		return badRequest(param, "too_many_inputs", "%d vectors of %d numbers are too many for one response: ask for %d at most", rows, dim, maxNumbers/dim)
	}
	q := requestOf(r)
	q.ends = append(q.ends, func() { s.numbers.Add(-n) })
	if s.numbers.Add(n) > maxHeld {
		s.metrics.refuse("vectors")
		return busy("vectors")
	}
	return nil
}

type neighbor struct {
	Word       string  `json:"word"`
	ID         int     `json:"id" min:"0" help:"Position in the vocabulary, from 0."`
	Similarity float32 `json:"similarity" help:"Cosine, from -1 to 1."`
	Count      *uint64 `json:"count,omitempty" help:"How often training saw the word, if the model knows."`
}

// countOf returns a word's count in training, or nil if unknown. Call it inside Read of the model.
func countOf(set *vectors.Set, id int) *uint64 {
	counts := set.Counts()
	if id < 0 || id >= len(counts) {
		return nil
	}
	return new(counts[id])
}

type found struct {
	finding
	Neighbors []neighbor `json:"neighbors" help:"The nearest first. The words of the query are not among them."`
}

type neighborhood struct {
	found
	Error *problemError `json:"error,omitempty"` // why there are no neighbours
}

type oneNeighborhood struct {
	Model string `json:"model" help:"Name of the model."`
	found
}

type allNeighborhoods struct {
	Model   string         `json:"model" help:"Name of the model."`
	Results []neighborhood `json:"results"`
}

type answerRules struct {
	K         int      `json:"k" default:"10" min:"1" max:"Answers" help:"How many answers. The server has a limit, by default 1000."`
	Restrict  *int     `json:"restrict" min:"1" help:"Only so many first words of the vocabulary, the most frequent ones, may answer."`
	Threshold *float64 `json:"threshold" help:"Leave out answers with a lower score."`
}

func (a answerRules) first() int {
	if a.Restrict == nil {
		return 0
	}
	return *a.Restrict
}

func (a answerRules) cut(found []vectors.Neighbor) []vectors.Neighbor {
	for i, n := range found {
		if a.Threshold != nil && float64(n.Similarity) < *a.Threshold {
			return found[:i]
		}
	}
	return found
}

type askedWords struct {
	Words       []spelled `json:"word" max:"Inputs" help:"A word, as it is: never read as an expression. May be there several times. A + is read as a space, as forms send it, and as itself if the vocabulary has that word only."`
	Expressions []spelled `json:"expr" max:"Inputs" help:"An expression such as king-man+woman, or with white space around + and -. Words may have factors, as in 0.5*king. May be there several times. A + may be written as + or %2B."`
}

func (q askedWords) one() (queries, error) {
	one, err := oneOf("word", q.Words, "expr", q.Expressions)
	one.alone = len(one.asked) == 1
	return one, err
}

type queries struct {
	param string
	asked []spelled
	find  finder
	alone bool // the answer is one object, not a list
}

func oneOf(wordsParam string, words []spelled, expressionsParam string, expressions []spelled) (queries, error) {
	switch {
	case len(words) == 0 && len(expressions) == 0:
		return queries{}, missing(wordsParam)
	case words != nil && expressions != nil:
		return queries{}, badRequest(expressionsParam, "invalid_value", "%s and %s ask different questions: give one of them", wordsParam, expressionsParam)
	case words != nil:
		return queries{param: wordsParam, asked: words, find: word}, nil
	}
	return queries{param: expressionsParam, asked: expressions, find: expression}, nil
}

// answerWords say which words may be neighbours.
type answerWords struct {
	Among   []spelled `json:"among" max:"Inputs" help:"Only these words of the vocabulary may answer."`
	Exclude []spelled `json:"exclude" max:"Inputs" help:"These words may not answer. Words that the vocabulary does not have are ignored."`
	Where   []spelled `json:"where" max:"64" help:"Only words that meet all of these conditions may answer. A condition is a column of the facts that the server has about words, one of = != < <= > >= and a value, as in country=France or year>=1990."`
}

// ids returns what reports whether a word may answer, where nil stands for all words, and those that may not. Call it inside
// Read of the model. about may be nil.
func (a answerWords) ids(words *query.Finder, about *facts.Facts) (among func(id int) bool, exclude []int, err error) {
	idOf := func(asked spelled) int {
		_, id := words.Spelling(knownReading(words, asked))
		return id
	}
	var rules []func(id int) bool
	if a.Among != nil {
		some := make(map[int]bool, len(a.Among)) // of an empty list no word may answer
		for _, asked := range a.Among {
			id := idOf(asked)
			if id < 0 {
				return nil, nil, badRequest("among", "invalid_value", "the vocabulary does not have the word %.80q", asked.form)
			}
			some[id] = true
		}
		rules = append(rules, func(id int) bool { return some[id] })
	}
	for _, asked := range a.Exclude {
		if id := idOf(asked); id >= 0 {
			exclude = append(exclude, id)
		}
	}
	conditions, err := meeting(about, "the words of this model", a.Where)
	return facts.All(append(rules, conditions...)...), exclude, err
}

type neighborsQuestion struct {
	ofModel
	askedWords
	answerRules
	answerWords
}

func (s *Server) getNeighbors(r *http.Request, q *neighborsQuestion) (any, error) {
	asked, err := q.one()
	if err != nil {
		return nil, err
	}
	return s.neighbors(r, q.Model, asked, q.answerRules, q.answerWords)
}

type manyNeighborsQuestion struct {
	ofModel
	Words       []spelled `json:"words" max:"Inputs"`
	Expressions []spelled `json:"expressions" max:"Inputs"`
	answerRules
	answerWords
}

func (s *Server) postNeighbors(r *http.Request, q *manyNeighborsQuestion) (any, error) {
	asked, err := oneOf("words", q.Words, "expressions", q.Expressions)
	if err != nil {
		return nil, err
	}
	return s.neighbors(r, q.Model, asked, q.answerRules, q.answerWords)
}

func (s *Server) neighbors(r *http.Request, name string, q queries, rules answerRules, some answerWords) (any, error) {
	if n := len(q.asked) * rules.K; n > maxAnswers {
		return nil, badRequest("k", "too_many_answers", "%d queries with %d answers each are %d answers, and a request can have %d", len(q.asked), rules.K, n, maxAnswers)
	}
	m, err := s.use(r, name)
	if err != nil {
		return nil, err
	}
	if err := s.hold(r, q.param, len(q.asked), m.Set.Dim()+answerNumbers*rules.K); err != nil {
		return nil, err
	}
	results := make([]neighborhood, len(q.asked))
	var searched []vectors.Query
	var of []int // indices of results
	near := m.Words.Suggester(searches)
	about, err := s.factsOf(m)
	if err != nil {
		return nil, err
	}
	err = m.Read(func() error {
		among, exclude, err := some.ids(m.Words, about.words)
		if err != nil {
			return err
		}
		for i, asked := range q.asked {
			w, err := q.find(m.Words, make([]float32, m.Set.Dim()), asked)
			if err != nil {
				return err
			}
			results[i].found = found{findingOf(w), []neighbor{}}
			switch wrong := undirected(w, q.param, near); {
			case wrong != nil && q.alone:
				return wrong
			case wrong != nil:
				results[i].Error = inJSON(wrong)
			default:
				searched = append(searched, vectors.Query{Vector: w.Vector, K: rules.K, First: rules.first(), Skip: append(w.IDs(m.Set), exclude...), Among: among})
				of = append(of, i)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	answers, err := together(r.Context(), m, batched, searched, func(set *vectors.Set, queries []vectors.Query) ([][]vectors.Neighbor, error) {
		return set.Nearest(context.Background(), queries...) // not the request's context: others wait for the result, too
	})
	if err != nil {
		return nil, err
	}
	err = m.Read(func() error {
		for i, near := range answers {
			for _, n := range rules.cut(near) {
				results[of[i]].Neighbors = append(results[of[i]].Neighbors, neighbor{n.Word, n.ID, n.Similarity, countOf(m.Set, n.ID)})
			}
		}
		return nil
	})
	if q.alone {
		return oneNeighborhood{m.Name, results[0].found}, err
	}
	return allNeighborhoods{m.Name, results}, err
}

// errBatch is the error of all requests of a batch whose computation panicked.
var errBatch = errors.New("the computation of several requests together failed")

// A batcher answers questions of concurrent requests together, where a batch is cheaper than single
// answers. A question that arrives while nothing is computed is answered at once. Questions that
// arrive during a computation wait for its end, and are then answered together. So a lone request
// waits for nobody, and a busier server has larger batches. Several goroutines may call the
// methods. A batcher has no goroutine of its own: a waiting request computes for all.
type batcher[Q, A any] struct {
	most int                    // questions that run gets at a time, at least 1
	run  func([]Q) ([]A, error) // returns an answer per question, in order, or the error of all; calls do not overlap

	mu       sync.Mutex
	queue    []*job[Q, A] // jobs with questions that no batch has taken
	waiting  int          // questions in the queue
	led      bool         // a request computes, or is about to compute
	expected int          // number of requests that may soon join the next batch
	until    time.Time    // when to stop waiting for expected requests
	enough   chan struct{}
}

type job[Q, A any] struct {
	questions []Q
	answers   []A
	taken     int // questions that are answered or being answered
	answered  int
	err       error
	done      chan struct{} // closed when all questions are answered, or with an error
	turn      chan struct{} // receives when this request is to compute
}

// answers returns the answers to the questions of one request, in their order. Each of several large requests gets a
// part of each batch. If the context ends first, questions that no batch has taken are dropped.
func (b *batcher[Q, A]) answers(ctx context.Context, questions []Q) ([]A, error) {
	if err := ctx.Err(); err != nil || len(questions) == 0 {
		return nil, err
	}
	j := &job[Q, A]{questions: questions, answers: make([]A, len(questions)), done: make(chan struct{}), turn: make(chan struct{}, 1)}
	b.enter(j)
	for {
		select {
		case <-j.done:
			return j.answers, j.err
		case <-ctx.Done():
			b.leave(j)
			return nil, ctx.Err()
		case <-j.turn:
			if !b.gather(ctx) {
				j.turn <- struct{}{} // for leave to pass on
				b.leave(j)
				return nil, ctx.Err()
			}
			b.compute()
		}
	}
}

func (b *batcher[Q, A]) enter(j *job[Q, A]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue = append(b.queue, j)
	b.waiting += len(j.questions)
	if b.enough != nil && b.complete() {
		close(b.enough)
		b.enough = nil
	}
	if !b.led {
		b.led = true
		j.turn <- struct{}{}
	}
}

func (b *batcher[Q, A]) leave(j *job[Q, A]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.remove(j)
	select {
	case <-j.turn:
		b.next()
	default:
	}
}

func (b *batcher[Q, A]) remove(j *job[Q, A]) {
	if at := slices.Index(b.queue, j); at >= 0 {
		b.queue = slices.Delete(b.queue, at, at+1)
		b.waiting -= len(j.questions) - j.taken
	}
}

func (b *batcher[Q, A]) next() {
	if b.led = len(b.queue) > 0; b.led {
		b.queue[0].turn <- struct{}{}
	}
}

func (b *batcher[Q, A]) complete() bool { return len(b.queue) >= b.expected || b.waiting >= b.most }

// gather waits briefly for the expected requests: clients that were just answered together ask again together. It
// returns false if the context ended meanwhile.
func (b *batcher[Q, A]) gather(ctx context.Context) bool {
	b.mu.Lock()
	wait := time.Until(b.until)
	if b.complete() || wait <= 0 {
		b.mu.Unlock()
		return true
	}
	enough := make(chan struct{})
	b.enough = enough
	b.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	defer func() {
		b.mu.Lock()
		b.enough = nil
		b.mu.Unlock()
	}()
	select {
	case <-enough:
	case <-timer.C:
	case <-ctx.Done():
		return false
	}
	return true
}

type batchShare[Q, A any] struct {
	job      *job[Q, A]
	first, n int
}

// take takes an equal part of each job, in turn, and then more from the first jobs.
func (b *batcher[Q, A]) take() (shares []batchShare[Q, A], questions []Q) {
	left := b.most
	part := max(1, left/max(1, len(b.queue)))
	for _, most := range []int{part, b.most} {
		for _, j := range b.queue {
			n := min(most, left, len(j.questions)-j.taken)
			if n == 0 {
				continue
			}
			shares = append(shares, batchShare[Q, A]{j, j.taken, n})
			questions = append(questions, j.questions[j.taken:j.taken+n]...)
			j.taken += n
			left -= n
		}
	}
	b.waiting -= len(questions)
	b.queue = slices.DeleteFunc(b.queue, func(j *job[Q, A]) bool { return j.taken == len(j.questions) })
	if n := len(b.queue); n > 1 && b.queue[0].taken > 0 { // other jobs come first in the next batch
		b.queue = append(b.queue[1:n:n], b.queue[0])
	}
	return shares, questions
}

func (b *batcher[Q, A]) compute() {
	b.mu.Lock()
	shares, questions := b.take()
	b.mu.Unlock()
	start := time.Now()
	var answers []A
	err := errBatch // if run panics
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		done := 0 // number of requests
		for _, s := range shares {
			if b.deliver(s, &answers, err) {
				done++
			}
		}
		b.expected = 0
		if together := done + len(b.queue); together > 1 {
			took := time.Since(start)
			b.expected, b.until = together, start.Add(took+min(took/batchPatience, batchLongest))
		}
		b.next()
	}()
	answers, err = b.run(questions)
}

const (
	batchPatience = 16                    // a batch waits at most this fraction of the last batch's duration
	batchLongest  = 20 * time.Millisecond // and at most this long
)

func (b *batcher[Q, A]) deliver(s batchShare[Q, A], answers *[]A, err error) (done bool) {
	j := s.job
	if j.err != nil {
		return false // an earlier part of the job failed
	}
	if err != nil {
		j.err = err
		b.remove(j)
		close(j.done)
		return true
	}
	copy(j.answers[s.first:], (*answers)[:s.n])
	*answers = (*answers)[s.n:]
	if j.answered += s.n; j.answered < len(j.questions) {
		return false
	}
	close(j.done)
	return true
}
