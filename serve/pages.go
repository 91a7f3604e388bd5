package serve

import (
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// pageRoutes registers the explorer's page and all that nothing else answers.
func (s *Server) pageRoutes() error {
	files, err := newStaticFiles(nil)
	if err != nil {
		return err
	}
	s.open("/", func(w http.ResponseWriter, r *http.Request) error {
		if methods := s.otherMethods(r); len(methods) > 0 {
			w.Header().Set("Allow", strings.Join(methods, ", "))
			return &problem{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
				Message: r.Method + " is not possible here: use " + strings.Join(methods, " or ")}
		}
		return files.serve(w, r)
	})
	return nil
}

// otherMethods returns the methods by which the path of a request can be asked, though not by the
// request's own.
func (s *Server) otherMethods(r *http.Request) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); method != r.Method && pattern != "/" && pattern != "" {
			methods = append(methods, method)
		}
	}
	return methods
}

// static files are files that do not change while the server runs.
type staticFiles struct{ files fs.FS }

func newStaticFiles(files fs.FS) (*staticFiles, error) { return &staticFiles{files}, nil }

func (f *staticFiles) serve(w http.ResponseWriter, r *http.Request) error {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	return &problem{Status: http.StatusNotFound, Code: "not_found", Message: "there is nothing at /" + name}
}
