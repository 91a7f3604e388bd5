package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	classifiers "github.com/w2v-go/w2v/classify"
	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/index"
)

// closed returns a schema, or what has schemas in it, whose objects have no other fields than those that
// it describes.
func closed(node any) any {
	switch node := node.(type) {
	case map[string]any:
		for name, below := range node {
			node[name] = closed(below)
		}
		if _, fields := node["properties"].(map[string]any); fields && node["type"] == "object" && node["additionalProperties"] == nil {
			node["additionalProperties"] = false
		}
	case []any:
		for i, below := range node {
			node[i] = closed(below)
		}
	}
	return node
}

// fetched returns the status and body of a response.
func fetched(t *testing.T, method, url, body string) (*http.Request, *http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r, res, text
}

// The description is valid OpenAPI, and what the server answers is as it says: no field of an answer is
// missing in it. Requests that it allows are answered, and it has no operation that the test leaves out.
func TestOpenAPIDescribesWhatIsServed(t *testing.T) {
	set := greetings()
	animals := strings.NewReader(strings.Repeat("__label__cat the cat purrs\n__label__dog the dog barks\n", 20))
	trained, err := classifiers.Train(t.Context(), classifiers.Files(animals, "-"), classifiers.Defaults(), classifiers.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	entries, err := index.Of(set)
	if err != nil {
		t.Fatal(err)
	}
	built, err := index.Build(t.Context(), entries, index.Options{})
	if err != nil {
		t.Fatal(err)
	}
	built.About.Of = "words"
	searched := filepath.Join(t.TempDir(), "greetings.index")
	if err := built.Write(t.Context(), searched); err != nil {
		t.Fatal(err)
	}
	url := served(t, "greetings", set, func(c *serve.Config) { c.Models[0].Index = searched })
	classifier := served(t, "animals", trained.Vectors, nil)
	_, _, text := fetched(t, http.MethodGet, url+"/v1/openapi.json", "")
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	strict, err := json.Marshal(closed(tree))
	if err != nil {
		t.Fatal(err)
	}
	for name, description := range map[string][]byte{"served": text, "closed": strict} {
		doc, err := openapi3.NewLoader().LoadFromData(description)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := doc.Validate(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	doc, err := openapi3.NewLoader().LoadFromData(strict)
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	left := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			left[method+" "+path] = true
		}
	}
	for _, test := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", "/v1/models", "", 200},
		{"GET", "/v1/models/greetings", "", 200},
		{"GET", "/v1/models/none", "", 404},
		{"GET", "/v1/openapi.json", "", 200},
		{"GET", "/healthz", "", 200},
		{"GET", "/readyz", "", 200},
		{"GET", "/metrics", "", 200},
		{"GET", "/v1/neighbors?word=Hello&k=2&restrict=5&threshold=-1&model=greetings", "", 200},
		{"GET", "/v1/neighbors?word=hello&word=helo", "", 200},
		{"GET", "/v1/neighbors?expr=hello-world%2Bthe", "", 200},
		{"GET", "/v1/neighbors?word=helo", "", 404},
		{"POST", "/v1/neighbors", `{"words":["hello","helo"],"k":1,"restrict":3,"threshold":0.1}`, 200},
		{"POST", "/v1/neighbors", `{"expressions":["Hello - world","- -"]}`, 200},
		{"GET", "/v1/vectors?word=Hello&word=x", "", 200},
		{"GET", "/v1/vectors?expr=hello-world", "", 200},
		{"POST", "/v1/vectors", `{"words":["hello","x"]}`, 200},
		{"GET", "/v1/analogy?a=the&b=hello&c=World&method=3cosmul&k=2&restrict=6&threshold=-2", "", 200},
		{"GET", "/v1/similarity?a=the&b=World", "", 200},
		{"POST", "/v1/similarity", `{"word":"the","words":["hello","x"]}`, 200},
		{"GET", "/v1/doesnt-match?word=the&word=Hello&word=x", "", 200},
		{"GET", "/v1/doesnt-match?word=the&word=Hello&word=x&word=world", "", 200},
		{"POST", "/v1/embeddings", `{"input":"hello","dimensions":3,"user":"u"}`, 200},
		{"POST", "/v1/embeddings", `{"input":["hello","x"],"encoding_format":"base64"}`, 200},
		{"POST", "/v1/embeddings", `{"input":[[1,2],[3]],"model":"greetings"}`, 200},
		{"POST", "/v1/embeddings", `{"input":[1,2]}`, 200},
		{"POST", "/v1/embeddings", `{"input":[100]}`, 400},
		{"POST", "/v1/search", `{"input":"hello","k":2,"among":["hello","world","the"],"exclude":["the"],"threshold":-1,"effort":9}`, 200},
		{"POST", "/v1/search", `{"vectors":[[1,2,3,4],[0,0,0,0]],"model":"greetings"}`, 200},
		{"POST", "/v1/search", `{"input":["hello","xyzzy"]}`, 200},
		{"POST", "/v1/search", `{"vectors":[[1,2]]}`, 400},
		{"GET", "/v1/models/animals", "", 200},
		{"POST", "/v1/classify", `{"input":"a cat","model":"animals"}`, 200},
		{"POST", "/v1/classify", `{"input":["a cat","","x"],"model":"animals","k":2,"threshold":0.1}`, 200},
	} {
		from := url
		if strings.Contains(test.path, "/animals") || strings.Contains(test.path, "/classify") {
			from = classifier
		}
		r, res, answer := fetched(t, test.method, from+test.path, test.body)
		if res.StatusCode != test.status {
			t.Errorf("%s %s: %s %s", test.method, test.path, res.Status, answer)
			continue
		}
		if err := matches(t.Context(), router, r, test.body, res, answer); err != nil {
			t.Errorf("%s %s %s: %v\n%s", test.method, test.path, test.body, err, answer)
		}
		route, _, err := router.FindRoute(r)
		if err != nil {
			t.Fatal(err)
		}
		if test.status == 200 {
			delete(left, test.method+" "+route.Path)
		}
	}
	if len(left) > 0 {
		t.Errorf("never answered: %v", left)
	}
}

// matches tells how a request and its response are not as a description has them.
func matches(ctx context.Context, router interface {
	FindRoute(*http.Request) (*routers.Route, map[string]string, error)
}, r *http.Request, body string, res *http.Response, answer []byte) error {
	route, params, err := router.FindRoute(r)
	if err != nil {
		return err
	}
	asked := r.Clone(ctx)
	asked.Body = io.NopCloser(strings.NewReader(body))
	in := &openapi3filter.RequestValidationInput{Request: asked, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, IncludeResponseStatus: true}}
	if err := openapi3filter.ValidateRequest(ctx, in); err != nil {
		return fmt.Errorf("request: %w", err)
	}
	out := &openapi3filter.ResponseValidationInput{RequestValidationInput: in, Status: res.StatusCode, Header: res.Header, Options: in.Options,
		Body: io.NopCloser(bytes.NewReader(answer))}
	if err := openapi3filter.ValidateResponse(ctx, out); err != nil {
		return fmt.Errorf("response: %w", err)
	}
	return nil
}

// An answer that has a field which the description lacks is found.
func TestOpenAPIFindsWhatIsMissing(t *testing.T) {
	set := greetings()
	url := served(t, "greetings", set, func(c *serve.Config) { c.Case = vectors.CaseKept })
	_, _, text := fetched(t, http.MethodGet, url+"/v1/openapi.json", "")
	var tree any
	if err := json.Unmarshal(bytes.ReplaceAll(text, []byte(`"similarity":`), []byte(`"cosine":`)), &tree); err != nil {
		t.Fatal(err)
	}
	strict, err := json.Marshal(closed(tree))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(strict)
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = nil
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	r, res, answer := fetched(t, http.MethodGet, url+"/v1/neighbors?word=the", "")
	if err := matches(t.Context(), router, r, "", res, answer); err == nil {
		t.Error("nothing is missing")
	}
}
