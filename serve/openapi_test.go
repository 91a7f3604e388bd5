package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// tree is the OpenAPI document of a server, or a part of it.
type tree = map[string]any

// at returns what a document has at a path, "" if that is nothing.
func at(doc any, path ...string) any {
	for _, name := range path {
		part, _ := doc.(tree)
		doc = part[name]
	}
	return doc
}

// conforms looks whether a value is as a schema says. An object has no other fields than those that its schema describes.
func conforms(doc tree, schema any, v any) error {
	s, _ := schema.(tree)
	if ref, ok := s["$ref"].(string); ok {
		return conforms(doc, at(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...), v)
	}
	if some, ok := s["oneOf"].([]any); ok {
		fits := 0
		for _, one := range some {
			if conforms(doc, one, v) == nil {
				fits++
			}
		}
		if fits != 1 {
			return fmt.Errorf("%v is %d of the alternatives", v, fits)
		}
		return nil
	}
	kinds, several := s["type"].([]any)
	if !several {
		kinds = []any{s["type"]}
	}
	kind := "null"
	switch v := v.(type) {
	case string:
		kind = "string"
	case bool:
		kind = "boolean"
	case []any:
		kind = "array"
	case tree:
		kind = "object"
	case float64:
		kind = "number"
		if slices.Contains(kinds, any("integer")) && v == float64(int64(v)) {
			kind = "integer"
		}
		if least, ok := s["minimum"].(float64); ok && v < least {
			return fmt.Errorf("%v is less than %v", v, least)
		}
	}
	if !slices.Contains(kinds, any(kind)) {
		return fmt.Errorf("%v is a %s, and must be of %v", v, kind, kinds)
	}
	if some, ok := s["enum"].([]any); ok && !slices.Contains(some, v) || s["const"] != nil && s["const"] != v {
		return fmt.Errorf("%v is none of %v%v", v, s["enum"], s["const"])
	}
	if items, ok := v.([]any); ok {
		for i, item := range items {
			if err := conforms(doc, s["items"], item); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
	}
	fields, ok := v.(tree)
	if !ok || s["properties"] == nil && s["additionalProperties"] == nil {
		return nil
	}
	for name, field := range fields {
		of := at(s, "properties", name)
		if of == nil {
			of = s["additionalProperties"]
		}
		if of == nil {
			return fmt.Errorf("%s is not described", name)
		}
		if err := conforms(doc, of, field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := fields[name.(string)]; !ok {
			return fmt.Errorf("%s is missing", name)
		}
	}
	return nil
}

// documentFor returns the document that a server sends.
func documentFor(t *testing.T, h http.Handler) (doc tree) {
	t.Helper()
	_, text := answerTo(h, "/v1/openapi.json", "")
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// operations returns the operations of a document, as "GET /healthz".
func operations(doc tree) (all []string) {
	for path, methods := range doc["paths"].(tree) {
		for method := range methods.(tree) {
			all = append(all, strings.ToUpper(method)+" "+path)
		}
	}
	slices.Sort(all)
	return all
}

// Everything that the server answers is in the document, but for what is private to pages. Everything in the
// document is answered, as its schema says, and problems are, too.
func TestTheDocumentIsTrue(t *testing.T) {
	s := made(t, Config{Models: []ModelSpec{{Name: "royal", Path: writeSet(t, royal(t))}}})
	h := s.Handler()
	doc := documentFor(t, h)
	public := slices.DeleteFunc(slices.Clone(s.patterns), func(pattern string) bool {
		_, path, _ := strings.Cut(pattern, " ")
		return pattern == "/" || strings.HasPrefix(path, "/explorer/") || strings.HasPrefix(path, "/lessons/")
	})
	slices.Sort(public)
	left := operations(doc)
	if !slices.Equal(public, left) {
		t.Errorf("the server answers %q, and the document has %q", public, left)
	}
	requests := slices.Clone(answers)
	for _, path := range []string{"/v1/models", "/v1/models/royal", "/v1/openapi.json", "/healthz", "/readyz", "/metrics", "/v1/models/none", "/v1/neighbors?word=qween"} {
		requests = append(requests, struct{ path, body, want string }{path: path})
	}
	for _, path := range []string{"/v1/models", "/v1/models/bread"} {
		requests = append(requests, struct{ path, body, want string }{path: path, want: "bread"})
	}
	requests = append(requests, struct{ path, body, want string }{"/v1/classify", `{"input":["bread and wine",""],"k":2}`, "bread"})
	sorting := made(t, Config{Models: []ModelSpec{{Name: "bread", Path: "../testdata/fasttext/class-hs.bin"}}}).Handler()
	facts := filepath.Join(t.TempDir(), "facts.tsv")
	if err := os.WriteFile(facts, []byte("word\tkind\nking\troyal\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	searching := made(t, Config{Models: []ModelSpec{indexed(t)}, Metadata: map[string]string{"royal": facts}}).Handler()
	for _, request := range []string{`{"input":["king","xyzzy"],"k":2}`, `{"vectors":[[1,0,0]],"where":["kind=royal"]}`} {
		requests = append(requests, struct{ path, body, want string }{"/v1/search", request, "index"})
	}
	requests = append(requests, struct{ path, body, want string }{path: "/v1/models", want: "index"})
	for _, request := range requests {
		to := h
		switch request.want {
		case "bread":
			to = sorting
		case "index":
			to = searching
		}
		status, text := answerTo(to, request.path, request.body)
		path, _, _ := strings.Cut(request.path, "?")
		path = regexp.MustCompile(`^/v1/models/.*`).ReplaceAllString(path, "/v1/models/{id}")
		method := "get"
		if request.body != "" {
			method = "post"
		}
		schema := at(doc, "paths", path, method, "responses", "200", "content", "application/json", "schema")
		if status != http.StatusOK {
			schema = at(doc, "components", "responses", "Problem", "content", "application/json", "schema")
		} else {
			left = slices.DeleteFunc(left, func(operation string) bool { return operation == strings.ToUpper(method)+" "+path })
		}
		if path == "/metrics" { // which is text
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if err := conforms(doc, schema, value); err != nil {
			t.Errorf("%s: %v in %s", request.path, err, text)
		}
	}
	if len(left) > 0 {
		t.Errorf("never answered: %q", left)
	}
	// A field that is not described is found.
	delete(doc["components"].(tree)["schemas"].(tree)["Neighbor"].(tree)["properties"].(tree), "id")
	var value any
	_, text := answerTo(h, "/v1/neighbors?word=king", "")
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	if conforms(doc, at(doc, "paths", "/v1/neighbors", "get", "responses", "200", "content", "application/json", "schema"), value) == nil {
		t.Error("id is not described, and nothing is missing")
	}
}

// The server takes the parameters and fields that the document has, and their bounds are the server's.
func TestTheDocumentHasTheParameters(t *testing.T) {
	doc := documentFor(t, answering(t, Limits{Answers: 5}, map[string]*vectors.Set{"royal": royal(t)}))
	var k tree
	names := []string{}
	for _, p := range at(doc, "paths", "/v1/neighbors", "get", "parameters").([]any) {
		name := at(p, "name").(string)
		if names = append(names, name); name == "k" {
			k = at(p, "schema").(tree)
		}
	}
	if want := []string{"model", "word", "expr", "k", "restrict", "threshold", "among", "exclude", "where"}; !slices.Equal(names, want) {
		t.Errorf("the parameters are %q, want %q", names, want)
	}
	if k["minimum"] != 1.0 || k["maximum"] != 5.0 || k["default"] != 5.0 {
		t.Errorf("k is described as %v", k)
	}
	body := at(doc, "paths", "/v1/embeddings", "post", "requestBody", "content", "application/json", "schema").(tree)
	if got := slices.Sorted(maps.Keys(body["properties"].(tree))); !slices.Equal(got, []string{"dimensions", "encoding_format", "input", "model", "user"}) {
		t.Errorf("the fields are %q", got)
	}
	for value, fits := range map[string]bool{`"a"`: true, `["a"]`: true, `[1]`: true, `[[1],[2]]`: true, `null`: false, `{}`: false} {
		var input any
		if err := json.Unmarshal([]byte(value), &input); err != nil {
			t.Fatal(err)
		}
		if err := conforms(doc, at(body, "properties", "input"), input); (err == nil) != fits {
			t.Errorf("%s as input: %v", value, err)
		}
	}
}

// The table in the documentation has every operation with its title, and no other.
func TestTheDocumentationHasTheOperations(t *testing.T) {
	doc := documentFor(t, answering(t, Limits{}, map[string]*vectors.Set{"royal": royal(t)}))
	want := []string{}
	for _, operation := range operations(doc) {
		method, path, _ := strings.Cut(operation, " ")
		want = append(want, operation+": "+at(doc, "paths", path, strings.ToLower(method), "summary").(string))
	}
	page, err := os.ReadFile("../docs/serve-api.md")
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, row := range regexp.MustCompile("(?m)^\\| \\[`([A-Z]+ /.*)`\\].* \\| (.*) \\|$").FindAllStringSubmatch(string(page), -1) {
		got = append(got, row[1]+": "+row[2])
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("docs/serve-api.md has\n%q, want\n%q", got, want)
	}
}
