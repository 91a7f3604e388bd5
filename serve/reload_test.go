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

	"github.com/w2v-go/w2v/internal/atomicfile"
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
		`w2v_requests_total{code="503",method="GET",model="",route="/v1/neighbors"} `, `w2v_requests_total{code="200",method="GET",model="two",route="/v1/neighbors"} 2`} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics have no %s", want)
		}
	}
}

// A model whose file is touched is served on. One whose file was overwritten in place by as many bytes is not, whatever time the
// file has then.
func TestTouchedModel(t *testing.T) {
	for name, f := range map[string]format.Format{"one.w2v": format.W2V, "one.fifu": format.Finalfusion} {
		path := filepath.Join(t.TempDir(), name)
		putModel(t, path, f, "sun", "moon")
		s := made(t, Config{Models: []ModelSpec{{Name: "one", Path: path}}})
		later := time.Now()
		ask := func(want int, after time.Duration) {
			t.Helper()
			later = later.Add(after)
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
			for _, at := range []string{"/v1/neighbors?word=sun", "/readyz", "/explorer/one/place?word=sun"} {
				if res := s.ask(t, asked{path: at}); res.StatusCode != want {
					t.Errorf("%s: %s: %s, want %d", name, at, res.Status, want)
				}
			}
		}
		ask(200, time.Second)
		ask(200, time.Second)
		if err := os.Chmod(path, 0o640); err != nil { // which changes what the system knows of it
			t.Fatal(err)
		}
		ask(200, time.Second)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole[len(whole)-1]++
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		if atomicfile.Identity(path) != "" {
			ask(503, 0) // the time is that from before
		}
		ask(503, time.Second)
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

// Every request is a line of the log, if that is asked for. Nothing is there that a client wrote, which may be a secret: neither a
// query nor a path, nor a header, whatever the answer is. So it is with the log of failures.
func TestLogOfRequests(t *testing.T) {
	var log bytes.Buffer
	c := oneModel(t)
	c.TokenFile = filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(c.TokenFile, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	c.Requests = c.Log
	s := made(t, c)
	s.onlyLoopback.Store(true)
	s.handle("GET /panic/{what}", func(http.ResponseWriter, *http.Request) error { panic("of the server") })
	s.handle("GET /fail/{what}", func(http.ResponseWriter, *http.Request) error { return io.ErrUnexpectedEOF })
	with := []string{"Authorization", "Bearer hunter2"}
	requests := []struct {
		asked
		method, route string
		status        int
	}{
		{asked{path: "/v1/neighbors?word=sun&hunter2=1", header: with}, "GET", "/v1/neighbors", 400},
		{asked{path: "/v1/neighbors?word=sun", header: with}, "GET", "/v1/neighbors", 200},
		{asked{path: "/v1/neighbors?word=hunter2", header: with}, "GET", "/v1/neighbors", 404},
		{asked{path: "/v1/models?token=hunter2"}, "GET", "/v1/models", 401},
		{asked{path: "/v1/models/hunter2", header: with}, "GET", "/v1/models/{id}", 404},
		{asked{path: "/?token=hunter2"}, "GET", "other", 200},
		{asked{path: "/index.html?hunter2"}, "GET", "other", 200},
		{asked{path: "/nothing/hunter2?token=hunter2"}, "GET", "other", 404},
		{asked{path: "//hunter2"}, "GET", "other", 404},
		{asked{path: "/hunter2/" + strings.Repeat("x", 9000)}, "GET", "other", 414},
		{asked{method: "POST", path: "/v1/models?token=hunter2"}, "POST", "other", 405},
		{asked{method: "SECRET", path: "/v1/models"}, "other", "other", 405},
		{asked{path: "/healthz?token=hunter2"}, "GET", "/healthz", 200},
		{asked{path: "/readyz?token=hunter2"}, "GET", "/readyz", 200},
		{asked{path: "/metrics?token=hunter2"}, "GET", "/metrics", 401},
		{asked{path: "/v1/openapi.json?token=hunter2"}, "GET", "/v1/openapi.json", 400},
		{asked{path: "/explorer/hunter2/words?token=hunter2", header: with}, "GET", "/explorer/{model}/{what}", 404},
		{asked{path: "/v1/models?hunter2", host: "hunter2.example"}, "GET", "other", 403},
		{asked{path: "/v1/models?hunter2", header: []string{"Origin", "https://hunter2.example"}}, "GET", "other", 403},
		{asked{path: "/panic/hunter2?hunter2", header: with}, "GET", "/panic/{what}", 500},
		{asked{path: "/fail/hunter2?hunter2", header: with}, "GET", "/fail/{what}", 500},
	}
	for _, a := range requests {
		log.Reset()
		res := s.ask(t, a.asked)
		bodyOf(t, res)
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		var got struct {
			Method, Route, Model string
			Status               int
			Bytes                int64
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
			t.Fatal(err)
		}
		if got.Method != a.method || got.Route != a.route || got.Status != a.status || got.Status != res.StatusCode || got.Bytes == 0 {
			t.Errorf("%s %.40s: %s: logged as %+v", a.asked.method, a.path, res.Status, got)
		}
		if got.Status == 200 && got.Route == "/v1/neighbors" && got.Model != "one" {
			t.Errorf("the model is %q", got.Model)
		}
		if strings.Contains(strings.ToLower(log.String()), "hunter2") {
			t.Errorf("%s %.40s: %s", a.asked.method, a.path, log.String())
		}
		if wants := len(lines) == 2; wants != (a.status == 500) {
			t.Errorf("%s: %d lines", a.path, len(lines))
		}
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
