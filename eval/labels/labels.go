// Package labels measures predictions of labels: how often they are right, label by label, and how far their
// probabilities can be believed.
//
//	r, err := labels.NewResult([]string{"cat", "dog"}, labels.Metric{})
//	…
//	r.Add(labels.NewOutcome([]int{0}, []labels.Guess{{Label: 0, Probability: 0.8}})) // for each text
//	fmt.Println(r.Accuracy(), r.F1(), r.MacroF1(), r.CalibrationError())
//
// A text has any number of labels, and so have its predictions, which are sorted by their probabilities. All numbers are
// the same in any order of texts. It knows no models: package classify predicts the labels of texts and measures them.
package labels

import (
	"cmp"
	"encoding/binary"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"
)

// Counts say how well labels were predicted.
type Counts struct {
	Own       uint64 // labels that texts have
	Predicted uint64 // labels that were predicted
	Right     uint64 // labels that texts have and that were predicted
}

// Precision returns Right / Predicted, the share of predicted labels that are right; NaN if nothing was predicted.
func (c Counts) Precision() float64 { return float64(c.Right) / float64(c.Predicted) }

// Recall returns Right / Own, the share of the texts' labels that were predicted; NaN if there are none.
func (c Counts) Recall() float64 { return float64(c.Right) / float64(c.Own) }

// F1 returns 2 Right / (Own + Predicted), the harmonic mean of both; NaN if there are neither labels nor predictions.
func (c Counts) F1() float64 { return 2 * float64(c.Right) / float64(c.Own+c.Predicted) }

// A Label has the counts of one label.
type Label struct {
	Name string
	Counts
}

// A Guess is a predicted label, by its number. The number −1 stands for "unknown": nothing is predicted.
type Guess struct {
	Label       int
	Probability float32
}

// A Result says how well labels are predicted. Its own counts are sums over all labels, so its Precision, Recall and F1 are
// micro-averages. Goroutines may call Add and Rank at once, and other methods after that. Memory is a few bytes for each
// text, and for each different outcome its labels; and what a metric of ranks takes: see Rank.
type Result struct {
	Counts
	Texts    uint64 // that count
	First    uint64 // texts whose most probable label is right
	Doubtful uint64 // texts that count, and whose prediction is "unknown"
	Labels   []Label

	// Texts that do not count: see Reason.
	Unlabeled, Unknown, Wordless uint64
	// UnknownLabels are how many texts have each label that has no number. Callers count them.
	UnknownLabels map[string]uint64

	Bins [15]Bin // of equal width, by the probability of the most probable label

	mu       sync.Mutex
	ids      map[string]int32 // numbers of outcomes: see Outcome.key
	outcomes []string
	counts   []uint64 // of texts, by outcome
	texts    []int32  // the outcome of each text, in order; −1 for one that does not count
	ranks
}

// A Bin counts most probable labels of about the same probability.
type Bin struct {
	Texts, Right uint64
	// sum of probabilities in units of 2⁻³², so that it is the same in any order of texts.
	sum uint64
}

// Probability returns the mean probability.
func (b Bin) Probability() float64 { return float64(b.sum) / (1 << 32) / float64(b.Texts) }

// Accuracy returns how often the labels are right.
func (b Bin) Accuracy() float64 { return float64(b.Right) / float64(b.Texts) }

// NewResult returns a result without texts for labels with these names. It keeps what the metric needs, whose Label must
// be one of the names.
func NewResult(names []string, by Metric) (*Result, error) {
	r := &Result{UnknownLabels: map[string]uint64{}, ids: map[string]int32{}, Labels: make([]Label, len(names))}
	for i, name := range names {
		r.Labels[i].Name = name
	}
	var err error
	r.ranks, err = by.ranks(names)
	return r, err
}

// A Reason says why a text does not count.
type Reason int8

// The reasons: a text has no label, or none that the model knows, or no word or n-gram that it knows.
const (
	Unlabeled Reason = iota + 1
	UnknownLabel
	Wordless
)

// An Outcome is what was predicted of one text, in few bytes.
type Outcome struct {
	key   string // see NewOutcome; empty for a text that does not count
	left  Reason
	first Guess
}

// LeftOut returns the outcome of a text that does not count.
func LeftOut(why Reason) Outcome { return Outcome{left: why} }

// NewOutcome returns the outcome of a text that has the labels own, and whose predictions are these, the most probable
// one first. A label that a text has twice counts twice, as for fastText. It sorts own.
func NewOutcome(own []int, predicted []Guess) Outcome {
	o := Outcome{first: Guess{Label: -1, Probability: -1}}
	if len(predicted) > 0 {
		o.first = predicted[0]
		if o.first.Label < 0 {
			predicted = nil
		}
	}
	slices.Sort(own)
	key := binary.AppendUvarint(nil, uint64(len(own)))
	for _, id := range own {
		key = binary.AppendUvarint(key, uint64(id))
	}
	key = binary.AppendUvarint(key, uint64(o.first.Label+1))
	ids := make([]int, len(predicted))
	for i, g := range predicted {
		ids[i] = g.Label
	}
	slices.Sort(ids)
	for before := 0; len(ids) > 0; { // runs of successive labels: the gap before, and the length
		n := 1
		for n < len(ids) && ids[n] == ids[0]+n {
			n++
		}
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(ids[0]-before)), uint64(n))
		before, ids = ids[0]+n, ids[n:]
	}
	o.key = string(key)
	return o
}

// An outcome is the key of an Outcome, decoded.
type outcome struct {
	own   []int  // sorted
	first int    // the most probable label; −1 if nothing is predicted
	runs  []span // of predicted labels, sorted
}

// A span is the numbers from first to before end.
type span struct{ first, end int }

func outcomeOf(key string) (o outcome) {
	data := []byte(key)
	next := func() int {
		x, n := binary.Uvarint(data)
		data = data[n:]
		return int(x)
	}
	for range next() {
		o.own = append(o.own, next())
	}
	o.first = next() - 1
	for before := 0; len(data) > 0; {
		first := before + next()
		before = first + next()
		o.runs = append(o.runs, span{first, before})
	}
	return o
}

// has reports whether a label was predicted.
func (o *outcome) has(id int) bool {
	at, found := slices.BinarySearchFunc(o.runs, id, func(s span, id int) int { return cmp.Compare(s.first, id) })
	return found || at > 0 && id < o.runs[at-1].end
}

// right reports whether the most probable label is one of the text's.
func (o *outcome) right() bool { return slices.Contains(o.own, o.first) }

// rights yields the labels that are right, each once.
func (o *outcome) rights(yield func(id int) bool) {
	for i, id := range o.own {
		if (i == 0 || o.own[i-1] != id) && o.has(id) && !yield(id) {
			return
		}
	}
}

// predicted returns how many labels are.
func (o *outcome) predicted() (n uint64) {
	for _, run := range o.runs {
		n += uint64(run.end - run.first)
	}
	return n
}

// Add adds a text. Compare needs them in the same order in all results.
func (r *Result) Add(o Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o.left != 0 {
		*[]*uint64{&r.Unlabeled, &r.Unknown, &r.Wordless}[o.left-1]++
		r.texts = append(r.texts, -1)
		return
	}
	at, ok := r.ids[o.key]
	if !ok {
		at = int32(len(r.outcomes))
		r.ids[o.key], r.outcomes, r.counts = at, append(r.outcomes, o.key), append(r.counts, 0)
	}
	r.counts[at]++
	r.texts = append(r.texts, at)
	of := outcomeOf(o.key)
	if r.Texts++; of.right() {
		r.First++
	}
	switch p := min(float64(o.first.Probability), 1); {
	case of.first >= 0 && p >= 0:
		bin := &r.Bins[min(int(p*float64(len(r.Bins))), len(r.Bins)-1)]
		bin.Texts, bin.sum = bin.Texts+1, bin.sum+uint64(math.Round(p*(1<<32)))
		if of.right() {
			bin.Right++
		}
	case p >= 0:
		r.Doubtful++
	}
	for _, run := range of.runs {
		for id := run.first; id < run.end; id++ {
			r.Labels[id].Predicted++
		}
	}
	for id := range of.rights {
		r.Right, r.Labels[id].Right = r.Right+1, r.Labels[id].Right+1
	}
	for _, id := range of.own {
		r.Labels[id].Own++
	}
	r.Own, r.Predicted = r.Own+uint64(len(of.own)), r.Predicted+of.predicted()
}

// All returns the number of texts, those that do not count too.
func (r *Result) All() uint64 { return r.Texts + r.LeftOut() }

// LeftOut returns the number of texts that do not count.
func (r *Result) LeftOut() uint64 { return r.Unlabeled + r.Unknown + r.Wordless }

// Accuracy returns the share of texts whose most probable label is right; NaN without texts.
func (r *Result) Accuracy() float64 { return float64(r.First) / float64(r.Texts) }

// MacroF1 returns the mean F1 of the labels that some text has; NaN without texts.
func (r *Result) MacroF1() float64 {
	return macroF1(func(yield func(Counts) bool) {
		for i := range r.Labels {
			if !yield(r.Labels[i].Counts) {
				return
			}
		}
	})
}

func macroF1(labels iter.Seq[Counts]) float64 {
	sum, n := 0.0, 0
	for l := range labels {
		if l.Own > 0 {
			sum, n = sum+l.F1(), n+1
		}
	}
	return sum / float64(n)
}

// CalibrationError returns by how much the probability of the most probable label differs from how often it is
// right: Σ nᵢ |Probabilityᵢ − Accuracyᵢ| / Σ nᵢ over 15 bins of equal width with nᵢ texts, the expected calibration error
// (Guo and others 2017). It is NaN if nothing was predicted.
func (r *Result) CalibrationError() float64 {
	sum, texts := 0.0, uint64(0)
	for _, b := range r.Bins {
		if b.Texts > 0 {
			sum, texts = sum+float64(b.Texts)*math.Abs(b.Probability()-b.Accuracy()), texts+b.Texts
		}
	}
	return sum / float64(texts)
}

// A Confusion is how often texts with one label had another label as the most probable one.
type Confusion struct {
	Own, Predicted string
	Texts          uint64
}

// Confusions returns all pairs that occurred, right ones too, the most frequent first. A text with several labels counts
// for each, or only for the most probable one if that is right; Predicted is empty if nothing was predicted.
func (r *Result) Confusions() (all []Confusion) {
	pairs := map[[2]int]uint64{}
	for i, key := range r.outcomes {
		of := outcomeOf(key)
		own := of.own
		if of.right() {
			own = []int{of.first}
		}
		for _, id := range own {
			pairs[[2]int{id, of.first}] += r.counts[i]
		}
	}
	keys := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int {
		return cmp.Or(cmp.Compare(pairs[b], pairs[a]), slices.Compare(a[:], b[:]))
	})
	for _, key := range keys {
		c := Confusion{Own: r.Labels[key[0]].Name, Texts: pairs[key]}
		if key[1] >= 0 {
			c.Predicted = r.Labels[key[1]].Name
		}
		all = append(all, c)
	}
	return all
}
