package serve

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// writeModel writes a model of these words, word i with the direction of dimension i, to a new
// file of a format, and returns its path.
func writeModel(t testing.TB, name string, f format.Format, words ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	putModel(t, path, f, words...)
	return path
}

// putModel is writeModel to a path.
func putModel(t testing.TB, path string, f format.Format, words ...string) {
	t.Helper()
	rows := vectors.NewMatrix(len(words), len(words))
	for i := range words {
		rows.Row(i)[i] = 1
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	if err := format.Write(t.Context(), path, set, f); err != nil {
		t.Fatal(err)
	}
}

// started is a server that listens.
type started struct {
	*Server
	url  string
	stop context.CancelFunc
	end  chan error // what Serve returned
}

// start starts a server for as long as a test takes.
func start(t testing.TB, c Config) *started {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	scheme := "http://"
	if c.TLSCert != "" {
		scheme = "https://"
	}
	return listen(t, s, scheme)
}

// listen has a server listen for as long as a test takes.
func listen(t testing.TB, s *Server, scheme string) *started {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	st := &started{Server: s, url: scheme + l.Addr().String(), stop: cancel, end: make(chan error, 1)}
	go func() {
		err := s.Serve(ctx, l)
		st.end <- err
		close(st.end)
	}()
	t.Cleanup(func() {
		cancel()
		<-st.end
	})
	return st
}

// A server lists its models, and says that it is ready.
func TestModelsAreListed(t *testing.T) {
	s := start(t, Config{Models: []ModelSpec{{Name: "one", Path: writeModel(t, "one.w2v", format.W2V, "sun", "moon")}}})
	for path, want := range map[string]string{
		"/v1/models": `"one"`, "/healthz": `"ok"`, "/readyz": `"ready"`, "/metrics": `w2v_models 1`,
	} {
		res, err := http.Get(s.url + path)
		if err != nil {
			t.Fatal(err)
		}
		text := bodyOf(t, res)
		if res.StatusCode != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%s: %s: %s, want %s in it", path, res.Status, text, want)
		}
	}
	res, err := http.Post(s.url+"/v1/models", "application/json", nil)
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Error problemError }
	if err := json.Unmarshal([]byte(bodyOf(t, res)), &p); err != nil || res.StatusCode != http.StatusMethodNotAllowed || p.Error.Code != "method_not_allowed" {
		t.Errorf("POST /v1/models: %s %+v %v", res.Status, p, err)
	}
}

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
	s.register(route{pattern: pattern, handle: h})
}

func (s *Server) stream(pattern string, h handler) {
	s.register(route{pattern: pattern, stream: true, handle: h})
}
