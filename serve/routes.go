package serve

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/serve/web"
)

type route struct {
	pattern string // of net/http's ServeMux: the method and the path
	open    bool   // the route needs no token
	stream  bool   // events are sent for as long as the client listens
	handle  handler
}

func ask[Q any](s *Server, answer func(r *http.Request, q *Q) (any, error)) handler {
	fields := fieldsOf(reflect.TypeFor[Q](), s.config.Limits)
	return func(w http.ResponseWriter, r *http.Request) error {
		q := new(Q)
		if err := readQuestion(r, fields, q); err != nil {
			return err
		}
		a, err := answer(r, q)
		if err != nil {
			return err
		}
		if own, ok := a.(interface{ send(http.ResponseWriter) }); ok {
			own.send(w)
			return nil
		}
		return writeJSON(w, http.StatusOK, a)
	}
}

// A nothing is the question of a route without parameters.
type nothing struct{}

// api returns the public routes. To add one, add the types of its question and answer, and the method that
// answers; and describe it in the table of TestTheDocumentIsOfTheTypes, which writes openapi.json.
func (s *Server) api() []route {
	return []route{
		{pattern: "GET /v1/models", handle: ask(s, s.listModels)},
		{pattern: "GET /v1/models/{id}", handle: ask(s, s.oneModel)},
		{pattern: "GET /v1/neighbors", handle: ask(s, s.getNeighbors)},
		{pattern: "POST /v1/neighbors", handle: ask(s, s.postNeighbors)},
		{pattern: "GET /v1/vectors", handle: ask(s, s.getVectors)},
		{pattern: "POST /v1/vectors", handle: ask(s, s.postVectors)},
		{pattern: "GET /v1/analogy", handle: ask(s, s.getAnalogy)},
		{pattern: "GET /v1/similarity", handle: ask(s, s.getSimilarity)},
		{pattern: "POST /v1/similarity", handle: ask(s, s.postSimilarity)},
		{pattern: "GET /v1/doesnt-match", handle: ask(s, s.getDoesntMatch)},
		{pattern: "POST /v1/embeddings", handle: ask(s, s.postEmbeddings)},
		{pattern: "POST /v1/classify", handle: ask(s, s.postClassify)},
		{pattern: "POST /v1/search", handle: ask(s, s.postSearch)},
		{pattern: "GET /v1/openapi.json", open: true, handle: ask(s, s.getDescription)},
		{pattern: "GET /healthz", open: true, handle: s.healthz},
		{pattern: "GET /readyz", open: true, handle: s.readyz},
		{pattern: "GET /metrics", handle: s.metrics.handle},
	}
}

// description is the OpenAPI document of the API, which TestTheDocumentIsOfTheTypes makes.
//
//go:embed openapi.json
var description string

type document []byte

func (s *Server) getDescription(*http.Request, *nothing) (any, error) {
	most := s.config.Limits.Answers // of k, which alone depends on the server's limits
	return document(strings.NewReplacer(
		`"default": 10,`, fmt.Sprintf(`"default": %d,`, min(10, most)),
		`"maximum": 1000`, fmt.Sprintf(`"maximum": %d`, most),
	).Replace(description)), nil
}

func (d document) send(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-cache")
	sendJSON(w, http.StatusOK, d)
}

func (s *Server) routes() ([]route, error) {
	c := s.config
	e, err := explore.New(explore.Options{
		Models: exploredModels{s}, MapWords: c.MapWords, Logs: c.Logs, Scores: c.Scores, Log: c.Log,
	})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, e.Close)
	all := s.api()
	for _, r := range e.Routes() {
		all = append(all, route{pattern: r.Pattern, stream: r.Stream, handle: r.Handle})
	}
	if s.classroom, err = newClassroom(); err != nil {
		return nil, err
	}
	files, err := readPages(web.Files())
	return append(all,
		route{pattern: "GET /lessons/{page...}", open: true, handle: s.getLesson},
		route{pattern: "GET /lessons/{lesson}/data", handle: ask(s, s.getLessonData)},
		route{pattern: "/", open: true, handle: s.pages(files)},
	), err
}

// register adds a route behind authentication, limits and compression. The body of its request is in memory. Streams
// are neither compressed nor ended by the timeout of writing.
func (s *Server) register(r route) {
	var h http.Handler
	if r.stream {
		h = s.streaming(r.handle)
	} else {
		h = s.ordinary(r.handle)
	}
	if !r.open {
		h = s.authenticated(h)
	}
	s.mux.Handle(r.pattern, h)
	s.patterns = append(s.patterns, r.pattern)
}

// nowhere suggests paths that end alike, and does not repeat the request's path.
func (s *Server) nowhere(r *http.Request) *problem {
	p := refusal(http.StatusNotFound, "not_found", "there is nothing at this path")
	asked := strings.ToLower(path.Base(r.URL.Path))
	if len(asked) > maxName { // too long for a typo, and slow to compare
		return p
	}
	var ends, meant []string
	for _, pattern := range s.patterns {
		ends = append(ends, path.Base(pattern))
	}
	near := wording.Nearest(asked, ends)
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

// use returns a model until the request ends, which counts as one of this model.
func (s *Server) use(r *http.Request, name string) (*models.Model, error) {
	m, err := s.models.Use(name)
	if err != nil {
		return nil, err
	}
	q := requestOf(r)
	q.model, q.ends = cmp.Or(q.model, m.Name), append(q.ends, m.Release)
	return m, nil
}

func (s *Server) read(r *http.Request, name string, read func(*models.Model) error) error {
	m, err := s.use(r, name)
	if err != nil {
		return err
	}
	return m.Read(func() error { return read(m) })
}

func (s *Server) pages(files map[string]*page) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if methods := s.otherMethods(r); len(methods) > 0 {
			return notAllowed(w, r, methods)
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			if len(s.config.Models) == 0 { // the explorer has nothing to show
				http.Redirect(w, r, "/lessons/", http.StatusFound)
				return nil
			}
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
	}
}

func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) error {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	return refusal(http.StatusMethodNotAllowed, "method_not_allowed", "%s is not possible here: use %s", r.Method, strings.Join(methods, " or "))
}

func (s *Server) otherMethods(r *http.Request) (methods []string) {
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		other := &http.Request{Method: method, Host: r.Host, URL: r.URL}
		if _, pattern := s.mux.Handler(other); method != r.Method && pattern != "/" && pattern != "" {
			methods = append(methods, method)
		}
	}
	return methods
}

type page struct {
	content   []byte
	kind      string // its Content-Type
	tag       string // its ETag, weak because compression changes the bytes of the same content
	immutable bool   // the name has a hash of the content
}

// contentTypes are those of the front end's files. The system's table may lack or change them.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon",
	".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
}

const exportTemplate = "export.html" // the server does not serve the template of exported pages

// readPages reads the files of the front end. Only these can be requested.
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
		pages[name] = newPage(name, content)
		return nil
	})
	return pages, err
}

func newPage(name string, content []byte) *page {
	sum := sha256.Sum256(content)
	kind := cmp.Or(contentTypes[path.Ext(name)], "application/octet-stream")
	return &page{content, kind, `W/"` + hex.EncodeToString(sum[:12]) + `"`, strings.HasPrefix(name, "assets/")}
}

func (p *page) write(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", p.tag)
	h.Set("Cache-Control", "no-cache") // no-cache means: revalidate
	if p.immutable {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if strings.Contains(r.Header.Get("If-None-Match"), p.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", p.kind)
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(p.content) // an error means that the client is gone
}

type exploredModels struct{ server *Server }

func (e exploredModels) Names() []string { return e.server.models.Names() }

type explored struct{}

func (e exploredModels) Use(name string) (*explore.Model, error) {
	m, err := e.server.models.Use(name)
	if err != nil {
		return nil, err
	}
	sum := func() (string, error) {
		return models.Attach(m, explored{}, func(m *models.Model) (sum string, err error) {
			err = m.Read(func() error { sum, err = explore.Checksum(m.Set); return err })
			return sum, err
		})
	}
	about, err := e.server.factsOf(m)
	if err != nil {
		m.Release()
		return nil, err
	}
	return &explore.Model{Name: m.Name, Path: m.Path, Context: m.Context(), Checksum: sum, Words: m.Words, Facts: about.words, Read: m.Read, Release: m.Release}, nil
}
