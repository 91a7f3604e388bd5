package explore_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/w2v-go/w2v/serve/internal/explore"
)

// until waits until something is so.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain: ", what)
		}
	}
}

// A map that is being made does not keep a model open that was replaced. It is made of the new one, if that is the same.
func TestMapsLetGoOfReplacedModels(t *testing.T) {
	models := &shelf{}
	old := random(t, 20_000, 20, 1) // takes some seconds
	models.put("m", old)
	s, _ := serve(t, explore.Options{Models: models})
	state := func() string {
		_, body := get(t, s, "m/maps/umap")
		return body
	}
	until(t, "the map is being made", func() bool { return !strings.Contains(state(), `"stage":"waiting"`) })
	// Another map by UMAP waits for its turn, and leaves with who asked.
	asking, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	r, err := http.NewRequestWithContext(asking, http.MethodPost, s.URL+"/explorer/m/selection", strings.NewReader(`{"ids":[0,1,2,3,4],"map":"umap"}`))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := s.Client().Do(r); err == nil {
		_ = answer.Body.Close()
		t.Errorf("a map of a selection did not wait: %s", answer.Status)
	}
	models.put("m", random(t, 20_000, 20, 1))
	until(t, "the old model is released", func() bool {
		models.mu.Lock()
		defer models.mu.Unlock()
		return models.used[old] == 0
	})
	if body := state(); !strings.Contains(body, `"state":"running"`) {
		t.Error(body)
	}
}

// waiting are models whose first read waits until the model is replaced.
type waiting struct {
	*shelf
	reads atomic.Int64
}

func (w *waiting) Use(name string) (*explore.Model, error) {
	m, err := w.shelf.Use(name)
	if err == nil {
		read := m.Read
		m.Read = func(do func() error) error {
			if w.reads.Add(1) == 1 {
				<-m.Context.Done()
			}
			return read(do)
		}
	}
	return m, err
}

// A comparison lets go of a model that was replaced, too. Who asks again gets that of the new one.
func TestComparisonsLetGoOfReplacedModels(t *testing.T) {
	models := &waiting{shelf: &shelf{}}
	old := random(t, 300, 20, 1)
	models.put("old", old)
	models.put("new", random(t, 300, 20, 2))
	s, _ := serve(t, explore.Options{Models: models})
	if status, body := get(t, s, "compare?old=old&new=new"); status != http.StatusAccepted {
		t.Fatalf("status %d: %s", status, body)
	}
	models.put("old", random(t, 200, 20, 1))
	until(t, "the old model is released", func() bool {
		models.mu.Lock()
		defer models.mu.Unlock()
		return models.used[old] == 0
	})
	until(t, "a comparison", func() bool {
		status, body := get(t, s, "compare?old=old&new=new&min_count=0")
		return status == http.StatusOK && strings.Contains(body, `"shared":200,`)
	})
}

// faulty are models whose reads fail from the second one on, by a fault of the program.
type faulty struct {
	*shelf
	reads atomic.Int64
}

func (f *faulty) Use(name string) (*explore.Model, error) {
	m, err := f.shelf.Use(name)
	if err == nil {
		read := m.Read
		m.Read = func(do func() error) error {
			if f.reads.Add(1) == 2 {
				panic("a fault")
			}
			return read(do)
		}
	}
	return m, err
}

// A panic in the background fails what was being made, and nothing else.
func TestPanicInTheBackground(t *testing.T) {
	models := &faulty{shelf: &shelf{}}
	models.put("m", compass(t))
	s, _ := serve(t, explore.Options{Models: models})
	get(t, s, "m/maps/pca")
	until(t, "two reads", func() bool { return models.reads.Load() > 1 })
	until(t, "the map fails", func() bool {
		status, body := get(t, s, "m/maps/pca")
		return status == http.StatusOK && strings.Contains(body, `"state":"failed"`) && !strings.Contains(body, "a fault")
	})
	if n := models.inUse(); n != 0 {
		t.Errorf("%d uses of models were not released", n)
	}
}
