package serve

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/spelling"
	"github.com/w2v-go/w2v/serve/explorer"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/serve/web"
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
