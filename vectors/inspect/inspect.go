// Package inspect measures a set of vectors without any test set: the lengths of its vectors, how evenly they
// fill the space, which words are neighbours of too many others, how n-grams share rows, and what takes the
// memory.
//
//	report, err := inspect.Set(ctx, set, inspect.Options{})
//	fmt.Println(report.Isotropy.MeanCosine, report.Hubs.Skewness)
//
// Sums are in float64. Results do not depend on the number of cores.
package inspect

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/hashing"
	"github.com/w2v-go/w2v/internal/eigen"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// Options say what is measured. The zero value works.
type Options struct {
	Neighbors int // k of hubs: how many nearest words each word has; 0 means 10
	// Queries is how many words are asked for their neighbours if there are more words than that: a sample
	// without repetition, drawn by Seed. 0 means 20,000.
	Queries int
	Seed    uint64
	Top     int // how many hubs are named; 0 means 10
	// Progress, if not nil, is told what is being measured, in a few words, and how much of that is done,
	// from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// Validate reports the first invalid option.
func (o Options) Validate() error {
	names := []string{"Neighbors", "Queries", "Top"}
	for i, n := range []int{o.Neighbors, o.Queries, o.Top} {
		if n < 0 {
			return fmt.Errorf("inspect: %s is %d, must be 0 (the default) or more", names[i], n)
		}
	}
	return nil
}

func (o Options) prepared(s *vectors.Set) (Options, error) {
	if err := o.Validate(); err != nil {
		return o, err
	}
	o.Neighbors, o.Queries, o.Top = cmp.Or(o.Neighbors, 10), cmp.Or(o.Queries, 20_000), cmp.Or(o.Top, 10)
	if o.Progress == nil {
		o.Progress = func(string, float64) {}
	}
	return o, affords(s)
}

// A Report is what Set measures.
type Report struct {
	Norms    Norms    `json:"norms"`
	Isotropy Isotropy `json:"isotropy"`
	Hubs     Hubs     `json:"hubs"`
	Buckets  *Buckets `json:"buckets,omitempty"` // of n-grams; nil for a set of plain words
	Memory   []Memory `json:"memory"`
}

// Set measures s, of 8192 dimensions at most. It needs memory for the vectors of all words (unless they are
// in memory or in a mapped file), some bytes for each n-gram of the vocabulary, and matrices of Dim × Dim. If
// there is too little, it returns a *transform.MemoryError. If the context ends, its error is returned within
// about a second.
func Set(ctx context.Context, s *vectors.Set, o Options) (*Report, error) {
	o, err := o.prepared(s)
	if err != nil {
		return nil, err
	}
	r := &Report{Memory: memory(s)}
	err = s.Guard(func() error {
		all, err := sum(ctx, s, o)
		if err != nil {
			return err
		}
		r.Norms.summarise(s, all.norms)
		if r.Isotropy, err = all.isotropy(ctx, o); err != nil {
			return err
		}
		if err := r.Hubs.find(ctx, s, o); err != nil {
			return err
		}
		r.Buckets, err = buckets(ctx, s, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// maxDim limits the time of principal components, which grows with its third power, to a quarter of an hour.
const maxDim = 1 << 13

func affords(s *vectors.Set) error {
	if s.Dim() > maxDim {
		return fmt.Errorf("inspect: %d dimensions, at most %d can be measured: take the first ones, or principal components, before", s.Dim(), maxDim)
	}
	const number, sums, blocks = 8, 3, 2 // bytes of a number; matrices of Dim × Dim; blocks of vectors
	d := float64(s.Dim())
	if need, have, limit, lacks := sysinfo.Lacks(number*d*(sums*d+blocks*blockRows)+eigen.Bytes(s.Dim()), false); lacks {
		return &transform.MemoryError{What: fmt.Sprintf("the covariance of %d dimensions", s.Dim()), Need: need, Have: have, Limit: limit,
			Instead: "take the first dimensions before"}
	}
	return nil
}

// A Memory is the size of a part of a set.
type Memory struct {
	Part     string `json:"part"`               // name of a matrix, or "words", "row_numbers", "composed_vectors"
	Rows     int    `json:"rows,omitempty"`     // of a matrix
	Cols     int    `json:"cols,omitempty"`     // numbers of a row
	Encoding string `json:"encoding,omitempty"` // storage of rows, see vectors.Matrix.Encoding
	Bytes    int64  `json:"bytes"`
	Later    bool   `json:"later,omitempty"` // the part is made on first use, as composed vectors are
}

func memory(s *vectors.Set) (parts []Memory) {
	for _, m := range s.StoredMatrices() {
		parts = append(parts, Memory{Part: m.Name, Rows: m.Rows, Cols: m.Cols, Encoding: m.Encoding(), Bytes: int64(m.Rows) * int64(m.RowBytes())})
	}
	p := s.SharedParts()
	const number, offset = 4, 8
	text := int64(0)
	for _, word := range s.Words().All() {
		text += int64(len(word))
	}
	if s.Len() > 0 {
		parts = append(parts, Memory{Part: "words", Rows: s.Len(), Bytes: text + offset*int64(s.Len()) + offset*int64(len(p.Counts))})
	}
	if n := len(p.WordRows) + len(p.BucketRows); n > 0 {
		parts = append(parts, Memory{Part: "row_numbers", Rows: n, Bytes: number * int64(n)})
	}
	if s.Composes() && s.Len() > 0 {
		parts = append(parts, Memory{Part: "composed_vectors", Rows: s.Len(), Cols: s.Dim(), Encoding: string(vectors.F32), Bytes: number * int64(s.Len()) * int64(s.Dim()), Later: true})
	}
	return parts
}

// Quantiles are of Euclidean norms, interpolated (type 7 of Hyndman and Fan 1996).
type Quantiles struct {
	Words int     `json:"words"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
	Q05   float64 `json:"q05"`
	Q25   float64 `json:"q25"`
	Q50   float64 `json:"q50"`
	Q75   float64 `json:"q75"`
	Q95   float64 `json:"q95"`
	Max   float64 `json:"max"`
}

// A NormBand is the norms of words of about the same frequency.
type NormBand struct {
	FirstRank int    `json:"first_rank"` // from 1, the most frequent word
	LastRank  int    `json:"last_rank"`
	MinCount  uint64 `json:"min_count,omitempty"` // 0 where counts are not known
	MaxCount  uint64 `json:"max_count,omitempty"`
	Quantiles
}

// Norms are the lengths of the vectors of words.
type Norms struct {
	Quantiles            // of all words with finite vectors
	Zero      int        `json:"zero"`       // words whose vector is all zeros
	NotFinite int        `json:"not_finite"` // words with a NaN or an infinity in their vector
	Bands     []NormBand `json:"bands"`      // by frequency
	// Counted says that ranks are by counts; otherwise they are the order of the words.
	Counted bool `json:"ranks_by_count"`
}

// bandEnds are the last ranks of the bands, but for the last one.
func bandEnds() []int { return []int{100, 1000, 10_000, 100_000, 1_000_000} }

// summarise fills in what the norms of all words say; NaN stands for a vector that is not finite.
func (n *Norms) summarise(s *vectors.Set, norms []float64) {
	order, counts := s.ByFrequency(), s.Counts()
	n.Counted = counts != nil
	for _, x := range norms {
		switch {
		case math.IsNaN(x):
			n.NotFinite++
		case x == 0:
			n.Zero++
		}
	}
	n.Quantiles = quantilesOf(norms, order)
	n.Bands = []NormBand{}
	for first := 0; first < len(order); {
		end := len(order)
		if i := slices.IndexFunc(bandEnds(), func(end int) bool { return end > first }); i >= 0 {
			end = min(end, bandEnds()[i])
		}
		band := NormBand{FirstRank: first + 1, LastRank: end, Quantiles: quantilesOf(norms, order[first:end])}
		if n.Counted {
			band.MaxCount, band.MinCount = counts[order[first]], counts[order[end-1]]
		}
		n.Bands = append(n.Bands, band)
		first = end
	}
}

func quantilesOf(norms []float64, ids []int) Quantiles {
	sorted := make([]float64, 0, len(ids))
	sum := 0.0
	for _, id := range ids {
		if x := norms[id]; !math.IsNaN(x) {
			sorted = append(sorted, x)
			sum += x
		}
	}
	if len(sorted) == 0 {
		return Quantiles{}
	}
	slices.Sort(sorted)
	at := func(q float64) float64 {
		at := q * float64(len(sorted)-1)
		below := int(at)
		above := min(below+1, len(sorted)-1)
		return sorted[below] + (at-float64(below))*(sorted[above]-sorted[below])
	}
	return Quantiles{
		Words: len(sorted), Mean: sum / float64(len(sorted)),
		Min: sorted[0], Q05: at(0.05), Q25: at(0.25), Q50: at(0.5), Q75: at(0.75), Q95: at(0.95), Max: sorted[len(sorted)-1],
	}
}

// A Load is how many buckets have that many n-grams of the vocabulary.
type Load struct {
	Ngrams  int `json:"ngrams"` // the last Load stands for this many or more
	Buckets int `json:"buckets"`
}

// Buckets say how the n-grams of the words of the vocabulary share the buckets of a set: rows of the table of
// subword.Indexer. An n-gram counts once, however many words have it; indexers that cut the whole word as a
// piece have it among the n-grams. N-grams without a bucket, because a list lacks them or their bucket was
// pruned, do not count.
type Buckets struct {
	Kind    string `json:"kind"`    // of the indexer
	Buckets int    `json:"buckets"` // of the table
	Ngrams  int    `json:"ngrams"`  // different ones, of all words of the vocabulary
	Hashes  int    `json:"hashes"`  // buckets of an n-gram, at most
	Reached int    `json:"reached"` // buckets with an n-gram of the vocabulary
	// Dead is the number of other buckets. If the vocabulary is the training vocabulary, they were never
	// trained: they hold their initial values.
	Dead int `json:"dead"`
	// Expected is how many buckets random hashes reach on average, B·(1 − (1 − 1/B)^m) for m different pairs
	// of an n-gram and one of its hashes; 0 where n-grams are listed.
	Expected  float64 `json:"expected,omitempty"`
	Colliding int     `json:"colliding"` // n-grams that share each of their buckets with other n-grams
	Most      int     `json:"most"`      // n-grams of the fullest bucket
	Loads     []Load  `json:"loads"`     // from no n-gram on
	// Untrained is how many buckets the set has no row for, because the training did not reach them. For a
	// file with rows for all buckets it is 0; see Dead.
	Untrained int `json:"untrained"`
	// Rows is how many different rows the buckets have: fewer than the buckets with rows where rows that
	// always learn the same are stored once.
	Rows int `json:"rows"`
}

// A piece is an n-gram, by a hash of its text, and one of its buckets.
type piece struct {
	text   uint64
	bucket uint32
}

const maxLoad = 5

func buckets(ctx context.Context, s *vectors.Set, o Options) (*Buckets, error) {
	if s.Subword() == nil {
		return nil, nil
	}
	b := &Buckets{Kind: subword.NameOf(s.Subword()), Buckets: s.Subword().Rows()}
	pieces, err := piecesOf(ctx, s, o)
	if err != nil {
		return nil, err
	}
	loads := make([]uint32, b.Buckets)
	for _, p := range pieces {
		loads[p.bucket]++
	}
	b.Loads = make([]Load, maxLoad+1)
	for i := range b.Loads {
		b.Loads[i].Ngrams = i
	}
	for _, n := range loads {
		b.Loads[min(int(n), maxLoad)].Buckets++
		b.Most = max(b.Most, int(n))
	}
	b.Dead = b.Loads[0].Buckets
	b.Reached = b.Buckets - b.Dead
	for first := 0; first < len(pieces); {
		last, alone := first, false
		for ; last < len(pieces) && pieces[last].text == pieces[first].text; last++ {
			alone = alone || loads[pieces[last].bucket] == 1
		}
		b.Ngrams++
		b.Hashes = max(b.Hashes, last-first)
		if !alone {
			b.Colliding++
		}
		first = last
	}
	if encoded, err := subword.Encode(s.Subword()); err == nil && len(encoded.Ngrams) == 0 && len(encoded.Kept) == 0 {
		n := float64(b.Buckets)
		b.Expected = n * -math.Expm1(float64(len(pieces))*math.Log1p(-1/n))
	}
	b.rows(s)
	return b, nil
}

func piecesOf(ctx context.Context, s *vectors.Set, o Options) ([]piece, error) {
	const most = 1 << 22 // collected pieces, before duplicates are dropped
	var pieces []piece
	var rows []uint32
	limit := most
	for id, word := range s.Words().All() {
		if id%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			o.Progress("cutting words into n-grams", float64(id)/float64(s.Len()))
		}
		rows = s.Subword().Append(rows[:0], word)
		for i, text := range s.Subword().Ngrams(word) {
			hash, _ := hashing.Murmur3([]byte(text), 0)
			pieces = append(pieces, piece{hash, rows[i]})
		}
		if len(pieces) > limit {
			pieces = distinct(pieces)
			limit = max(most, 2*len(pieces))
		}
	}
	return distinct(pieces), nil
}

func distinct(pieces []piece) []piece {
	slices.SortFunc(pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.text, b.text), cmp.Compare(a.bucket, b.bucket))
	})
	return slices.Compact(pieces)
}

func (b *Buckets) rows(s *vectors.Set) {
	if s.SharedParts().BucketRows == nil {
		b.Rows = b.Buckets
		return
	}
	seen := make([]bool, s.Input().Rows)
	for bucket := range b.Buckets {
		switch r := s.BucketRow(uint32(bucket)); {
		case r < 0:
			b.Untrained++
		case !seen[r]:
			seen[r] = true
			b.Rows++
		}
	}
}
