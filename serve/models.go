package serve

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/serve/internal/texts"
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
func (s *Server) textsOf(m *models.Model) (*texts.Encoder, error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (e *texts.Encoder, err error) {
		err = m.Read(func() error {
			e, err = texts.New(m.Words, s.textOptions(m.Name))
			return err
		})
		return e, err
	})
}

// textOptions are those of the model of a name.
func (s *Server) textOptions(name string) texts.Options {
	for _, spec := range s.config.Models {
		if spec.Name == name {
			return texts.Options{Pooling: spec.Pooling, Tokenizer: spec.Tokenizer}
		}
	}
	return texts.Options{}
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
			Pooling: t.Pooling(), Nested: append([]int{}, t.Nested()...), Loaded: m.Loaded.UTC().Format(time.RFC3339),
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
