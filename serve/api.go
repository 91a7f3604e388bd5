package serve

import "net/http"

// apiRoutes registers the endpoints below /v1/.
func (s *Server) apiRoutes() {
	s.handle("GET /v1/models", s.listModels)
}

// listModels names the models.
func (s *Server) listModels(w http.ResponseWriter, _ *http.Request) error {
	type listed struct {
		ID     string `json:"id"`
		Object string `json:"object"`
	}
	var list struct {
		Object string   `json:"object"`
		Data   []listed `json:"data"`
	}
	list.Object = "list"
	for _, name := range s.models.Names() {
		list.Data = append(list.Data, listed{name, "model"})
	}
	return writeJSON(w, http.StatusOK, list)
}
