package explore

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// preservedNeighbors is how many of a word's nearest words are looked for among as many nearest points.
const preservedNeighbors = 10

// A preservation is how many of its nearest words each word of a map has near it: a byte a word, from when it is
// first asked for.
type preservation struct {
	done chan struct{} // closed when it has ended
	now  atomic.Pointer[MapInfo]

	// These are set before done is closed.
	bytes []byte
	err   error
}

func (p *preservation) tell(stage string, done float64) {
	p.now.Store(&MapInfo{State: stateRunning, Stage: stage, Progress: done})
}

// neighborhoods are the nearest words of the words of a model's maps, found once.
type neighborhoods struct {
	mu    sync.Mutex // held while they are found
	found *projection.Neighborhoods
}

func (n *neighborhoods) of(ctx context.Context, few *vectors.Set, tell projection.Progress) (*projection.Neighborhoods, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.found != nil {
		return n.found, nil
	}
	found, err := projection.NewNeighborhoods(ctx, few, projection.NeighborhoodOptions{Neighbors: preservedNeighbors, Progress: tell})
	if err == nil { // otherwise the next request tries again
		n.found = found
	}
	return found, err
}

// mapPreserved answers with the byte of each word, 255 for a word without direction. While they are counted it answers
// with 202 and how far that is.
func (e *Explorer) mapPreserved(w http.ResponseWriter, r *http.Request) error {
	m, s, err := e.use(r.PathValue("model"))
	if err != nil {
		return err
	}
	m.Release() // while one waits, the model may be replaced
	j, d, err := e.ready(r, m.Name, s)
	if err != nil {
		return err
	}
	p, err := e.preservationOf(m.Name, s, j, d)
	if err != nil {
		return err
	}
	switch e.wait(r.Context(), patience, p.done); {
	case !ended(p.done):
		return sendJSON(w, http.StatusAccepted, p.now.Load())
	case p.err != nil:
		return p.err
	}
	s.ofMap(j, "preserved", p.bytes).send(w, r)
	return nil
}

func (e *Explorer) preservationOf(name string, s *state, j *mapJob, d *Drawing) (*preservation, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.preserved != nil {
		return j.preserved, nil
	}
	p := &preservation{done: make(chan struct{}), err: errors.New("explorer: the count of neighbours panicked")}
	p.tell("waiting", 0)
	begun := e.begin(func() {
		defer func() {
			if p.err != nil { // the next request tries again
				j.mu.Lock()
				j.preserved = nil
				j.mu.Unlock()
			}
			close(p.done)
		}()
		p.err = e.preserve(name, s, d, p)
	}, func() {})
	if !begun {
		return nil, errShuttingDown
	}
	j.preserved = p
	return p, nil
}

func (e *Explorer) preserve(name string, s *state, d *Drawing, p *preservation) error {
	select {
	case e.turn <- struct{}{}: // it takes all cores
		defer func() { <-e.turn }()
	case <-s.ctx.Done():
		return errReplaced
	}
	m, err := e.options.Models.Use(name)
	if err != nil {
		return err
	}
	defer m.Release()
	if sum, err := m.Checksum(); err != nil || sum != s.checksum {
		return cmp.Or[error](err, errReplaced)
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer context.AfterFunc(m.Context, cancel)()
	err = m.Read(func() (err error) {
		p.bytes, err = s.near.preserved(ctx, FirstWords(m.set(), s.points), d.Placed.Points, p.tell)
		return err
	})
	if ctx.Err() != nil {
		return errReplaced
	}
	return err
}

func (n *neighborhoods) preserved(ctx context.Context, few *vectors.Set, points []projection.Point, tell projection.Progress) ([]byte, error) {
	found, err := n.of(ctx, few, tell)
	if err != nil {
		return nil, err
	}
	return found.Kept(ctx, points)
}

// A Preserver counts, for maps of one set, how many of its ten nearest words each word has near it.
type Preserver struct{ near neighborhoods }

// Preserved returns a byte for each word of a set, 255 for words without direction.
func (p *Preserver) Preserved(ctx context.Context, few *vectors.Set, d *Drawing) ([]byte, error) {
	return p.near.preserved(ctx, few, d.Placed.Points, nil)
}
