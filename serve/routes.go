package serve

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/serve/internal/models"
	"github.com/w2v-go/w2v/serve/web"
	"github.com/w2v-go/w2v/vectors/query"
)

// A route is a kind of request that the server answers, and what the OpenAPI document says of it.
type route struct {
	pattern string // of net/http's ServeMux: the method and the path
	open    bool   // the route needs no token
	stream  bool   // events are sent for as long as the client listens

	name         string // of the operation; empty for what is private to the explorer's page
	title, about string
	answers      string // what the answers with status 200 are
	values       []any  // of the types of these answers, which are alternatives; none for plain text
	unready      string // what the same answers with status 503 are; empty if there are none

	question
}

// A question is the parameters of a route, and the method that answers.
type question struct {
	fields []field
	handle handler
}

// ask returns a question whose parameters are the fields of a struct.
func ask[Q any](s *Server, answer func(r *http.Request, q *Q) (any, error)) question {
	fields := fieldsOf(reflect.TypeFor[Q](), s.config.Limits)
	return question{fields, func(w http.ResponseWriter, r *http.Request) error {
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
	}}
}

// A nothing is the question of a route without parameters.
type nothing struct{}

// api returns the public routes. To add an endpoint, add a route, the types of its question and
// answer, and the method that answers.
func (s *Server) api() []route {
	var description document
	routes := []route{
		{pattern: "GET /v1/models", name: "listModels", title: "The models",
			answers: "All models that can be used.", values: []any{modelList{}}, question: ask(s, s.listModels)},
		{pattern: "GET /v1/models/{id}", name: "getModel", title: "A model",
			answers: "The model.", values: []any{listedModel{}}, question: ask(s, s.oneModel)},
		{pattern: "GET /v1/neighbors", name: "getNeighbors", title: "Nearest words",
			about:   "Either word or expr must be there. Of several queries, those without a vector have an error in their part of the list; alone, such a query is an error.",
			answers: "For one query an object, for several a list in their order.", values: []any{oneNeighborhood{}, allNeighborhoods{}}, question: ask(s, s.getNeighbors)},
		{pattern: "POST /v1/neighbors", name: "postNeighbors", title: "Nearest words of many queries",
			about:   "Either words or expressions must be there.",
			answers: "A list in the order of the queries.", values: []any{allNeighborhoods{}}, question: ask(s, s.postNeighbors)},
		{pattern: "GET /v1/vectors", name: "getVectors", title: "Vectors of words",
			answers: "The vectors, as they are in the model.", values: []any{vectorsAnswer{}}, question: ask(s, s.getVectors)},
		{pattern: "POST /v1/vectors", name: "postVectors", title: "Vectors of many words",
			answers: "The vectors, in the order of the words.", values: []any{vectorsAnswer{}}, question: ask(s, s.postVectors)},
		{pattern: "GET /v1/analogy", name: "getAnalogy", title: "a is to b as c is to what?",
			answers: "The answers.", values: []any{analogyAnswer{}}, question: ask(s, s.getAnalogy)},
		{pattern: "GET /v1/similarity", name: "getSimilarity", title: "Cosine of two words",
			answers: "The cosine.", values: []any{similarityAnswer{}}, question: ask(s, s.getSimilarity)},
		{pattern: "POST /v1/similarity", name: "postSimilarity", title: "Cosines of a word with others",
			answers: "The cosines, in the order of the words.", values: []any{similaritiesAnswer{}}, question: ask(s, s.postSimilarity)},
		{pattern: "GET /v1/doesnt-match", name: "getDoesntMatch", title: "Which word matches the others least?",
			answers: "The words.", values: []any{oddAnswer{}}, question: ask(s, s.getDoesntMatch)},
		{pattern: "POST /v1/embeddings", name: "postEmbeddings", title: "Vectors of texts", about: "As OpenAI's API has it.",
			answers: "The vectors, in the order of the inputs.", values: []any{embeddingsAnswer{}}, question: ask(s, s.postEmbeddings)},
		{pattern: "GET /v1/openapi.json", open: true, name: "getDescription", title: "This description",
			answers: "The description.", values: []any{map[string]any{}},
			question: ask(s, func(*http.Request, *nothing) (any, error) { return description, nil })},
		{pattern: "GET /healthz", open: true, name: "getHealth", title: "Does the process live?",
			answers: "The process lives.", values: []any{health{}}, question: question{handle: s.healthz}},
		{pattern: "GET /readyz", open: true, name: "getReadiness", title: "Can every model be used?",
			answers: "Every model can be used.", unready: "A model cannot be used, or the server is stopping.",
			values: []any{readiness{}}, question: question{handle: s.readyz}},
		{pattern: "GET /metrics", name: "getMetrics", title: "Metrics for Prometheus",
			answers: "The metrics, in the text format of Prometheus, or in that of OpenMetrics for a client that accepts it.", question: question{handle: s.metrics.handle}},
	}
	description = documentOf(routes)
	return routes
}

func (s *Server) routes() ([]route, error) {
	e, err := explore.New(explore.Options{
		Models:   exploredModels{s},
		MapWords: s.config.MapWords,
		Metadata: s.config.Metadata,
		Logs:     s.config.Logs,
		Scores:   s.config.Scores,
		Log:      s.config.Log,
	})
	if err != nil {
		return nil, err
	}
	s.closers = append(s.closers, e.Close)
	all := s.api()
	for _, r := range e.Routes() {
		all = append(all, route{pattern: r.Pattern, stream: r.Stream, question: question{handle: r.Handle}})
	}
	files, err := readPages(web.Files())
	return append(all, route{pattern: "/", open: true, question: question{handle: s.pages(files)}}), err
}

// register adds a route to what the server answers. A route runs behind authentication, limits and compression, and the
// body of its request is in memory. Streams are neither compressed nor ended by the timeout of writing, and there are
// no more than Limits.Streams.
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

// nowhere returns the problem of an unknown path. It suggests paths that end alike, and does not
// repeat the request's path.
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

// use returns the model of a name for as long as the request takes, and counts the request as one
// of this model. The request releases it.
func (s *Server) use(r *http.Request, name string) (*models.Model, error) {
	m, err := s.models.Use(name)
	if err != nil {
		return nil, err
	}
	q := requestOf(r)
	q.model, q.ends = cmp.Or(q.model, m.Name), append(q.ends, m.Release)
	return m, nil
}

// read uses the model of a name, and reads from it.
func (s *Server) read(r *http.Request, name string, read func(*models.Model) error) error {
	m, err := s.use(r, name)
	if err != nil {
		return err
	}
	return m.Read(func() error { return read(m) })
}

// pages serves the files of the explorer's page, and suggests paths for all others.
func (s *Server) pages(files map[string]*page) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
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
	}
}

func notAllowed(w http.ResponseWriter, r *http.Request, methods []string) error {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	return refusal(http.StatusMethodNotAllowed, "method_not_allowed", "%s is not possible here: use %s", r.Method, strings.Join(methods, " or "))
}

// otherMethods returns the methods other than the request's that its path allows.
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
	tag       string // its ETag, weak because compression changes the bytes of the same content
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

// exportTemplate is the template of exported pages. The server does not serve it.
const exportTemplate = "export.html"

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
		sum := sha256.Sum256(content)
		kind := cmp.Or(contentTypes[path.Ext(name)], "application/octet-stream")
		pages[name] = &page{content, kind, `W/"` + hex.EncodeToString(sum[:12]) + `"`, strings.HasPrefix(name, "assets/")}
		return nil
	})
	return pages, err
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

// explored is the key of the explorer's attachment to a model.
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
	return &explore.Model{Name: m.Name, Path: m.Path, Context: m.Context(), Checksum: sum, Words: m.Words, Read: m.Read, Release: m.Release}, nil
}

// The OpenAPI document is generated from the table of routes, and from the types and tags of
// questions and answers. Nothing is written twice, so document and server cannot differ. The
// generator is small; a library would bring its own router or a second set of tags.

// An object is a JSON object with ordered fields.
type object []member

type member struct {
	name  string
	value any
}

// with returns the object with another field, if it has one.
func (o object) with(has bool, name string, value any) object {
	if has {
		o = append(o, member{name, value})
	}
	return o
}

func (o object) MarshalJSON() ([]byte, error) {
	text := []byte{'{'}
	for i, m := range o {
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%q:%s", m.name, value)
	}
	return append(text, '}'), nil
}

// described are types whose schemas have a description. Named types are components of the document.
var described = map[reflect.Type]struct{ name, help string }{
	reflect.TypeFor[problemError]():     {"Problem", "Why there is no answer."},
	reflect.TypeFor[term]():             {"Term", ""},
	reflect.TypeFor[neighbor]():         {"Neighbor", ""},
	reflect.TypeFor[neighborhood]():     {"Neighborhood", "What is found for one query."},
	reflect.TypeFor[listedModel]():      {"Model", ""},
	reflect.TypeFor[embedding]():        {"Embedding", ""},
	reflect.TypeFor[vectorsAnswer]():    {"Vectors", ""},
	reflect.TypeFor[oneNeighborhood]():  {"", "For one query."},
	reflect.TypeFor[allNeighborhoods](): {"", "For several queries, in their order."},
}

type document []byte

func (d document) send(w http.ResponseWriter) {
	w.Header().Set("Cache-Control", "no-cache")
	sendJSON(w, http.StatusOK, d)
}

// documentOf describes routes, except routes private to the explorer's page.
func documentOf(routes []route) document {
	d := &describer{components: map[string]object{}}
	problem := object{{"description", "Why there is no answer."}, {"content", content("application/json", d.schema(reflect.TypeFor[problemBody]()))}}
	var paths object
	at := map[string]int{}
	for _, r := range routes {
		if r.name == "" {
			continue
		}
		method, path, _ := strings.Cut(r.pattern, " ")
		i, known := at[path]
		if !known {
			i, at[path] = len(paths), len(paths)
			paths = append(paths, member{path, object(nil)})
		}
		paths[i].value = append(paths[i].value.(object), member{strings.ToLower(method), d.operation(method, r)})
	}
	text, err := json.MarshalIndent(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "w2v"}, {"version", "1"}, {"summary", "Word vectors over HTTP"},
			{"description", "Nearest neighbours, vectors, analogies and similarities of words, and embeddings of texts. Unknown parameters and fields are refused. Every error is JSON."},
		}},
		{"servers", []object{{{"url", "/"}}}},
		{"security", []object{{}, {{"token", []string{}}}}},
		{"paths", paths},
		{"components", object{
			{"schemas", d.components},
			{"responses", object{{"Problem", problem}}},
			{"securitySchemes", object{{"token", object{
				{"type", "http"}, {"scheme", "bearer"}, {"description", "Needed if the server was started with a file of tokens."}}}}},
		}},
	}, "", "  ")
	if err != nil {
		panic(err) // the routes are a part of the program
	}
	return text
}

type describer struct{ components map[string]object }

func (d *describer) operation(method string, r route) object {
	o := object{{"operationId", r.name}, {"summary", r.title}}.with(r.about != "", "description", r.about)
	parameters := []object{}
	body := object(nil)
	required := []string{}
	for _, f := range r.fields {
		if method == http.MethodPost {
			body = append(body, member{f.name, f.schema(d, true).with(f.help != "", "description", f.help)})
			if f.required != "" {
				required = append(required, f.name)
			}
			continue
		}
		p := object{{"name", f.name}, {"in", "query"}, {"description", f.help}, {"required", f.required != "" || f.inPath}, {"schema", f.schema(d, false)}}
		if f.inPath {
			p[1].value = "path"
		}
		several := f.kind.Kind() == reflect.Slice
		parameters = append(parameters, p.with(several, "style", "form").with(several, "explode", true))
	}
	if method == http.MethodPost {
		schema := object{{"type", "object"}, {"properties", body}, {"required", required}, {"additionalProperties", false}}
		o = append(o, member{"requestBody", object{{"required", true}, {"content", content("application/json", schema)}}})
	} else {
		o = append(o, member{"parameters", parameters})
	}
	var schemas []object
	for _, v := range r.values {
		schemas = append(schemas, d.schema(reflect.TypeOf(v)))
	}
	answers := content("application/json", object{{"oneOf", schemas}})
	switch len(schemas) {
	case 0:
		answers = content("text/plain", object{{"type", "string"}})
	case 1:
		answers = content("application/json", schemas[0])
	}
	problem := object{{"$ref", "#/components/responses/Problem"}}
	responses := object{{"200", object{{"description", r.answers}, {"content", answers}}}}.
		with(r.unready != "", "503", object{{"description", r.unready}, {"content", answers}})
	o = append(o, member{"responses", append(responses, member{"4XX", problem}, member{"5XX", problem})})
	return o.with(r.open, "security", []object{})
}

func content(kind string, schema object) object { return object{{kind, object{{"schema", schema}}}} }

// schema describes the values of a field. In a body, what is optional may be null.
func (f field) schema(d *describer, inBody bool) object {
	kind, optional := f.kind, false
	if kind.Kind() == reflect.Pointer {
		kind, optional = kind.Elem(), inBody
	}
	s := d.schema(kind)
	if optional {
		s = nullable(s)
	}
	number, err := strconv.Atoi(f.otherwise)
	isInt := kind.Kind() == reflect.Int
	return s.with(f.choices != nil, "enum", f.choices).
		with(err == nil, "default", number).
		with(err != nil && f.otherwise != "", "default", f.otherwise).
		with(isInt, "minimum", f.least).
		with(isInt && f.most > 0, "maximum", f.most)
}

func nullable(s object) object {
	s[0].value = []any{s[0].value, "null"}
	return s
}

func (d *describer) schema(t reflect.Type) object {
	if own, ok := reflect.Zero(t).Interface().(interface{ schema() object }); ok {
		return own.schema()
	}
	switch t.Kind() {
	case reflect.String:
		return object{{"type", "string"}}
	case reflect.Bool:
		return object{{"type", "boolean"}}
	case reflect.Int, reflect.Int64:
		return object{{"type", "integer"}}
	case reflect.Uint64:
		return object{{"type", "integer"}, {"minimum", 0}}
	case reflect.Float32, reflect.Float64:
		return object{{"type", "number"}}
	case reflect.Pointer:
		return nullable(d.schema(t.Elem()))
	case reflect.Slice, reflect.Array:
		if t == reflect.TypeFor[query.Vector]() { // numbers that are not finite are null
			return object{{"type", []string{"array", "null"}}, {"items", object{{"type", []string{"number", "null"}}}}}
		}
		return object{{"type", "array"}, {"items", d.schema(t.Elem())}}
	case reflect.Map:
		if t.Elem().Kind() == reflect.Interface {
			return object{{"type", "object"}}
		}
		return object{{"type", "object"}, {"additionalProperties", d.schema(t.Elem())}}
	}
	name := described[t].name
	if name == "" {
		return d.structure(t)
	}
	if d.components[name] == nil {
		d.components[name] = d.structure(t)
	}
	return object{{"$ref", "#/components/schemas/" + name}}
}

// structure describes a struct by its fields: their names are those of package json, and they may have the tags help,
// const, enum, format and min.
func (d *describer) structure(t reflect.Type) object {
	var properties object
	var required []string
	for _, f := range reflect.VisibleFields(t) {
		name, omitted, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		kind := f.Type
		switch {
		case omitted == "":
			required = append(required, name)
		case kind.Kind() == reflect.Pointer:
			kind = kind.Elem()
		}
		tag := f.Tag.Get
		properties = append(properties, member{name, d.schema(kind).
			with(tag("const") != "", "const", tag("const")).
			with(tag("enum") != "", "enum", strings.Fields(tag("enum"))).
			with(tag("format") != "", "format", tag("format")).
			with(tag("min") != "", "minimum", json.RawMessage(tag("min"))).
			with(tag("help") != "", "description", tag("help"))})
	}
	about := described[t].help
	return object{{"type", "object"}, {"properties", properties}, {"required", required}}.with(about != "", "description", about)
}
