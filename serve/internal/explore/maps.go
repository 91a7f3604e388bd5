package explore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
)

// A MapInfo is the progress of a map, and its facts once it is ready.
type MapInfo struct {
	State    string   `json:"state"` // "ready", "running" or "failed"
	Stage    string   `json:"stage,omitempty"`
	Progress float64  `json:"progress"` // of all stages, from 0 to 1
	ETA      *float64 `json:"eta_seconds,omitempty"`
	Memory   uint64   `json:"memory,omitempty"` // about how many bytes its computation takes
	Error    string   `json:"error,omitempty"`
	*MapFacts
}

// The states of a map.
const stateRunning, stateReady, stateFailed = "running", "ready", "failed"

// A mapJob is a map, from when it is first asked for until its model is replaced.
type mapJob struct {
	method string
	// like is another model, whose map by UMAP has the places where this one begins; empty for none. likeSum is
	// its checksum.
	like, likeSum string

	mu      sync.Mutex
	info    MapInfo // without state if nobody has asked yet
	began   time.Time
	made    *Drawing
	changed chan struct{} // closed when info changes

	preserved *preservation // nil before it is asked for
}

func (j *mapJob) now() (MapInfo, *Drawing, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	info := j.info
	if p := info.Progress; info.State == stateRunning && !j.began.IsZero() && p > 0.02 {
		eta := time.Since(j.began).Seconds() * (1 - p) / p
		info.ETA = &eta
	}
	return info, j.made, j.changed
}

func (j *mapJob) set(change func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change()
	close(j.changed)
	j.changed = make(chan struct{})
}

func (j *mapJob) fail(message string) {
	j.set(func() { j.info = MapInfo{State: stateFailed, Error: message} })
}

func (e *Explorer) ask(name string, s *state, j *mapJob, again bool) {
	j.mu.Lock()
	mine := j.info.State == "" || again && j.info.State == stateFailed
	if mine {
		j.info, j.began = MapInfo{State: stateRunning, Stage: "waiting"}, time.Time{}
	}
	j.mu.Unlock()
	if !mine {
		return
	}
	// It begins again if another file with the same words and vectors took the place of the model's: the old
	// one must not stay open for that long.
	begun := e.begin(func() {
		for e.tryMap(name, s, j) {
			e.options.Log.Info("a map is made anew, because its model was loaded again", "model", name, "map", j.method)
		}
	}, func() { j.fail("something went wrong in the server; its log says what") })
	if !begun {
		j.fail("the server is shutting down")
	}
}

// tryMap makes a map. It uses the model itself, because the request may end before. Again says that the model was
// replaced meanwhile, perhaps by the same model.
func (e *Explorer) tryMap(name string, s *state, j *mapJob) (again bool) {
	m, err := e.options.Models.Use(name)
	if err != nil {
		j.fail(err.Error())
		return false
	}
	defer m.Release()
	if sum, err := m.Checksum(); err != nil || sum != s.checksum {
		j.fail("the model was replaced meanwhile")
		return false
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer context.AfterFunc(m.Context, cancel)()
	var start []projection.Point
	if j.like != "" {
		if start, err = e.placesLike(ctx, m, s, j); err != nil {
			if ctx.Err() != nil {
				return j.gaveUp(s)
			}
			j.fail(err.Error())
			return false
		}
	}
	if j.method == string(projection.MethodUMAP) { // which takes all cores for long
		select {
		case e.turn <- struct{}{}:
			defer func() { <-e.turn }()
		case <-ctx.Done():
			return j.gaveUp(s)
		}
	}
	j.set(func() {
		j.began, j.info.Stage, j.info.Progress = time.Now(), "", 0
		if j.method == string(projection.MethodUMAP) {
			j.info.Memory = projection.Memory(s.points, m.set().Dim(), projection.UMAPOptions{})
		}
	})
	var d *Drawing
	var cache *projection.Cache
	if m.Path != "" {
		cache = &projection.Cache{Model: m.Path}
	}
	err = m.Read(func() (err error) {
		var origin projection.Origin
		d, origin, err = Draw(ctx, FirstWords(m.set(), s.points), DrawOptions{projection.Method(j.method), cache, start}, func(stage string, done float64) {
			j.set(func() { j.info.Stage, j.info.Progress = stage, max(j.info.Progress, min(1, done)) })
		})
		log := e.options.Log.With("model", name, "map", j.method)
		if cache != nil && start == nil && err == nil && origin.Reason != "" { // it was not read from its file
			log.Info("a map was made", "reason", origin.Reason)
		}
		if cache != nil && err == nil && origin.Unsaved != nil {
			log.Warn("a map could not be kept in a file: it will be made again", "error", origin.Unsaved.Error())
		}
		return err
	})
	switch {
	case errors.Is(err, context.Canceled):
		return j.gaveUp(s)
	case err != nil:
		e.options.Log.Error("a map could not be made", "model", name, "map", j.method, "error", err.Error())
		j.fail(err.Error())
	default:
		j.finish(d)
		_ = s.complete(ctx, m, j) // without it the map is still useful
	}
	return false
}

// placesLike returns where the words of a model's map begin: at their places on the other model's map by UMAP, for
// which it waits. The places of words that only this model has are NaN.
func (e *Explorer) placesLike(ctx context.Context, m *Model, s *state, j *mapJob) ([]projection.Point, error) {
	use := func(work func(other *Model, to *state) error) error {
		other, to, err := e.use(j.like)
		if err != nil {
			return err
		}
		defer other.Release()
		if to.checksum != j.likeSum {
			return errReplaced
		}
		return work(other, to)
	}
	var first *mapJob
	err := use(func(_ *Model, to *state) error {
		first = to.maps[string(projection.MethodUMAP)]
		e.ask(j.like, to, first, false)
		return nil
	})
	if err != nil {
		return nil, err
	}
	info, d, changed := first.now()
	for info.State == stateRunning {
		j.set(func() { j.info.Stage = "the map of " + j.like })
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		info, d, changed = first.now()
	}
	if d == nil {
		return nil, errors.New(j.like + ": " + info.Error)
	}
	start := make([]projection.Point, s.points)
	err = use(func(other *Model, _ *state) error {
		return other.Read(func() error {
			return m.Read(func() error {
				nowhere := float32(math.NaN())
				words := m.set().Words()
				for i := range start {
					start[i] = projection.Point{X: nowhere, Y: nowhere}
					id, ok := other.set().ID(words.At(i))
					if _, aside := slices.BinarySearch(d.Placed.Aside, id); ok && id < len(d.Placed.Points) && !aside {
						start[i] = d.Placed.Points[id]
					}
				}
				return nil
			})
		})
	})
	return start, err
}

func (j *mapJob) gaveUp(s *state) (again bool) {
	if s.ctx.Err() == nil {
		return true
	}
	j.fail("given up: the model was replaced, or the server shuts down")
	return false
}

func (j *mapJob) finish(d *Drawing) { j.set(func() { j.info, j.made = d.Info(), d }) }

// Info is the info of a map that is ready.
func (d *Drawing) Info() MapInfo {
	return MapInfo{State: stateReady, Progress: 1, MapFacts: &d.MapFacts}
}

// complete adds to maps what they are shown without: to one by PCA its trustworthiness, and the clusters of
// the one by UMAP, once both are ready.
func (s *state) complete(ctx context.Context, m *Model, j *mapJob) error {
	s.completing.Lock()
	defer s.completing.Unlock()
	// If the file changed meanwhile, additions made from it are not shown.
	add := func(to *mapJob, added func(few *vectors.Set) (*Drawing, error)) error {
		var with *Drawing
		err := m.Read(func() (err error) { with, err = added(FirstWords(m.set(), s.points)); return err })
		if err == nil {
			to.finish(with)
		}
		return err
	}
	if _, d, _ := j.now(); d.Trustworthiness == nil {
		if err := add(j, func(few *vectors.Set) (*Drawing, error) { return d.Trusted(ctx, few, nil) }); err != nil {
			return err
		}
	}
	pca := s.maps[string(projection.MethodPCA)]
	_, without, _ := pca.now()
	_, umap, _ := s.maps[string(projection.MethodUMAP)].now()
	if without == nil || without.Found != nil || umap == nil || umap.Found == nil {
		return nil
	}
	return add(pca, func(few *vectors.Set) (*Drawing, error) { return without.WithClusters(ctx, few, umap) })
}

// jobOf returns a projection of a model. With the parameter like, which is the name of another model, it is the one that
// begins at the places of that model's map.
func (e *Explorer) jobOf(r *http.Request, name string, s *state, method string) (*mapJob, error) {
	j := s.maps[method]
	like := r.FormValue("like")
	switch {
	case j == nil:
		return nil, notThere("unknown_projection", "there is no projection %.200q, only %q", method, projections)
	case like == "":
		return j, nil
	case method != string(projection.MethodUMAP):
		return nil, badRequest("like", "a map by %s has no first places", method)
	case like == name:
		return nil, badRequest("like", "like names another model than the map is of")
	}
	other, to, err := e.use(like)
	if err != nil {
		return nil, err
	}
	other.Release()
	e.mu.Lock()
	defer e.mu.Unlock()
	if j := s.alike[like]; j != nil && j.likeSum == to.checksum {
		return j, nil
	}
	j = &mapJob{method: method, like: like, likeSum: to.checksum, changed: make(chan struct{})}
	s.alike[like] = j
	return j, nil
}

func (e *Explorer) mapState(r *http.Request, m *Model, s *state) (any, error) {
	j, err := e.jobOf(r, m.Name, s, r.PathValue("projection"))
	if err != nil {
		return nil, err
	}
	e.ask(m.Name, s, j, r.FormValue("retry") != "")
	info, _, _ := j.now()
	return info, nil
}

func (e *Explorer) ready(r *http.Request, name string, s *state) (*mapJob, *Drawing, error) {
	j, err := e.jobOf(r, name, s, r.PathValue("projection"))
	if err != nil {
		return nil, nil, err
	}
	if _, d, _ := j.now(); d != nil {
		return j, d, nil
	}
	return nil, nil, &Problem{Status: http.StatusConflict, Code: "not_ready", Message: fmt.Sprintf("the map by %s is not ready", j.method)}
}

func (e *Explorer) mapPoints(r *http.Request, m *Model, s *state) (any, error) {
	j, d, err := e.ready(r, m.Name, s)
	if err != nil {
		return nil, err
	}
	return s.ofMap(j, "points", d.pointBytes), nil
}

func (e *Explorer) mapClusters(r *http.Request, m *Model, s *state) (any, error) {
	j, d, err := e.ready(r, m.Name, s)
	if err != nil {
		return nil, err
	}
	return s.ofMap(j, "clusters", d.clusterBytes, strconv.Itoa(len(d.Clusters))), nil
}

const often = 200 * time.Millisecond // the least time between two events about a map

func (e *Explorer) mapProgress(w http.ResponseWriter, r *http.Request) error {
	m, s, err := e.use(r.PathValue("model"))
	if err != nil {
		return err
	}
	m.Release() // a stream must not keep a model that was replaced
	j, err := e.jobOf(r, m.Name, s, r.PathValue("projection"))
	if err != nil {
		return err
	}
	e.ask(m.Name, s, j, false)
	events := newEvents(w)
	for {
		info, _, changed := j.now()
		text, err := json.Marshal(info)
		if err != nil {
			return nil
		}
		events.send("progress", text)
		if info.State != stateRunning || events.gone || !e.wait(r.Context(), often, nil) {
			return nil
		}
		for !ended(changed) {
			if !e.wait(r.Context(), heartbeat, changed) {
				return nil
			}
			if !ended(changed) {
				events.beat()
			}
			if events.gone {
				return nil
			}
		}
	}
}

func ended(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

var projections = []string{string(projection.MethodPCA), string(projection.MethodUMAP)}
