package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/clustering"
	"golang.org/x/sync/errgroup"
)

// A Member is a word and its category, as judged by people.
type Member struct {
	Word, Category string
}

// readCategories reads words and their categories. These layouts are known, in this order:
//
//   - a header names the columns: word, concept, noun or verb; and category or class;
//   - the file of BLESS: concept, class, relation, relatum. Each concept is read once;
//   - other columns. Columns of numbers are skipped. The words are the column with the most
//     different entries. The categories are the column with the next most different entries in
//     which some entry occurs twice, so the finest of several levels;
//   - one word a line: all words are of one category, which has the set's name.
//
// If every word ends with the tag of a part of speech, as in alligator-n or owl_N, the tags are
// removed. A line without a word is skipped.
func readCategories(t *text, set *Set) error {
	rows, err := t.table()
	if err != nil || len(rows) == 0 {
		return err
	}
	layout := categoryLayoutOf(rows)
	if layout.header {
		rows = rows[1:]
	}
	seen := make(map[Member]bool)
	for _, row := range rows {
		m, err := layout.member(row.columns, SetName(t.name))
		if err == nil {
			err = checkWords(m.Word)
		}
		if err != nil {
			return at(row.number, err)
		}
		if m.Word != "" && !seen[m] {
			seen[m] = true
			set.Members = append(set.Members, m)
		}
	}
	if tagged(set.Members) {
		for i, m := range set.Members {
			set.Members[i].Word = untagged(m.Word)
		}
	}
	return nil
}

type categoryLayout struct {
	header         bool // the first line is a header
	named          bool // the header names the columns
	word, category int  // columns; category is -1 if all words are in one category
	columns        int  // number of columns
}

func (l categoryLayout) member(columns []string, whole string) (Member, error) {
	if len(columns) <= max(l.word, l.category) || l.category < 0 && len(columns) != l.columns {
		return Member{}, fmt.Errorf("want a word and its category in %d columns, not %q", max(2, l.columns), excerpt(strings.Join(columns, " ")))
	}
	m := Member{Word: columns[l.word], Category: whole}
	if l.category >= 0 {
		m.Category = columns[l.category]
	}
	if m.Word != "" && m.Category == "" {
		return m, fmt.Errorf("want a category for %q", excerpt(m.Word))
	}
	return m, nil
}

func categoryLayoutOf(rows []row) categoryLayout {
	first := rows[0].columns
	l := categoryLayout{header: true, named: true, columns: len(first)}
	l.word = columnNamed(first, "word", "concept", "noun", "verb", "target")
	l.category = columnNamed(first, "category", "class", "cluster", "label")
	switch {
	case l.word >= 0 && l.category >= 0:
		return l
	case isBLESS(rows):
		return categoryLayout{word: 0, category: 1, columns: len(first)}
	}
	return columnsByEntries(rows)
}

func isBLESS(rows []row) bool {
	relations := 0
	for _, row := range rows {
		if len(row.columns) == 4 {
			switch row.columns[2] {
			case "attri", "coord", "event", "hyper", "mero", "random-n", "random-j", "random-v":
				relations++
			}
		}
	}
	return 2*relations > len(rows)
}

// columnsByEntries finds the columns of words and of categories by their entries. The first line is
// a header if it lacks a number in a column where all other lines have numbers.
func columnsByEntries(rows []row) categoryLayout {
	l := categoryLayout{columns: len(rows[0].columns)}
	different, entries := make([]map[string]bool, l.columns), make([]int, l.columns)
	numbers := make([]bool, l.columns)
	for c := range l.columns {
		different[c], numbers[c] = make(map[string]bool), len(rows) > 1
		for i, row := range rows {
			if c >= len(row.columns) || row.columns[c] == "" {
				continue
			}
			entries[c]++
			different[c][row.columns[c]] = true
			if _, number := parseScore(row.columns[c]); !number && i > 0 {
				numbers[c] = false
			}
		}
		if _, number := parseScore(rows[0].columns[c]); numbers[c] && !number {
			l.header = true
		}
	}
	most := func(skip int, repeats bool) int {
		best := -1
		for c := range l.columns {
			if c == skip || numbers[c] || repeats && len(different[c]) == entries[c] {
				continue
			}
			// Most published files begin with the category, so of equal columns the last holds the
			// words.
			if best < 0 || len(different[c]) > len(different[best]) || skip < 0 && len(different[c]) == len(different[best]) {
				best = c
			}
		}
		return best
	}
	l.word = max(0, most(-1, false))
	if l.category = most(l.word, true); l.category < 0 {
		l.category = most(l.word, false) // each category has a single word
	}
	return l
}

func untagged(word string) string {
	n := len(word)
	if n > 2 && (word[n-2] == '-' || word[n-2] == '_') && strings.IndexByte("nvjarNVJAR", word[n-1]) >= 0 {
		return word[:n-2]
	}
	return word
}

func checkCategories(o *Options) error {
	if o.Repeats < 0 {
		return fmt.Errorf("eval: repeats is %d, must be 0 (%d repeats) or more", o.Repeats, DefaultRepeats)
	}
	o.Repeats = cmp.Or(o.Repeats, DefaultRepeats)
	return nil
}

// scoreCategories clusters the words of a set by k-means, ignoring their categories, and scores how well
// the clusters agree with the categories: by purity, and by the V-measure of Rosenberg and Hirschberg
// 2007. There are no scores if all words are in one category.
func scoreCategories(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	r := CategoryResult{Set: set.Name, Words: len(set.Members), Repeats: opt.Repeats, Seed: opt.Seed, Clusters: []ClusteredWord{}}
	var points [][]float64
	categories := newWordList()
	for _, m := range set.Members {
		e, ok := words.use(m.Word)
		if !ok {
			continue
		}
		if e.composed() {
			r.Composed++
		}
		points = append(points, unit64(e.vector))
		categories.add(m.Category)
		r.Clusters = append(r.Clusters, ClusteredWord{Word: m.Word, Category: m.Category})
		r.classes = append(r.classes, slices.Index(categories.words, m.Category))
	}
	r.Used, r.Categories, r.LookedUp = len(points), len(categories.words), words.lookedUp()
	r.OOV = r.Words - r.Used
	runs, err := r.cluster(ctx, points, opt)
	if err != nil {
		return Result{}, err
	}
	sample := r.score(runs, opt)
	part := func(name string, score Score, interval Interval) Part {
		return Part{Name: name, Metric: name, Score: score, Interval: interval, Items: r.Words, Used: r.Used}
	}
	return Result{
		Summary: Summary{
			Metric: "purity", Score: r.Purity, Interval: r.CI95, Items: r.Words, Used: r.Used, Composed: r.Composed, Missing: r.Missing, Notes: r.notes(),
			Parts: []Part{
				part("v_measure", r.VMeasure, r.VMeasureCI95),
				part("homogeneity", r.Homogeneity, r.HomogeneityCI95),
				part("completeness", r.Completeness, r.CompletenessCI95),
			},
		},
		Sample: sample, Details: r,
		zero: new(Score(share(float64(r.Purity), r.Used, r.Words))), // missing words are in no cluster and so count as wrong
	}, nil
}

// cluster divides points into as many clusters as there are categories, again and again.
func (r *CategoryResult) cluster(ctx context.Context, points [][]float64, opt Options) ([]clustering.Clustering, error) {
	runs := make([]clustering.Clustering, r.Repeats)
	return runs, each(ctx, r.Repeats, func(i int) {
		runs[i] = clustering.KMeans(points, r.Categories, rand.New(rand.NewPCG(opt.Seed, uint64(i))))
	})
}

// each calls work with 0…n−1, on all cores, until the context ends.
func each(ctx context.Context, n int, work func(i int)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			work(i)
			return nil
		})
	}
	return g.Wait()
}

func (r *CategoryResult) score(runs []clustering.Clustering, opt Options) Sample {
	if r.Categories < 2 {
		nan := undefined()
		r.Purity, r.VMeasure, r.Homogeneity, r.Completeness = nan, nan, nan, nan
		r.MeanPurity, r.PurityDeviation, r.MeanVMeasure, r.VMeasureDeviation = nan, nan, nan, nan
		return meanSample(nil, nil)
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
	sample := r.sample()
	r.CI95 = bootstrap(sample, opt)
	r.HomogeneityCI95, r.CompletenessCI95, r.VMeasureCI95 = r.entropyIntervals(opt)
	return sample
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

// unit64 returns a vector scaled to length 1, in float64; a vector of zeros stays zeros.
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

// A CategoryResult says how well clusters of words agree with the categories of a set. Used + OOV =
// Words.
type CategoryResult struct {
	Set        string `json:"set"`
	Words      int    `json:"words"`      // of the set; a word in two categories counts twice
	Used       int    `json:"used"`       // words with a vector
	OOV        int    `json:"oov"`        // words without a vector, which are not clustered
	Categories int    `json:"categories"` // of the used words; also the number of clusters

	Purity           Score    `json:"purity"`
	CI95             Interval `json:"ci95,omitzero"` // of the purity: 95 % bootstrap interval over words
	VMeasure         Score    `json:"v_measure"`
	VMeasureCI95     Interval `json:"v_measure_ci95,omitzero"`
	Homogeneity      Score    `json:"homogeneity"`
	HomogeneityCI95  Interval `json:"homogeneity_ci95,omitzero"`
	Completeness     Score    `json:"completeness"`
	CompletenessCI95 Interval `json:"completeness_ci95,omitzero"`

	// Repeats is the number of clusterings. The scores above are from the clustering with the
	// smallest Inertia, the sum of squared distances of words from the means of their clusters.
	// Means and standard deviations are over all clusterings.
	Repeats           int     `json:"repeats"`
	Seed              uint64  `json:"seed"`
	Inertia           float64 `json:"inertia"`
	MeanPurity        Score   `json:"mean_purity"`
	PurityDeviation   Score   `json:"purity_deviation"`
	MeanVMeasure      Score   `json:"mean_v_measure"`
	VMeasureDeviation Score   `json:"v_measure_deviation"`

	Composed int `json:"composed"` // used words composed of their n-grams
	LookedUp
	// Clusters lists the used words with their clusters, so that others can compute the scores.
	Clusters []ClusteredWord `json:"clusters"`

	clusters, classes []int  // numbers of the used words
	texts             []Item // that are clustered instead of words
}

// A ClusteredWord is a word with its category in the set and the number of its cluster, from 0.
type ClusteredWord struct {
	Word     string `json:"word"`
	Category string `json:"category"`
	Cluster  int    `json:"cluster"`
}

// sample has the used words as its items. Its score is the purity of the reported clustering.
// Weights change neither the clustering nor the category of a cluster: otherwise words drawn twice
// would make clusters look purer than they are.
func (r CategoryResult) sample() Sample {
	t := clustering.Count(r.clusters, r.classes)
	pure := make([]float64, len(r.clusters))
	for i, k := range r.clusters {
		pure[i] = oneIf(t.Majority(k) == r.classes[i])
	}
	return meanSample(r.items(), pure)
}

func (r CategoryResult) items() []Item {
	if r.texts != nil {
		return r.texts
	}
	items := make([]Item, len(r.Clusters))
	for i, c := range r.Clusters {
		items[i] = Item{Key: c.Category + "\t" + c.Word, Words: []string{c.Word}}
	}
	return items
}

func (r CategoryResult) notes() []string {
	if r.Used > 0 && r.Categories < 2 {
		return []string{"all words with vectors are of one category, so there is nothing to tell apart: is the file a part of a set that is a folder?"}
	}
	if r.Repeats < 2 || r.Used == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d clusterings: purity %.4f ± %.4f, V-measure %.4f ± %.4f (mean and standard deviation); the one with the smallest inertia is scored",
		r.Repeats, r.MeanPurity, r.PurityDeviation, r.MeanVMeasure, r.VMeasureDeviation)}
}

// entropyIntervals returns the 95 % intervals of homogeneity, completeness and V-measure; see
// resampling. Entropies are means over words of −ln of the shares of their categories and clusters. The
// shares are those of all used words, so that scores do not grow with words that are drawn twice.
func (r CategoryResult) entropyIntervals(opt Options) (homogeneity, completeness, v Interval) {
	interval := func(score func(weights []float64) float64, of func(*clustering.Table) float64) Interval {
		s := resampling{items: r.items(), score: score, widening: r.widening(score, of)}
		return s.draw(opt).interval()
	}
	h, c, both := r.entropies()
	return interval(h, (*clustering.Table).Homogeneity), interval(c, (*clustering.Table).Completeness), interval(both, (*clustering.Table).VMeasure)
}

// entropies returns homogeneity, completeness and V-measure if word i counts weights[i] times, and the shares are those of all.
func (r CategoryResult) entropies() (homogeneity, completeness, v func(weights []float64) float64) {
	t := clustering.Count(r.clusters, r.classes)
	var surprisals [4][]float64
	for i, k := range r.clusters {
		class, classInCluster, of, ofClass := t.Surprisals(k, r.classes[i])
		for s, x := range []float64{class, classInCluster, of, ofClass} {
			surprisals[s] = append(surprisals[s], x)
		}
	}
	explained := func(all, rest []float64) func(weights []float64) float64 {
		whole, part := weightedMean(all), weightedMean(rest)
		return func(weights []float64) float64 {
			if total := whole(weights); total != 0 {
				return max(0, 1-part(weights)/total) // NaN if all weights are 0
			}
			return 1
		}
	}
	homogeneity, completeness = explained(surprisals[0], surprisals[1]), explained(surprisals[2], surprisals[3])
	return homogeneity, completeness, func(weights []float64) float64 {
		return clustering.Harmonic(homogeneity(weights), completeness(weights))
	}
}

// mostWidening limits the widening: if clusters tell almost nothing about categories, resamples
// would lose most of their words.
const mostWidening = 4

// widening returns the jackknife's variance of a score divided by the variance of its influence
// function, which is close to the variance of resamples. Each word contributes to the shares behind
// the entropies, and resamples keep these shares. Without widening, intervals of V-measure would
// cover only 84–91 %. The jackknife errs to the other side (Efron and Stein 1981).
func (r CategoryResult) widening(resampled func(weights []float64) float64, score func(*clustering.Table) float64) float64 {
	type cell struct{ cluster, class int } // words of a cell move the score alike
	type move struct{ frozen, counted float64 }
	moves := map[cell]move{}
	t, weights := clustering.Count(r.clusters, r.classes), ones(len(r.clusters))
	whole := score(t)
	var influence, sum, squares float64
	for i, k := range r.clusters {
		at := cell{k, r.classes[i]}
		m, known := moves[at]
		if !known {
			weights[i] = 0
			m = move{frozen: resampled(weights) - whole, counted: t.Without(at.cluster, at.class, score) - whole}
			weights[i] = 1
			moves[at] = m
		}
		influence += m.frozen * m.frozen
		sum += m.counted
		squares += m.counted * m.counted
	}
	if influence == 0 {
		return 1
	}
	return min(mostWidening, (squares-sum*sum/float64(len(r.clusters)))/influence)
}
