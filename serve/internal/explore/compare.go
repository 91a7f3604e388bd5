package explore

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/align"
)

const (
	maxMoved       = 200 // how many words that moved most, and as many that moved least, a comparison keeps
	shownNeighbors = 10  // how many neighbours of each word a comparison keeps
	onlyShown      = 50  // how many of the words that one model alone has are listed
	// defaultMinCount leaves out rare words, whose vectors move from one training to the next, unless that
	// leaves fewer than enoughWords.
	defaultMinCount = 50
	enoughWords     = 1000
	maxComparisons  = 16 // how many comparisons are kept or computed at a time
	// patience is how long a request waits for a comparison before it is told to ask again.
	patience = 500 * time.Millisecond
)

type comparisonKey struct {
	names, sums      [2]string // names and checksums of the old and the new model
	minCount         uint64
	automaticMinimum bool
}

// A comparison is one of two models, from when it is first asked for.
type comparison struct {
	key  comparisonKey
	done chan struct{} // closed when it has ended

	now atomic.Pointer[MapInfo]

	// These are set before done is closed.
	result  *comparisonInfo
	cosines []float32 // of the two vectors of each word of the old model's map; NaN if only that model has a vector
	err     error
}

type comparisonInfo struct {
	State      string      `json:"state"`
	Old        string      `json:"old"`
	New        string      `json:"new"`
	MinCount   uint64      `json:"min_count"` // words that either model saw less often are left out
	Shared     int         `json:"shared"`    // words that are compared
	Rare       int         `json:"rare"`      // words that both have and MinCount leaves out
	Median     float64     `json:"median"`    // of the cosines
	MeanCosine float64     `json:"mean_cosine"`
	Moved      []movedWord `json:"moved"`
	Stable     []movedWord `json:"stable"`
	OnlyOld    onlyWords   `json:"only_old"`
	OnlyNew    onlyWords   `json:"only_new"`
}

type onlyWords struct {
	Count int      `json:"count"`
	Words []string `json:"words"` // the first ones, which are the most frequent
}

type movedWord struct {
	Word         string   `json:"word"`
	Cosine       float64  `json:"cosine"` // of its two vectors after alignment
	Rank         int      `json:"rank"`   // from 1: of the moved ones among those that moved most, of the stable ones among those that moved least
	Deviation    float64  `json:"deviation"`
	Jaccard      float64  `json:"jaccard"` // share of its nearest words that are so in both models
	OldCount     uint64   `json:"old_count,omitempty"`
	NewCount     uint64   `json:"new_count,omitempty"`
	OldNeighbors []string `json:"old_neighbors"`
	NewNeighbors []string `json:"new_neighbors"`
}

// compared returns a comparison if it has been made. Otherwise it sends how far it is, and returns nil.
func (e *Explorer) compared(w http.ResponseWriter, r *http.Request) (*comparison, error) {
	c, err := e.comparisonOf(r)
	if err != nil {
		return nil, err
	}
	switch e.wait(r.Context(), patience, c.done); {
	case !ended(c.done):
		return nil, sendJSON(w, http.StatusAccepted, c.now.Load())
	case c.err != nil:
		return nil, c.err
	}
	return c, nil
}

// compareCosines answers with how near the two vectors of each word of the old model's map are.
func (e *Explorer) compareCosines(w http.ResponseWriter, r *http.Request) error {
	c, err := e.compared(w, r)
	if c != nil {
		tagged(binaryType, LittleEndian(c.cosines), append([]string{"cosines", strconv.FormatUint(c.result.MinCount, 10), strconv.Itoa(len(c.cosines))}, c.key.sums[:]...)...).send(w, r)
	}
	return err
}

func (e *Explorer) compare(w http.ResponseWriter, r *http.Request) error {
	k, err := answersOf(r, 50)
	if err != nil {
		return err
	}
	c, err := e.compared(w, r)
	if c == nil {
		return err
	}
	info := *c.result
	info.Moved, info.Stable = info.Moved[:min(k, len(info.Moved))], info.Stable[:min(k, len(info.Stable))]
	return sendJSON(w, http.StatusOK, info)
}

func (e *Explorer) comparisonOf(r *http.Request) (*comparison, error) {
	key := comparisonKey{automaticMinimum: true}
	if text := r.FormValue("min_count"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, badRequest("min_count", "min_count must be a number from 0, is %.40q", text)
		}
		key.minCount, key.automaticMinimum = n, false
	}
	for i, param := range []string{"old", "new"} {
		var err error
		if key.names[i], err = textOf(r, param); err != nil {
			return nil, err
		}
	}
	for i, name := range key.names {
		m, s, err := e.use(name)
		if err != nil {
			return nil, err
		}
		key.sums[i] = s.checksum
		m.Release()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if c := e.comparisons[key]; c != nil {
		return c, nil
	}
	if len(e.comparisons) >= maxComparisons {
		maps.DeleteFunc(e.comparisons, func(_ comparisonKey, c *comparison) bool { return ended(c.done) })
	}
	if len(e.comparisons) >= maxComparisons {
		return nil, &Problem{Status: http.StatusServiceUnavailable, Code: "busy", Message: "too many comparisons are being computed: ask again later"}
	}
	c := &comparison{key: key, done: make(chan struct{})}
	c.tell("waiting", 0)
	if !e.begin(func() { e.makeComparison(c) }, func() {}) {
		return nil, errShuttingDown
	}
	e.comparisons[key] = c
	return c, nil
}

var (
	errShuttingDown = &Problem{Status: http.StatusServiceUnavailable, Code: "shutting_down", Message: "the server is shutting down"}
	errReplaced     = &Problem{Status: http.StatusServiceUnavailable, Code: "busy", Message: "a model was replaced meanwhile: ask again"}
	errPanicked     = errors.New("explorer: the comparison panicked")
)

// makeComparison compares two models. If the models cannot be compared, the reason is kept. Other
// errors are not kept, so that the next request tries again.
func (e *Explorer) makeComparison(c *comparison) {
	c.err = errPanicked
	defer func() {
		if c.err != nil && !errors.As(c.err, new(*Problem)) || c.err == errShuttingDown || c.err == errReplaced {
			e.mu.Lock()
			delete(e.comparisons, c.key)
			e.mu.Unlock()
		}
		close(c.done)
	}()
	select {
	case e.comparing <- struct{}{}:
		defer func() { <-e.comparing }()
		c.err = e.compareModels(c)
	case <-e.ctx.Done():
		c.err = errShuttingDown
	}
}

func (e *Explorer) compareModels(c *comparison) error {
	key := c.key
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	var models [2]*Model
	for i, name := range key.names {
		m, err := e.options.Models.Use(name)
		if err != nil {
			return err
		}
		defer m.Release()
		defer context.AfterFunc(m.Context, cancel)()
		if sum, err := m.Checksum(); err != nil || sum != key.sums[i] {
			return cmp.Or[error](err, errReplaced)
		}
		models[i] = m
	}
	old, young := models[0], models[1]
	err := old.Read(func() error {
		return young.Read(func() error {
			return c.compareSets(ctx, old, young, e.points(old))
		})
	})
	switch {
	case e.ctx.Err() != nil:
		return errShuttingDown
	case ctx.Err() != nil:
		return errReplaced
	}
	return comparisonProblem(err)
}

func (c *comparison) tell(stage string, done float64) {
	c.now.Store(&MapInfo{State: stateRunning, Stage: stage, Progress: done})
}

func (c *comparison) compareSets(ctx context.Context, old, young *Model, points int) error {
	least := c.key.minCount
	if c.key.automaticMinimum {
		least = defaultMinCount
		if pairs, err := align.Shared(young.set(), old.set(), align.SharedOptions{MinCount: least}); err != nil || len(pairs) < enoughWords {
			least = 0
		}
	}
	d, err := align.Diff(ctx, old.set(), young.set(), align.DiffOptions{
		Options: align.Options{Progress: c.tell}, MinCount: least, Most: maxMoved, Stable: maxMoved,
	})
	if err != nil {
		return err
	}
	c.result = &comparisonInfo{
		State: stateReady, Old: old.Name, New: young.Name, MinCount: least, Shared: d.Compared, Rare: d.Rare,
		Median: finite(1 - d.Median), MeanCosine: finite(d.Fit.MeanCosine),
		Moved: movedWords(d.Moved), Stable: movedWords(d.Stable), OnlyOld: onlyOf(d.OnlyOld), OnlyNew: onlyOf(d.OnlyNew),
	}
	// Rare words have a place on the map, too.
	pairs, err := align.Shared(young.set(), old.set(), align.SharedOptions{})
	if err != nil {
		return err
	}
	pairs = slices.DeleteFunc(pairs, func(p align.Pair) bool { return p.B >= points })
	c.cosines = slices.Repeat([]float32{float32(math.NaN())}, points)
	if len(pairs) == 0 {
		return nil
	}
	cosines, err := d.Fit.Cosines(ctx, young.set(), old.set(), pairs)
	for i, x := range cosines {
		c.cosines[pairs[i].B] = float32(x)
	}
	return err
}

// finite replaces numbers that JSON cannot hold by 0.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

func movedWords(moved []align.Moved) []movedWord {
	list := make([]movedWord, len(moved))
	for i, m := range moved {
		list[i] = movedWord{
			Word: m.Word, Cosine: finite(1 - m.Distance), Rank: i + 1, Deviation: finite(m.Deviation), Jaccard: finite(m.Jaccard),
			OldCount: m.OldCount, NewCount: m.NewCount,
			OldNeighbors: neighborWords(m.OldNeighbors), NewNeighbors: neighborWords(m.NewNeighbors),
		}
	}
	return list
}

func neighborWords(near []vectors.Neighbor) []string {
	return firstOf(near, shownNeighbors, func(n vectors.Neighbor) string { return n.Word })
}

func onlyOf(words []align.Counted) onlyWords {
	return onlyWords{len(words), firstOf(words, onlyShown, func(w align.Counted) string { return w.Word })}
}

func firstOf[T any](list []T, most int, word func(T) string) []string {
	words := []string{}
	for _, x := range list[:min(most, len(list))] {
		words = append(words, word(x))
	}
	return words
}

func comparisonProblem(err error) error {
	var reason string
	switch dims, uncounted := (*align.DimError)(nil), (*align.CountsError)(nil); {
	case errors.As(err, &dims):
		reason = "dimensions_differ"
	case errors.As(err, &uncounted):
		reason = "no_counts"
	case errors.Is(err, align.ErrNoAnchors):
		reason = "no_shared_words"
	default:
		return err
	}
	return &Problem{Status: http.StatusUnprocessableEntity, Code: reason, Message: err.Error()}
}
