package serve

import (
	"net/http"

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
	s.mux.Handle(pattern, s.authenticated(s.ordinary(h)))
}

// open registers a handler that needs no token.
func (s *Server) open(pattern string, h handler) {
	s.mux.Handle(pattern, s.ordinary(h))
}

// stream registers a handler that sends events for as long as the client listens, until the
// context of the request ends. They are neither compressed nor ended by the timeout of writing,
// and there are no more than Limits.Streams.
func (s *Server) stream(pattern string, h handler) {
	s.mux.Handle(pattern, s.authenticated(s.streaming(h)))
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
