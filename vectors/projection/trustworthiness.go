package projection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
)

// TrustworthinessOptions are the settings of Trustworthiness. The zero value works.
type TrustworthinessOptions struct {
	// Neighbors is the number k of nearest points of a word that are checked, less than half of the words; 0
	// means 15, or as many as are possible.
	Neighbors int
	// Sample is the number of words that are checked, drawn at random by Seed, each against all other words; 0
	// checks all.
	Sample   int
	Seed     uint64
	Threads  int      // goroutines; 0 means GOMAXPROCS
	Progress Progress // may be nil
}

var errFewWords = errors.New("projection: trustworthiness needs three words or more with vectors that have a direction")

// A Trust says how reliable the neighbours on a map are.
type Trust struct {
	Value     float64 `json:"value"`     // from 0 to 1
	Neighbors int     `json:"neighbors"` // k
	Words     int     `json:"words"`     // number of words checked
}

// Trustworthiness measures whether words that are near on a map have vectors that are near by cosine (Venna
// and Kaski, "Neighborhood Preservation in Nonlinear Projection Methods", 2001):
//
//	T(k) = 1 − 2 / (n·k·(2n−3k−1)) · Σ_i Σ_{j ∈ U(i)} max(0, r(i,j) − k)
//
// U(i) are the k points nearest to the point of word i. r(i,j) is the rank, from 1, of word j among the other
// words by the cosine of its vector with that of word i; of equally near words the lower id is nearer. This
// is scikit-learn's trustworthiness with the metric "cosine". With a sample, the mean over the sample
// estimates the mean over all i.
//
// The points are those of a map of s. Words whose vectors have no direction are left out.
func Trustworthiness(ctx context.Context, s *vectors.Set, points []Point, o TrustworthinessOptions) (Trust, error) {
	if err := s.CheckSizes(); err != nil {
		return Trust{}, err
	}
	if len(points) != s.Len() {
		return Trust{}, fmt.Errorf("projection: there are %d points for %d words", len(points), s.Len())
	}
	if err := affords(trustBytes(s.Len(), s.Dim()), "trustworthiness"); err != nil {
		return Trust{}, err
	}
	step := o.Progress.stage("trustworthiness", 0, 1)
	var inverse []float64
	t, err := readRows(ctx, s, s.Len(), func(row, v []float32) bool {
		length := scaled(row, v)
		if length > 0 {
			inverse = append(inverse, 1/length)
		}
		return length > 0
	})
	if err != nil && !errors.Is(err, errNoWords) {
		return Trust{}, err
	}
	placed := make([]Point, len(t.ids))
	for i, id := range t.ids {
		placed[i] = points[id]
	}
	n, k := t.rows.Rows, o.Neighbors
	if n < 3 {
		return Trust{}, errFewWords
	}
	if k == 0 {
		k = min(defaultNeighbors, (n-1)/2)
	}
	switch {
	case o.Sample < 0 || o.Threads < 0:
		return Trust{}, fmt.Errorf("projection: Sample is %d and Threads is %d, must be 0 or more", o.Sample, o.Threads)
	case k < 1 || 2*k >= n:
		return Trust{}, fmt.Errorf("projection: trustworthiness of %d neighbours needs more than %d words with vectors that have a direction, there are %d", k, 2*max(1, k), n)
	}
	sample := numbered[int](n)
	if o.Sample > 0 && o.Sample < n {
		sample = rand.New(rand.NewPCG(o.Seed, 7)).Perm(n)[:o.Sample]
		slices.Sort(sample)
	}
	threads := cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	judges := make([]*judge, threads)
	for w := range judges {
		j := &judge{rows: t.rows, inverse: inverse, points: placed, k: k, queries: vectors.NewMatrix(judged, t.rows.Cols), products: make([]float32, judged*judgedRows)}
		for q := range j.words {
			j.words[q].above = make([]int, k+1)
		}
		judges[w] = j
	}
	sums := make([]float64, len(sample)) // integers, so sums are exact
	err = each(ctx, threads, len(sample), judged, step, func(worker, first, last int) {
		judges[worker].excess(sums[first:last], sample[first:last])
	})
	var sum float64
	for _, x := range sums {
		sum += x
	}
	step(1)
	scale := 2 / (float64(len(sample)) * float64(k) * (2*float64(n) - 3*float64(k) - 1))
	return Trust{1 - scale*sum, k, len(sample)}, err
}

func trustBytes(n, dim int) float64 { return float64(n) * (4*float64(dim+15) + 16) }

const (
	judged        = 32   // words that are checked in one pass over the rows
	judgedRows    = 256  // rows that are multiplied at a time
	stepsOfCosine = 512  // in a half of the range of cosines
	unsure        = 255  // one of the nearest is in this step
	doubt         = 4e-6 // the largest error of a cosine of two rows in float32
)

type judge struct {
	rows     vectors.Matrix
	inverse  []float64 // 1 / length of each row
	points   []Point
	k        int
	queries  vectors.Matrix // rows of the words being checked, scaled to length 1
	products []float32
	words    [judged]judgedWord
}

// A judgedWord has the k rows whose points are nearest to the point of row i, the farthest by cosine first.
type judgedWord struct {
	i       int
	nearest []placed
	steps   [2*stepsOfCosine + 1]uint8 // of a row's cosine, how many of nearest it is nearer than, or unsure
	above   []int                      // above[c]: number of rows nearer by cosine than nearest[:c] and not nearer than the others
}

// A placed is a row, the squared distance of its point, and its cosine.
type placed struct {
	id             int
	square, cosine float64
}

// farther compares places by cosine. Of equal cosines the higher row is farther.
func (p placed) farther(q placed) int {
	return cmp.Or(cmp.Compare(p.cosine, q.cosine), cmp.Compare(q.id, p.id))
}

// excess sums max(0, r−k) for each row, over the ranks r of the k rows whose points are nearest.
func (j *judge) excess(sums []float64, rows []int) {
	for q, i := range rows {
		j.words[q].i = i
		vectors.Unit(j.queries.Row(q), j.rows.Row(i))
		j.find(&j.words[q])
	}
	for first := 0; first < j.rows.Rows; first += judgedRows {
		n := min(judgedRows, j.rows.Rows-first)
		simd.Dots(j.products, judgedRows, j.queries.Data, j.queries.Stride, len(rows),
			j.rows.Data[first*j.rows.Stride:], j.rows.Stride, n, j.rows.Cols)
		for q := range rows {
			j.count(&j.words[q], first, j.products[q*judgedRows:q*judgedRows+n])
		}
	}
	for q := range rows {
		above := 0
		for c := j.k - 1; c >= 0; c-- {
			above += j.words[q].above[c+1]
			sums[q] += float64(max(0, 1+above-j.k))
		}
	}
}

// count counts, from the products of rows first…, the rows that are nearer than those of the word.
func (j *judge) count(w *judgedWord, first int, products []float32) {
	inverse := j.inverse[first : first+len(products)]
	for l, x := range products {
		cosine := float64(x) * inverse[l]
		farther := w.steps[min(max(0, int(stepsOfCosine*cosine)+stepsOfCosine), 2*stepsOfCosine)]
		if farther == 0 || first+l == w.i {
			continue
		}
		if farther != unsure {
			w.above[farther]++
			continue
		}
		row, c := placed{id: first + l, cosine: cosine}, 0
		for c < j.k && cosine >= w.nearest[c].cosine+doubt {
			c++
		}
		if c < j.k && row.cosine > w.nearest[c].cosine-doubt { // only float64 can compare them, which is rare
			row.cosine = j.cosine(w.i, row.id)
			for c < j.k && row.farther(w.nearest[c]) > 0 {
				c++
			}
		}
		w.above[c]++
	}
}

func (j *judge) find(w *judgedWord) {
	clear(w.above)
	found := w.nearest[:0]
	p := j.points[w.i]
	farthest, limit := math.Inf(1), float32(math.Inf(1))
	for l, q := range j.points {
		if x, y := p.X-q.X, p.Y-q.Y; float32(x*x)+float32(y*y) > limit { // most are much farther
			continue
		}
		dx, dy := float64(p.X)-float64(q.X), float64(p.Y)-float64(q.Y)
		square := dx*dx + dy*dy
		if square >= farthest || l == w.i {
			continue
		}
		if len(found) < j.k {
			found = append(found, placed{})
		}
		at := len(found) - 1
		for at > 0 && found[at-1].square > square {
			found[at] = found[at-1]
			at--
		}
		found[at] = placed{id: l, square: square}
		if len(found) == j.k {
			farthest = found[j.k-1].square
			limit = float32(farthest * (1 + 1e-5))
		}
	}
	for i := range found {
		found[i].cosine = j.cosine(w.i, found[i].id)
	}
	slices.SortFunc(found, placed.farther)
	w.nearest = found
	// Steps are cut towards zero: the one in the middle is twice as wide.
	const edge = 2 * doubt
	for i := range w.steps {
		low, high := float64(i-stepsOfCosine)/stepsOfCosine, float64(i+1-stepsOfCosine)/stepsOfCosine
		if i <= stepsOfCosine {
			low -= 1.0 / stepsOfCosine
		}
		if i < stepsOfCosine {
			high -= 1.0 / stepsOfCosine
		}
		w.steps[i] = 0
		for _, f := range found {
			if f.cosine <= high+edge && f.cosine >= low-edge || j.k >= unsure {
				w.steps[i] = unsure
				break
			}
			if f.cosine < low {
				w.steps[i]++
			}
		}
	}
}

func (j *judge) cosine(a, b int) float64 {
	return dot(j.rows.Row(a), j.rows.Row(b)) * j.inverse[a] * j.inverse[b]
}
