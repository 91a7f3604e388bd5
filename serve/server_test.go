package serve

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
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
