package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/w2v-go/w2v/serve/web"
)

// pageRoutes registers the explorer's page and all that nothing else answers.
func (s *Server) pageRoutes() error {
	files, err := readPages(web.Files())
	if err != nil {
		return err
	}
	s.open("/", func(w http.ResponseWriter, r *http.Request) error {
		if methods := s.otherMethods(r); len(methods) > 0 {
			return notAllowed(w, r, methods)
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		file := files[name]
		switch {
		case file == nil:
			return s.nowhere(r)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			return notAllowed(w, r, []string{http.MethodGet, http.MethodHead})
		}
		file.write(w, r)
		return nil
	})
	return nil
}

func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) error {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	return &problem{Status: http.StatusMethodNotAllowed, Code: "method_not_allowed",
		Message: r.Method + " is not possible here: use " + strings.Join(methods, " or ")}
}

// otherMethods returns the methods by which the path of a request can be asked, though not by the
// request's own.
func (s *Server) otherMethods(r *http.Request) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := &http.Request{Method: method, Host: r.Host, URL: r.URL}
		if _, pattern := s.mux.Handler(other); method != r.Method && pattern != "/" && pattern != "" {
			methods = append(methods, method)
		}
	}
	return methods
}

// A page is a file of the front end, which does not change while the server runs.
type page struct {
	content   []byte
	kind      string // its Content-Type
	tag       string // its ETag: a weak one, because compression makes other bytes of the same content
	immutable bool   // the name has a hash of the content
}

// contentTypes are those of the front end's files. The system's table may lack or change them.
var contentTypes = map[string]string{
	".html":  "text/html; charset=utf-8",
	".js":    "text/javascript; charset=utf-8",
	".css":   "text/css; charset=utf-8",
	".json":  "application/json",
	".svg":   "image/svg+xml",
	".png":   "image/png",
	".ico":   "image/x-icon",
	".woff2": "font/woff2",
	".txt":   "text/plain; charset=utf-8",
}

// exportTemplate is what exported pages are made of. It is no page of the server.
const exportTemplate = "export.html"

// readPages reads the files of the front end. Requests find what has a name here and nothing else.
func readPages(files fs.FS) (map[string]*page, error) {
	pages := make(map[string]*page)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == exportTemplate {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		kind := contentTypes[path.Ext(name)]
		if kind == "" {
			kind = "application/octet-stream"
		}
		pages[name] = &page{content, kind, `W/"` + hex.EncodeToString(sum[:12]) + `"`, strings.HasPrefix(name, "assets/")}
		return nil
	})
	return pages, err
}

// write sends the page, unless the client has it.
func (p *page) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", p.tag)
	h.Set("Cache-Control", "no-cache") // which is: ask whether it is still the same
	if p.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), p.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", p.kind)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(p.content) // if the client is gone, there is nobody to tell
}
