package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

const (
	// batched is the largest number of questions about neighbours in a batch; a batch shares one
	// pass over a model's vectors.
	batched = 128
	// maxAnswers is the largest number of answers to all questions of one request together.
	maxAnswers = 100_000
	// maxNumbers is the largest number of vector components in one response, maxHeld in all
	// responses together.
	maxNumbers, maxHeld = 1 << 22, 1 << 24
	// searches is how often a request may search the vocabulary for suggestions.
	searches = 8
)

// together returns the answers to questions of a request about a model. Concurrent requests share
// the computation; questions of the same type are computed together.
func together[Q, A any](ctx context.Context, m *models.Model, most int, questions []Q, compute func(*vectors.Set, []Q) ([]A, error)) ([]A, error) {
	b, err := models.Attach(m, reflect.TypeFor[Q](), func(m *models.Model) (*batcher[Q, A], error) {
		return newBatcher(most, func(questions []Q) (answers []A, err error) {
			err = m.Read(func() error {
				answers, err = compute(m.Set, questions)
				return err
			})
			return answers, err
		}), nil
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
var errGone = refusal(499, "client_closed_request", "the client has closed the connection")

// A finder finds the word or expression that a request names.
type finder func(f *query.Finder, dst []float32, asked spelled) (query.Found, error)

// word finds a word in the reading that the vocabulary has, else in its first reading.
func word(f *query.Finder, dst []float32, asked spelled) (query.Found, error) {
	return f.Word(dst, knownReading(f, asked))
}

// knownReading returns the reading of a word that the vocabulary has, else the first reading.
func knownReading(f *query.Finder, asked spelled) string {
	for _, reading := range asked.readings() {
		if _, id := f.Spelling(reading); id >= 0 {
			return reading
		}
	}
	return asked.form
}

// expression finds an expression in the reading whose words are all in the vocabulary, else in its
// first reading.
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

// A term is a query.Term, a word of an expression, with descriptions.
type term struct {
	Word    string  `json:"word"`
	FoundAs string  `json:"found_as,omitempty" help:"Another spelling, by which the vocabulary has the word."`
	Weight  float64 `json:"weight" help:"What the word's direction is multiplied by."`
}

// A finding is what a model has for a request's word or expression. Answers contain its JSON.
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

// lacking returns a problem if there is no vector for a parameter, else nil.
func lacking(w query.Found, param string, near *query.Suggester) *problem {
	switch {
	case w.Wrong != nil:
		return badRequest(param, "invalid_expression", "%v", w.Wrong)
	case w.Missing():
		_, id := near.Finder().Spelling(w.Lacking)
		if id >= 0 {
			return noDirection(w.Lacking, param)
		}
		return &problem{Status: http.StatusNotFound, Code: "unknown_word", Param: param,
			Message: fmt.Sprintf("%.80q is not in the vocabulary, and has no n-grams that compose it", w.Lacking), Suggestions: near.For(w)}
	}
	return nil
}

// undirected returns lacking's problem, or a problem if the vector has no direction.
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

// directed finds words that must have a direction, each from a parameter named by one letter. Call
// it inside Read of the model.
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

// answerNumbers is the size of a neighbour and its word, as a number of vector components.
const answerNumbers = 8

// hold reserves room for the components of a response until the request is over.
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

// A neighborhood is the result of one of several queries.
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

// answerRules limit the words that may answer a question, and their number.
type answerRules struct {
	K         int      `json:"k" default:"10" min:"1" max:"Answers" help:"How many answers. The server has a limit, by default 1000."`
	Restrict  *int     `json:"restrict" min:"1" help:"Only so many first words of the vocabulary, the most frequent ones, may answer."`
	Threshold *float64 `json:"threshold" help:"Leave out answers with a lower score."`
}

// first returns the number of first words that may answer; 0 means all.
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

// An askedWords is the part of a question in a URL that names words or expressions.
type askedWords struct {
	Words       []spelled `json:"word" max:"Inputs" help:"A word, as it is: never read as an expression. May be there several times. A + is read as a space, as forms send it, and as itself if the vocabulary has that word only."`
	Expressions []spelled `json:"expr" max:"Inputs" help:"An expression such as king-man+woman, or with white space around + and -. Words may have factors, as in 0.5*king. May be there several times. A + may be written as + or %2B."`
}

// one returns the words or the expressions, and the function that finds them.
func (q askedWords) one() (queries, error) {
	switch {
	case len(q.Words) == 0 && len(q.Expressions) == 0:
		return queries{}, missing("word")
	case len(q.Words) > 0 && len(q.Expressions) > 0:
		return queries{}, badRequest("expr", "invalid_value", "word and expr ask different questions: give one of them")
	case len(q.Words) > 0:
		return queries{"word", q.Words, word, len(q.Words) == 1}, nil
	}
	return queries{"expr", q.Expressions, expression, len(q.Expressions) == 1}, nil
}

// queries are words or expressions that a request asks for.
type queries struct {
	param string
	asked []spelled
	find  finder
	alone bool // the answer is one object, not a list
}

type neighborsQuestion struct {
	ofModel
	askedWords
	answerRules
}

func (s *Server) getNeighbors(r *http.Request, q *neighborsQuestion) (any, error) {
	asked, err := q.one()
	if err != nil {
		return nil, err
	}
	return s.neighbors(r, q.Model, asked, q.answerRules)
}

type manyNeighborsQuestion struct {
	ofModel
	Words       []spelled `json:"words" max:"Inputs"`
	Expressions []spelled `json:"expressions" max:"Inputs"`
	answerRules
}

func (s *Server) postNeighbors(r *http.Request, q *manyNeighborsQuestion) (any, error) {
	switch {
	case len(q.Words) == 0 && len(q.Expressions) == 0:
		return nil, missing("words")
	case q.Words != nil && q.Expressions != nil:
		return nil, badRequest("expressions", "invalid_value", "words and expressions ask different questions: give one of them")
	case q.Words != nil:
		return s.neighbors(r, q.Model, queries{"words", q.Words, word, false}, q.answerRules)
	}
	return s.neighbors(r, q.Model, queries{"expressions", q.Expressions, expression, false}, q.answerRules)
}

func (s *Server) neighbors(r *http.Request, name string, q queries, rules answerRules) (any, error) {
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
	err = m.Read(func() error {
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
				searched = append(searched, vectors.Query{Vector: w.Vector, K: rules.K, First: rules.first(), Skip: w.IDs(m.Set)})
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
