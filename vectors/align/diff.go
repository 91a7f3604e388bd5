package align

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/scan"
)

// An Order is the measure by which moved words are sorted, the largest first. Its value is the name on the
// command line.
type Order string

const (
	// ByDistance sorts by the cosine distance of a word's two vectors after alignment (Hamilton, Leskovec and
	// Jurafsky 2016a).
	ByDistance Order = "distance"
	// ByDeviation sorts by how far the distance exceeds the usual distance of words of that frequency.
	ByDeviation Order = "deviation"
	// ByLocal sorts by how much a word's similarities to its neighbours have changed (Hamilton, Leskovec and
	// Jurafsky 2016b). It needs the neighbours of all words: time grows with the square of their number.
	ByLocal Order = "local"
)

// Orders returns every order.
func Orders() []Order { return []Order{ByDistance, ByDeviation, ByLocal} }

// DiffOptions say how two sets are compared. The zero value works.
type DiffOptions struct {
	Options
	// Anchors are the words to fit the alignment to, A in the new set and B in the old set; nil means all
	// compared words.
	Anchors []Pair
	// MinCount leaves out words that either set has seen less often, because vectors of rare words move from
	// run to run; 0 takes all. Other values need counts of both sets.
	MinCount  uint64
	By        Order    // of the moved words; empty means ByDistance
	Most      int      // the largest number of moved words to return; 0 means all
	Stable    int      // how many of the words that moved least are also returned
	Words     []string // returned instead of those that have moved most, regardless of MinCount; nil returns those
	Neighbors int      // of a word in its local measures, in each set; 0 means 25, as in Hamilton et al. (2016b)
}

// Validate reports the first invalid option.
func (o DiffOptions) Validate() error {
	switch {
	case o.By != "" && !slices.Contains(Orders(), o.By):
		return fmt.Errorf("align: the order %q is not known; known are %s, %s, %s", string(o.By), ByDistance, ByDeviation, ByLocal)
	case o.Most < 0:
		return fmt.Errorf("align: Most is %d, must be 0 (all) or more", o.Most)
	case o.Stable < 0:
		return fmt.Errorf("align: Stable is %d, must be 0 or more", o.Stable)
	case o.Neighbors < 0:
		return fmt.Errorf("align: Neighbors is %d, must be 0 (25) or more", o.Neighbors)
	}
	return o.Options.Validate()
}

// A Moved is a word that both sets have, and how far its vector has moved.
type Moved struct {
	Word     string  `json:"word"`
	OldCount uint64  `json:"old_count,omitempty"` // how often the word was seen; 0 if unknown
	NewCount uint64  `json:"new_count,omitempty"`
	Distance float64 `json:"distance"` // 1 − cosine of the word's two vectors, from 0 to 2
	// Deviation is how far the distance exceeds the median distance of words of about the same frequency, in
	// robust standard deviations: 1.4826 times the median absolute deviation. Two runs on the same text
	// differ, too: about one of 200 words deviates by more than 4. Deviation is 0 if all these distances are
	// equal.
	Deviation float64 `json:"deviation"`
	// Local is 1 − cosine of two lists: the word's similarities, in the old and in the new set, to every word
	// that is among its nearest in either set (Hamilton et al. 2016b).
	Local float64 `json:"local"`
	// Jaccard is the share of the nearest words in either set that are nearest in both.
	Jaccard float64 `json:"jaccard"`
	// OldNeighbors and NewNeighbors are the word's nearest among the compared words, nearest first.
	OldNeighbors []vectors.Neighbor `json:"old_neighbors"`
	NewNeighbors []vectors.Neighbor `json:"new_neighbors"`

	index int // position among the compared words
}

// A Counted is a word and how often it was seen; 0 if unknown.
type Counted struct {
	Word  string `json:"word"`
	Count uint64 `json:"count,omitempty"`
}

// A Difference describes how two sets differ.
type Difference struct {
	Fit      Fit     `json:"alignment"`
	Compared int     `json:"compared"` // number of compared words
	Rare     int     `json:"rare"`     // number of shared words below MinCount
	Median   float64 `json:"median"`   // distance of the compared words
	Bands    []Band  `json:"bands"`    // by frequency, the most frequent words first
	Moved    []Moved `json:"moved"`    // words that moved most, or DiffOptions.Words
	// Stable lists the words that moved least, the least moved first. DiffOptions.Stable sets their number.
	Stable    []Moved  `json:"stable,omitempty"`
	NotFound  []string `json:"not_found"` // requested words that were not compared
	Neighbors int      `json:"neighbors"` // number used in the local measures
	// OnlyOld and OnlyNew list the words that only one set has and has seen at least MinCount times, in the
	// order of that set.
	OnlyOld []Counted `json:"only_old"`
	OnlyNew []Counted `json:"only_new"`
}

// Diff rotates the new set onto the old set by Procrustes, compares the vectors of the words that both sets
// have, and reports the words that moved most: their use has changed (Hamilton, Leskovec and Jurafsky 2016a).
//
// Vectors also move without a change of use, because of random numbers in training and because texts are
// samples. Rare words move more. So compare a distance with those of words of the same frequency: see
// Moved.Deviation and Difference.Bands. Words that are frequent in both texts (MinCount) are compared
// reliably.
//
// The local measures need no alignment. They are computed for the returned words only. They keep the unit
// vectors of all compared words in memory; if memory is too small, the error is a *transform.MemoryError.
func Diff(ctx context.Context, old, new *vectors.Set, o DiffOptions) (*Difference, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	frequent, err := Shared(new, old, SharedOptions{MinCount: o.MinCount})
	if err != nil {
		return nil, swapped(err)
	}
	all, err := Shared(new, old, SharedOptions{})
	if err != nil {
		return nil, err
	}
	compared := make(map[Pair]bool, len(frequent)+len(o.Words))
	for _, p := range frequent {
		compared[p] = true
	}
	for _, word := range o.Words {
		a, _ := new.ID(word)
		b, _ := old.ID(word)
		compared[Pair{a, b}] = true
	}
	pairs := slices.DeleteFunc(slices.Clone(all), func(p Pair) bool { return !compared[p] })
	if err := check(new, old, pairs); err != nil {
		return nil, swapped(err)
	}
	if o.Anchors == nil {
		o.Anchors = frequent
	}
	scarce := affords(new, 2*len(pairs), "comparing neighbours", "raise the least count, so that fewer words are compared")
	if err := cmp.Or(scarce, check(new, old, o.Anchors)); err != nil {
		return nil, err
	}
	return within(new, old, func() (*Difference, error) {
		d := &Difference{
			Rare: len(all) - len(pairs), Neighbors: cmp.Or(o.Neighbors, 25), NotFound: []string{},
			OnlyOld: onlyIn(old, new, o.MinCount), OnlyNew: onlyIn(new, old, o.MinCount),
		}
		return d, d.compare(ctx, old, new, pairs, o)
	})
}

// swapped exchanges the sets in an error: the new set is the first argument inside, and the second one of
// Diff.
func swapped(err error) error {
	switch e := err.(type) {
	case *CountsError:
		return &CountsError{First: !e.First}
	case *DimError:
		return &DimError{A: e.B, B: e.A}
	}
	return err
}

func (d *Difference) compare(ctx context.Context, old, new *vectors.Set, pairs []Pair, o DiffOptions) error {
	f := newFitter(new, old, o.Options)
	fit, err := f.fit(ctx, o.Anchors)
	if err != nil {
		return err
	}
	d.Fit = *fit
	cosines, err := f.cosines(ctx, pairs, fit.Rotation)
	if err != nil {
		return err
	}
	words := make([]Moved, 0, len(pairs))
	compared := make([]Pair, 0, len(pairs))
	for i, p := range pairs {
		if math.IsNaN(cosines[i]) {
			continue // a vector has no direction
		}
		m := Moved{Word: new.Words().At(p.A), Distance: 1 - cosines[i], index: len(words)}
		if old.Counts() != nil && new.Counts() != nil {
			m.OldCount, m.NewCount = old.Counts()[p.B], new.Counts()[p.A]
		}
		words, compared = append(words, m), append(compared, p)
	}
	d.Compared = len(words)
	order := frequencyOrder(old, new, compared, words)
	d.Median = quantile(distancesOf(words, order), 0.5)
	d.Bands = deviations(words, order)
	d.Neighbors = min(d.Neighbors, max(0, len(words)-1))
	near := neighbourhoods{old: old, new: new, pairs: compared, k: d.Neighbors, told: teller(o.Progress)}
	if o.By == ByLocal {
		if err := near.measure(ctx, words); err != nil {
			return err
		}
	}
	d.Moved = d.chosen(words, o)
	if o.Stable > 0 {
		d.Stable = least(words, o.Stable, func(m Moved) float64 { return m.Distance })
	}
	if o.By == ByLocal || len(d.Moved)+len(d.Stable) == 0 {
		return nil
	}
	returned := slices.Concat(d.Moved, d.Stable)
	if err := near.measure(ctx, returned); err != nil {
		return err
	}
	d.Moved, d.Stable = returned[:len(d.Moved)], returned[len(d.Moved):]
	return nil
}

func least(words []Moved, n int, by func(Moved) float64) []Moved {
	sorted := slices.Clone(words)
	slices.SortStableFunc(sorted, func(x, y Moved) int { return cmp.Compare(by(x), by(y)) })
	if n > 0 && len(sorted) > n {
		sorted = slices.Clone(sorted[:n])
	}
	return sorted
}

func (d *Difference) chosen(words []Moved, o DiffOptions) []Moved {
	if o.Words != nil {
		at := make(map[string]int, len(words))
		for i, w := range words {
			at[w.Word] = i
		}
		chosen := []Moved{}
		for _, word := range o.Words {
			if i, ok := at[word]; ok {
				chosen = append(chosen, words[i])
			} else {
				d.NotFound = append(d.NotFound, word)
			}
		}
		return chosen
	}
	return least(words, o.Most, func(m Moved) float64 {
		switch o.By {
		case ByDeviation:
			return -m.Deviation
		case ByLocal:
			return -m.Local
		}
		return -m.Distance
	})
}

func onlyIn(s, other *vectors.Set, minCount uint64) []Counted {
	only := []Counted{}
	for id := s.SharedParts().Specials; id < s.Len(); id++ {
		word := s.Words().At(id)
		if _, ok := other.ID(word); ok {
			continue
		}
		c := Counted{Word: word}
		if s.Counts() != nil {
			c.Count = s.Counts()[id]
		}
		if c.Count >= minCount {
			only = append(only, c)
		}
	}
	return only
}

type neighbourhoods struct {
	old, new *vectors.Set
	pairs    []Pair
	k        int
	told     func(what string) func(done float64)
}

func (n neighbourhoods) measure(ctx context.Context, words []Moved) error {
	inNew, inOld := split(n.pairs)
	old, errOld := n.side(ctx, n.old, inOld, words, "neighbours in the old set")
	new, errNew := n.side(ctx, n.new, inNew, words, "neighbours in the new set")
	if err := cmp.Or(errOld, errNew); err != nil {
		return err
	}
	for i := range words {
		w := &words[i]
		w.OldNeighbors, w.NewNeighbors = n.names(old.near[i]), n.names(new.near[i])
		w.Local, w.Jaccard = local(w.index, old, new, old.near[i], new.near[i])
	}
	return nil
}

func (n neighbourhoods) names(near []scan.Found) []vectors.Neighbor {
	names := make([]vectors.Neighbor, len(near))
	for i, f := range near {
		id := n.pairs[f.Row].A
		names[i] = vectors.Neighbor{Word: n.new.Words().At(id), ID: id, Similarity: min(1, max(-1, f.Score))}
	}
	return names
}

type neighbourhood struct {
	units vectors.Matrix
	near  [][]scan.Found
}

func (n neighbourhoods) side(ctx context.Context, s *vectors.Set, ids []int, words []Moved, what string) (neighbourhood, error) {
	units, err := unitRows(s, ids)
	if err != nil {
		return neighbourhood{}, err
	}
	queries, self := vectors.NewMatrix(len(words), s.Dim()), make([]int, len(words))
	for i, w := range words {
		copy(queries.Row(i), units.Row(w.index))
		self[i] = w.index
	}
	side := neighbourhood{units, make([][]scan.Found, len(words))}
	if n.k == 0 {
		return side, nil
	}
	err = scan.Scan{Queries: queries, Rows: units, K: n.k, Self: self, Progress: n.told(what)}.Run(ctx, func(query int, best []scan.Found) {
		side.near[query] = slices.Clone(best)
	})
	return side, err
}

// local returns two measures of a word, over the rows that are near in either set: the cosine distance
// between the lists of similarities in the two sets, and the share of rows that are near in both.
func local(word int, old, new neighbourhood, nearOld, nearNew []scan.Found) (distance, jaccard float64) {
	rows := make([]int, 0, len(nearOld)+len(nearNew))
	for _, f := range slices.Concat(nearOld, nearNew) {
		rows = append(rows, f.Row)
	}
	slices.Sort(rows)
	all := len(rows)
	rows = slices.Compact(rows)
	if len(rows) == 0 {
		return 0, 1
	}
	var dot, squaresOld, squaresNew float64
	for _, row := range rows {
		x, y := old.similarity(word, row), new.similarity(word, row)
		dot += x * y
		squaresOld += x * x
		squaresNew += y * y
	}
	if squares := math.Sqrt(squaresOld * squaresNew); squares > 0 {
		distance = 1 - min(1, max(-1, dot/squares))
	}
	return distance, float64(all-len(rows)) / float64(len(rows))
}

func (n neighbourhood) similarity(a, b int) float64 {
	var dot [1]float32
	simd.Dots(dot[:], 1, n.units.Row(a), n.units.Stride, 1, n.units.Row(b), n.units.Stride, 1, n.units.Cols)
	return float64(dot[0])
}

// A Band is a group of words of about the same frequency, and how far they moved.
type Band struct {
	MinCount uint64  `json:"min_count,omitempty"` // smallest count in the band, where a word's count is the smaller of its two counts; 0 if counts are unknown
	MaxCount uint64  `json:"max_count,omitempty"`
	Words    int     `json:"words"`
	Median   float64 `json:"median"` // of the distances
	Q90      float64 `json:"q90"`    // 0.9 quantile of the distances
}

const (
	deviationWindow = 250    // words of similar frequency that a word is compared with
	deviationStep   = 50     // consecutive words that share a window
	toDeviation     = 1.4826 // times the median absolute deviation: the standard deviation of a normal distribution
	rounding        = 1e-6   // largest difference of two distances by float32 rounding: if they vary by no more, the deviation is 0
	bands           = 10     // at most; all bands have as many words
	bandWords       = 20     // smallest number of words in a band
)

func frequencyOrder(old, new *vectors.Set, pairs []Pair, words []Moved) []int {
	order := upTo(len(words))
	known := old.Counts() != nil && new.Counts() != nil
	slices.SortStableFunc(order, func(x, y int) int {
		if known {
			return cmp.Compare(words[y].count(), words[x].count())
		}
		return cmp.Compare(max(pairs[x].A, pairs[x].B), max(pairs[y].A, pairs[y].B))
	})
	return order
}

func (m Moved) count() uint64 { return min(m.OldCount, m.NewCount) }

// deviations sets the deviation of all words, and returns the bands of frequency. order has the indexes of
// words by frequency.
func deviations(words []Moved, order []int) []Band {
	for first := 0; first < len(order); first += deviationStep {
		last := min(len(order), first+deviationStep)
		from := max(0, (first+last-deviationWindow)/2)
		to := min(len(order), from+deviationWindow)
		from = max(0, to-deviationWindow)
		distances := distancesOf(words, order[from:to])
		median := quantile(distances, 0.5)
		for i, x := range distances {
			distances[i] = math.Abs(x - median)
		}
		slices.Sort(distances)
		spread := toDeviation * quantile(distances, 0.5)
		for _, i := range order[first:last] {
			if spread > rounding {
				words[i].Deviation = (words[i].Distance - median) / spread
			}
		}
	}
	n := min(max(1, min(bands, len(order)/bandWords)), len(order))
	all := []Band{}
	for b := range n {
		in := order[len(order)*b/n : len(order)*(b+1)/n]
		distances := distancesOf(words, in)
		all = append(all, Band{
			MinCount: words[in[len(in)-1]].count(), MaxCount: words[in[0]].count(), Words: len(in),
			Median: quantile(distances, 0.5), Q90: quantile(distances, 0.9),
		})
	}
	return all
}

func distancesOf(words []Moved, indexes []int) []float64 {
	distances := make([]float64, len(indexes))
	for i, at := range indexes {
		distances[i] = words[at].Distance
	}
	slices.Sort(distances)
	return distances
}

// quantile returns a quantile of sorted numbers, interpolated (type 7 of Hyndman and Fan 1996); 0 without
// numbers.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := q * float64(len(sorted)-1)
	below := int(at)
	above := min(below+1, len(sorted)-1)
	return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
}
