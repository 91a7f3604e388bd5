package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/projection"
	"github.com/w2v-go/w2v/vectors/transform"
)

const (
	towardWords     = 10
	fewestProjected = 5
	mostByPCA       = 50_000
	mostByUMAP      = 5000 // whose map, after turnPatience, is ready before the server gives up writing
	turnPatience    = 20 * time.Second
)

type selectionQuestion struct {
	IDs   []int             `json:"ids"`   // of words of the map
	First int               `json:"first"` // so many first words of the vocabulary are named; 0 for all of the map
	Map   projection.Method `json:"map"`   // makes a map of these words alone, in place of facts about them; empty for none
}

// selectionFacts are what is said of some words of the map.
type selectionFacts struct {
	Similarity float64   `json:"similarity"` // the mean of the cosines of all pairs
	Cosines    []float64 `json:"cosines"`    // of each word with the mean of the unit vectors
	// Toward are the words nearest to the difference of the mean of the selection and that of the rest of the map.
	Toward []onAxis `json:"toward"`
}

type selectionMap struct {
	Points    []float32 `json:"points"`              // x and y of each word
	Explained []float64 `json:"explained,omitempty"` // shares of the variance, of principal components
}

func (e *Explorer) selection(r *http.Request, m *Model, s *state) (any, error) {
	var q selectionQuestion
	in := json.NewDecoder(r.Body)
	in.DisallowUnknownFields()
	if err := in.Decode(&q); err != nil {
		return nil, badRequest("", "the body must have ids: %v", err)
	}
	if len(q.IDs) == 0 {
		return nil, badRequest("ids", "there are no ids")
	}
	has := make([]bool, s.points)
	for _, id := range q.IDs {
		if id < 0 || id >= s.points || has[id] {
			return nil, badRequest("ids", "ids must be those of words of the map, from 0 to %d, each once: %d", s.points-1, id)
		}
		has[id] = true
	}
	if q.Map != "" {
		return e.mapOfSelection(r.Context(), m, s, q)
	}
	return factsOfSelection(r.Context(), m.set(), q, has)
}

func (e *Explorer) mapOfSelection(ctx context.Context, m *Model, s *state, q selectionQuestion) (any, error) {
	most := map[projection.Method]int{projection.MethodPCA: mostByPCA, projection.MethodUMAP: mostByUMAP}[q.Map]
	switch n := len(q.IDs); {
	case most == 0:
		return nil, badRequest("map", "map must be pca or umap, is %.40q", string(q.Map))
	case n < fewestProjected || n > most:
		return nil, badRequest("ids", "a map by %s is made of %d to %d words, and these are %d", q.Map, fewestProjected, most, n)
	}
	ids := make([]uint32, len(q.IDs))
	for i, id := range q.IDs {
		ids[i] = uint32(id)
	}
	asking := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	defer context.AfterFunc(m.Context, cancel)()
	few := transform.Pick(m.set(), ids)
	var made *projection.Map
	var err error
	if q.Map == projection.MethodPCA {
		made, err = projection.PCA(ctx, few, projection.PCAOptions{Unit: true})
	} else {
		select {
		case e.turn <- struct{}{}: // it takes all cores
			defer func() { <-e.turn }()
			made, err = projection.UMAP(ctx, few, projection.UMAPOptions{})
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(turnPatience):
			return nil, &Problem{Status: http.StatusServiceUnavailable, Code: "busy", Message: "another map is being computed: ask again later", RetryAfter: int(turnPatience.Seconds())}
		}
	}
	switch {
	case e.ctx.Err() != nil:
		return nil, errShuttingDown
	case ctx.Err() != nil && asking.Err() == nil:
		return nil, errReplaced
	case err != nil:
		return nil, fmt.Errorf("a map of %d words: %w", len(ids), err)
	}
	a := selectionMap{Points: make([]float32, 0, 2*len(ids)), Explained: made.Explained}
	for _, p := range made.Points {
		a.Points = append(a.Points, p.X, p.Y)
	}
	return a, nil
}

func factsOfSelection(ctx context.Context, set *vectors.Set, q selectionQuestion, has []bool) (any, error) {
	ids := q.IDs
	first := len(has)
	if q.First > 0 {
		first = min(first, q.First)
	}
	rows, inverse := set.Directions()
	inside, outside := make([]float64, rows.Cols), make([]float64, rows.Cols)
	directed := 0 // words of the selection with a direction
	for id, in := range has {
		to := outside
		factor := float64(inverse[id])
		if factor != factor {
			continue
		}
		if in {
			to, directed = inside, directed+1
		}
		for i, x := range rows.Row(id) {
			to[i] += factor * float64(x)
		}
	}
	var square float64
	for _, x := range inside {
		square += x * x
	}
	a := selectionFacts{Cosines: make([]float64, len(ids)), Toward: []onAxis{}}
	if n := float64(directed); n > 1 {
		a.Similarity = (square - n) / (n * (n - 1))
	}
	mean, away := make([]float32, rows.Cols), make([]float32, rows.Cols)
	rest := max(1, len(has)-directed)
	for i, x := range inside {
		mean[i] = float32(x)
		away[i] = float32(x/float64(max(1, directed)) - outside[i]/float64(rest))
	}
	vectors.Unit(mean, mean)
	for i, id := range ids {
		var dot float64
		for j, x := range rows.Row(id) {
			dot += float64(x) * float64(mean[j])
		}
		a.Cosines[i] = finite(dot * float64(inverse[id]))
	}
	found, err := set.Nearest(ctx, vectors.Query{Vector: away, K: towardWords, First: first})
	if err != nil {
		return nil, err
	}
	for _, n := range found[0] {
		a.Toward = append(a.Toward, onAxis{Word: n.Word, ID: n.ID, Value: n.Similarity})
	}
	return a, nil
}
