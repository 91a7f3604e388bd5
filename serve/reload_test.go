package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/w2v-go/w2v/vectors/format"
)

// While models are replaced again and again, every request gets its answer, of one model or of
// the other.
func TestReloadDropsNoRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.w2v")
	putModel(t, path, format.W2V, "sun", "moon", "stars")
	s := start(t, Config{Models: []ModelSpec{{Name: "one", Path: path}}})
	ctx, stop := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	var answers [2]atomic.Int64 // by how many neighbours there are
	for range 4 {
		clients.Go(func() {
			for ctx.Err() == nil {
				res, err := http.Get(s.url + "/v1/neighbors?word=sun&k=5")
				if err != nil {
					t.Error(err)
					return
				}
				var got struct {
					Neighbors []struct{ Word string } `json:"neighbors"`
				}
				text := bodyOf(t, res)
				if err := json.Unmarshal([]byte(text), &got); err != nil || res.StatusCode != http.StatusOK || len(got.Neighbors) < 2 || len(got.Neighbors) > 3 {
					t.Errorf("%s: %s", res.Status, text)
					return
				}
				answers[len(got.Neighbors)-2].Add(1)
			}
		})
	}
	for i := range 40 {
		putModel(t, path, format.W2V, []string{"sun", "moon", "stars", "sky"}[:3+i%2]...)
		if err := s.Reload(t.Context()); err != nil {
			t.Error(err)
		}
	}
	stop()
	clients.Wait()
	if answers[0].Load() == 0 || answers[1].Load() == 0 {
		t.Errorf("%d and %d answers of the two models", answers[0].Load(), answers[1].Load())
	}
}

// A model whose file was changed in place is not available, and the server says so; a reload
// brings it back.
func TestDamagedModel(t *testing.T) {
	folder := t.TempDir()
	one, two := filepath.Join(folder, "one.w2v"), filepath.Join(folder, "two.w2v")
	putModel(t, one, format.W2V, "sun", "moon")
	putModel(t, two, format.W2V, "sun", "moon")
	s := made(t, Config{Models: []ModelSpec{{Name: "one", Path: one}, {Name: "two", Path: two}}})
	if err := os.Truncate(one, 64); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if res := s.ask(t, asked{path: "/v1/neighbors?word=sun&model=one"}); res.StatusCode != http.StatusServiceUnavailable || codeOf(t, res) != "model_unavailable" {
			t.Errorf("the damaged model: %s", res.Status)
		}
		if res := s.ask(t, asked{path: "/v1/neighbors?word=sun&model=two"}); res.StatusCode != http.StatusOK {
			t.Errorf("the other model: %s", res.Status)
		}
		ready := s.ask(t, asked{path: "/readyz"})
		if text := bodyOf(t, ready); ready.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, `{"id":"one","status":"unavailable"`) || !strings.Contains(text, `{"id":"two","status":"ready"}`) {
			t.Errorf("ready: %s %s", ready.Status, text)
		}
		if text := bodyOf(t, s.ask(t, asked{path: "/metrics"})); !strings.Contains(text, "w2v_models 1\n") {
			t.Error("the metrics count other than 1 model")
		}
	}
	if err := s.Reload(t.Context()); err == nil || !strings.Contains(err.Error(), `the model "one" stays as it was`) {
		t.Errorf("reload of a damaged file: %v", err)
	}
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	putModel(t, one, format.W2V, "sun", "moon")
	if err := s.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/v1/neighbors?word=sun&model=one", "/readyz"} {
		if res := s.ask(t, asked{path: path}); res.StatusCode != http.StatusOK {
			t.Errorf("%s after a reload: %s", path, res.Status)
		}
	}
	text := bodyOf(t, s.ask(t, asked{path: "/metrics"}))
	for _, want := range []string{`w2v_reloads_total{result="done"} 3`, `w2v_reloads_total{result="failed"} 1`,
		`w2v_requests_total{code="503",model="",route="GET /v1/neighbors"} `, `w2v_requests_total{code="200",model="two",route="GET /v1/neighbors"} 2`} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
}

// At its end the server answers what was asked, and nothing else.
func TestShutdown(t *testing.T) {
	s, err := New(oneModel(t))
	if err != nil {
		t.Fatal(err)
	}
	begun, end := make(chan bool), make(chan bool)
	s.handle("GET /wait", func(w http.ResponseWriter, r *http.Request) error {
		m, err := s.use(r, "one")
		if err != nil {
			return err
		}
		begun <- true
		<-end
		return m.Read(func() error { return writeJSON(w, http.StatusOK, m.Set.Words().At(1)) })
	})
	st := listen(t, s, "http://")
	answer := make(chan string)
	go func() {
		res, err := http.Get(st.url + "/wait")
		if err != nil {
			answer <- err.Error()
			return
		}
		answer <- bodyOf(t, res)
	}()
	<-begun
	st.stop()
	for range 100 {
		if _, err := http.Get(st.url + "/healthz"); err != nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if _, err := http.Get(st.url + "/healthz"); err == nil {
		t.Error("there are new answers after the end")
	}
	end <- true
	if text := <-answer; text != "\"moon\"\n" {
		t.Errorf("the answer to what was asked before: %s", text)
	}
	if err := <-st.end; err != nil {
		t.Error(err)
	}
	if err := s.Serve(t.Context(), nil); err == nil {
		t.Error("a server serves twice")
	}
}

// A request that takes longer than the server waits is given up, and Serve says so.
func TestShutdownHasALimit(t *testing.T) {
	c := oneModel(t)
	c.Timeouts.Shutdown = 50 * time.Millisecond
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	begun := make(chan bool)
	s.handle("GET /wait", func(_ http.ResponseWriter, r *http.Request) error {
		begun <- true
		<-r.Context().Done() // its connection is closed
		return nil
	})
	st := listen(t, s, "http://")
	failed := make(chan error)
	go func() {
		_, err := http.Get(st.url + "/wait")
		failed <- err
	}()
	<-begun
	st.stop()
	if err := <-st.end; err == nil || !strings.Contains(err.Error(), "50ms") {
		t.Errorf("%v", err)
	}
	if err := <-failed; err == nil {
		t.Error("the request has an answer")
	}
}

// While it ends, the server is not ready: those who divide requests send it no more.
func TestNotReadyWhileItEnds(t *testing.T) {
	s := made(t, oneModel(t))
	s.stop()
	if res := s.ask(t, asked{path: "/readyz"}); res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(bodyOf(t, res), `"stopping"`) {
		t.Errorf("%s", res.Status)
	}
}

// Every request is a line of the log, if that is asked for. No token is there, wherever a client wrote it.
func TestLogOfRequests(t *testing.T) {
	var log bytes.Buffer
	c := oneModel(t)
	c.TokenFile = filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(c.TokenFile, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Requests = slog.New(slog.NewJSONHandler(&log, nil))
	s := made(t, c)
	bodyOf(t, s.ask(t, asked{path: "/v1/neighbors?word=sun", header: []string{"Authorization", "Bearer secret"}}))
	bodyOf(t, s.ask(t, asked{path: "/nothing%0a{}"}))
	bodyOf(t, s.ask(t, asked{path: "/v1/models?token=secret"}))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	var first, second struct {
		Method, Path, Query, Model string
		Status                     int
		Bytes                      int64
	}
	if len(lines) != 3 || json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &second) != nil {
		t.Fatalf("%q", log.String())
	}
	if first.Method != "GET" || first.Path != "/v1/neighbors" || first.Query != "word=sun" || first.Model != "one" || first.Status != 200 || first.Bytes == 0 {
		t.Errorf("%+v", first)
	}
	if second.Status != 404 || second.Path != "/nothing\n{}" {
		t.Errorf("%+v", second)
	}
	if strings.Contains(log.String(), "secret") {
		t.Error("a token is in the log")
	}
}

// Nobody can make labels of metrics: routes, models and codes are what the server has.
func TestLabelsAreFew(t *testing.T) {
	s := made(t, oneModel(t))
	for _, path := range []string{"/x1", "/x2", "/v1/x3", "/v1/models/x4", "/v1/neighbors?word=x5&model=x6", "/assets/x7", "/explorer/x8/words"} {
		_, _ = io.Copy(io.Discard, s.ask(t, asked{path: path}).Body)
	}
	_, _ = io.Copy(io.Discard, s.ask(t, asked{method: "X9", path: "/v1/models"}).Body)
	text := bodyOf(t, s.ask(t, asked{path: "/metrics"}))
	for _, part := range []string{"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "X9"} {
		if strings.Contains(text, part) {
			t.Errorf("%s is in the metrics", part)
		}
	}
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	good := oneModel(t).Models
	for name, test := range map[string]struct {
		c    Config
		want string
	}{
		"no model":            {Config{}, "there is no model"},
		"two of a name":       {Config{Models: []ModelSpec{good[0], good[0]}}, "two models"},
		"negative limit":      {Config{Models: good, Limits: Limits{Answers: -1}}, "Limits.Answers"},
		"negative timeout":    {Config{Models: good, Timeouts: Timeouts{Idle: -1}}, "Timeouts.Idle"},
		"certificate alone":   {Config{Models: good, TLSCert: "cert.pem"}, "its key"},
		"no certificate":      {Config{Models: good, TLSCert: "nothing.pem", TLSKey: "nothing.pem"}, "nothing.pem"},
		"metadata of another": {Config{Models: good, Metadata: map[string]string{"two": "x.tsv"}}, `no such model`},
	} {
		if _, err := New(test.c); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}
