package serve

import (
	"net/http"
)

func (s *Server) healthRoutes() {
	s.open("GET /healthz", s.healthz)
	s.open("GET /readyz", s.readyz)
	metrics := s.metrics.handler()
	s.handle("GET /metrics", func(w http.ResponseWriter, r *http.Request) error {
		metrics.ServeHTTP(w, r)
		return nil
	})
}

// healthz says that the process lives.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// A readiness is what /readyz says: status 503 unless all models can be used.
type readiness struct {
	Status string       `json:"status"` // "ready", "unavailable" or "stopping"
	Models []modelState `json:"models"`
}

type modelState struct {
	ID     string `json:"id"`
	Status string `json:"status"` // "ready" or "unavailable"
	Error  string `json:"error,omitempty"`
}

func (s *Server) readyz(w http.ResponseWriter, _ *http.Request) error {
	ready, status := readiness{Status: "ready"}, http.StatusOK
	for _, name := range s.models.Names() {
		state := modelState{ID: name, Status: "ready"}
		if err := s.look(name); err != nil {
			state.Status, state.Error = "unavailable", err.Error()
			ready.Status, status = "unavailable", http.StatusServiceUnavailable
		}
		ready.Models = append(ready.Models, state)
	}
	if s.stopping.Err() != nil {
		ready.Status, status = "stopping", http.StatusServiceUnavailable
	}
	return writeJSON(w, status, ready)
}

// look returns why a model cannot be used, if it cannot.
func (s *Server) look(name string) error {
	m, err := s.models.Use(name)
	if err != nil {
		return err
	}
	defer m.Release()
	return m.Read(func() error { return nil })
}

// usable counts the models that can be used.
func (s *Server) usable() (n int) {
	for _, name := range s.models.Names() {
		if s.look(name) == nil {
			n++
		}
	}
	return n
}
