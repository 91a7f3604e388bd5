package serve

import (
	_ "embed"
	"net/http"
)

// description is that of the endpoints below /v1/, in OpenAPI 3.1.
//
//go:embed openapi.json
var description []byte

// getDescription answers GET /v1/openapi.json.
func (s *Server) getDescription(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.params(r); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(description) // if the client is gone, there is nobody to tell
	return nil
}
