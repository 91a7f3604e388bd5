package explore_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/w2v-go/w2v/serve/internal/explore"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/query"
)

// A nowhere is a writer of a response that keeps how much it is sent.
type nowhere struct {
	header http.Header
	sent   int
}

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) WriteHeader(int)             {}
func (n *nowhere) Write(p []byte) (int, error) { n.sent += len(p); return len(p), nil }

// handlerOf returns what answers a route.
func handlerOf(t *testing.T, e *explore.Explorer, pattern string) func(http.ResponseWriter, *http.Request) error {
	t.Helper()
	for _, route := range e.Routes() {
		if route.Pattern == pattern {
			return route.Handle
		}
	}
	t.Fatalf("there is no route %s", pattern)
	return nil
}

// allocated returns how many bytes some requests at a time have allocated, and how much each was sent.
func allocated(t *testing.T, requests int, handle func(http.ResponseWriter, *http.Request) error, path string, values ...string) (bytes uint64, sent int) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var clients sync.WaitGroup
	writers := make([]nowhere, requests)
	for i := range writers {
		writers[i].header = http.Header{}
		clients.Go(func() {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			for v := 0; v+1 < len(values); v += 2 {
				r.SetPathValue(values[v], values[v+1])
			}
			if err := handle(&writers[i], r); err != nil {
				t.Error(err)
			}
		})
	}
	clients.Wait()
	runtime.ReadMemStats(&after)
	for i := range writers {
		if writers[i].sent != writers[0].sent {
			t.Errorf("one client was sent %d bytes, another %d", writers[0].sent, writers[i].sent)
		}
	}
	return after.TotalAlloc - before.TotalAlloc, writers[0].sent
}

// However many clients ask, files of results are read once for all of them, and again when they have changed. So it is
// with facts about words, and with the ends of logs.
func TestFilesAreNotReadForEachRequest(t *testing.T) {
	folder := t.TempDir()
	scores, logs := filepath.Join(folder, "scores.json"), filepath.Join(folder, "logs")
	record := `{"set":"` + strings.Repeat("x", 500) + `"}` + "\n"
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(scores, strings.Repeat(record, 4000)) // 2 MB
	table := []string{"word\tkind"}
	for i := range 20_000 {
		table = append(table, fmt.Sprintf("w%d\tkind%d", i, i%7))
	}
	if err := os.Mkdir(logs, 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		write(filepath.Join(logs, fmt.Sprint(i, ".jsonl")), strings.Repeat(`{"event":"progress"}`+"\n", 50_000)+`{"event":"done"}`)
	}
	models := &shelf{}
	models.put("m", random(t, 20_000, 2, 1))
	models.tell(t, "m", strings.Join(table, "\n"))
	_, e := serve(t, explore.Options{Models: models, Scores: []string{scores}, Logs: []string{logs}})
	const clients, mb = 40, 1 << 20
	for _, test := range []struct {
		pattern, path string
		values        []string
		least         int // bytes of the answer
		most          uint64
	}{
		{"GET /explorer/evaluations", "/explorer/evaluations", nil, 2_000_000, 24 * mb},
		{"GET /explorer/{model}/fields/{field}", "/explorer/m/fields/kind", []string{"model", "m", "field", "kind"}, 30_000, 16 * mb},
		{"GET /explorer/runs", "/explorer/runs", nil, 40, 8 * mb},
	} {
		if bytes, sent := allocated(t, clients, handlerOf(t, e, test.pattern), test.path, test.values...); bytes > test.most || sent < test.least {
			t.Errorf("%s: %d bytes for %d clients who are sent %d each", test.path, bytes, clients, sent)
		}
	}
	handle := handlerOf(t, e, "GET /explorer/evaluations")
	_, sent := allocated(t, 1, handle, "/explorer/evaluations")
	write(scores, record)
	later := time.Now().Add(time.Second) // whatever the clock of the file system
	if err := os.Chtimes(scores, later, later); err != nil {
		t.Fatal(err)
	}
	if _, now := allocated(t, 1, handle, "/explorer/evaluations"); now >= sent || now < len(record) {
		t.Errorf("a file that has changed: %d bytes are sent, %d before", now, sent)
	}
}

// What is made of a file that changed meanwhile is not kept for those who ask when the file is as it was.
func TestNothingIsKeptOfAFileThatChanged(t *testing.T) {
	models := &changing{shelf: &shelf{}}
	models.put("m", compass(t))
	models.tell(t, "m", "word\tkind\nnorth\tpole\n")
	_, e := serve(t, explore.Options{Models: models})
	for path, values := range map[string][]string{
		"{what}": {"what", "words"}, "{what} ": {"what", "counts"}, "fields/{field}": {"field", "kind"},
	} {
		handle := handlerOf(t, e, "GET /explorer/{model}/"+strings.TrimSpace(path))
		ask := func() (string, error) {
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
			r.SetPathValue("model", "m")
			r.SetPathValue(values[0], values[1])
			err := handle(w, r)
			return w.Body.String(), err
		}
		models.changed, models.reads = true, 0
		if _, err := ask(); !errors.Is(err, vectors.ErrChanged) {
			t.Errorf("%s of a file that changed: %v", values[1], err)
		}
		models.changed, models.reads = false, 0
		if text, err := ask(); err != nil || text == "" {
			t.Errorf("%s: %q, %v", values[1], text, err)
		}
		if models.reads < 2 { // that of the request, and that of what it makes
			t.Errorf("%s were kept of a file that changed", values[1])
		}
		models.reads = 0
		if _, err := ask(); err != nil || models.reads != 1 {
			t.Errorf("%s are made again: %d reads, %v", values[1], models.reads, err)
		}
	}
}

// A changing is models whose files change while they are read, if that is wanted.
type changing struct {
	*shelf
	changed bool
	reads   int
}

func (c *changing) Use(name string) (*explore.Model, error) {
	m, err := c.shelf.Use(name)
	if err != nil {
		return nil, err
	}
	read := m.Read
	m.Read = func(f func() error) error {
		c.reads++
		if err := read(f); err != nil || !c.changed {
			return err
		}
		return vectors.ErrChanged
	}
	return m, nil
}

// A cutting is a model in a file that is cut short as soon as it has been read.
type cutting struct {
	set  *vectors.Set
	path string
	cuts bool
}

func (c *cutting) Names() []string { return []string{"m"} }

func (c *cutting) Use(string) (*explore.Model, error) {
	words, err := query.New(c.set, vectors.CaseAuto)
	if err != nil {
		return nil, err
	}
	read := func(f func() error) error {
		if err := c.set.Guard(f); err != nil || !c.cuts {
			return err
		}
		return os.Truncate(c.path, 0)
	}
	return &explore.Model{Name: "m", Context: context.Background(), Checksum: func() (string, error) { return "sum", nil }, Words: words, Read: read, Release: func() {}}, nil
}

// What is sent was copied while the file was read: it is the same if the file is gone by then.
func TestAnswersOutliveTheFile(t *testing.T) {
	for path, values := range map[string][]string{
		"{what}?word=w7&k=3":                        {"what", "place"},
		"{what}?expr=w7-w8&k=3&":                    {"what", "place"},
		"{what}?from=w1&to=w2&words=w3,w4":          {"what", "axis"},
		"{what}?a=w1&b=w2&c=w3":                     {"what", "analogy"},
		"axis/values?from=w1&to=w2":                 nil,
		"{what}?word=w7&k=3&map=pca&from=the+front": {"what", "place"},
	} {
		route, parameters, _ := strings.Cut(path, "?")
		ask := func(cuts bool) (string, error) {
			file := filepath.Join(t.TempDir(), "m.w2v")
			if err := format.Write(t.Context(), file, random(t, 2000, 16, 1), format.W2V); err != nil {
				t.Fatal(err)
			}
			set, err := format.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			_, e := serve(t, explore.Options{Models: &cutting{set, file, cuts}})
			w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/?"+parameters, nil)
			r.SetPathValue("model", "m")
			if values != nil {
				r.SetPathValue(values[0], values[1])
			}
			err = handlerOf(t, e, "GET /explorer/{model}/"+route)(w, r)
			e.Close() // no placing of words needs the file
			return w.Body.String(), errors.Join(err, set.Close())
		}
		want, err := ask(false)
		if err != nil {
			t.Fatal(path, err)
		}
		if got, err := ask(true); err != nil || got != want {
			t.Errorf("%s: %v: %.100s, want %.100s", path, err, got, want)
		}
	}
}
