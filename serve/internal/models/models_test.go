package models

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// nearest returns the nearest word of a vector.
func nearest(m *Model, v ...float32) (string, error) {
	near, err := m.Set.Nearest(context.Background(), vectors.Query{Vector: v, K: 1})
	if err != nil || len(near[0]) == 0 {
		return "", err
	}
	return near[0][0].Word, nil
}

// put writes a model of these words to a file, word i with the direction of dimension i.
func put(t testing.TB, path string, f format.Format, words ...string) Source {
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
	return Source{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Path: path}
}

func opened(t testing.TB, o Options, sources ...Source) *Registry {
	t.Helper()
	g, err := Open(sources, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// What belongs to a model is made in the background: a panic there is an error and a line in the log, with its stack.
func TestAttachPanics(t *testing.T) {
	m, err := opened(t, Options{}, put(t, filepath.Join(t.TempDir(), "a.w2v"), format.W2V, "sun")).Use("a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Release()
	var log bytes.Buffer
	for range 2 {
		_, err := AttachWithin(t.Context(), slog.New(slog.NewTextHandler(&log, nil)), m, "key", func(*Model) (int, error) { panic("a reason") })
		if !errors.Is(err, errAttach) {
			t.Error(err)
		}
	}
	if text := log.String(); strings.Count(text, "a reason") != 1 || !strings.Contains(text, "TestAttachPanics") {
		t.Errorf("the log has %q", text)
	}
}

// A name is that of one model. No name stands for the only one.
func TestUse(t *testing.T) {
	a := put(t, filepath.Join(t.TempDir(), "a.w2v"), format.W2V, "sun")
	b := put(t, filepath.Join(t.TempDir(), "b.w2v"), format.W2V, "moon")
	one, two := opened(t, Options{}, a), opened(t, Options{}, a, b)
	for _, test := range []struct {
		in   *Registry
		name string
		word string // in the model that is found; empty for none
	}{
		{one, "a", "sun"}, {one, "", "sun"}, {one, "A", ""}, {one, "b", ""},
		{two, "a", "sun"}, {two, "b", "moon"}, {two, "", ""}, {two, "../b", ""},
	} {
		m, err := test.in.Use(test.name)
		if err != nil {
			if _, ok := errors.AsType[*NameError](err); !ok || test.word != "" {
				t.Errorf("%q of %q: %v", test.name, test.in.Names(), err)
			}
			continue
		}
		if _, ok := m.Set.ID(test.word); !ok {
			t.Errorf("%q of %q: %q is not in it", test.name, test.in.Names(), test.word)
		}
		m.Release()
	}
}

func TestWhatIsNotOpened(t *testing.T) {
	folder := t.TempDir()
	a := put(t, filepath.Join(folder, "a.w2v"), format.W2V, "sun")
	for name, test := range map[string]struct {
		sources []Source
		want    string
	}{
		"twice":     {[]Source{a, a}, `two models have the name "a"`},
		"no name":   {[]Source{{"", a.Path}}, "needs a name"},
		"not there": {[]Source{a, {"b", filepath.Join(folder, "b.w2v")}}, "b.w2v"},
		"no model":  {[]Source{a, {"b", os.Args[0]}}, os.Args[0]},
	} {
		if _, err := Open(test.sources, Options{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// The model from before stays open, with what is attached to it, until its last user releases it.
func TestReloadKeepsWhatIsInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.w2v")
	g := opened(t, Options{}, put(t, path, format.W2V, "sun"))
	old, err := g.Use("a")
	if err != nil {
		t.Fatal(err)
	}
	attach := func(*Model) (*int, error) { return new(int), nil }
	key := struct{}{}
	attached, _ := Attach(old, key, attach)
	if again, _ := Attach(old, key, attach); again != attached {
		t.Error("attached twice")
	}
	put(t, path, format.W2V, "moon", "stars")
	if all := g.Reload(t.Context()); len(all) != 1 || all[0].Err != nil {
		t.Fatal(all)
	}
	if old.Context().Err() == nil {
		t.Error("the context of a model that was replaced goes on")
	}
	now, err := g.Use("a")
	if err != nil || now == old || now.Set.Len() != 2 {
		t.Fatalf("%v, %d words", err, now.Set.Len())
	}
	if other, _ := Attach(now, key, attach); other == attached {
		t.Error("the new model has what is attached to the old one")
	}
	now.Release()
	row := make([]float32, 1)
	if err := old.Read(func() error { old.Set.WordVector(row, 0); return nil }); err != nil || row[0] != 1 {
		t.Errorf("the old model: %v, row %v", err, row)
	}
	old.Release()
	if err := old.Set.Guard(func() error { return nil }); err == nil {
		t.Error("the old model is still open")
	}
	if now.Context().Err() != nil {
		t.Error("the context of the new model has ended")
	}
}

// A file that cannot be opened, or is damaged, takes no model's place.
func TestFailedReloadChangesNothing(t *testing.T) {
	folder := t.TempDir()
	a, b := put(t, filepath.Join(folder, "a.w2v"), format.W2V, "sun"), put(t, filepath.Join(folder, "b.w2v"), format.W2V, "moon")
	g := opened(t, Options{}, a, b)
	if err := os.Remove(a.Path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(a.Path, []byte("no model"), 0o666); err != nil {
		t.Fatal(err)
	}
	all := g.Reload(t.Context())
	if all[0].Err == nil || all[1].Err != nil {
		t.Errorf("reloads: %v", all)
	}
	m, err := g.Use("a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Release()
	if _, ok := m.Set.ID("sun"); !ok || m.Context().Err() != nil {
		t.Error("the old model is not in its place")
	}
}

// A file that is not what the options want takes no model's place, and is not served from the beginning.
func TestCheck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.w2v")
	wrong := errors.New("two words")
	o := Options{Check: func(m *Model) error {
		if m.Set.Len() == 2 {
			return wrong
		}
		return nil
	}}
	source := put(t, path, format.W2V, "sun")
	g := opened(t, o, source)
	put(t, path, format.W2V, "sun", "moon")
	if all := g.Reload(t.Context()); !errors.Is(all[0].Err, wrong) {
		t.Error(all)
	}
	if m, err := g.Use("a"); err != nil || m.Set.Len() != 1 {
		t.Errorf("%v, want the model from before", err)
	} else {
		m.Release()
	}
	if _, err := Open([]Source{source}, o); !errors.Is(err, wrong) {
		t.Error(err)
	}
}

// A file that was changed in place makes its model unavailable, and no other. Reload mends that.
func TestChangedFile(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut short": func(path string) error { return os.Truncate(path, 100) },
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"written": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("more")
			return errors.Join(err, f.Close())
		},
	} {
		folder := t.TempDir()
		a, b := put(t, filepath.Join(folder, "a.w2v"), format.W2V, "sun"), put(t, filepath.Join(folder, "b.w2v"), format.W2V, "moon")
		g := opened(t, Options{}, a, b)
		m, err := g.Use("a")
		if err != nil {
			t.Fatal(err)
		}
		if err := change(a.Path); err != nil {
			t.Fatal(err)
		}
		err = m.Read(func() error { _, err := nearest(m, []float32{1}...); return err })
		if _, ok := errors.AsType[*UnavailableError](err); !ok {
			t.Errorf("%s: reading: %v", name, err)
		}
		m.Release()
		_, err = g.Use("a")
		if e, ok := errors.AsType[*UnavailableError](err); !ok || e.Name != "a" || !errors.Is(err, vectors.ErrChanged) {
			t.Errorf("%s: use: %v", name, err)
		}
		if b, err := g.Use("b"); err != nil {
			t.Errorf("%s: the other model: %v", name, err)
		} else {
			b.Release()
		}
		if err := os.Remove(a.Path); err != nil {
			t.Fatal(err)
		}
		put(t, a.Path, format.W2V, "sun", "stars")
		if all := g.Reload(t.Context()); all[0].Err != nil {
			t.Errorf("%s: %v", name, all)
		}
		if m, err := g.Use("a"); err != nil {
			t.Errorf("%s: after the reload: %v", name, err)
		} else {
			m.Release()
		}
	}
}

// A file that takes the name of a model's changes nothing before Reload.
func TestReplacedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.w2v")
	g := opened(t, Options{}, put(t, path, format.W2V, "sun"))
	put(t, path, format.W2V, "moon") // by renaming a new file
	m, err := g.Use("a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Release()
	if err := m.Read(func() error { _, err := nearest(m, []float32{1}...); return err }); err != nil {
		t.Error(err)
	}
}

// Users who come and go while models are replaced always have one that is open.
func TestReloadWhileInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.w2v")
	source := put(t, path, format.W2V, "sun", "moon")
	g := opened(t, Options{}, source)
	ctx, stop := context.WithCancel(t.Context())
	var users sync.WaitGroup
	var uses atomic.Int64
	for range 4 {
		users.Go(func() {
			for ctx.Err() == nil {
				m, err := g.Use("a")
				if err != nil {
					t.Error(err)
					return
				}
				if err := m.Read(func() error { _, err := nearest(m, []float32{1, 0}...); return err }); err != nil {
					t.Error(err)
				}
				m.Release()
				uses.Add(1)
			}
		})
	}
	for range 50 {
		if all := g.Reload(ctx); all[0].Err != nil {
			t.Error(all)
		}
	}
	stop()
	users.Wait()
	if uses.Load() == 0 {
		t.Error("nobody used the model")
	}
}

func TestCloseGivesNothingAnyMore(t *testing.T) {
	g := opened(t, Options{}, put(t, filepath.Join(t.TempDir(), "a.w2v"), format.W2V, "sun"))
	m, err := g.Use("a")
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
	if _, err := g.Use("a"); !errors.Is(err, ErrClosed) {
		t.Errorf("use: %v", err)
	}
	if all := g.Reload(t.Context()); !errors.Is(all[0].Err, ErrClosed) {
		t.Errorf("reload: %v", all)
	}
	if word, err := nearest(m, 1); m.Context().Err() == nil || err != nil || word != "sun" {
		t.Error("a model in use goes on without its context")
	}
	m.Release()
}

// What has to be read is said before, with about how much memory it takes. It is refused if there is not as much.
func TestNoteOfMemory(t *testing.T) {
	for file, want := range map[string]string{
		"a.w2v":     "",
		"a.vec":     "the format text cannot be mapped, so all of it is read into memory: about 1 MB",
		"a.w2v.gz":  "what is compressed cannot be mapped, so all of it is read into memory: about 1 MB",
		"a.w2vbin":  "the format word2vec cannot be mapped",
		"a.vec.zst": "what is compressed cannot be mapped",
	} {
		path := filepath.Join(t.TempDir(), file)
		f, err := format.ForPath(path, false)
		if err != nil {
			t.Fatal(err)
		}
		var said string
		source := put(t, path, f, "sun", "moon", "stars", "sky")
		opened(t, Options{Note: func(text string) { said += text }}, source)
		if (want == "") != (said == "") || !strings.Contains(said, want) {
			t.Errorf("%s: %q, want %q", file, said, want)
		}
		e, err := estimateMemory(path)
		if err != nil {
			t.Fatal(err)
		}
		before := debug.SetMemoryLimit(max(1, int64(e.bytes/4*3))) // an estimate may be a quarter too large
		enough := Options{}.noteMemory(source)
		debug.SetMemoryLimit(max(1, int64(e.bytes/4*3)-1))
		less := Options{}.noteMemory(source)
		debug.SetMemoryLimit(before)
		if enough != nil || want != "" && (less == nil || !strings.Contains(less.Error(), "GOMEMLIMIT is 1 MB")) || want == "" && less != nil {
			t.Errorf("%s: %v with as much memory as it takes, %v with less", file, enough, less)
		}
	}
}

// The estimate of what a text takes is near what its numbers take.
func TestEstimateOfText(t *testing.T) {
	const words, dim = 2000, 50
	rows := vectors.NewMatrix(words, dim)
	names := make([]string, words)
	for i := range words {
		names[i] = strings.Repeat("w", 5) + string(rune('a'+i/26/26)) + string(rune('a'+i/26%26)) + string(rune('a'+i%26))
		for j := range dim {
			rows.Row(i)[j] = float32(i*j%97) / 97
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(names...), Input: rows})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"a.vec", "a.glove", "a.vec.gz", "a.w2v.zst"} {
		path := filepath.Join(t.TempDir(), file)
		f, err := format.ForPath(path, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := format.Write(t.Context(), path, set, f); err != nil {
			t.Fatal(err)
		}
		e, err := estimateMemory(path)
		if true := float64(4 * words * dim); err != nil || e.reason == "" || float64(e.bytes) < true || float64(e.bytes) > 2*true {
			t.Errorf("%s: %+v, %v, want about %v", file, e, err, true)
		}
	}
}

// While it is being found out whether the file of a model was changed, requests are refused for now, and nothing of that is kept.
func TestUnsureModelIsUnavailableForNow(t *testing.T) {
	g := opened(t, Options{}, put(t, filepath.Join(t.TempDir(), "a.w2v"), format.W2V, "sun"))
	m, err := g.Use("a")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Release()
	unsure := func(m *Model) (int, error) { return 0, m.Read(func() error { return vectors.ErrUnsure }) }
	if _, err := Attach(m, "key", unsure); !errors.Is(err, vectors.ErrUnsure) {
		t.Errorf("Attach: %v", err)
	} else if e, ok := errors.AsType[*UnavailableError](err); !ok || !strings.Contains(e.Error(), "for a moment") {
		t.Errorf("Attach: %v", err)
	}
	if n, err := Attach(m, "key", func(*Model) (int, error) { return 7, nil }); n != 7 || err != nil {
		t.Errorf("the second Attach: %v, %v", n, err)
	}
	if err := m.Err(); err != nil {
		t.Errorf("the model has failed: %v", err)
	}
}
