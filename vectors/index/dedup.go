package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
)

// DedupOptions say which vectors are duplicates. Threshold has no default.
type DedupOptions struct {
	Threshold float64 // least cosine of a duplicate with a vector that is kept, above 0 and up to 1
	// Exact compares each vector with all that are kept, however many. Otherwise a graph finds near ones from Linear kept
	// vectors on, and may miss some: see Recall.
	Exact  bool
	Linear int // 0 means DefaultLinear
	Effort int // of searches in the graph; 0 means DefaultEffort
}

// DefaultLinear is about how many vectors are compared as quickly as a graph is walked through and extended.
const DefaultLinear = 100_000

// A Duplicate says what a vector is a duplicate of.
type Duplicate struct {
	Of     int // number of a kept vector, counted among all vectors from 0; -1 if the vector is kept
	Cosine float32
}

// Dedup tells which vectors of a sequence are near duplicates of one before: a vector is kept unless its cosine with a
// kept one reaches a threshold. A duplicate belongs to the nearest kept one, of equally near ones to the first. Vectors
// without a direction are kept.
type Dedup struct {
	o       DedupOptions
	least   float32
	graph   graph
	kept    []int // the number of each row among all vectors
	seen    int
	b       *builder // nil while vectors are compared with all
	workers []*walker
	sample  []looked // for Recall
}

// A looked is a vector whose duplicates a graph has looked for, among so many rows.
type looked struct {
	unit  []float32
	rows  int
	found bool
}

// sampled vectors are compared exactly again.
const sampled = 1000

// NewDedup begins with no vectors.
func NewDedup(dim int, o DedupOptions) (*Dedup, error) {
	switch {
	case dim < 1:
		return nil, errors.New("index: vectors without dimensions have no duplicates")
	case !(o.Threshold > 0 && o.Threshold <= 1):
		return nil, fmt.Errorf("index: threshold: must be above 0 and up to 1, is %v", o.Threshold)
	case o.Linear < 0 || o.Effort < 0:
		return nil, errors.New("index: linear and effort must not be negative")
	}
	if o.Linear == 0 {
		o.Linear = DefaultLinear
	}
	if o.Effort == 0 {
		o.Effort = DefaultEffort
	}
	d := &Dedup{o: o, graph: graph{stride: dim, cols: dim, slots: DefaultDegree + DefaultDegree/2}}
	// Of a vector with itself, rounding makes a cosine that is a little less than 1.
	d.least = float32(o.Threshold) - rounding/4
	for range runtime.GOMAXPROCS(0) {
		d.workers = append(d.workers, d.graph.walker(0))
	}
	return d, nil
}

// Linked reports whether a graph finds duplicates, so that some may be missed.
func (d *Dedup) Linked() bool { return d.b != nil }

// Memory returns how many bytes so many kept vectors take.
func (d *Dedup) Memory(kept int) uint64 {
	row := 4*d.graph.stride + 8
	if !d.o.Exact && kept > d.o.Linear {
		row += 4 * d.graph.slots
	}
	return uint64(kept) * uint64(row)
}

// Kept returns how many vectors are kept.
func (d *Dedup) Kept() int { return len(d.kept) }

// Add takes the next vectors, one after another in rows. It may be called with any number of them; what is kept does not
// depend on how they are divided, unless a graph is used.
func (d *Dedup) Add(ctx context.Context, rows []float32) ([]Duplicate, error) {
	dim := d.graph.cols
	n := len(rows) / dim
	units, directed := make([]float32, n*dim), make([]bool, n)
	for i := range n {
		directed[i] = vectors.Unit(units[i*dim:][:dim], rows[i*dim:][:dim])
	}
	all := make([]Duplicate, n)
	for first := 0; first < n; first += together {
		last := min(n, first+together)
		if err := d.add(ctx, units[first*dim:last*dim], directed[first:last], all[first:last]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// together is how many vectors look for duplicates at the same time.
const together = 1 << 10

func (d *Dedup) add(ctx context.Context, units []float32, directed []bool, all []Duplicate) error {
	dim, before := d.graph.cols, len(d.graph.rows)/d.graph.cols
	best := make([]near, len(all)) // the nearest row of those before
	var err error
	if d.b == nil {
		groups := (len(all) + group - 1) / group
		err = each(ctx, groups, d.workers, func(w *walker, i int) error {
			last := min(len(all), (i+1)*group)
			w.best(best[i*group:last], units[i*group*dim:last*dim], before, d.least)
			return nil
		})
	} else {
		err = each(ctx, len(all), d.workers, func(w *walker, i int) error {
			best[i] = near{-2, noRow}
			if directed[i] {
				p := w.search(units[i*dim:][:dim], d.o.Effort)[0]
				best[i] = near{p.score, p.row()}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	var added []float32 // rows of this batch that are kept, one after another
	var ids []int
	scores := make([]float32, len(all))
	for i := range all {
		unit := units[i*dim:][:dim]
		all[i] = Duplicate{Of: -1}
		found := best[i]
		if len(ids) > 0 && directed[i] {
			simd.Dots(scores, len(ids), unit, dim, 1, added, dim, len(ids), dim)
			for j, score := range scores[:len(ids)] {
				if score > found.score {
					found = near{score, uint32(before + j)}
				}
			}
		}
		duplicate := found.score >= d.least
		if d.b != nil && directed[i] && d.chosen(d.seen+i) {
			d.sample = append(d.sample, looked{slices.Clone(unit), before + len(ids), duplicate})
		}
		switch {
		case duplicate && int(found.id) >= before:
			all[i] = Duplicate{ids[int(found.id)-before], min(1, found.score)}
		case duplicate:
			all[i] = Duplicate{d.kept[found.id], min(1, found.score)}
		case directed[i]:
			added, ids = append(added, unit...), append(ids, d.seen+i)
		}
	}
	d.seen += len(all)
	d.kept = append(d.kept, ids...)
	return d.extend(ctx, added)
}

// chosen reports whether a vector is one of the sample: the first, and then ever fewer, so that it stays small and
// has some of all parts.
func (d *Dedup) chosen(number int) bool {
	if len(d.sample) >= 2*sampled { // every other one
		for i := range sampled {
			d.sample[i] = d.sample[2*i]
		}
		d.sample = d.sample[:sampled]
	}
	x := uint64(number) * 0x9e3779b97f4a7c15
	return float64(x>>11)/(1<<53) < sampled/float64(max(1, number))
}

// extend adds rows, and links them if there is a graph, or if there are enough for one.
func (d *Dedup) extend(ctx context.Context, added []float32) error {
	g := &d.graph
	if n := len(g.rows); n+len(added) > cap(g.rows) {
		more := max(len(added), min(n, 1<<28/4))
		if need, have, limit, lacks := sysinfo.Lacks(4*float64(n+more), false); lacks { // the old rows are there until they are copied
			return fmt.Errorf("index: %d vectors are kept, and to keep more takes about %.1f GB of memory, and %s is %.1f GB: a lower threshold keeps fewer",
				n/g.cols, float64(need)/1e9, limit, float64(have)/1e9)
		}
		g.rows = slices.Grow(g.rows, more)
	}
	first := len(g.rows) / g.cols
	g.rows = append(g.rows, added...)
	n := len(g.rows) / g.cols
	if n > MaxRows {
		return fmt.Errorf("index: more than %d vectors are kept", MaxRows)
	}
	if d.b == nil {
		if d.o.Exact || n <= d.o.Linear {
			return nil
		}
		d.b = &builder{graph: g, degree: DefaultDegree, effort: DefaultBuild, workers: d.workers}
		first = 0
	}
	for len(g.links) < n*g.slots {
		g.links = append(g.links, noRow)
	}
	for _, w := range d.workers {
		w.seen = append(w.seen, make([]uint64, (n+63)/64-len(w.seen))...)
	}
	ids := make([]uint32, n-first)
	for i := range ids {
		ids[i] = uint32(first + i)
	}
	for len(ids) > 0 {
		m := min(batch(d.b.done, n), len(ids))
		if err := d.b.link(ctx, ids[:m]); err != nil {
			return err
		}
		ids = ids[m:]
	}
	return nil
}

// group is how many vectors are compared with a row while it is in the cache.
const group = 32

// best finds the nearest of the first rows for each of up to group unit vectors, or noRow if none is as near as least.
func (w *walker) best(of []near, units []float32, rows int, least float32) {
	const block = 256
	floor := math.Nextafter32(least, -2)
	for i := range of {
		of[i] = near{floor, noRow}
	}
	if len(w.products) < group*block {
		w.products = make([]float32, group*block)
	}
	for first := 0; first < rows; first += block {
		n := min(block, rows-first)
		simd.Dots(w.products, block, units, w.cols, len(of), w.rows[first*w.stride:], w.stride, n, w.cols)
		for i := range of {
			highest := of[i].score
			for j, score := range w.products[i*block:][:n] {
				if score > highest {
					highest = score
					of[i] = near{score, uint32(first + j)}
				}
			}
		}
	}
	for i := range of {
		if of[i].id == noRow {
			of[i].score = -2
		}
	}
}

// A Recall says how many duplicates a graph has found of those that there are.
type Recall struct {
	Looked     int `json:"looked"`     // vectors that were compared with all again
	Duplicates int `json:"duplicates"` // of these
	Found      int `json:"found"`
}

// Recall compares a sample of the vectors with all that were kept before them, and so measures what a graph has missed. If
// no graph was used, nothing was missed, and the sample is empty.
func (d *Dedup) Recall(ctx context.Context) (r Recall, err error) {
	exact := make([]bool, len(d.sample))
	err = each(ctx, len(d.sample), d.workers, func(w *walker, i int) error {
		var found [1]near
		w.best(found[:], d.sample[i].unit, d.sample[i].rows, d.least)
		exact[i] = found[0].id != noRow
		return nil
	})
	r.Looked = len(d.sample)
	for i, is := range exact {
		if is {
			r.Duplicates++
			if d.sample[i].found {
				r.Found++
			}
		}
	}
	return r, err
}
