// Package index finds the nearest of millions of vectors without looking at all of them:
//
//	entries, err := index.Of(set)
//	…
//	x, err := index.Build(ctx, entries, index.Options{})
//	…
//	err = x.Write(ctx, "words.index")
//	…
//	x, err = index.Open("words.index")
//	found, err := x.Search(ctx, index.Query{Vector: v, K: 10})
//
// An index is a graph: each entry is linked to some that are near to it, in several directions. A search walks along
// the links to entries that are ever nearer, and misses some of the nearest now and then. The share that it finds is the
// recall, which Measure compares with an exact search. A larger effort finds more and takes longer.
//
// An index keeps vectors as float32 of length 1, and similarity is the cosine. Its file is mapped and not read.
// Building takes all cores, and for the same entries, options and kernels its result is the same on any number of
// them.
package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/scan"
	"github.com/w2v-go/w2v/vectors/query"
)

// Defaults of Options and Query.
const (
	DefaultDegree = 32
	DefaultBuild  = 128
	DefaultEffort = 64
)

// Options say how an index is built. The zero value has the defaults.
type Options struct {
	Degree  int // most links of an entry; 0 means DefaultDegree
	Effort  int // how many entries a search keeps while it looks for what to link; 0 means DefaultBuild
	Seed    uint64
	Threads int  // 0 means GOMAXPROCS
	Force   bool // build even if memory seems too small

	Start    func(bytes uint64) error  // called before memory is taken, with how much, entries included; may be nil
	Progress func(linked, entries int) // called now and then by one goroutine; may be nil
}

// Validate returns an error if an option is invalid.
func (o Options) Validate() error {
	switch {
	case o.Degree != 0 && (o.Degree < 4 || o.Degree > 1<<10):
		return fmt.Errorf("index: degree: must be from 4 to %d, is %d", 1<<10, o.Degree)
	case o.Effort < 0 || o.Effort > 1<<16:
		return fmt.Errorf("index: effort: must be from 1 to %d, is %d", 1<<16, o.Effort)
	case o.Threads < 0:
		return fmt.Errorf("index: threads: must not be negative, is %d", o.Threads)
	}
	return nil
}

// A MemoryError says that building needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // what sets Have
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the index needs about %.1f GB of memory, and %s is %.1f GB: fewer links need less", float64(e.Need)/1e9, e.Limit, float64(e.Have)/1e9)
}

// About says how an index was built. It is kept in the file.
type About struct {
	Entries  int           `json:"entries"`
	Dim      int           `json:"dim"`
	Degree   int           `json:"degree"`
	Effort   int           `json:"effort"` // of building
	Seed     uint64        `json:"seed"`
	Left     int           `json:"left_out"` // entries that were left out, because their vectors are zero or not finite
	Repeated int           `json:"repeated"` // entries that were left out, because an entry before has their name
	Links    float64       `json:"links"`    // of an entry, on average
	Of       string        `json:"of"`       // what the entries are: set by who builds the index
	Model    string        `json:"model"`    // of their vectors, likewise
	Probe    *Probe        `json:"probe,omitempty"`
	Measured []Measurement `json:"measured"`
}

// A Probe is a text with the vector that the model of an index gives it, where names of entries are not their texts.
type Probe struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

// A Measurement compares searches with exact ones.
type Measurement struct {
	Effort  int     `json:"effort"`
	K       int     `json:"k"`
	Queries int     `json:"queries"`
	Recall  float64 `json:"recall"` // share of the K nearest that are found
}

// An Index finds the entries nearest to a vector. It may be used from several goroutines.
type Index struct {
	About About

	set   *vectors.Set // names and unit vectors
	graph graph
	same  []uint32 // for each entry the next one of the same vector, or noRow; nil if all differ
	walks sync.Pool
}

// Build builds an index of entries, which it keeps. They must not be used afterwards.
func Build(ctx context.Context, e *Entries, o Options) (*Index, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Degree == 0 {
		o.Degree = DefaultDegree
	}
	if o.Effort == 0 {
		o.Effort = DefaultBuild
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	slots := o.Degree + o.Degree/2
	if e.Len() > MaxRows {
		return nil, fmt.Errorf("index: %d entries, at most %d are possible", e.Len(), MaxRows)
	}
	more := uint64(e.Len())*uint64(4*(slots+o.Degree)+8) + uint64(o.Threads*e.Len()/8)
	if need, have, limit, lacks := sysinfo.Lacks(float64(more), o.Force); lacks {
		return nil, &MemoryError{need, have, limit}
	}
	if o.Start != nil {
		if err := o.Start(more + uint64(4*len(e.rows))); err != nil {
			return nil, err
		}
	}
	words, rows := e.distinct()
	n := words.Len()
	x := &Index{graph: graph{rows: rows, stride: e.dim, cols: e.dim, slots: slots}}
	x.About = About{Entries: n, Dim: e.dim, Degree: o.Degree, Effort: o.Effort, Seed: o.Seed, Left: e.left, Repeated: e.repeated}
	set, err := vectors.New(vectors.Parts{Words: words, Input: vectors.Matrix{Data: rows, Rows: n, Cols: e.dim, Stride: e.dim}})
	if err != nil {
		return nil, err
	}
	x.set = set
	ids := x.unlike(shuffled(n, o.Seed))
	x.graph.links = make([]uint32, n*slots)
	for i := range x.graph.links {
		x.graph.links[i] = noRow
	}
	b := &builder{graph: &x.graph, degree: o.Degree, effort: o.Effort}
	for range o.Threads {
		b.workers = append(b.workers, x.graph.walker(n))
	}
	var told time.Time
	for b.done < len(ids) {
		if err := b.link(ctx, ids[b.done:][:min(batch(b.done, len(ids)), len(ids)-b.done)]); err != nil {
			return nil, err
		}
		if o.Progress != nil && (time.Since(told) > 100*time.Millisecond || b.done == len(ids)) {
			o.Progress(b.done, len(ids))
			told = time.Now()
		}
	}
	if err := b.finish(ctx, n); err != nil {
		return nil, err
	}
	links := 0
	for _, to := range x.graph.links {
		if to != noRow {
			links++
		}
	}
	x.About.Links = float64(links) / float64(max(1, len(ids)))
	return x, nil
}

// Exact returns an index without links, whose searches are exact. It takes no time to build. The entries must not be used
// afterwards.
func Exact(e *Entries) (*Index, error) {
	words, rows := e.distinct()
	in := vectors.Matrix{Data: rows, Rows: words.Len(), Cols: e.dim, Stride: e.dim}
	set, err := vectors.New(vectors.Parts{Words: words, Input: in})
	if err != nil {
		return nil, err
	}
	return &Index{
		About: About{Entries: words.Len(), Dim: e.dim, Left: e.left, Repeated: e.repeated},
		set:   set, graph: graph{rows: rows, stride: e.dim, cols: e.dim},
	}, nil
}

// unlike takes entries out of ids whose vector an entry before them has, to the bit: links among many of them would
// lead nowhere else. x.same leads from the first to the others.
func (x *Index) unlike(ids []uint32) []uint32 {
	order := slices.Clone(ids)
	compare := func(a, b uint32) int { return slices.Compare(x.graph.row(a), x.graph.row(b)) }
	slices.SortFunc(order, func(a, b uint32) int {
		if c := compare(a, b); c != 0 {
			return c
		}
		return int(a) - int(b)
	})
	for i := 1; i < len(order); i++ {
		if compare(order[i-1], order[i]) != 0 {
			continue
		}
		if x.same == nil {
			x.same = make([]uint32, len(ids))
			for j := range x.same {
				x.same[j] = noRow
			}
		}
		x.same[order[i-1]] = order[i]
	}
	if x.same == nil {
		return ids
	}
	later := make([]bool, len(ids))
	for _, next := range x.same {
		if next != noRow {
			later[next] = true
		}
	}
	return slices.DeleteFunc(ids, func(id uint32) bool { return later[id] })
}

// Open opens the index in a file, which it maps. Close it after use. The file is not compared with its checksum: see
// Verify.
func Open(path string) (*Index, error) {
	set, g, err := format.OpenIndex(path)
	if err != nil {
		return nil, err
	}
	x := &Index{set: set, same: g.Same}
	err = set.Guard(func() error {
		if err := json.Unmarshal(g.About, &x.About); err != nil {
			return fmt.Errorf("metadata: %w", err)
		}
		in, n := set.Input(), set.Len()
		x.graph = graph{rows: in.Data, stride: in.Stride, cols: in.Cols, links: g.Links, slots: len(g.Links) / max(1, n)}
		for _, id := range g.Entries {
			x.graph.enter(id)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), set.Close())
	}
	return x, nil
}

// Write writes the index to a file. Only a complete file replaces another one.
func (x *Index) Write(ctx context.Context, path string) error {
	about, err := json.Marshal(x.About)
	if err != nil {
		return err
	}
	return format.WriteIndex(ctx, path, x.set, &format.IndexGraph{Links: x.graph.links, Entries: x.graph.entries, Same: x.same, About: about})
}

// Verify compares the file of the index with its checksum.
func (x *Index) Verify() error { return x.set.Verify() }

// Close closes the file. Further uses of x panic.
func (x *Index) Close() error { return x.set.Close() }

// Set returns the names of the entries, as words, and their directions, as vectors. It closes with the index.
func (x *Index) Set() *vectors.Set { return x.set }

// A Query asks for the entries whose directions have the largest cosines with a vector.
type Query struct {
	Vector []float32 // has as many numbers as the index has dimensions
	K      int       // how many
	// Effort is how many entries the search keeps while it walks, at least K. 0 means DefaultEffort; a number from that of
	// the entries on means an exact search.
	Effort int
	Among  *Some // only these entries; nil for all
	Skip   []int // entries that are left out
	// Least leaves out entries of a lower cosine. If there may be more of them than Effort, the search takes more effort.
	Least float32
}

// Some are some of the entries of an index.
type Some struct {
	bits []uint64
	n    int
}

// Among returns the entries of an index that an answer may have.
func (x *Index) Among(allowed func(id int) bool) *Some {
	s := &Some{bits: make([]uint64, (x.set.Len()+63)/64)}
	for id := range x.set.Len() {
		if allowed(id) {
			s.bits[id>>6] |= 1 << (id & 63)
			s.n++
		}
	}
	return s
}

// Len returns the number of entries.
func (s *Some) Len() int { return s.n }

// Has reports whether an entry is one of them.
func (s *Some) Has(id int) bool { return s.has(uint32(id)) }

// in counts the rows of a pool that are some of the entries.
func (s *Some) in(pool []near) (n int) {
	for _, p := range pool {
		if s.has(p.row()) {
			n++
		}
	}
	return n
}

func (s *Some) has(id uint32) bool { return s == nil || s.bits[id>>6]>>(id&63)&1 != 0 }

// Search answers queries, on all cores. Each answer has the nearest entry first, and of equal ones the first; it is
// empty if the vector has no direction. If few entries are allowed by Among, they are searched exactly.
func (x *Index) Search(ctx context.Context, queries ...Query) ([][]vectors.Neighbor, error) {
	found := make([][]vectors.Neighbor, len(queries))
	for _, q := range queries {
		if len(q.Vector) != x.set.Dim() {
			return nil, fmt.Errorf("index: query of %d numbers in an index of %d dimensions", len(q.Vector), x.set.Dim())
		}
	}
	behind := backing.Behind(x.set.SharedParts().Source)
	err := x.set.Guard(func() error {
		workers := make([]*walker, max(1, min(runtime.GOMAXPROCS(0), len(queries))))
		for i := range workers {
			var ok bool
			if workers[i], ok = x.walks.Get().(*walker); !ok {
				workers[i] = x.graph.walker(x.set.Len())
			}
			defer x.walks.Put(workers[i])
		}
		return each(ctx, len(queries), workers, func(w *walker, i int) error {
			behind.Inside(func() { found[i] = x.answer(w, queries[i]) })
			return nil
		})
	})
	return found, err
}

func (x *Index) answer(w *walker, q Query) []vectors.Neighbor {
	n, unit := x.set.Len(), make([]float32, x.set.Dim())
	k := min(q.K, n)
	if k <= 0 || !vectors.Unit(unit, q.Vector) {
		return nil
	}
	effort := q.Effort
	if effort <= 0 {
		effort = DefaultEffort
	}
	if q.Least == 0 {
		effort = max(effort, k)
	}
	effort += len(q.Skip)
	wanted := 0 // of entries that are allowed, in the pool
	if q.Among != nil {
		wanted = effort / 2
		allowed := q.Among.n
		if allowed == 0 {
			return nil
		}
		// The walk comes by effort·n/allowed rows, for as many products each as there are links; the scan has one product for
		// each row that is allowed.
		if float64(allowed)*float64(allowed) <= float64(effort)*float64(x.graph.slots)*float64(n) {
			return x.neighbors(x.scan(w, unit, k, q), k)
		}
		effort = int(math.Ceil(float64(effort) * float64(n) / float64(allowed)))
	}
	for {
		if effort >= n || x.graph.slots == 0 {
			return x.neighbors(x.scan(w, unit, k, q), k)
		}
		pool := w.search(unit, effort)
		found, more := x.allowed(pool, q, k)
		// If the allowed entries are elsewhere than the query, those in the pool are at its end, where it misses more.
		if !more || len(found) >= k && (wanted == 0 || q.Among.in(pool) >= wanted) {
			return x.neighbors(found, k)
		}
		effort *= 4
	}
}

// allowed returns the best k rows of a pool that a query allows, with those of the same vector, and whether all of
// the pool are good enough, so that there may be more.
func (x *Index) allowed(pool []near, q Query, k int) (found []near, more bool) {
	more = true
	for _, p := range pool {
		if q.Least != 0 && p.score < q.Least {
			more = false
			break
		}
		if len(found) >= k && p.score < found[len(found)-1].score {
			break
		}
		id := p.row()
		for range x.set.Len() { // a damaged file may lead in a circle
			if q.Among.has(id) && !slices.Contains(q.Skip, int(id)) {
				found = append(found, near{p.score, id})
			}
			if x.same == nil {
				break
			}
			if id = x.same[id]; int64(id) >= int64(x.set.Len()) {
				break
			}
		}
	}
	slices.SortStableFunc(found, byScore)
	return found[:min(len(found), k)], more
}

// scan is an exact search.
func (x *Index) scan(w *walker, unit []float32, k int, q Query) []near {
	const block = 256
	n, floor := x.set.Len(), float32(-2)
	if q.Least != 0 {
		floor = math.Nextafter32(q.Least, -2)
	}
	var best []near
	for first := 0; first < n; first += block {
		w.list = w.list[:0]
		for id := first; id < min(first+block, n); id++ {
			if q.Among.has(uint32(id)) {
				w.list = append(w.list, uint32(id))
			}
		}
		for i, score := range w.consecutive(unit, w.list) {
			if id := w.list[i]; score > floor && !slices.Contains(q.Skip, int(id)) {
				best = append(best, near{score, id})
			}
		}
		if len(best) >= k+block {
			slices.SortFunc(best, byScore)
			best = best[:k]
			floor = best[k-1].score // later rows of the same score are behind
		}
	}
	slices.SortFunc(best, byScore)
	return best[:min(len(best), k)]
}

func (x *Index) neighbors(found []near, k int) []vectors.Neighbor {
	all := make([]vectors.Neighbor, min(len(found), k))
	for i := range all {
		id := int(found[i].id)
		all[i] = vectors.Neighbor{Word: x.set.Words().At(id), ID: id, Similarity: min(1, max(-1, found[i].score))}
	}
	return all
}

// Measure compares searches with exact ones: for k neighbours of up to so many vectors, which lie halfway between an
// entry and its k-th nearest one. It keeps the result in About, and returns it with the times of a query on one core.
func (x *Index) Measure(ctx context.Context, k, queries int, efforts ...int) (walk, exact time.Duration, err error) {
	n, dim := x.set.Len(), x.set.Dim()
	k = min(k, n)
	m := min(queries, n)
	if m == 0 || k == 0 {
		return 0, 0, nil
	}
	all := vectors.Matrix{Data: x.graph.rows, Rows: n, Cols: dim, Stride: x.graph.stride}
	of := vectors.Matrix{Data: make([]float32, m*dim), Rows: m, Cols: dim, Stride: dim}
	ids := shuffled(n, x.About.Seed+1)[:m]
	for i, id := range ids {
		copy(of.Row(i), x.graph.row(id))
	}
	nearest := make([][]scan.Found, m)
	find := func() error {
		return scan.Scan{Queries: of, Rows: all, K: k}.Run(ctx, func(i int, best []scan.Found) { nearest[i] = slices.Clone(best) })
	}
	if err := find(); err != nil {
		return 0, 0, err
	}
	for i, best := range nearest {
		v := of.Row(i)
		if len(best) == 0 {
			continue // of a damaged file
		}
		for j, y := range x.graph.row(uint32(best[len(best)-1].Row)) {
			v[j] += y
		}
		if !vectors.Unit(v, v) { // the opposite
			copy(v, x.graph.row(ids[i]))
		}
	}
	if err := find(); err != nil {
		return 0, 0, err
	}
	w := x.graph.walker(n)
	began := time.Now()
	for i := range min(m, 10) {
		x.scan(w, of.Row(i), k, Query{})
	}
	exact = time.Since(began) / time.Duration(min(m, 10))
	for _, effort := range efforts {
		hits := 0
		began := time.Now()
		for i := range m {
			if err := ctx.Err(); err != nil {
				return 0, 0, err
			}
			found := x.answer(w, Query{Vector: of.Row(i), K: k, Effort: effort})
			if len(nearest[i]) == 0 {
				continue
			}
			last := nearest[i][len(nearest[i])-1].Score
			for _, f := range found {
				if f.Similarity >= last-rounding {
					hits++
				}
			}
		}
		walk = time.Since(began) / time.Duration(m)
		x.About.Measured = append(x.About.Measured, Measurement{effort, k, m, float64(hits) / float64(m*k)})
	}
	return walk, exact, nil
}

// SpellAs makes words of the index be looked up as those of a model, whose words the entries are: it keeps how the model's text
// was cut. A model that does not know is no error.
func (x *Index) SpellAs(f *query.Finder) {
	p, err := f.Pipeline()
	if err != nil {
		return
	}
	if t := x.set.Training(); p.Describe(&t) == nil {
		x.set = x.set.WithTraining(t)
	}
}
