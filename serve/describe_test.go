package serve

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

var update = flag.Bool("update", false, "write openapi.json")

// An operation is what the OpenAPI document says of a public route.
type operation struct {
	pattern string // of the route
	open    bool   // the route needs no token

	name         string
	title, about string
	answers      string // what the answers with status 200 are
	values       []any  // of the types of these answers, which are alternatives; none for plain text
	unready      string // what the same answers with status 503 are; empty if there are none
	question     reflect.Type
}

var documented = []operation{
	{pattern: "GET /v1/models", name: "listModels", title: "The models",
		answers: "All models that can be used.", values: []any{modelList{}}, question: reflect.TypeFor[nothing]()},
	{pattern: "GET /v1/models/{id}", name: "getModel", title: "A model",
		answers: "The model.", values: []any{listedModel{}}, question: reflect.TypeFor[modelQuestion]()},
	{pattern: "GET /v1/neighbors", name: "getNeighbors", title: "Nearest words",
		about:   "Either word or expr must be there. Of several queries, those without a vector have an error in their part of the list; alone, such a query is an error.",
		answers: "For one query an object, for several a list in their order.", values: []any{oneNeighborhood{}, allNeighborhoods{}}, question: reflect.TypeFor[neighborsQuestion]()},
	{pattern: "POST /v1/neighbors", name: "postNeighbors", title: "Nearest words of many queries",
		about:   "Either words or expressions must be there.",
		answers: "A list in the order of the queries.", values: []any{allNeighborhoods{}}, question: reflect.TypeFor[manyNeighborsQuestion]()},
	{pattern: "GET /v1/vectors", name: "getVectors", title: "Vectors of words",
		answers: "The vectors, as they are in the model.", values: []any{vectorsAnswer{}}, question: reflect.TypeFor[vectorsQuestion]()},
	{pattern: "POST /v1/vectors", name: "postVectors", title: "Vectors of many words",
		answers: "The vectors, in the order of the words.", values: []any{vectorsAnswer{}}, question: reflect.TypeFor[manyVectorsQuestion]()},
	{pattern: "GET /v1/analogy", name: "getAnalogy", title: "a is to b as c is to what?",
		answers: "The answers.", values: []any{analogyAnswer{}}, question: reflect.TypeFor[analogyPrompt]()},
	{pattern: "GET /v1/similarity", name: "getSimilarity", title: "Cosine of two words",
		answers: "The cosine.", values: []any{similarityAnswer{}}, question: reflect.TypeFor[similarityQuestion]()},
	{pattern: "POST /v1/similarity", name: "postSimilarity", title: "Cosines of a word with others",
		answers: "The cosines, in the order of the words.", values: []any{similaritiesAnswer{}}, question: reflect.TypeFor[similaritiesQuestion]()},
	{pattern: "GET /v1/doesnt-match", name: "getDoesntMatch", title: "Which word matches the others least?",
		answers: "The words.", values: []any{oddAnswer{}}, question: reflect.TypeFor[oddQuestion]()},
	{pattern: "POST /v1/embeddings", name: "postEmbeddings", title: "Vectors of texts", about: "As OpenAI's API has it.",
		answers: "The vectors, in the order of the inputs.", values: []any{embeddingsAnswer{}}, question: reflect.TypeFor[embeddingsQuestion]()},
	{pattern: "POST /v1/classify", name: "postClassify", title: "Labels of texts",
		answers: "The labels, in the order of the texts.", values: []any{classifyAnswer{}}, question: reflect.TypeFor[classifyQuestion]()},
	{pattern: "POST /v1/search", name: "postSearch", title: "Nearest entries of an index",
		about:   "Either input or vectors must be there.",
		answers: "The nearest entries, in the order of the queries.", values: []any{searchAnswer{}}, question: reflect.TypeFor[searchQuestion]()},
	{pattern: "GET /v1/openapi.json", open: true, name: "getDescription", title: "This description",
		answers: "The description.", values: []any{map[string]any{}}, question: reflect.TypeFor[nothing]()},
	{pattern: "GET /healthz", question: reflect.TypeFor[nothing](), open: true, name: "getHealth", title: "Does the process live?",
		answers: "The process lives.", values: []any{health{}}},
	{pattern: "GET /readyz", question: reflect.TypeFor[nothing](), open: true, name: "getReadiness", title: "Can every model be used?",
		answers: "Every model can be used.", unready: "A model cannot be used, or the server is stopping.",
		values: []any{readiness{}}},
	{pattern: "GET /metrics", question: reflect.TypeFor[nothing](), name: "getMetrics", title: "Metrics for Prometheus",
		answers: "The metrics, in the text format of Prometheus, or in that of OpenMetrics for a client that accepts it."},
}

// The document is made of the types and tags of questions and answers, so that nothing is written twice.
// After a change of these, go test ./serve -run TestTheDocumentIsOfTheTypes -update writes it.
func TestTheDocumentIsOfTheTypes(t *testing.T) {
	if *update {
		l, _ := Defaults()
		if err := os.WriteFile("openapi.json", []byte(documentOf(documented, l)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, most := range []int{1000, 5} {
		var l Limits
		l.Answers = most
		_ = l.complete() // there is nothing wrong with zeros
		h := answering(t, l, map[string]*vectors.Set{"royal": royal(t)})
		if _, text := answerTo(h, "/v1/openapi.json", ""); text != documentOf(documented, l) {
			t.Errorf("for %d answers, openapi.json is not what the types say: run this test with -update", most)
		}
	}
}

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
	reflect.TypeFor[classified]():       {"Classified", ""},
	reflect.TypeFor[searched]():         {"Searched", ""},
	reflect.TypeFor[vectorsAnswer]():    {"Vectors", ""},
	reflect.TypeFor[oneNeighborhood]():  {"", "For one query."},
	reflect.TypeFor[allNeighborhoods](): {"", "For several queries, in their order."},
}

// documentOf describes operations of a server with these limits.
func documentOf(all []operation, l Limits) string {
	d := &describer{components: map[string]object{}}
	problem := object{{"description", "Why there is no answer."}, {"content", content("application/json", d.schema(reflect.TypeFor[problemBody]()))}}
	var paths object
	at := map[string]int{}
	for _, r := range all {
		method, path, _ := strings.Cut(r.pattern, " ")
		i, known := at[path]
		if !known {
			i, at[path] = len(paths), len(paths)
			paths = append(paths, member{path, object(nil)})
		}
		paths[i].value = append(paths[i].value.(object), member{strings.ToLower(method), d.operation(method, r, l)})
	}
	text, err := json.MarshalIndent(object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "w2v"}, {"version", "1"}, {"summary", "Word vectors over HTTP"},
			{"description", "Nearest neighbours, vectors, analogies and similarities of words, and embeddings and labels of texts. Unknown parameters and fields are refused. Every error is JSON."},
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
	return string(text)
}

type describer struct{ components map[string]object }

func (d *describer) operation(method string, r operation, l Limits) object {
	o := object{{"operationId", r.name}, {"summary", r.title}}.with(r.about != "", "description", r.about)
	parameters := []object{}
	body := object(nil)
	required := []string{}
	for _, f := range fieldsOf(r.question, l) {
		of := r.question.FieldByIndex(f.index)
		help := of.Tag.Get("help")
		if method == http.MethodPost {
			body = append(body, member{f.name, d.parameter(of.Type, f, true).with(help != "", "description", help)})
			if f.required != "" {
				required = append(required, f.name)
			}
			continue
		}
		p := object{{"name", f.name}, {"in", "query"}, {"description", help}, {"required", f.required != "" || f.inPath}, {"schema", d.parameter(of.Type, f, false)}}
		if f.inPath {
			p[1].value = "path"
		}
		several := of.Type.Kind() == reflect.Slice
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

// parameter describes the values of a field. In a body, what is optional may be null.
func (d *describer) parameter(kind reflect.Type, f field, inBody bool) object {
	optional := false
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
	if some, ok := s[0].value.([]object); ok {
		s[0].value = append(some, object{{"type", "null"}})
		return s
	}
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

// schema describes the input.
func (embeddingInput) schema() object {
	list := func(items object) object {
		return object{{"type", "array"}, {"items", items}, {"minItems", 1}}
	}
	text, token := spelled{}.schema(), object{{"type", "integer"}, {"minimum", 0}}
	return object{{"oneOf", []object{text, list(text), list(token), list(list(token))}}}
}

// schema describes the texts.
func (textInput) schema() object {
	text := object{{"type", "string"}}
	return object{{"oneOf", []object{text, {{"type", "array"}, {"items", text}, {"minItems", 1}}}}}
}

// schema describes the number.
func (probability) schema() object {
	return object{{"type", []string{"number", "null"}}, {"description", "Up to 1.00001, as fastText has it. Null if it is not a number."}}
}

// schema describes the vector.
func (embedded) schema() object {
	return object{{"oneOf", []object{
		{{"type", "array"}, {"items", object{{"type", "number"}}}},
		{{"type", "string"}, {"description", "Little-endian float32 in base64."}, {"contentEncoding", "base64"}},
	}}}
}

// schema describes a word or an expression.
func (spelled) schema() object { return object{{"type", "string"}, {"minLength", 1}} }
