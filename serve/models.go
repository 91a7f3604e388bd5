package serve

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/w2v-go/w2v/serve/internal/models"
)

// A listedModel is what /v1/models says of a model: what OpenAI's API says, and more.
type listedModel struct {
	ID          string   `json:"id" help:"Name by which requests call the model."`
	Object      string   `json:"object" const:"model"`
	Created     int64    `json:"created" help:"When the server opened the model, in seconds since 1970."`
	OwnedBy     string   `json:"owned_by"`
	Format      string   `json:"format" help:"Format of the file."`
	Words       int      `json:"words" help:"Size of the vocabulary."`
	Dimensions  int      `json:"dimensions" help:"Numbers of a vector."`
	Subwords    bool     `json:"subwords" help:"Words outside the vocabulary have vectors that are composed of n-grams."`
	IgnoresCase bool     `json:"ignores_case" help:"Words are looked up as they are, and then in lower case."`
	Counts      bool     `json:"counts" help:"The model knows how often training saw each word."`
	Pooling     string   `json:"pooling" enum:"sif mean" help:"How vectors of words become that of a text."`
	Nested      []int    `json:"nested" help:"Sizes for dimensions that the model was trained for. Others are principal axes."`
	Loaded      string   `json:"loaded" format:"date-time" help:"When the server opened the model."`
	Notes       []string `json:"notes,omitempty" help:"What is unusual about the words."`
}

type modelList struct {
	Object string        `json:"object" const:"list"`
	Data   []listedModel `json:"data"`
}

type modelQuestion struct {
	ID string `path:"id" help:"Name of the model."`
}

// An ofModel is the part of questions that names the model.
type ofModel struct {
	Model string `json:"model" help:"Name of the model. It can be left out if the server has only one."`
}

// textsOf returns what makes vectors of texts by a model.
func (s *Server) textsOf(m *models.Model) (*encoder, error) {
	type key struct{}
	return models.Attach(m, key{}, func(m *models.Model) (e *encoder, err error) {
		spec := s.config.Models[slices.IndexFunc(s.config.Models, func(spec ModelSpec) bool { return spec.Name == m.Name })]
		err = m.Read(func() error {
			e, err = newEncoder(m.Words, spec.Pooling, spec.Tokenizer)
			return err
		})
		return e, err
	})
}

// list says what a model is.
func (s *Server) list(r *http.Request, name string) (listed listedModel, err error) {
	err = s.read(r, name, func(m *models.Model) error {
		t, err := s.textsOf(m)
		if err != nil {
			return err
		}
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
func (s *Server) listModels(r *http.Request, _ *nothing) (any, error) {
	all := modelList{"list", []listedModel{}}
	for _, name := range s.models.Names() {
		listed, err := s.list(r, name)
		if _, unavailable := errors.AsType[*models.UnavailableError](err); unavailable {
			continue
		}
		if err != nil {
			return nil, err
		}
		all.Data = append(all.Data, listed)
	}
	return all, nil
}

func (s *Server) oneModel(r *http.Request, q *modelQuestion) (any, error) { return s.list(r, q.ID) }
