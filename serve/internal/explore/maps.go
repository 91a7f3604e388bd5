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
	"github.com/w2v-go/w2v/vectors/transform"
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

// MapFacts are what is known of a map besides its points.
type MapFacts struct {
	// Trustworthiness is of a sample of points; nil if there are too few words for it.
	Trustworthiness       *float64   `json:"trustworthiness,omitempty"`
	TrustworthinessPoints int        `json:"trustworthiness_points,omitempty"`
	Landmarks             int        `json:"landmarks,omitempty"` // how many words were laid out, if the others were placed beside them
	Explained             []float64  `json:"explained,omitempty"` // shares of the variance, of principal components
	Aside                 int        `json:"aside,omitempty"`     // words without a place of their own
	Bounds                [4]float32 `json:"bounds"`              // least x and y, largest x and y
	Clusters              []cluster  `json:"clusters"`
	// Coarse are groups of clusters, and Fine are parts of them, for labels when less or more is seen of the map.
	Coarse []group `json:"coarse,omitempty"`
	Fine   []group `json:"fine,omitempty"`
	// Stop are the ids of frequent words that are near to all others, which say little where much is seen.
	Stop []int `json:"stop,omitempty"`
}

type group struct {
	Label string  `json:"label"`
	X     float32 `json:"x"`
	Y     float32 `json:"y"`
	Size  int     `json:"size"`
	Of    []int   `json:"of"` // the clusters in it, or the one that it is a part of
}

type cluster struct {
	ID    int     `json:"id"`
	Label string  `json:"label"`
	X     float32 `json:"x"` // where the label goes
	Y     float32 `json:"y"`
	Size  int     `json:"size"`
	Tone  int     `json:"tone"` // which of 20 colours it has, on all maps of the model
}

const noCluster = 65535 // the id of words that are in no cluster

// A Drawing is a map, and the cluster of each word.
type Drawing struct {
	MapFacts
	Placed    *projection.Map
	Found     *projection.Clusters // nil if there are none
	ClusterOf []uint16             // noCluster for words that are in none

	pointBytes, clusterBytes []byte // what is sent of them
}

func (d *Drawing) at(id int) *projection.Point {
	if d == nil || id < 0 || id >= len(d.Placed.Points) {
		return nil
	}
	return &d.Placed.Points[id]
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

const (
	labelWords = 3    // how many words name a cluster
	drawnShare = 0.97 // how much of the work is done when the words are placed
	sampled    = 2000 // how many words the trustworthiness of a map by PCA is measured with
)

// DrawOptions say which map is made. Cache keeps those by UMAP, except those with Start; nil keeps none. Start is where
// the words begin: see projection.UMAPOptions.
type DrawOptions struct {
	Method projection.Method
	Cache  *projection.Cache
	Start  []projection.Point
}

// Draw makes the map of the words of a set. One by UMAP may come from the cache. One by PCA is there soon, and has
// neither clusters nor a trustworthiness: see WithClusters and Trusted.
func Draw(ctx context.Context, few *vectors.Set, o DrawOptions, tell projection.Progress) (d *Drawing, from projection.Origin, err error) {
	if o.Method == projection.MethodPCA {
		m, err := projection.PCA(ctx, few, projection.PCAOptions{Unit: true, Progress: tell})
		if err != nil {
			return nil, from, err
		}
		return newDrawing(m), from, nil
	}
	a, from, err := projection.Make(ctx, few, projection.Options{
		Method: o.Method, UMAP: projection.UMAPOptions{Start: o.Start}, Cache: o.Cache, Progress: Share(tell, 0, drawnShare),
	})
	if err != nil {
		return nil, from, err
	}
	d = newDrawing(&a.Map)
	d.trust(a.Trust)
	if a.Clusters != nil {
		tell("labels", drawnShare)
		d, err = d.described(ctx, few, a.Clusters)
		if err == nil {
			tones(d.Clusters)
		}
	}
	return d, from, err
}

func newDrawing(m *projection.Map) *Drawing {
	d := &Drawing{Placed: m, ClusterOf: slices.Repeat([]uint16{noCluster}, len(m.Points)), pointBytes: LittleEndian(m.Points)}
	d.clusterBytes = LittleEndian(d.ClusterOf)
	d.Clusters, d.Explained, d.Aside, d.Landmarks = []cluster{}, m.Explained, len(m.Aside), m.Landmarks
	low, high := m.Bounds()
	d.Bounds = [4]float32{low.X, low.Y, high.X, high.Y}
	return d
}

func (d *Drawing) trust(t projection.Trust) {
	if t.Words > 0 {
		d.Trustworthiness, d.TrustworthinessPoints = &t.Value, t.Words
	}
}

// Trusted returns the map with its trustworthiness.
func (d *Drawing) Trusted(ctx context.Context, few *vectors.Set, tell projection.Progress) (*Drawing, error) {
	with := *d
	if few.Len()-len(d.Placed.Aside) >= 3 {
		t, err := projection.Trustworthiness(ctx, few, d.Placed.Points, projection.TrustworthinessOptions{Sample: sampled, Progress: tell})
		if err != nil {
			return nil, err
		}
		with.trust(t)
	}
	return &with, nil
}

// WithClusters returns the map with the clusters of another one of the same words, and their colours.
func (d *Drawing) WithClusters(ctx context.Context, few *vectors.Set, other *Drawing) (*Drawing, error) {
	with, err := d.described(ctx, few, other.Found)
	if err != nil {
		return nil, err
	}
	of := map[int]int{}
	for _, c := range other.Clusters {
		of[c.ID] = c.Tone
	}
	for i, c := range with.Clusters {
		with.Clusters[i].Tone = of[c.ID]
	}
	return with, nil
}

const shades = 20 // colours of clusters that can be told apart

// tones gives each cluster one of the colours: that whose clusters are the furthest away, to the largest cluster first.
func tones(clusters []cluster) {
	order := make([]*cluster, len(clusters))
	for i := range clusters {
		order[i] = &clusters[i]
	}
	slices.SortStableFunc(order, func(a, b *cluster) int { return b.Size - a.Size })
	for i, c := range order {
		var distances [shades]float64
		for tone := range distances {
			distances[tone] = math.Inf(1)
		}
		for _, other := range order[:i] {
			distances[other.Tone] = min(distances[other.Tone], math.Hypot(float64(c.X-other.X), float64(c.Y-other.Y)))
		}
		for tone, distance := range distances {
			if distance > distances[c.Tone] {
				c.Tone = tone
			}
		}
	}
}

func (d *Drawing) described(ctx context.Context, few *vectors.Set, found *projection.Clusters) (*Drawing, error) {
	o, err := projection.NewOverview(ctx, few, d.Placed.Points, found, labelWords)
	if err != nil {
		return nil, err
	}
	with := *d
	with.Coarse, with.Fine, with.Stop = groupsOf(o.Coarse), groupsOf(o.Fine), o.Stop
	with.Found, with.Clusters, with.ClusterOf = found, make([]cluster, 0, len(o.Clusters)), make([]uint16, len(found.Of))
	for _, c := range o.Clusters {
		if c.ID < noCluster {
			with.Clusters = append(with.Clusters, cluster{ID: c.ID, Label: c.Label, X: c.At.X, Y: c.At.Y, Size: c.Size})
		}
	}
	for i, c := range found.Of {
		with.ClusterOf[i] = noCluster
		if c >= 0 && c < noCluster {
			with.ClusterOf[i] = uint16(c)
		}
	}
	with.clusterBytes = LittleEndian(with.ClusterOf)
	return &with, nil
}

func groupsOf(groups []projection.Group) []group {
	all := make([]group, len(groups))
	for i, g := range groups {
		all[i] = group{Label: g.Label, X: g.At.X, Y: g.At.Y, Size: g.Size, Of: g.Of}
	}
	return all
}

// FirstWords returns the first n words of a set, which are its most frequent ones as a rule.
func FirstWords(set *vectors.Set, n int) *vectors.Set {
	if n >= set.Len() {
		return set
	}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = uint32(i)
	}
	return transform.Pick(set, ids)
}

// Share returns what tells of a part of the work, which is from and to of the whole.
func Share(tell projection.Progress, from, to float64) projection.Progress {
	return func(stage string, done float64) { tell(stage, from+(to-from)*done) }
}

// First returns the map of the words of a set, which are the first ones of the map. Its clusters and labels are of these
// words alone. Its trustworthiness is unknown.
func (d *Drawing) First(ctx context.Context, few *vectors.Set) (*Drawing, error) {
	n := few.Len()
	aside, _ := slices.BinarySearch(d.Placed.Aside, n)
	m := &projection.Map{Method: d.Placed.Method, Points: d.Placed.Points[:n], Aside: d.Placed.Aside[:aside], Explained: d.Explained}
	if n > d.Landmarks {
		m.Landmarks = d.Landmarks
	}
	first := newDrawing(m)
	if d.Found == nil {
		return first, nil
	}
	sizes := make([]int, len(d.Found.Sizes))
	for _, c := range d.Found.Of[:n] {
		if c >= 0 {
			sizes[c]++
		}
	}
	order := make([]int, len(sizes)) // the largest first, and those without words last
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	found, number := &projection.Clusters{Of: make([]int32, n), Modularity: d.Found.Modularity}, make([]int32, len(sizes))
	for to, c := range order {
		number[c] = int32(to)
		if sizes[c] > 0 {
			found.Sizes = append(found.Sizes, sizes[c])
		}
	}
	for i, c := range d.Found.Of[:n] {
		if found.Of[i] = c; c >= 0 {
			found.Of[i] = number[c]
		}
	}
	first, err := first.described(ctx, few, found)
	if err == nil {
		tones(first.Clusters)
	}
	return first, err
}
