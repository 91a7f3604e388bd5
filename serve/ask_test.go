package serve

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/format"
)

// oneModel is a config of a model "one" with the words sun and moon.
func oneModel(t testing.TB) Config {
	t.Helper()
	return Config{Models: []ModelSpec{{Name: "one", Path: writeModel(t, "one.w2v", format.W2V, "sun", "moon")}}}
}

// made is a server that does not listen.
func made(t testing.TB, c Config) *Server {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// An asked is a request. Fields that are empty are as usual.
type asked struct {
	method, path, host, body string
	header                   []string // names and values in turn
	tls                      bool
}

func (a asked) request(t testing.TB) *http.Request {
	t.Helper()
	if a.method == "" {
		a.method = http.MethodGet
	}
	r := httptest.NewRequest(a.method, "/", strings.NewReader(a.body))
	r.RequestURI = a.path
	u, err := url.ParseRequestURI(a.path)
	if err != nil {
		t.Fatal(err)
	}
	r.URL = u
	if r.Host = a.host; r.Host == "" {
		r.Host = "127.0.0.1:8080"
	}
	for i := 0; i+1 < len(a.header); i += 2 {
		r.Header.Add(a.header[i], a.header[i+1])
	}
	if a.tls {
		r.TLS = &tls.ConnectionState{}
	}
	return r
}

// ask asks a server that does not listen.
func (s *Server) ask(t testing.TB, a asked) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, a.request(t))
	return w.Result()
}

// bodyOf reads the body of a response.
func bodyOf(t testing.TB, res *http.Response) string {
	t.Helper()
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// codeOf reads the code of the problem that a response is; it is empty if the response is none.
func codeOf(t testing.TB, res *http.Response) string {
	t.Helper()
	text := bodyOf(t, res)
	if res.StatusCode < 400 {
		return ""
	}
	var p struct{ Error problemError }
	if err := json.Unmarshal([]byte(text), &p); err != nil || p.Error.Message == "" || p.Error.Type == "" || p.Error.Code == "" {
		t.Errorf("%s: no problem: %q", res.Status, text)
	}
	return p.Error.Code
}

// handle and stream add routes for tests.
func (s *Server) handle(pattern string, h handler) {
	s.register(route{pattern: pattern, question: question{handle: h}})
}

func (s *Server) stream(pattern string, h handler) {
	s.register(route{pattern: pattern, stream: true, question: question{handle: h}})
}
