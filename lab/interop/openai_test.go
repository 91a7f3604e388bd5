package interop

import (
	"encoding/json"
	"math"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/serve"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/pooling"
)

// served writes a set to a file, and returns the address of a server of it.
func served(t *testing.T, name string, set *vectors.Set, configure func(*serve.Config)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "served.w2v")
	if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
		t.Fatal(err)
	}
	c := serve.Config{Models: []serve.ModelSpec{{Name: name, Path: path}}}
	if configure != nil {
		configure(&c)
	}
	s, err := serve.New(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		server.Close()
		s.Close()
	})
	return server.URL
}

// greetings is a set whose text was cut into words and lower-cased, with prefixes of 2 numbers that are vectors.
func greetings() *vectors.Set {
	words := []string{"the", "hello", "world", "good", "morning", "日"}
	rows := vectors.NewMatrix(len(words), 4)
	for i := range words {
		for k := range 4 {
			rows.Row(i)[k] = float32(math.Sin(float64(1 + 5*i + 3*k*k)))
		}
	}
	set := newSet(vectors.Parts{Words: vectors.NewWords(words...), Counts: []uint64{5000, 40, 30, 20, 10, 5}, Input: rows})
	return with(set, func(p *vectors.Parts) {
		p.Training.Set("tokenizer", "unicode")
		p.Training.Set("lowercase", true)
		p.Training.Set("arch", "skipgram")
		p.Training.Set("nested", "2,4")
	})
}

// A question is one for testdata/openai/ask.js.
type question struct {
	Call string         `json:"call"`
	Body map[string]any `json:"body"`
}

// A result is what the client gave.
type result struct {
	Answer json.RawMessage
	Error  *struct {
		Class, Code, Type, Param, Message string
		Status                            int
	}
}

// asked asks with OpenAI's client.
func asked(t *testing.T, npm, url string, questions ...question) []result {
	t.Helper()
	in, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	var results []result
	out := output(t, string(in), "node", filepath.Join(npm, "ask.js"), url)
	if err := json.Unmarshal([]byte(out), &results); err != nil || len(results) != len(questions) {
		t.Fatalf("%v in %s", err, out)
	}
	return results
}

type body = map[string]any

// OpenAI's own client works with the server.
func TestOpenAIClient(t *testing.T) {
	npm := installed(t, "openai")
	t.Run("embeddings", func(t *testing.T) { embedsWithOpenAI(t, npm) })
	t.Run("axes", func(t *testing.T) { axesWithOpenAI(t, npm) })
	t.Run("models", func(t *testing.T) { listsWithOpenAI(t, npm) })
	t.Run("errors", func(t *testing.T) { throwsWithOpenAI(t, npm) })
}

// The client gets the vectors that the library makes. Without encoding_format it asks for base64 and
// decodes it itself.
func embedsWithOpenAI(t *testing.T, npm string) {
	set := greetings()
	url := served(t, "greetings", set, nil)
	pooler, err := pooling.New(set, pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	vector := func(size int, words ...string) []float32 {
		v := make([]float32, set.Dim())
		tokens := make([]vectors.Token, len(words))
		for i, word := range words {
			tokens[i] = set.Token(word)
		}
		if pooler.Text(v, tokens) == 0 {
			return v[:size]
		}
		v = v[:size]
		vectors.Unit(v, v)
		return v
	}
	tests := []struct {
		body   body
		want   [][]float32
		tokens int
	}{
		{body{"input": "Hello, World!"}, [][]float32{vector(4, "hello", "world")}, 2},
		{body{"input": "Hello, World!", "encoding_format": "float"}, [][]float32{vector(4, "hello", "world")}, 2},
		{body{"input": []string{"good morning", "日 the", "nobody here"}, "user": "me"}, [][]float32{vector(4, "good", "morning"), vector(4, "日", "the"), {0, 0, 0, 0}}, 6},
		{body{"input": "the good", "dimensions": 2}, [][]float32{vector(2, "the", "good")}, 2},
		{body{"input": []int{1, 2}}, [][]float32{vector(4, "hello", "world")}, 2},
		{body{"input": [][]int{{3}, {4, 4}}, "encoding_format": "float", "dimensions": 4}, [][]float32{vector(4, "good"), vector(4, "morning")}, 3},
	}
	var questions []question
	for _, test := range tests {
		test.body["model"] = "greetings"
		questions = append(questions, question{"embed", test.body})
	}
	for i, r := range asked(t, npm, url, questions...) {
		var got struct {
			Object, Model string
			Data          []struct {
				Object    string
				Index     int
				Embedding []float32
			}
			Usage map[string]int
		}
		if r.Error != nil {
			t.Errorf("%v: %+v", tests[i].body, *r.Error)
			continue
		}
		if err := json.Unmarshal(r.Answer, &got); err != nil {
			t.Fatalf("%v in %s", err, r.Answer)
		}
		if got.Object != "list" || got.Model != "greetings" || len(got.Data) != len(tests[i].want) ||
			!reflect.DeepEqual(got.Usage, map[string]int{"prompt_tokens": tests[i].tokens, "total_tokens": tests[i].tokens}) {
			t.Errorf("%v: %s", tests[i].body, r.Answer)
			continue
		}
		for j, d := range got.Data {
			if d.Object != "embedding" || d.Index != j || len(d.Embedding) != len(tests[i].want[j]) {
				t.Errorf("%v: %+v", tests[i].body, d)
				continue
			}
			for k, x := range d.Embedding {
				if math.Abs(float64(x-tests[i].want[j][k])) > 1e-6 {
					t.Errorf("%v: embedding %d is %v, want %v", tests[i].body, j, d.Embedding, tests[i].want[j])
					break
				}
			}
		}
	}
}

// Fewer dimensions than were trained for keep cosines about as they are, and lengths at 1.
func axesWithOpenAI(t *testing.T, npm string) {
	url := served(t, "greetings", greetings(), nil)
	r := asked(t, npm, url, question{"embed", body{"model": "greetings", "input": []string{"hello world", "good morning"}, "dimensions": 3}})[0]
	var got struct {
		Data []struct{ Embedding []float64 }
	}
	if r.Error != nil || json.Unmarshal(r.Answer, &got) != nil || len(got.Data) != 2 {
		t.Fatalf("%+v %s", r.Error, r.Answer)
	}
	for _, d := range got.Data {
		var squares float64
		for _, x := range d.Embedding {
			squares += x * x
		}
		if len(d.Embedding) != 3 || math.Abs(squares-1) > 1e-6 {
			t.Errorf("%v has the squared length %v", d.Embedding, squares)
		}
	}
}

func listsWithOpenAI(t *testing.T, npm string) {
	url := served(t, "a/b c", greetings(), nil)
	results := asked(t, npm, url, question{"models", nil}, question{"model", body{"id": "a/b c"}})
	type model struct {
		ID, Object, Pooling string
		Owner               string `json:"owned_by"`
		Nested              []int
		Created             int64
	}
	var all []model
	var one model
	for i, to := range []any{&all, &one} {
		if results[i].Error != nil {
			t.Fatalf("%+v", *results[i].Error)
		}
		if err := json.Unmarshal(results[i].Answer, to); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) != 1 || !reflect.DeepEqual(all[0], one) || one.Created == 0 {
		t.Errorf("%+v and %+v", all, one)
	}
	one.Created = 0
	if want := (model{"a/b c", "model", "weighted", "w2v", []int{2}, 0}); !reflect.DeepEqual(one, want) {
		t.Errorf("%+v, want %+v", one, want)
	}
}

// The client's own classes of errors are thrown, and have what the server says.
func throwsWithOpenAI(t *testing.T, npm string) {
	url := served(t, "greetings", greetings(), func(c *serve.Config) { c.Limits.Inputs = 3 })
	tests := []struct {
		body                     body
		class, code, param, text string
		status                   int
	}{
		{body{"input": ""}, "BadRequestError", "invalid_value", "input", "input[0] is an empty string", 400},
		{body{"input": []string{}}, "BadRequestError", "invalid_value", "input", "input is empty", 400},
		{body{"input": []string{"a", ""}}, "BadRequestError", "invalid_value", "input", "input[1] is an empty string", 400},
		{body{"input": []string{"a", "b", "c", "d"}}, "BadRequestError", "too_many_inputs", "input", "4 values", 400},
		{body{"input": []any{"a", 1}}, "BadRequestError", "invalid_value", "input", "must be a string", 400},
		{body{"input": []int{1, 6}}, "BadRequestError", "invalid_token", "input", "6 is not a token", 400},
		{body{"input": "a", "dimensions": 5}, "BadRequestError", "invalid_value", "dimensions", "the model has 4 dimensions, and 5 are asked for", 400},
		{body{"input": "a", "dimensions": 0}, "BadRequestError", "invalid_value", "dimensions", "must be at least 1", 400},
		{body{"input": "a", "encoding_format": "int8"}, "BadRequestError", "invalid_value", "encoding_format", "must be float or base64", 400},
		{body{"input": "a", "dimension": 2}, "BadRequestError", "unknown_field", "dimension", "is it dimensions?", 400},
		{body{"input": "a", "model": "text-embedding-3-small"}, "NotFoundError", "model_not_found", "model", "no model", 404},
	}
	var questions []question
	for _, test := range tests {
		if test.body["model"] == nil {
			test.body["model"] = "greetings"
		}
		questions = append(questions, question{"embed", test.body})
	}
	for i, r := range asked(t, npm, url, questions...) {
		test := tests[i]
		if r.Error == nil {
			t.Errorf("%v: %s", test.body, r.Answer)
			continue
		}
		e := *r.Error
		if e.Class != test.class || e.Code != test.code || e.Param != test.param || e.Status != test.status || e.Type != "invalid_request_error" || !strings.Contains(e.Message, test.text) {
			t.Errorf("%v: %+v", test.body, e)
		}
	}
}
