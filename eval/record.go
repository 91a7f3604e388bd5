package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/w2v-go/w2v/vectors"
)

// A Record is a result with what others need to verify it: the checksums of the set and of the
// model, all settings, and the version of the program.
type Record struct {
	Set      string   `json:"set"`
	Task     Task     `json:"task"`
	Metric   string   `json:"metric"` // what Score is
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
	Items    int      `json:"items"`             // pairs, questions, words, … of the set
	Used     int      `json:"used"`              // items that were scored
	Composed int      `json:"composed"`          // used items with a word that was composed of n-grams
	Missing  []string `json:"missing"`           // words without vectors
	Notes    []string `json:"notes,omitempty"`   // what the score does not show: see Noted

	Conventions Conventions `json:"conventions"`
	Bands       []Band      `json:"bands"`    // by the rank of an item's rarest word
	ByWords     []Band      `json:"by_words"` // in vocabulary, composed, missing

	Settings  Settings `json:"settings"`
	SetFile   Source   `json:"set_file"`   // the content of its files, decompressed
	ModelFile Source   `json:"model_file"` // its files as they are stored
	Version   string   `json:"w2v_version"`
	Result    Result   `json:"result,omitempty"` // the whole result of the task
}

// Measure evaluates vectors on a set, as Evaluate does, and records how. The fields ModelFile and
// Version are for the caller to set.
func Measure(ctx context.Context, s *vectors.Set, set SetFile, opt Options) (Record, error) {
	if err := checkBands(opt.Bands); err != nil {
		return Record{}, err
	}
	result, err := Evaluate(ctx, s, set.Set, opt)
	if err != nil {
		return Record{}, err
	}
	sum, sample := result.Summary(), result.Sample()
	all, err := standings(s, sample, opt.Rules)
	if err != nil {
		return Record{}, err
	}
	r := Record{
		Set:      sum.Set,
		Task:     sum.Task,
		Metric:   sum.Metric,
		Score:    sum.Score,
		Interval: sum.Interval,
		Items:    sum.Items,
		Used:     sum.Used,
		Composed: sum.Composed,
		Missing:  sum.Missing,
		SetFile:  set.Source(),
		Result:   result,

		Conventions: conventions(result, sum, sample, all, opt.Rules, s.Subword() != nil),
	}
	words := s.Len()
	if opt.Restrict > 0 {
		words = min(words, opt.Restrict)
	}
	r.Bands, r.ByWords = bands(words, sum, sample, all, opt)
	if r.Settings, err = settingsOf(s, set.Set.Task(), opt); err != nil {
		return Record{}, err
	}
	if noted, ok := result.(Noted); ok {
		r.Notes = noted.Notes()
	}
	if r.Missing == nil {
		r.Missing = []string{}
	}
	return r, nil
}

// Settings are the rules by which a score came about, with defaults filled in.
type Settings struct {
	Case       string `json:"case"`        // "auto", "ignored" or "kept": see vectors.Case
	IgnoreCase bool   `json:"ignore_case"` // what "auto" came to: words are looked up in lower case too
	FoldVocab  bool   `json:"fold_vocab"`  // words with the same upper-case form are one word
	Restrict   int    `json:"restrict"`    // words of the vocabulary that are used; 0 for all
	Composes   bool   `json:"composes"`    // the model composes words outside the vocabulary
	// Ties says what happens to equal values, and Normalization which vectors are compared.
	Ties          string `json:"ties"`
	Normalization string `json:"normalization"`
	Resamples     int    `json:"resamples"` // of bootstrap intervals; 0 for none
	Seed          uint64 `json:"seed"`
	// Options are further settings of the task.
	Options any `json:"options,omitempty"`
	// Vectors says what was made of the model's vectors before. It is for the caller to set.
	Vectors any `json:"vectors,omitempty"`
}

// settingsOf describes how a set of a task is scored.
func settingsOf(s *vectors.Set, task Task, opt Options) (Settings, error) {
	l, err := newLookup(s, Spelling{Case: opt.Case}, nil)
	if err != nil {
		return Settings{}, err
	}
	r := Settings{
		Case:       caseName(opt.Case),
		IgnoreCase: l.ignoresCase() || opt.FoldVocab,
		FoldVocab:  opt.FoldVocab,
		Restrict:   opt.Restrict,
		Composes:   l.composes(),
		Resamples:  opt.Resamples,
		Seed:       opt.Seed,
	}
	switch {
	case r.Resamples == 0:
		r.Resamples = DefaultResamples
	case r.Resamples < 0:
		r.Resamples = 0
	}
	switch task {
	case TaskSimilarity:
		r.Ties, r.Normalization = "equal values share the mean of their ranks", "cosine"
	case TaskAnalogy:
		r.Ties, r.Normalization = "the more frequent word", "vectors of length 1"
		method := opt.Analogy.Method
		if method == "" {
			method = vectors.CosAdd
		}
		r.Options = struct {
			Method vectors.AnalogyMethod `json:"method"`
		}{method}
	case TaskRelation:
		r.Ties, r.Normalization = "the more frequent word", "vectors of length 1"
		r.Options = struct {
			Method vectors.AnalogyMethod `json:"method"`
		}{AnalogyOptions{Method: opt.Relation.Method}.method()}
	case TaskCategorization:
		o := opt.Categories
		if o.Repeats == 0 {
			o.Repeats = DefaultRepeats
		}
		r.Ties, r.Normalization = "of equally near clusters the one with the lower number", "vectors of length 1"
		r.Options = struct {
			Method  string `json:"method"`
			Repeats int    `json:"repeats"`
		}{"k-means with k-means++; the smallest inertia of the repeats", o.Repeats}
	case TaskOutliers:
		r.Ties, r.Normalization = "equal compactness counts against the outlier", "cosine"
		r.Options = struct {
			Published bool `json:"published"`
		}{opt.Outliers.Published}
	case TaskBias:
		o := opt.Bias.orDefaults()
		r.Ties, r.Normalization = "p_value counts larger statistics only", "vectors of length 1"
		r.Options = struct {
			MaxLost      float64 `json:"max_lost"`
			Permutations int     `json:"permutations"`
		}{max(0, o.MaxLost), o.Permutations}
	case TaskSentences:
		o := opt.Sentences.orDefaults()
		tokens := "white space, then word boundaries of what is not in the vocabulary"
		if o.Tokens != nil {
			tokens = "as the text was cut that the vectors were trained on"
		}
		r.Ties, r.Normalization = "equal values share the mean of their ranks", "cosine of sentence vectors, of word vectors as they are"
		r.Options = struct {
			Method    SentenceMethod `json:"method"`
			Smoothing float64        `json:"smoothing"`
			Tokens    string         `json:"tokens"`
		}{o.Method, o.Smoothing, tokens}
	}
	return r, nil
}

func caseName(c vectors.Case) string {
	switch c {
	case vectors.CaseIgnored:
		return "ignored"
	case vectors.CaseKept:
		return "kept"
	}
	return "auto"
}

// undefined is the score of nothing.
func undefined() Score { return Score(math.NaN()) }

// A Convention is a score by one way to treat words that are not in the vocabulary.
type Convention struct {
	Used     int      `json:"used"` // items that count
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
}

// Conventions are the scores of a result by three conventions, of which other programs use one
// each.
type Conventions struct {
	// InVocabulary covers the items whose words are all in the vocabulary.
	InVocabulary Convention `json:"in_vocabulary"`
	// Composed also covers items with composed words. It is the score of the result.
	Composed Convention `json:"composed"`
	// Zero covers all items, without composed words: a pair with a word that is not in the
	// vocabulary has similarity 0, and a question with such a word is wrong. It is nil for tasks
	// that do not define it.
	Zero *Convention `json:"zero,omitempty"`
	// ComposedZero covers all items, with composed words: only items with words that have no
	// vector at all count as zero or wrong. It is nil for vectors without n-grams, where it is Zero.
	ComposedZero *Convention `json:"composed_zero,omitempty"`
}

// zeroed is a result that can count missing items as zero.
type zeroed interface {
	zero() Score
}

// conventions scores a result by the three conventions.
func conventions(r Result, sum Summary, sample Sample, all []standing, rules Rules, composes bool) Conventions {
	c := Conventions{Composed: Convention{sum.Used, sum.Score, sum.Interval}}
	c.InVocabulary = c.Composed
	if _, n := weigh(all, known); n < len(all) {
		part := sample.only(all, known)
		weights, _ := weigh(make([]standing, n), known)
		c.InVocabulary = Convention{n, Score(part.Score(weights)), bootstrap(part, rules)}
	}
	z, ok := r.(zeroed)
	if !ok {
		return c
	}
	c.Zero = &Convention{Used: sum.Items, Score: z.zero()}
	if composes {
		c.ComposedZero = &Convention{Used: sum.Items, Score: z.zero()}
		if u, ok := r.(interface{ zeroUnknown() Score }); ok {
			c.Zero.Score = u.zeroUnknown()
		} else if sample.Values != nil {
			weights, n := weigh(all, known)
			c.Zero.Score = Score(share(sample.Score(weights), n, sum.Items))
		} else {
			c.Zero = nil // it takes the task to compute it
		}
	}
	return c
}

// only returns the sample of the items that count.
func (s Sample) only(all []standing, counts func(standing) bool) Sample {
	var at []int // their places
	part := Sample{}
	for i, standing := range all {
		if counts(standing) {
			at = append(at, i)
			part.Items = append(part.Items, s.Items[i])
			if s.Values != nil {
				part.Values = append(part.Values, s.Values[i])
			}
		}
	}
	part.Score = func(weights []float64) float64 {
		whole := make([]float64, len(all))
		for i, w := range weights {
			whole[at[i]] = w
		}
		return s.Score(whole)
	}
	return part
}

// share is the mean over all items of a mean over n of them, if the others are 0.
func share(mean float64, n, all int) float64 {
	if n == 0 {
		mean = 0
	}
	return mean * float64(n) / float64(all)
}

// A Band is the score of a part of a set's items, by how frequent or known their words are.
type Band struct {
	Name string `json:"name"` // "1-1000", …, "in vocabulary", "composed" or "missing"
	// From and To are ranks in the vocabulary, from 1; 0 if the band has none.
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// Items counts the items of the band. Those that are missing are not scored.
	Items int   `json:"items"`
	Score Score `json:"score"`
	// Interval is the 95 % bootstrap interval of Score, if Options.BandIntervals asks for it.
	Interval Interval `json:"interval,omitzero"`
}

// DefaultBands are the last ranks of frequency bands, but for the last band, which ends with the
// vocabulary.
func DefaultBands() []int { return []int{1000, 10000, 100000, 1000000} }

// checkBands returns an error if ranks do not rise from 1.
func checkBands(ranks []int) error {
	for i, r := range ranks {
		if r < 1 || i > 0 && r <= ranks[i-1] {
			return fmt.Errorf("eval: the last ranks of frequency bands are %v, must be 1 or more and rise", ranks)
		}
	}
	return nil
}

// A standing is how well the vocabulary knows the words of an item.
type standing struct {
	rarest   int  // largest id of its words in the vocabulary; -1 if none is
	composed bool // a word is not in the vocabulary and was composed
}

// standings looks up the words of a sample. Words without vectors do not count.
func standings(s *vectors.Set, sample Sample, rules Rules) ([]standing, error) {
	var words []string
	for _, item := range sample.Items {
		words = append(words, item.Words...)
	}
	l, err := newLookup(s, rules.Spelling, words)
	if err != nil {
		return nil, err
	}
	all := make([]standing, len(sample.Items))
	for i, item := range sample.Items {
		all[i].rarest = -1
		for _, word := range item.Words {
			if e := l.find(word); !rules.lacks(e) {
				all[i].rarest = max(all[i].rarest, e.id)
				all[i].composed = all[i].composed || e.composed()
			}
		}
	}
	return all, nil
}

// weigh returns a weight of 1 for each item that counts, and their number.
func weigh(all []standing, counts func(standing) bool) (weights []float64, n int) {
	weights = make([]float64, len(all))
	for i, s := range all {
		if counts(s) {
			weights[i] = 1
			n++
		}
	}
	return weights, n
}

// bandOf scores the items that count.
func bandOf(name string, sum Summary, sample Sample, all []standing, opt Options, counts func(standing) bool) Band {
	weights, n := weigh(all, counts)
	b := Band{Name: name, Items: n, Score: sum.Score}
	if n < len(all) {
		b.Score = Score(sample.Score(weights))
	}
	switch {
	case !opt.BandIntervals || n == 0:
	case n == len(all):
		b.Interval = sum.Interval
	default:
		b.Interval = bootstrap(partOf(sample, weights), opt.Rules)
	}
	return b
}

// partOf returns the sample of the items with a weight.
func partOf(sample Sample, weights []float64) Sample {
	var items []int
	of := Sample{}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		items = append(items, i)
		of.Items = append(of.Items, sample.Items[i])
		if len(sample.Values) > 0 {
			of.Values = append(of.Values, sample.Values[i])
		}
	}
	of.Score = func(drawn []float64) float64 {
		all := make([]float64, len(weights))
		for i, item := range items {
			all[item] = drawn[i]
		}
		return sample.Score(all)
	}
	return of
}

// bands scores the items by their rarest word, and by whether words were composed. The first
// bands have the items whose words are all in the vocabulary.
func bands(words int, sum Summary, sample Sample, all []standing, opt Options) (byRank, byWords []Band) {
	ranks := opt.Bands
	if ranks == nil {
		ranks = DefaultBands()
	}
	from := 0
	for _, to := range append(slices.Clone(ranks), words) {
		if to = min(to, words); from >= to {
			continue
		}
		b := bandOf(fmt.Sprintf("%d-%d", from+1, to), sum, sample, all, opt, func(s standing) bool {
			return !s.composed && s.rarest >= from && s.rarest < to
		})
		b.From, b.To = from+1, to
		byRank = append(byRank, b)
		from = to
	}
	return byRank, []Band{
		bandOf("in vocabulary", sum, sample, all, opt, known),
		bandOf("composed", sum, sample, all, opt, func(s standing) bool { return s.composed }),
		{Name: "missing", Items: sum.Items - sum.Used, Score: undefined()},
	}
}

func known(s standing) bool { return !s.composed }
