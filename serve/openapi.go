package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/vectors/query"
)

// The OpenAPI document is generated from the table of routes, and from the types and tags of
// questions and answers. Nothing is written twice, so document and server cannot differ. The
// generator is small; a library would bring its own router or a second set of tags.

// An object is a JSON object with ordered fields.
type object []member

type member struct {
	name  string
	value any
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

// A describer describes types.
type describer struct{ components map[string]object }

func (d *describer) operation(method string, r route) object {
	o := object{{"operationId", r.name}, {"summary", r.title}}
	if r.about != "" {
		o = append(o, member{"description", r.about})
	}
	parameters := []object{}
	body := object(nil)
	required := []string{}
	for _, f := range r.fields {
		if method == http.MethodPost {
			body = append(body, member{f.name, append(f.schema(d, true), help(f.help)...)})
			if f.required != "" {
				required = append(required, f.name)
			}
			continue
		}
		p := object{{"name", f.name}, {"in", "query"}, {"description", f.help}, {"required", f.required != "" || f.inPath}, {"schema", f.schema(d, false)}}
		if f.inPath {
			p[1].value = "path"
		}
		if f.kind.Kind() == reflect.Slice {
			p = append(p, member{"style", "form"}, member{"explode", true})
		}
		parameters = append(parameters, p)
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
	responses := object{{"200", object{{"description", r.answers}, {"content", answers}}}}
	if r.unready != "" {
		responses = append(responses, member{"503", object{{"description", r.unready}, {"content", answers}}})
	}
	o = append(o, member{"responses", append(responses, member{"4XX", problem}, member{"5XX", problem})})
	if r.open {
		o = append(o, member{"security", []object{}})
	}
	return o
}

func content(kind string, schema object) object {
	return object{{kind, object{{"schema", schema}}}}
}

func help(text string) object {
	if text == "" {
		return nil
	}
	return object{{"description", text}}
}

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
	if f.choices != nil {
		s = append(s, member{"enum", f.choices})
	}
	if n, err := strconv.Atoi(f.otherwise); err == nil {
		s = append(s, member{"default", n})
	} else if f.otherwise != "" {
		s = append(s, member{"default", f.otherwise})
	}
	if kind.Kind() == reflect.Int {
		s = append(s, member{"minimum", f.least})
		if f.most > 0 {
			s = append(s, member{"maximum", f.most})
		}
	}
	return s
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
		s := d.schema(kind)
		if text := f.Tag.Get("const"); text != "" {
			s = append(s, member{"const", text})
		}
		if text := f.Tag.Get("enum"); text != "" {
			s = append(s, member{"enum", strings.Fields(text)})
		}
		if text := f.Tag.Get("format"); text != "" {
			s = append(s, member{"format", text})
		}
		if f.Tag.Get("min") != "" {
			s = append(s, member{"minimum", json.RawMessage(f.Tag.Get("min"))})
		}
		properties = append(properties, member{name, append(s, help(f.Tag.Get("help"))...)})
	}
	s := object{{"type", "object"}, {"properties", properties}, {"required", required}}
	return append(s, help(described[t].help)...)
}
