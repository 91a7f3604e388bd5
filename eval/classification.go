package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// DefaultSamples is how many texts a label a classifier is trained on.
const DefaultSamples = 8

func checkLabelled(o *Options) error {
	if o.SentenceMethod == SentenceSIFSet {
		return fmt.Errorf("eval: %s is for pairs of sentences, and labelled texts take %q", SentenceSIFSet, pooling.Methods())
	}
	o.Samples = cmp.Or(o.Samples, DefaultSamples)
	return cmp.Or(checkCategories(o), checkSentences(o))
}

func classificationSettings(o Options) any {
	all := sentenceSettings(o).(options)
	all["classifier"], all["repeats"] = "logistic regression, C = 1", o.Repeats
	if all["samples"] = o.Samples; o.Samples < 0 {
		all["samples"], all["repeats"] = "all", 1
	}
	return all
}

func clusteringSettings(o Options) any {
	all := sentenceSettings(o).(options)
	all["clusters"], all["repeats"] = "k-means with k-means++; the smallest inertia of the repeats", o.Repeats
	return all
}

// A ClassificationResult says how well labels of texts are told by their vectors, which stay as they are. Used + OOV = Texts.
type ClassificationResult struct {
	Set      string `json:"set"`
	Training int    `json:"training"` // texts to train classifiers on
	Texts    int    `json:"texts"`    // to be classified
	Used     int    `json:"used"`     // texts with a known word
	OOV      int    `json:"oov"`      // texts excluded from all scores
	Labels   int    `json:"labels"`   // of the training texts
	// Unknown is the number of training texts without a known word, which are not drawn. Untrained is the number of used texts
	// whose label no training text has. They count as wrong.
	Unknown   int `json:"unknown_training"`
	Untrained int `json:"untrained"`

	// Samples is how many texts a label each classifier is trained on, at most; 0 means all. Repeats is the number of
	// classifiers, and scores are means over them.
	Samples           int      `json:"samples"`
	Repeats           int      `json:"repeats"`
	Seed              uint64   `json:"seed"`
	Accuracy          Score    `json:"accuracy"`
	CI95              Interval `json:"ci95,omitzero"` // of the accuracy
	AccuracyDeviation Score    `json:"accuracy_deviation"`
	MacroF1           Score    `json:"macro_f1"`
	MacroF1CI95       Interval `json:"macro_f1_ci95,omitzero"`
	MacroF1Deviation  Score    `json:"macro_f1_deviation"`

	Method        SentenceMethod `json:"method"` // of the vectors
	Smoothing     float64        `json:"smoothing"`
	Probabilities string         `json:"probabilities"`
	Composed      int            `json:"composed"` // used texts with a word composed of its n-grams
	LookedUp                     // words of the used texts
}

// encodedTexts are texts with vectors.
type encodedTexts struct {
	items    []Item
	labels   []string
	points   []float64 // of length 1, a row a text
	composed int
	unknown  int   // texts without a vector
	at       []int // of each, which text it is
}

func (e encodedTexts) point(i, dim int) []float64 { return e.points[i*dim:][:dim:dim] }

// encode returns the vectors of texts by the method of the options.
func (f *textFinder) encode(ctx context.Context, texts []LabelledText, method SentenceMethod) (e encodedTexts, err error) {
	p := f.poolers[slices.IndexFunc(f.poolers, func(p *pooling.Pooler) bool { return SentenceMethod(p.Method()) == method })]
	dim := f.set.Dim()
	points, known := make([]float32, len(texts)*dim), make([]bool, len(texts))
	err = inParts(ctx, len(texts), func(first, end int) error {
		for i := first; i < end; i++ {
			tokens, err := f.cut(texts[i].Text)
			if err != nil {
				return fmt.Errorf("text %d: %w", i+1, err)
			}
			row := points[i*dim:][:dim]
			known[i] = p.Text(row, tokens) > 0 && vectors.Unit(row, row)
		}
		return nil
	})
	if err = cmp.Or(err, f.set.Err()); err != nil {
		return e, err
	}
	for i, text := range texts {
		item, composed, err := f.item(Query{ID: fmt.Sprintf("%d\t%s\t%s", i+1, text.Label, text.Text), Text: text.Text})
		if err != nil {
			return e, fmt.Errorf("text %d: %w", i+1, err)
		}
		if !known[i] {
			e.unknown++
			continue
		}
		if composed {
			e.composed++
		}
		e.items, e.labels, e.at = append(e.items, item), append(e.labels, text.Label), append(e.at, i)
		for _, x := range points[i*dim:][:dim] {
			e.points = append(e.points, float64(x))
		}
	}
	return e, nil
}

// scoreClassification trains logistic regressions on vectors of some training texts, and classifies the other texts.
func scoreClassification(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	f, err := newTextFinder(words)
	if err != nil {
		return Result{}, err
	}
	r := ClassificationResult{
		Set: set.Name, Training: len(set.Training), Texts: len(set.Texts), Samples: max(0, opt.Samples), Repeats: opt.Repeats, Seed: opt.Seed,
		Method: cmp.Or(opt.SentenceMethod, SentenceMethod(f.own.Method())), Smoothing: f.own.Smoothing(), Probabilities: f.own.Probabilities(),
	}
	if r.Samples == 0 {
		r.Repeats = 1
	}
	test, err := f.encode(ctx, set.Texts, r.Method)
	if err != nil {
		return Result{}, err
	}
	r.LookedUp = words.lookedUp()
	train, err := f.encode(ctx, set.Training, r.Method)
	if err != nil {
		return Result{}, err
	}
	r.Used, r.OOV, r.Unknown, r.Composed = len(test.items), test.unknown, train.unknown, test.composed
	names := labelNumbers{}
	of := names.of(train.labels)
	r.Labels = len(names)
	actual := names.of(test.labels)
	for _, c := range actual {
		r.Untrained += int(oneIf(c >= r.Labels))
	}
	if r.Used == 0 || r.Labels < 2 {
		r.Accuracy, r.AccuracyDeviation, r.MacroF1, r.MacroF1Deviation = undefined(), undefined(), undefined(), undefined()
		return r.result(meanSample(nil, nil)), nil
	}
	dim := f.set.Dim()
	guesses := make([][]int, r.Repeats)
	err = each(ctx, r.Repeats, func(repeat int) {
		var points []float64
		var labels []int
		for _, i := range sampled(of, r.Labels, r.Samples, rand.New(rand.NewPCG(opt.Seed, uint64(repeat)))) {
			points, labels = append(points, train.point(i, dim)...), append(labels, of[i])
		}
		guesses[repeat] = newLogistic(points, labels, dim, r.Labels).classify(test.points)
	})
	if err != nil {
		return Result{}, err
	}
	return r.score(test, guesses, actual, len(names), opt), nil
}

// labelNumbers numbers labels in the order in which they come.
type labelNumbers map[string]int

// of returns the numbers of labels. New ones get the next numbers.
func (n labelNumbers) of(labels []string) (all []int) {
	for _, label := range labels {
		if _, known := n[label]; !known {
			n[label] = len(n)
		}
		all = append(all, n[label])
	}
	return all
}

// sampled returns up to n examples of each label, all if n is 0, in a random order.
func sampled(labels []int, of, n int, r *rand.Rand) (chosen []int) {
	if n == 0 {
		for i := range labels {
			chosen = append(chosen, i)
		}
		return chosen
	}
	taken := make([]int, of)
	for _, i := range r.Perm(len(labels)) {
		if taken[labels[i]] < n {
			taken[labels[i]]++
			chosen = append(chosen, i)
		}
	}
	return chosen
}

func (r ClassificationResult) score(test encodedTexts, guesses [][]int, actual []int, labels int, opt Options) Result {
	values := make([]float64, len(actual))
	var accuracies, f1s []float64
	for _, guess := range guesses {
		right := make([]float64, len(actual))
		for i, g := range guess {
			right[i] = oneIf(g == actual[i])
			values[i] += right[i]
		}
		accuracies = append(accuracies, floats.Sum(right)/float64(len(right)))
		f1s = append(f1s, macroF1(guess, actual, labels, ones(len(actual))))
	}
	floats.Scale(1/float64(len(guesses)), values)
	r.Accuracy, r.AccuracyDeviation = meanDeviation(accuracies)
	r.MacroF1, r.MacroF1Deviation = meanDeviation(f1s)
	sample := meanSample(test.items, values)
	r.CI95 = bootstrap(sample, opt)
	r.MacroF1CI95 = bootstrap(Sample{Items: test.items, Score: func(weights []float64) float64 {
		sum := 0.0
		for _, guess := range guesses {
			sum += macroF1(guess, actual, labels, weights)
		}
		return sum / float64(len(guesses))
	}}, opt)
	return r.result(sample)
}

// macroF1 is the mean of the F1 of all labels that a text has or is given, if text i counts weights[i] times.
func macroF1(guess, actual []int, labels int, weights []float64) float64 {
	counts := make([][3]float64, labels) // right, given and actual ones
	for i, w := range weights {
		counts[guess[i]][1] += w
		counts[actual[i]][2] += w
		if guess[i] == actual[i] {
			counts[guess[i]][0] += w
		}
	}
	sum, n := 0.0, 0.0
	for _, c := range counts {
		if all := c[1] + c[2]; all > 0 {
			sum += 2 * c[0] / all
			n++
		}
	}
	return sum / n
}

func (r ClassificationResult) result(sample Sample) Result {
	part := func(name string, score Score, interval Interval) Part {
		return Part{Name: name, Metric: name, Score: score, Interval: interval, Items: r.Texts, Used: r.Used}
	}
	return Result{
		Summary: Summary{
			Metric: "accuracy", Score: r.Accuracy, Interval: r.CI95, Items: r.Texts, Used: r.Used, Composed: r.Composed, Missing: r.Missing, Notes: r.notes(),
			Parts: []Part{part("macro_f1", r.MacroF1, r.MacroF1CI95)},
		},
		Sample: sample, Details: r,
		zero: new(Score(share(float64(r.Accuracy), r.Used, r.Texts))), // texts without a vector count as wrong
	}
}

func (r ClassificationResult) notes() (notes []string) {
	if r.Used > 0 && r.Labels < 2 {
		notes = append(notes, "the training texts with vectors have fewer than two labels, so there is nothing to tell apart")
	}
	if r.Untrained > 0 {
		notes = append(notes, wording.Count(r.Untrained, "text has a label that no training text has, and counts as wrong", "texts have labels that no training text has, and count as wrong"))
	}
	if r.Unknown > 0 {
		notes = append(notes, wording.Count(r.Unknown, "training text has no word with a vector and is not drawn", "training texts have no word with a vector and are not drawn"))
	}
	if r.Repeats > 1 && r.Accuracy.Defined() {
		notes = append(notes, fmt.Sprintf("%d classifiers: accuracy %.4f ± %.4f, macro F1 %.4f ± %.4f (mean and standard deviation)", r.Repeats, r.Accuracy, r.AccuracyDeviation, r.MacroF1, r.MacroF1Deviation))
	}
	if r.Probabilities == "zipf" {
		notes = append(notes, zipfNote)
	}
	return notes
}

// A logistic is a multinomial logistic regression with an L2 penalty. With the probabilities softmax(Wx + c), it minimises
// ½‖W‖² − Σ log p(label of x). The intercepts c have no penalty. This is what LogisticRegression(C=1) of scikit-learn
// minimises for three labels or more. For two labels, scikit-learn has one vector, and so has this: the second
// is zeros.
type logistic struct {
	dim, labels int
	weights     []float64 // the vectors of the labels, and then their intercepts
}

func newLogistic(points []float64, classes []int, dim, labels int) *logistic {
	m := &logistic{dim: dim, labels: labels}
	free := labels // vectors that are not zeros
	if labels == 2 {
		free = 1
	}
	m.weights = make([]float64, labels*(dim+1))
	n := len(classes)
	x := blas64.General{Rows: n, Cols: dim, Stride: dim, Data: points}
	scores := make([]float64, n*labels)
	problem := optimize.Problem{}
	at := func(w []float64) float64 {
		m.set(w, free)
		m.scores(scores, x)
		loss := 0.5 * floats.Dot(w[:free*dim], w[:free*dim])
		for i, c := range classes {
			row := scores[i*labels:][:labels]
			loss += floats.LogSumExp(row) - row[c]
		}
		return loss
	}
	problem.Func = at
	problem.Grad = func(g, w []float64) {
		at(w)
		for i, c := range classes {
			row := scores[i*labels:][:labels]
			all := floats.LogSumExp(row)
			for k, s := range row {
				row[k] = math.Exp(s - all)
			}
			row[c]--
		}
		copy(g, w[:free*dim])
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, blas64.General{Rows: n, Cols: free, Stride: labels, Data: scores}, x, 1,
			blas64.General{Rows: free, Cols: dim, Stride: dim, Data: g})
		intercepts := g[free*dim:]
		clear(intercepts)
		for i := range n {
			floats.Add(intercepts, scores[i*labels:][:free])
		}
	}
	// The optimum is unique, so that how it is found does not matter. An error says that rounding errors are as large as steps.
	settings := &optimize.Settings{GradientThreshold: 1e-9, Converger: optimize.NeverTerminate{}, MajorIterations: 2000}
	if found, _ := optimize.Minimize(problem, make([]float64, free*(dim+1)), settings, &optimize.LBFGS{}); found != nil {
		m.set(found.X, free)
	}
	return m
}

func (m *logistic) set(w []float64, free int) {
	copy(m.weights, w[:free*m.dim])
	copy(m.weights[m.labels*m.dim:], w[free*m.dim:])
}

// scores sets dst to the scores of the labels of all rows of x.
func (m *logistic) scores(dst []float64, x blas64.General) {
	of := blas64.General{Rows: x.Rows, Cols: m.labels, Stride: m.labels, Data: dst}
	blas64.Gemm(blas.NoTrans, blas.Trans, 1, x, blas64.General{Rows: m.labels, Cols: m.dim, Stride: m.dim, Data: m.weights[:m.labels*m.dim]}, 0, of)
	for i := range x.Rows {
		floats.Add(dst[i*m.labels:][:m.labels], m.weights[m.labels*m.dim:])
	}
}

// classify returns the likeliest label of each point; of several, the first.
func (m *logistic) classify(points []float64) []int {
	n := len(points) / m.dim
	scores := make([]float64, n*m.labels)
	m.scores(scores, blas64.General{Rows: n, Cols: m.dim, Stride: m.dim, Data: points})
	guess := make([]int, n)
	for i := range guess {
		guess[i] = floats.MaxIdx(scores[i*m.labels:][:m.labels])
	}
	return guess
}

// A ClusteringResult says how well clusters of texts agree with their labels. Used + OOV = Texts.
type ClusteringResult struct {
	Set    string `json:"set"`
	Texts  int    `json:"texts"`
	Used   int    `json:"used"`   // texts with a known word
	OOV    int    `json:"oov"`    // texts that are not clustered
	Labels int    `json:"labels"` // of the used texts; also the number of clusters

	VMeasure         Score    `json:"v_measure"`
	CI95             Interval `json:"ci95,omitzero"` // of the V-measure
	Homogeneity      Score    `json:"homogeneity"`
	HomogeneityCI95  Interval `json:"homogeneity_ci95,omitzero"`
	Completeness     Score    `json:"completeness"`
	CompletenessCI95 Interval `json:"completeness_ci95,omitzero"`
	Purity           Score    `json:"purity"`
	PurityCI95       Interval `json:"purity_ci95,omitzero"`

	// Repeats is the number of clusterings. The scores above are from the one with the smallest Inertia, the sum of squared
	// distances of texts from the means of their clusters. The mean and the standard deviation are over all clusterings.
	Repeats           int     `json:"repeats"`
	Seed              uint64  `json:"seed"`
	Inertia           float64 `json:"inertia"`
	MeanVMeasure      Score   `json:"mean_v_measure"`
	VMeasureDeviation Score   `json:"v_measure_deviation"`

	Method        SentenceMethod `json:"method"` // of the vectors
	Smoothing     float64        `json:"smoothing"`
	Probabilities string         `json:"probabilities"`
	Composed      int            `json:"composed"` // used texts with a word composed of its n-grams
	LookedUp
	Clusters []int `json:"clusters"` // of the texts in the order of the set, from 0; -1 for texts that are not clustered
}

// scoreClustering clusters texts by k-means, as scoreCategories does words.
func scoreClustering(ctx context.Context, words *lookup, set Set) (Result, error) {
	opt := words.opt
	f, err := newTextFinder(words)
	if err != nil {
		return Result{}, err
	}
	r := ClusteringResult{
		Set: set.Name, Texts: len(set.Texts), Repeats: opt.Repeats, Seed: opt.Seed,
		Method: cmp.Or(opt.SentenceMethod, SentenceMethod(f.own.Method())), Smoothing: f.own.Smoothing(), Probabilities: f.own.Probabilities(),
	}
	e, err := f.encode(ctx, set.Texts, r.Method)
	if err != nil {
		return Result{}, err
	}
	of := CategoryResult{Words: r.Texts, Used: len(e.items), Repeats: r.Repeats, texts: e.items}
	names := labelNumbers{}
	points := make([][]float64, len(e.items))
	for i := range points {
		points[i] = e.point(i, f.set.Dim())
	}
	of.classes = names.of(e.labels)
	of.Categories = len(names)
	of.Clusters = make([]ClusteredWord, len(points))
	runs, err := of.cluster(ctx, points, opt)
	if err != nil {
		return Result{}, err
	}
	of.score(runs, opt)
	r.Clusters = slices.Repeat([]int{-1}, r.Texts)
	for i, cluster := range of.clusters {
		r.Clusters[e.at[i]] = cluster
	}
	r.Used, r.OOV, r.Labels, r.Composed, r.LookedUp = len(e.items), e.unknown, of.Categories, e.composed, words.lookedUp()
	r.VMeasure, r.CI95, r.Homogeneity, r.HomogeneityCI95 = of.VMeasure, of.VMeasureCI95, of.Homogeneity, of.HomogeneityCI95
	r.Completeness, r.CompletenessCI95, r.Purity, r.PurityCI95 = of.Completeness, of.CompletenessCI95, of.Purity, of.CI95
	r.Inertia, r.MeanVMeasure, r.VMeasureDeviation = of.Inertia, of.MeanVMeasure, of.VMeasureDeviation
	sample := meanSample(nil, nil)
	if r.VMeasure.Defined() {
		_, _, v := of.entropies()
		sample = Sample{Items: e.items, Score: v}
	}
	part := func(name string, score Score, interval Interval) Part {
		return Part{Name: name, Metric: name, Score: score, Interval: interval, Items: r.Texts, Used: r.Used}
	}
	return Result{
		Summary: Summary{
			Metric: "v_measure", Score: r.VMeasure, Interval: r.CI95, Items: r.Texts, Used: r.Used, Composed: r.Composed, Missing: r.Missing, Notes: r.notes(),
			Parts: []Part{
				part("homogeneity", r.Homogeneity, r.HomogeneityCI95), part("completeness", r.Completeness, r.CompletenessCI95), part("purity", r.Purity, r.PurityCI95),
			},
		},
		Sample: sample, Details: r,
	}, nil
}

func (r ClusteringResult) notes() (notes []string) {
	switch {
	case r.Used > 0 && r.Labels < 2:
		notes = append(notes, "all texts with vectors have the same label, so there is nothing to tell apart")
	case r.Repeats > 1 && r.Used > 0:
		notes = append(notes, fmt.Sprintf("%d clusterings: V-measure %.4f ± %.4f (mean and standard deviation); the one with the smallest inertia is scored", r.Repeats, r.MeanVMeasure, r.VMeasureDeviation))
	}
	if r.Probabilities == "zipf" {
		notes = append(notes, zipfNote)
	}
	return notes
}
