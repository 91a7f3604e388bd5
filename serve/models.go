package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A listedModel is what /v1/models says of a model: what OpenAI's API says, and more.
type listedModel struct {
	ID          string   `json:"id"`
	Object      string   `json:"object"`
	Created     int64    `json:"created"` // seconds since 1970
	OwnedBy     string   `json:"owned_by"`
	Format      string   `json:"format"`
	Words       int      `json:"words"`
	Dimensions  int      `json:"dimensions"`
	Subwords    bool     `json:"subwords"`     // words outside the vocabulary are composed of n-grams
	IgnoresCase bool     `json:"ignores_case"` // words are looked up in lower case, too
	Counts      bool     `json:"counts"`       // it is known how often training saw each word
	Pooling     string   `json:"pooling"`      // of texts
	Nested      []int    `json:"nested"`       // sizes whose numbers, the first of a vector, were trained to be one
	Loaded      string   `json:"loaded"`
	Notes       []string `json:"notes,omitempty"` // what is unusual about the words
}

// textsOf returns what makes vectors of texts by a model.
func (s *Server) textsOf(m *models.Model) (*encoder, error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (e *encoder, err error) {
		err = m.Read(func() error {
			e, err = newEncoder(m.Words, s.optionsOf(m.Name))
			return err
		})
		return e, err
	})
}

// optionsOf are those of the model of a name.
func (s *Server) optionsOf(name string) textOptions {
	for _, spec := range s.config.Models {
		if spec.Name == name {
			return textOptions{Pooling: spec.Pooling, Tokenizer: spec.Tokenizer}
		}
	}
	return textOptions{}
}

// checkTexts looks whether a model makes vectors of texts as the config wants it.
func (s *Server) checkTexts(m *models.Model) error {
	if _, err := s.textsOf(m); err != nil {
		return fmt.Errorf("the model %q: %w", m.Name, err)
	}
	return nil
}

// list says what a model is.
func (s *Server) list(r *http.Request, name string) (listed listedModel, err error) {
	m, err := s.use(r, name)
	if err != nil {
		return listed, err
	}
	t, err := s.textsOf(m)
	if err != nil {
		return listed, err
	}
	err = m.Read(func() error {
		listed = listedModel{
			ID: m.Name, Object: "model", Created: m.Loaded.Unix(), OwnedBy: "w2v",
			Format: m.Set.Format(), Words: m.Set.Len(), Dimensions: m.Set.Dim(),
			Subwords: m.Set.Subword() != nil, IgnoresCase: m.Words.IgnoresCase(), Counts: len(m.Set.SharedParts().Counts) > 0,
			Pooling: string(t.pooler.Method()), Nested: append([]int{}, t.nested...), Loaded: m.Loaded.UTC().Format(time.RFC3339),
			Notes: m.Set.Notes(),
		}
		return nil
	})
	return listed, err
}

// listModels answers GET /v1/models. A model that cannot be used is not in the list.
func (s *Server) listModels(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.params(r); err != nil {
		return err
	}
	body := struct {
		Object string        `json:"object"`
		Data   []listedModel `json:"data"`
	}{"list", []listedModel{}}
	for _, name := range s.models.Names() {
		listed, err := s.list(r, name)
		if _, unavailable := errors.AsType[*models.UnavailableError](err); unavailable {
			continue
		}
		if err != nil {
			return err
		}
		body.Data = append(body.Data, listed)
	}
	return writeJSON(w, http.StatusOK, body)
}

// oneModel answers GET /v1/models/{id}.
func (s *Server) oneModel(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.params(r); err != nil {
		return err
	}
	listed, err := s.list(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, listed)
}

// apiRoutes registers the endpoints below /v1/.
func (s *Server) apiRoutes() {
	s.handle("GET /v1/models", s.listModels)
	s.handle("GET /v1/models/{id}", s.oneModel)
	s.handle("GET /v1/neighbors", s.getNeighbors)
	s.handle("POST /v1/neighbors", s.postNeighbors)
	s.handle("GET /v1/vectors", s.getVectors)
	s.handle("POST /v1/vectors", s.postVectors)
	s.handle("GET /v1/analogy", s.getAnalogy)
	s.handle("GET /v1/similarity", s.getSimilarity)
	s.handle("POST /v1/similarity", s.postSimilarity)
	s.handle("GET /v1/doesnt-match", s.getDoesntMatch)
	s.handle("POST /v1/embeddings", s.postEmbeddings)
	s.open("GET /v1/openapi.json", s.getDescription)
}

const (
	defaultAnswers = 10
	// batched is how many questions about neighbours are answered together at most: so many share one pass over
	// a model's vectors.
	batched = 128
	// maxAnswers is how many answers all questions of one request have together, at most.
	maxAnswers = 100_000
	// maxNumbers is how many numbers of vectors one response has at most, and maxHeld all of them
	// together.
	maxNumbers, maxHeld = 1 << 22, 1 << 24
	// searches is how often a request can have the vocabulary searched for words that may have been meant.
	searches = 8
)

// A neighborsKey attaches the batches of questions about neighbours to a model.
type neighborsKey struct{}

// nearest returns the nearest words of each query. It is answered together with what other requests
// ask at the time.
func nearest(ctx context.Context, m *models.Model, queries []vectors.NearestQuery) ([][]vectors.Neighbor, error) {
	type neighbors = batcher[vectors.NearestQuery, []vectors.Neighbor]
	b, err := models.Attach(m, neighborsKey{}, func(m *models.Model) (*neighbors, error) {
		return newBatcher(batched, func(queries []vectors.NearestQuery) (found [][]vectors.Neighbor, err error) {
			err = m.Read(func() error {
				found = m.Set.NearestQueries(queries)
				return nil
			})
			return found, err
		}), nil
	})
	if err != nil {
		return nil, err
	}
	return answered(b.answers(ctx, queries))
}

// answered makes problems of what can go wrong while others are waited for.
func answered[A any](answers []A, err error) ([]A, error) {
	switch {
	case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
		return nil, errGone
	case err != nil:
		return nil, err
	}
	return answers, nil
}

// errGone is what nobody is told, because the client has gone.
var errGone = &problem{Status: 499, Code: "client_closed_request", Message: "the client has closed the connection"}

// word finds a word in that of its readings which the vocabulary has, or else in the first one.
func word(f *query.Finder, dst []float32, asked spelled) (query.Found, error) {
	for _, reading := range asked.readings() {
		if _, id := f.Spelling(reading); id >= 0 {
			return f.Word(dst, reading)
		}
	}
	return f.Word(dst, asked.form)
}

// A finding is what was asked for of a model. It is in JSON what answers say of it.
type finding struct {
	Query    string       `json:"query"`
	FoundAs  string       `json:"found_as,omitempty"` // of a word: its spelling in the model
	Terms    []query.Term `json:"terms,omitempty"`    // of an expression
	Composed bool         `json:"composed"`           // of n-grams
}

func findingOf(w query.Found) finding {
	f := finding{Query: w.Asked, Terms: w.Terms, Composed: w.Composed()}
	if !w.Missing() {
		f.FoundAs = w.Spelling
	}
	return f
}

// lacking is the problem that there is no vector for what was asked by a parameter, nil if there is one.
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

// noDirection is the problem of a vector that nothing is near to.
func noDirection(word, param string) *problem {
	return &problem{Status: http.StatusUnprocessableEntity, Code: "no_direction", Param: param,
		Message: fmt.Sprintf("the vector of %.80q is zero or not finite: nothing is near to it", word)}
}

// hasDirection tells whether anything can be near to a vector.
func hasDirection(v []float32) bool { return vectors.Unit(make([]float32, len(v)), v) }

// held counts the numbers of responses that are being made.
type held struct {
	numbers atomic.Int64
	refused func() // responses for which there was no room
}

// answerNumbers is how many numbers of vectors take about as much room as a neighbour with its word.
const answerNumbers = 8

// hold makes room for the numbers of a response until release is called.
func (h *held) hold(param string, rows, dim int) (release func(), err error) {
	n := int64(rows) * int64(dim)
	if n > maxNumbers {
		return nil, badRequest(param, "too_many_inputs", "%d vectors of %d numbers are too many for one response: ask for %d at most", rows, dim, maxNumbers/dim)
	}
	if h.numbers.Add(n) > maxHeld {
		h.numbers.Add(-n)
		h.refused()
		return nil, busy("vectors")
	}
	return func() { h.numbers.Add(-n) }, nil
}
