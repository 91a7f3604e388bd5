package serve

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/serve/internal/models"
)

// routes registers everything that the server answers. Each kind of endpoint has one function:
// add an endpoint to its.
func (s *Server) routes() error {
	s.healthRoutes()
	s.apiRoutes()
	if err := s.explorerRoutes(); err != nil {
		return err
	}
	return s.pageRoutes()
}

// handle registers a handler. The pattern is one of net/http's ServeMux, with its method. The
// handler runs behind authentication, limits and compression, and the body of its request is in
// memory.
func (s *Server) handle(pattern string, h handler) {
	s.route(pattern, s.authenticated(s.ordinary(h)))
}

// open registers a handler that needs no token.
func (s *Server) open(pattern string, h handler) {
	s.route(pattern, s.ordinary(h))
}

// stream registers a handler that sends events for as long as the client listens, until the
// context of the request ends. They are neither compressed nor ended by the timeout of writing,
// and there are no more than Limits.Streams.
func (s *Server) stream(pattern string, h handler) {
	s.route(pattern, s.authenticated(s.streaming(h)))
}

func (s *Server) route(pattern string, h http.Handler) {
	s.mux.Handle(pattern, h)
	s.patterns = append(s.patterns, pattern)
}

// nowhere is the problem that the server has nothing at the path of a request. It names the paths that may have
// been meant: those that end alike. It does not repeat the request's own.
func (s *Server) nowhere(r *http.Request) *problem {
	p := &problem{Status: http.StatusNotFound, Code: "not_found", Message: "there is nothing at this path"}
	asked := strings.ToLower(path.Base(r.URL.Path))
	if len(asked) > maxName { // which is no slip, and would take long to compare
		return p
	}
	var ends, meant []string
	for _, pattern := range s.patterns {
		ends = append(ends, path.Base(pattern))
	}
	near := spelling.Nearest(asked, ends)
	for i, pattern := range s.patterns {
		method, at, _ := strings.Cut(pattern, " ")
		switch end := ends[i]; {
		case strings.Contains(at, "{") || at == "":
			continue
		case end == near || len(asked) >= 4 && (strings.HasPrefix(end, asked) || strings.HasPrefix(asked, end)):
			if !slices.Contains(p.Suggestions, at) {
				p.Suggestions = append(p.Suggestions, at)
			}
			meant = append(meant, method+" "+at)
		}
	}
	switch {
	case len(meant) > 0:
		p.Message += ": " + strings.Join(meant, " or ") + " may be meant"
	case strings.HasPrefix(r.URL.Path, "/explorer"):
		p.Message += ": the page of the explorer is at /"
	default:
		p.Message += ": /v1/openapi.json describes the paths of the API, and the page of the explorer is at /"
	}
	return p
}

// use returns the model of a name for as long as the request takes, and counts the request as one
// of this model. Nobody has to release it.
func (s *Server) use(r *http.Request, name string) (*models.Model, error) {
	m, err := s.models.Use(name)
	if err != nil {
		return nil, err
	}
	requestOf(r).uses(m)
	return m, nil
}
