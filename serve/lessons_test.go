package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pages need no token, and the numbers of a model do.
func TestLessons(t *testing.T) {
	c := oneModel(t)
	c.TokenFile = filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(c.TokenFile, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := made(t, c)
	for _, path := range []string{"/lessons/", "/lessons/index.html", "/lessons/dimension.html"} {
		r := s.ask(t, asked{path: path})
		if policy := r.Header.Get("Content-Security-Policy"); r.StatusCode != 200 || policy != "frame-ancestors 'none'" {
			t.Errorf("%s: %s, %q", path, r.Status, policy)
		}
		if text := bodyOf(t, r); !strings.Contains(text, "default-src 'none'; script-src 'sha256-") {
			t.Errorf("%s has no policy: %.300s", path, text)
		}
	}
	for path, want := range map[string]int{"/lessons/nothing.html": 404, "/lessons/tying": 404, "/lessons/tying/data": 401} {
		if r := s.ask(t, asked{path: path}); r.StatusCode != want {
			t.Errorf("%s: %s, want %d", path, r.Status, want)
		}
	}
	for path, want := range map[string]int{"/lessons/tying/data": 200, "/lessons/tying/data?model=none": 404, "/lessons/bpe/data": 404} {
		r := s.ask(t, asked{path: path, header: []string{"Authorization", "Bearer secret"}})
		if text := bodyOf(t, r); r.StatusCode != want || want == 200 && !strings.Contains(text, `"model":{"name":"`+c.Models[0].Name+`","demo":false,`) {
			t.Errorf("%s: %s, want %d: %s", path, r.Status, want, text)
		}
	}
}

// Who waits for a lesson waits as long as its own connection, and alone: the others get what there is.
func TestLessonsWaitForTheirReader(t *testing.T) {
	s := made(t, Config{})
	gone, leave := context.WithCancel(t.Context())
	leave()
	get := func(ctx context.Context, path string) int {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
		return w.Code
	}
	if code := get(gone, "/lessons/one-hot.html"); code != errGone.Status {
		t.Errorf("a reader who has gone got %d", code)
	}
	s = made(t, oneModel(t))
	if code := get(gone, "/lessons/tying/data"); code != errGone.Status {
		t.Errorf("a reader of a model's numbers who has gone got %d", code)
	}
	for _, path := range []string{"/lessons/", "/lessons/dimension.html", "/lessons/tying/data"} {
		if code := get(t.Context(), path); code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
	}
}

// A server without models has the lessons, and says so of the rest.
func TestNoModel(t *testing.T) {
	s := made(t, Config{})
	if r := s.ask(t, asked{path: "/"}); r.StatusCode != 302 || r.Header.Get("Location") != "/lessons/" {
		t.Errorf("/: %s, %s", r.Status, r.Header.Get("Location"))
	}
	if text := bodyOf(t, s.ask(t, asked{path: "/v1/models"})); !strings.Contains(text, `"data":[]`) {
		t.Errorf("models: %s", text)
	}
	if text := bodyOf(t, s.ask(t, asked{path: "/readyz"})); !strings.Contains(text, `"models":[]`) {
		t.Errorf("readyz: %s", text)
	}
	if r := s.ask(t, asked{path: "/v1/neighbors?word=king"}); r.StatusCode != 400 {
		t.Errorf("neighbours: %s", r.Status)
	} else if text := bodyOf(t, r); !strings.Contains(text, "the server has no model") {
		t.Errorf("neighbours: %s", text)
	}
}
