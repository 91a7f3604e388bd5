package serve

import (
	"net/http"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A neighbor is an answer: a word of the vocabulary and how near it is.
type neighbor struct {
	Word       string  `json:"word"`
	ID         int     `json:"id"`
	Similarity float32 `json:"similarity"`
	Count      *uint64 `json:"count,omitempty"` // how often training saw the word, if the model knows
}

// countOf returns how often training saw a word, nil if the model does not know. Where the model is read.
func countOf(set *vectors.Set, id int) *uint64 {
	counts := set.Counts()
	if id < 0 || id >= len(counts) {
		return nil
	}
	n := counts[id]
	return &n
}

// A neighborhood is what is found for one query.
type neighborhood struct {
	finding
	Neighbors []neighbor    `json:"neighbors"`
	Error     *problemError `json:"error,omitempty"` // why there are none, where there are several queries
}

// answerRules say which words may answer a question, and how many do.
type answerRules struct {
	k, restrict int
	threshold   *float64
}

// ruleNames are the parameters of answerRules.
var ruleNames = []string{"k", "restrict", "threshold"}

// rules reads the parameters of answers.
func (p *params) rules() answerRules {
	return answerRules{
		k:         p.integer("k", min(defaultAnswers, p.limits.Answers), p.limits.Answers),
		restrict:  p.integer("restrict", 0, 1<<31-1),
		threshold: p.number("threshold"),
	}
}

// cut leaves out what does not reach the threshold.
func (a answerRules) cut(found []vectors.Neighbor) []vectors.Neighbor {
	for i, n := range found {
		if a.threshold != nil && float64(n.Similarity) < *a.threshold {
			return found[:i]
		}
	}
	return found
}

// getNeighbors answers GET /v1/neighbors: one object for one query, and a list for several.
func (s *Server) getNeighbors(w http.ResponseWriter, r *http.Request) error {
	p, err := s.params(r, append([]string{"model", "word", "expr"}, ruleNames...)...)
	if err != nil {
		return err
	}
	words, expressions, rules := p.words("word"), p.words("expr"), p.rules()
	m := p.text("model")
	switch n := len(words) + len(expressions); {
	case p.err != nil:
		return p.err
	case n == 0:
		return missing("word")
	case len(words) > 0 && len(expressions) > 0:
		return badRequest("expr", "invalid_value", "word and expr ask different questions: give one of them")
	}
	if len(words) > 0 {
		return s.neighbors(w, r, m, neighborsQuestion{"word", words, word, rules, len(words) == 1})
	}
	return s.neighbors(w, r, m, neighborsQuestion{"expr", expressions, expression, rules, len(expressions) == 1})
}

// postNeighbors answers POST /v1/neighbors, always with a list.
func (s *Server) postNeighbors(w http.ResponseWriter, r *http.Request) error {
	var model string
	var words, expressions []string
	rules := answerRules{k: min(defaultAnswers, s.config.Limits.Answers)}
	var restrict *int
	if err := readJSON(r, map[string]any{"model": &model, "words": &words, "expressions": &expressions,
		"k": &rules.k, "restrict": &restrict, "threshold": &rules.threshold}); err != nil {
		return err
	}
	param, texts, find := "words", words, word
	if words == nil {
		param, texts, find = "expressions", expressions, expression
	}
	switch {
	case len(words) == 0 && len(expressions) == 0:
		return missing("words")
	case words != nil && expressions != nil:
		return badRequest("expressions", "invalid_value", "words and expressions ask different questions: give one of them")
	}
	if restrict != nil {
		if rules.restrict = *restrict; rules.restrict < 1 {
			return badRequest("restrict", "invalid_value", "restrict must be at least 1, is %d", rules.restrict)
		}
	}
	if wrong := checkRange("k", rules.k, s.config.Limits.Answers); wrong != nil {
		return wrong
	}
	asked, err := s.asSpelled(param, texts)
	if err != nil {
		return err
	}
	return s.neighbors(w, r, model, neighborsQuestion{param, asked, find, rules, false})
}

// asSpelled returns words of a body, which have one reading.
func (s *Server) asSpelled(param string, texts []string) ([]spelled, error) {
	if wrong := checkCount(param, len(texts), s.config.Limits.Inputs); wrong != nil {
		return nil, wrong
	}
	asked := make([]spelled, len(texts))
	for i, text := range texts {
		if wrong := checkWord(param, text); wrong != nil {
			return nil, wrong
		}
		asked[i] = spelled{text, text}
	}
	return asked, nil
}

// A neighborsQuestion is what a request asks about neighbours.
type neighborsQuestion struct {
	param string
	asked []spelled
	find  func(*query.Finder, []float32, spelled) (query.Found, error)
	rules answerRules
	alone bool // the answer is that to its only query
}

// neighbors answers a question about neighbours.
func (s *Server) neighbors(w http.ResponseWriter, r *http.Request, name string, q neighborsQuestion) error {
	if n := len(q.asked) * q.rules.k; n > maxAnswers {
		return badRequest("k", "too_many_answers", "%d queries with %d answers each are %d answers, and a request can have %d", len(q.asked), q.rules.k, n, maxAnswers)
	}
	m, err := s.use(r, name)
	if err != nil {
		return err
	}
	release, err := s.numbers.hold(q.param, len(q.asked), m.Set.Dim()+answerNumbers*q.rules.k)
	if err != nil {
		return err
	}
	defer release()
	results := make([]neighborhood, len(q.asked))
	var queries []vectors.NearestQuery
	var of []int // results
	near := m.Words.Suggester(searches)
	err = m.Read(func() error {
		for i, asked := range q.asked {
			found, err := q.find(m.Words, make([]float32, m.Set.Dim()), asked)
			if err != nil {
				return err
			}
			results[i] = neighborhood{finding: findingOf(found), Neighbors: []neighbor{}}
			wrong := lacking(found, q.param, near)
			if wrong == nil && !hasDirection(found.Vector) {
				wrong = noDirection(found.Asked, q.param)
			}
			switch {
			case wrong != nil && q.alone:
				return wrong
			case wrong != nil:
				results[i].Error = wrong.body()
				continue
			}
			queries = append(queries, vectors.NearestQuery{Vector: found.Vector, K: q.rules.k, First: q.rules.restrict, Skip: found.IDs(m.Set)})
			of = append(of, i)
		}
		return nil
	})
	if err != nil {
		return err
	}
	answers, err := nearest(r.Context(), m, queries)
	if err != nil {
		return err
	}
	err = m.Read(func() error {
		for i, found := range answers {
			results[of[i]].Neighbors = neighborsOf(m, q.rules.cut(found))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if q.alone {
		return writeJSON(w, http.StatusOK, struct {
			Model string `json:"model"`
			neighborhood
		}{m.Name, results[0]})
	}
	return writeJSON(w, http.StatusOK, struct {
		Model   string         `json:"model"`
		Results []neighborhood `json:"results"`
	}{m.Name, results})
}

// neighborsOf returns neighbours with their counts. Where the model is read.
func neighborsOf(m *models.Model, found []vectors.Neighbor) []neighbor {
	all := make([]neighbor, len(found))
	for i, n := range found {
		all[i] = neighbor{n.Word, n.ID, n.Similarity, countOf(m.Set, n.ID)}
	}
	return all
}

// expression finds an expression in that of its readings whose words are all in the vocabulary, or else in
// the first one.
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
		return f.Find(dst, asked.form) // says why
	}
	return f.Express(dst, asked.form, e)
}
