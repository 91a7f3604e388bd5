package serve

import (
	"net/http"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

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
