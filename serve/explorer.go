package serve

import (
	"net/http"

	"github.com/w2v-go/w2v/serve/explorer"
	"github.com/w2v-go/w2v/serve/internal/models"
)

// explorerRoutes registers what the explorer's page asks for, below /explorer/.
func (s *Server) explorerRoutes() error {
	e, err := explorer.New(explorer.Options{
		Models:   exploredModels{s},
		MapWords: s.config.MapWords,
		Metadata: s.config.Metadata,
		Logs:     s.config.Logs,
		Scores:   s.config.Scores,
		Log:      s.config.Log,
	})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, e.Close)
	for _, route := range e.Routes() {
		register := s.handle
		if route.Stream {
			register = s.stream
		}
		register(route.Pattern, func(w http.ResponseWriter, r *http.Request) error {
			return route.Handle(w, r)
		})
	}
	return nil
}

// exploredModels are the models of a server as the explorer uses them.
type exploredModels struct{ server *Server }

func (e exploredModels) Names() []string { return e.server.models.Names() }

// explored is the key of what the explorer attaches to a model.
type explored struct{}

func (e exploredModels) Use(name string) (*explorer.Model, error) {
	m, err := e.server.models.Use(name)
	if err != nil {
		return nil, err
	}
	sum := func() (string, error) {
		return models.Attach(m, explored{}, func(m *models.Model) (sum string, err error) {
			err = m.Read(func() error { sum, err = explorer.Checksum(m.Set); return err })
			return sum, err
		})
	}
	return &explorer.Model{Name: m.Name, Path: m.Path, Context: m.Context(), Checksum: sum, Words: m.Words, Read: m.Read, Release: m.Release}, nil
}
