package serve

import (
	"fmt"
	"math"
	"net/http"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// getVectors answers GET /v1/vectors.
func (s *Server) getVectors(w http.ResponseWriter, r *http.Request) error {
	p, err := s.params(r, "model", "word", "expr")
	if err != nil {
		return err
	}
	words, expressions, model := p.words("word"), p.words("expr"), p.text("model")
	switch {
	case p.err != nil:
		return p.err
	case len(words) > 0 && len(expressions) > 0:
		return badRequest("expr", "invalid_value", "word and expr ask different questions: give one of them")
	case len(words) > 0:
		return s.vectors(w, r, model, "word", words, word)
	case len(expressions) > 0:
		return s.vectors(w, r, model, "expr", expressions, expression)
	}
	return missing("word")
}

// postVectors answers POST /v1/vectors.
func (s *Server) postVectors(w http.ResponseWriter, r *http.Request) error {
	var model string
	var words []string
	if err := readJSON(r, map[string]any{"model": &model, "words": &words}); err != nil {
		return err
	}
	if len(words) == 0 {
		return missing("words")
	}
	asked, err := s.asSpelled("words", words)
	if err != nil {
		return err
	}
	return s.vectors(w, r, model, "words", asked, word)
}

// vectors answers with the vectors of words or expressions. If it is asked for one, one that lacks a vector is
// a problem, and else that of its part of the list.
func (s *Server) vectors(w http.ResponseWriter, r *http.Request, name, param string, words []spelled, find func(*query.Finder, []float32, spelled) (query.Found, error)) error {
	type item struct {
		Word     string        `json:"word"` // or expression
		FoundAs  string        `json:"found_as,omitempty"`
		Terms    []query.Term  `json:"terms,omitempty"`
		Composed bool          `json:"composed"`
		Vector   query.Vector  `json:"vector"` // null if there is none
		Error    *problemError `json:"error,omitempty"`
	}
	m, err := s.use(r, name)
	if err != nil {
		return err
	}
	release, err := s.numbers.hold(param, len(words), m.Set.Dim())
	if err != nil {
		return err
	}
	defer release()
	data := make([]item, len(words))
	near := m.Words.Suggester(searches)
	err = m.Read(func() error {
		for i, asked := range words {
			found, err := find(m.Words, make([]float32, m.Set.Dim()), asked)
			if err != nil {
				return err
			}
			f := findingOf(found)
			data[i] = item{Word: f.Query, FoundAs: f.FoundAs, Terms: f.Terms, Composed: f.Composed, Vector: found.Vector}
			if wrong := lacking(found, param, near); wrong != nil {
				if len(words) == 1 && r.Method == http.MethodGet {
					return wrong
				}
				data[i].Error = wrong.body()
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Model      string `json:"model"`
		Dimensions int    `json:"dimensions"`
		Data       []item `json:"data"`
	}{m.Name, m.Set.Dim(), data})
}

// An answer is a word that answers an analogy.
type answer struct {
	Word  string  `json:"word"`
	ID    int     `json:"id"`
	Score float32 `json:"score"`
	Count *uint64 `json:"count,omitempty"`
}

// getAnalogy answers GET /v1/analogy: a is to b as c is to what?
func (s *Server) getAnalogy(w http.ResponseWriter, r *http.Request) error {
	p, err := s.params(r, append([]string{"model", "a", "b", "c", "method"}, ruleNames...)...)
	if err != nil {
		return err
	}
	asked := [3]spelled{p.word("a"), p.word("b"), p.word("c")}
	rules, model := p.rules(), p.text("model")
	method := vectors.CosAdd
	if given, ok := p.one("method"); ok {
		method = vectors.AnalogyMethod(given.form)
		if err := method.Validate(); err != nil || method == "" {
			p.fail(badRequest("method", "invalid_value", "method must be one of %v, is %.40q", vectors.AnalogyMethods(), string(method)))
		}
	}
	if p.err != nil {
		return p.err
	}
	m, err := s.use(r, model)
	if err != nil {
		return err
	}
	var found [3]query.Found
	err = m.Read(func() error {
		for i, asked := range asked {
			var err error
			if found[i], err = word(m.Words, make([]float32, m.Set.Dim()), asked); err != nil {
				return err
			}
			param := string("abc"[i])
			if wrong := lacking(found[i], param, m.Words.Suggester(1)); wrong != nil {
				return wrong
			}
			if !hasDirection(found[i].Vector) {
				return noDirection(found[i].Asked, param)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	best, err := s.solve(r, m, analogyQuestion{[3]string{found[0].Spelling, found[1].Spelling, found[2].Spelling}, method, rules.k, rules.restrict})
	if err != nil {
		return err
	}
	body := struct {
		Model   string    `json:"model"`
		Query   [3]string `json:"query"`
		FoundAs [3]string `json:"found_as"`
		Method  string    `json:"method"`
		Answers []answer  `json:"answers"`
	}{Model: m.Name, Method: string(method), Answers: []answer{}}
	for i, f := range found {
		body.Query[i], body.FoundAs[i] = f.Asked, f.Spelling
	}
	err = m.Read(func() error {
		for _, n := range rules.cut(best) {
			body.Answers = append(body.Answers, answer{n.Word, n.ID, n.Similarity, countOf(m.Set, n.ID)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, body)
}

// An analogyQuestion is one that has an answer by a method.
type analogyQuestion struct {
	words    [3]string // as the model spells them
	method   vectors.AnalogyMethod
	k, first int
}

type analogyKey struct{}

// solve answers an analogy. Those that ask alike at the time are answered together.
func (s *Server) solve(r *http.Request, m *models.Model, q analogyQuestion) ([]vectors.Neighbor, error) {
	type analogies = batcher[analogyQuestion, vectors.Answer]
	b, err := models.Attach(m, analogyKey{}, func(m *models.Model) (*analogies, error) {
		return newBatcher(batched/3, func(questions []analogyQuestion) (answers []vectors.Answer, err error) {
			err = m.Read(func() error {
				answers, err = solveTogether(m.Set, questions)
				return err
			})
			return answers, err
		}), nil
	})
	if err != nil {
		return nil, err
	}
	answers, err := answered(b.answers(r.Context(), []analogyQuestion{q}))
	if err != nil {
		return nil, err
	}
	return answers[0].Neighbors, answers[0].Err
}

// solveTogether answers questions, those of one method in one pass over the vectors.
func solveTogether(set *vectors.Set, questions []analogyQuestion) ([]vectors.Answer, error) {
	type kind struct {
		method vectors.AnalogyMethod
		first  int
	}
	together := make(map[kind][]int)
	for i, q := range questions {
		of := kind{q.method, q.first}
		together[of] = append(together[of], i)
	}
	answers := make([]vectors.Answer, len(questions))
	for of, ids := range together {
		var words [][3]string
		k := 0
		for _, i := range ids {
			words = append(words, questions[i].words)
			k = max(k, questions[i].k)
		}
		found, err := set.AnalogyFirst(of.first, words, k, of.method)
		if err != nil {
			return nil, err
		}
		for j, i := range ids {
			found[j].Neighbors = found[j].Neighbors[:min(questions[i].k, len(found[j].Neighbors))]
			answers[i] = found[j]
		}
	}
	return answers, nil
}

// getSimilarity answers GET /v1/similarity.
func (s *Server) getSimilarity(w http.ResponseWriter, r *http.Request) error {
	p, err := s.params(r, "model", "a", "b")
	if err != nil {
		return err
	}
	a, b, model := p.word("a"), p.word("b"), p.text("model")
	if p.err != nil {
		return p.err
	}
	m, err := s.use(r, model)
	if err != nil {
		return err
	}
	body := struct {
		Model      string   `json:"model"`
		A          string   `json:"a"`
		B          string   `json:"b"`
		FoundAs    []string `json:"found_as"`
		Similarity float64  `json:"similarity"`
	}{Model: m.Name}
	err = m.Read(func() error {
		var found [2]query.Found
		for i, asked := range []spelled{a, b} {
			var err error
			if found[i], err = word(m.Words, make([]float32, m.Set.Dim()), asked); err != nil {
				return err
			}
			if wrong := lacking(found[i], string("ab"[i]), m.Words.Suggester(1)); wrong != nil {
				return wrong
			}
			if !hasDirection(found[i].Vector) {
				return noDirection(found[i].Asked, string("ab"[i]))
			}
			body.FoundAs = append(body.FoundAs, found[i].Spelling)
		}
		body.A, body.B = found[0].Asked, found[1].Asked
		body.Similarity = vectors.Cosine(found[0].Vector, found[1].Vector)
		if math.IsNaN(body.Similarity) {
			return fmt.Errorf("the words %q and %q of %s have no cosine", body.A, body.B, m.Name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, body)
}

// postSimilarity answers POST /v1/similarity: how near each of some words is to one.
func (s *Server) postSimilarity(w http.ResponseWriter, r *http.Request) error {
	type item struct {
		Word       string        `json:"word"`
		FoundAs    string        `json:"found_as,omitempty"`
		Similarity *float64      `json:"similarity"` // null if there is none
		Error      *problemError `json:"error,omitempty"`
	}
	var model, one string
	var others []string
	if err := readJSON(r, map[string]any{"model": &model, "word": &one, "words": &others}); err != nil {
		return err
	}
	if one == "" {
		return missing("word")
	}
	if len(others) == 0 {
		return missing("words")
	}
	if wrong := checkWord("word", one); wrong != nil {
		return wrong
	}
	asked, err := s.asSpelled("words", others)
	if err != nil {
		return err
	}
	m, err := s.use(r, model)
	if err != nil {
		return err
	}
	body := struct {
		Model   string `json:"model"`
		Word    string `json:"word"`
		FoundAs string `json:"found_as"`
		Results []item `json:"results"`
	}{m.Name, one, "", make([]item, len(asked))}
	near := m.Words.Suggester(searches)
	find := func(v []float32, asked spelled, param string) (query.Found, *problem, error) {
		found, err := word(m.Words, v, asked)
		if err != nil {
			return found, nil, err
		}
		wrong := lacking(found, param, near)
		if wrong == nil && !hasDirection(v) {
			wrong = noDirection(found.Asked, param)
		}
		return found, wrong, nil
	}
	err = m.Read(func() error {
		first, wrong, err := find(make([]float32, m.Set.Dim()), spelled{one, one}, "word")
		if err != nil {
			return err
		}
		if wrong != nil {
			return wrong
		}
		body.FoundAs = first.Spelling
		v := make([]float32, m.Set.Dim())
		for i := range asked {
			found, wrong, err := find(v, asked[i], "words")
			if err != nil {
				return err
			}
			body.Results[i].Word = found.Asked
			if wrong != nil {
				body.Results[i].Error = wrong.body()
				continue
			}
			cosine := vectors.Cosine(first.Vector, v)
			body.Results[i].FoundAs, body.Results[i].Similarity = found.Spelling, &cosine
		}
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, body)
}

// getDoesntMatch answers GET /v1/doesnt-match: which word matches the others least?
func (s *Server) getDoesntMatch(w http.ResponseWriter, r *http.Request) error {
	p, err := s.params(r, "model", "word")
	if err != nil {
		return err
	}
	asked, model := p.words("word"), p.text("model")
	switch {
	case p.err != nil:
		return p.err
	case len(asked) == 0:
		return missing("word")
	case len(asked) < 3:
		return badRequest("word", "invalid_value", "it takes three words or more to tell which one matches the others least, and there are %d", len(asked))
	}
	m, err := s.use(r, model)
	if err != nil {
		return err
	}
	body := struct {
		Model   string            `json:"model"`
		Odd     *string           `json:"odd"` // null if fewer than three words have a direction
		Words   []query.Ranked    `json:"words"`
		FoundAs map[string]string `json:"found_as"`
		Missing []string          `json:"missing"`
	}{Model: m.Name, Missing: []string{}}
	err = m.Read(func() error {
		words := make([]string, len(asked))
		for i, a := range asked {
			words[i] = a.form
			for _, reading := range a.readings() {
				if _, id := m.Words.Spelling(reading); id >= 0 {
					words[i] = reading
					break
				}
			}
		}
		ranking, err := m.Words.DoesntMatch(words)
		if err != nil {
			return err
		}
		if odd, ok := ranking.Odd(); ok {
			body.Odd = &odd
		}
		body.Words, body.FoundAs = ranking.Words, ranking.FoundAs
		body.Missing = append(body.Missing, ranking.Missing...)
		return nil
	})
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, body)
}
