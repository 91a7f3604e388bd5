package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/w2v-go/w2v/internal/clustering"
	"github.com/w2v-go/w2v/vectors"
)

// DefaultRepeats is the number of clusterings of CategoryOptions whose Repeats is 0.
const DefaultRepeats = 10

// CategoryOptions are the settings of Categorization. The zero value works.
type CategoryOptions struct {
	Rules
	// Repeats is how often the words are clustered, each time from other means. The clustering
	// with the smallest inertia is scored. 0 means DefaultRepeats.
	Repeats int
}

// Validate returns an error if an option is invalid.
func (o CategoryOptions) Validate() error {
	if o.Repeats < 0 {
		return fmt.Errorf("eval: repeats is %d, must be 0 (%d repeats) or more", o.Repeats, DefaultRepeats)
	}
	return o.Rules.Validate()
}

// Categorization clusters the words of a set, without their categories, and scores how well the
// clusters agree with the categories: by purity, and by the V-measure of Rosenberg and Hirschberg
// 2007.
//
// The vectors of the words that have one are scaled to length 1 and divided by k-means into as many
// clusters as these words have categories. Initial means are drawn by k-means++. That is repeated
// with other draws, and the clustering with the smallest inertia is the one that is scored. One
// seed gives one clustering on every machine.
//
// There are no scores if the words are all of one category. Categorization returns an error if an
// option is invalid or if ctx ends.
func Categorization(ctx context.Context, s *vectors.Set, set CategorySet, opt CategoryOptions) (CategoryResult, error) {
	if err := opt.Validate(); err != nil {
		return CategoryResult{}, err
	}
	if ctx == nil {
		return CategoryResult{}, errors.New("eval: there is no context to cluster words in: it is nil")
	}
	words, err := newLookup(s, opt.Spelling, set.Words())
	if err != nil {
		return CategoryResult{}, err
	}
	missing := newWordList()
	result := CategoryResult{
		Set:        set.Name,
		Words:      len(set.Members),
		Repeats:    opt.Repeats,
		Seed:       opt.Seed,
		IgnoreCase: words.ignoresCase(),
		FoldVocab:  opt.FoldVocab,
		Restrict:   opt.Restrict,
		Clusters:   []ClusteredWord{},
	}
	var points [][]float64
	categories := newWordList()
	for _, m := range set.Members {
		e := words.find(m.Word)
		if opt.lacks(e) {
			missing.add(m.Word)
			continue
		}
		if e.composed() {
			result.Composed++
		}
		points = append(points, unit64(e.vector))
		categories.add(m.Category)
		result.Clusters = append(result.Clusters, ClusteredWord{Word: m.Word, Category: m.Category})
		result.classes = append(result.classes, slices.Index(categories.words, m.Category))
	}
	result.Used, result.Categories, result.Missing = len(points), len(categories.words), missing.words
	result.OOV = result.Words - result.Used
	if result.Repeats == 0 {
		result.Repeats = DefaultRepeats
	}
	runs, err := clusterings(ctx, points, result.Categories, result.Repeats, opt.Seed)
	if err != nil {
		return CategoryResult{}, err
	}
	result.score(runs, opt.Rules)
	return result, nil
}

// clusterings clusters points repeatedly.
func clusterings(ctx context.Context, points [][]float64, k, repeats int, seed uint64) ([]clustering.Clustering, error) {
	runs := make([]clustering.Clustering, repeats)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range runs {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			runs[i] = clustering.KMeans(points, k, rand.New(rand.NewPCG(seed, uint64(i))))
			return nil
		})
	}
	return runs, group.Wait()
}

// score fills in what depends on the clusterings.
func (r *CategoryResult) score(runs []clustering.Clustering, rules Rules) {
	if r.Categories < 2 {
		nan := Score(math.NaN())
		r.Purity, r.VMeasure, r.Homogeneity, r.Completeness = nan, nan, nan, nan
		r.MeanPurity, r.PurityDeviation, r.MeanVMeasure, r.VMeasureDeviation = nan, nan, nan, nan
		r.clusters = make([]int, r.Used)
		return
	}
	best := 0
	var purities, measures []float64
	for i, run := range runs {
		t := clustering.Count(run.Of, r.classes)
		purities, measures = append(purities, t.Purity()), append(measures, t.VMeasure())
		if run.Inertia < runs[best].Inertia {
			best = i
		}
	}
	r.clusters = runs[best].Of
	for i, c := range r.clusters {
		r.Clusters[i].Cluster = c
	}
	r.Inertia = runs[best].Inertia
	r.MeanPurity, r.PurityDeviation = meanDeviation(purities)
	r.MeanVMeasure, r.VMeasureDeviation = meanDeviation(measures)

	t := clustering.Count(r.clusters, r.classes)
	r.Purity, r.VMeasure = Score(t.Purity()), Score(t.VMeasure())
	r.Homogeneity, r.Completeness = Score(t.Homogeneity()), Score(t.Completeness())
	r.CI95 = bootstrap(r.Sample(), rules)
	r.HomogeneityCI95, r.CompletenessCI95, r.VMeasureCI95 = r.entropyIntervals(rules)
}

// meanDeviation returns the mean and the standard deviation (of a sample: n − 1) of scores.
func meanDeviation(scores []float64) (mean, deviation Score) {
	n := float64(len(scores))
	sum, squares := 0.0, 0.0
	for _, x := range scores {
		sum += x
	}
	for _, x := range scores {
		squares += float64((x - sum/n) * (x - sum/n))
	}
	return Score(sum / n), Score(math.Sqrt(squares / (n - 1)))
}

// unit64 returns a vector scaled to length 1, in float64; one of zeros stays.
func unit64(v []float32) []float64 {
	u := make([]float64, len(v))
	sum := 0.0
	for i, x := range v {
		u[i] = float64(x)
		sum += float64(u[i] * u[i])
	}
	if sum > 0 {
		norm := math.Sqrt(sum)
		for i := range u {
			u[i] /= norm
		}
	}
	return u
}
