// Package eval scores vectors on evaluation sets: pairs of words, analogies, relations as in BATS,
// words in categories, outliers, associations of word lists (WEAT, RND), pairs of sentences, and queries with documents.
//
//	set, err := eval.ReadSet(file, "ws353.tsv", "")
//	result, err := eval.Evaluate(ctx, model, set, eval.Options{})
//	fmt.Println(result.Summary.Score, result.Summary.Interval, result.Summary.Missing)
//
// [ReadSet] and [ReadSets] recognise the task of a file by its content; a [Set] can also be made in
// memory. [Evaluate] scores vectors on a set of any task. The [Result] has the score, its 95 %
// confidence interval, how many items could be used, and the words without vectors; its Details are
// those of the task. [Measure] adds what others need to verify the result.
//
// [Compare] says which differences between models are more than noise. [Runs] summarises the scores
// of models with several seeds.
package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// A Task is what an evaluation set asks of vectors.
type Task string

// The tasks.
const (
	TaskSimilarity     Task = "similarity"     // pairs of words and the judgements of people
	TaskAnalogy        Task = "analogy"        // "a is to b as c is to ?"
	TaskRelation       Task = "relation"       // pairs of words in one relation, as in BATS
	TaskCategorization Task = "categorization" // words and their categories
	TaskOutliers       Task = "outliers"       // which word does not belong
	TaskBias           Task = "bias"           // word lists whose associations are compared
	TaskSentences      Task = "sentences"      // pairs of sentences and the judgements of people
	TaskRetrieval      Task = "retrieval"      // queries, and documents of which some are relevant
	TaskClassification Task = "classification" // texts with labels, and others to learn them from
	TaskClustering     Task = "clustering"     // texts with labels
)

type task struct {
	name  Task
	form  string             // description of its files, for errors
	sniff func(t *text) bool // whether most lines of a file fit the task; a file must fit only one task
	none  error              // reports that a file has no items
	read  func(t *text, set *Set) error
	check func(o *Options) error // reports an invalid option of the task, and sets defaults
	score func(ctx context.Context, words *lookup, set Set) (Result, error)
	// ties describes the treatment of equal values, normalization the vectors that are compared.
	ties, normalization string
	settings            func(o Options) any // the task's own options, for records; nil for none
}

// options are a task's own options in records.
type options map[string]any

func tasks() []task {
	return []task{
		{
			TaskSimilarity, "two words and a number a line", sniffPairs,
			errors.New("no pairs: want lines of two words and a number"),
			readPairs, nil, scoreSimilarity,
			"equal values share the mean of their ranks", "cosine", nil,
		},
		{
			TaskAnalogy, "four words a line, with lines of a colon and a name before sections", sniffQuestions,
			errors.New("no questions: want lines of four words"),
			readQuestions, checkAnalogy, scoreAnalogy,
			"the more frequent word", "vectors of length 1", func(o Options) any { return options{"method": o.Method} },
		},
		{
			TaskRelation, "a word, a tab and its answers with slashes between them, as in BATS", sniffRelations,
			errors.New("no pairs: want lines of a word, a tab, and its answers"),
			readRelations, checkRelation, scoreRelations,
			"the more frequent word", "vectors of length 1", func(o Options) any { return options{"method": o.RelationMethod} },
		},
		{
			TaskCategorization, "a word and its category a line", sniffCategories,
			errors.New("no words: want lines of a word and its category"),
			readCategories, checkCategories, scoreCategories,
			"of equally near clusters the one with the lower number", "vectors of length 1",
			func(o Options) any {
				return options{"method": "k-means with k-means++; the smallest inertia of the repeats", "repeats": o.Repeats}
			},
		},
		{
			TaskOutliers, "words, a blank line and outliers; or JSON with words and outliers", sniffOutliers,
			errors.New("no clusters: want words one a line, a blank line, and outliers one a line; or lines of JSON"),
			readOutliers, nil, scoreOutliers,
			"equal compactness counts against the outlier", "cosine", func(o Options) any { return options{"published": o.Published} },
		},
		{
			TaskBias, "JSON of word lists or tests; or lines that begin with X, Y, A or B and a colon", sniffBias,
			errNoTests,
			readBias, checkBias, scoreBias,
			"p_value counts larger statistics only", "vectors of length 1",
			func(o Options) any { return options{"max_lost": o.MaxLost, "permutations": o.Permutations} },
		},
		{
			TaskSentences, "two sentences and a number in columns separated by tabs or commas", sniffSentences,
			errors.New("no pairs: want two sentences and a score in columns separated by tabs or commas"),
			readSentences, checkSentences, scoreSentences,
			"equal values share the mean of their ranks", "cosine of sentence vectors, of word vectors as they are", sentenceSettings,
		},
		{
			TaskRetrieval, "a folder with corpus.jsonl, queries.jsonl and qrels.tsv, as in BEIR", func(*text) bool { return false },
			errNoCollection, func(*text, *Set) error { return errNoCollection }, checkRetrieval, scoreRetrieval,
			"the earlier document", "cosine of text vectors, of word vectors as they are", retrievalSettings,
		},
		{
			TaskClassification, "two files of labelled texts, NAME.train.EXT and NAME.test.EXT", func(*text) bool { return false },
			errNoTraining, func(*text, *Set) error { return errNoTraining }, checkLabelled, scoreClassification,
			"the label that is first in the training texts", "text vectors of length 1, of word vectors as they are", classificationSettings,
		},
		{
			TaskClustering, "texts with labels: __label__LABEL and a text, or columns of labels and texts", sniffLabelled,
			errors.New("no texts: want lines of a label and a text"),
			readLabelled, checkLabelled, scoreClustering,
			"of equally near clusters the one with the lower number", "text vectors of length 1, of word vectors as they are", clusteringSettings,
		},
	}
}

// Tasks returns all tasks.
func Tasks() []Task {
	var all []Task
	for _, t := range tasks() {
		all = append(all, t.name)
	}
	return all
}

func taskOf(name Task) (task, error) {
	all := tasks()
	if i := slices.IndexFunc(all, func(t task) bool { return t.name == name }); i >= 0 {
		return all[i], nil
	}
	return task{}, fmt.Errorf("eval: there is no task %q: tasks are %s", name, listed(all, func(t task) string { return string(t.name) }))
}

// A Set is an evaluation set: the items of one task.
type Set struct {
	Name string // used in reports and errors
	Task Task

	Pairs     []Pair            // of TaskSimilarity
	Sections  []QuestionSection // of TaskAnalogy
	Relations []Relation        // of TaskRelation
	Members   []Member          // of TaskCategorization, in the order of the file; a word may be in several categories
	Clusters  []OutlierCluster  // of TaskOutliers; each outlier is one test
	Tests     []BiasTest        // of TaskBias
	Sentences []SentencePair    // of TaskSentences
	Documents []Document        // of TaskRetrieval
	Queries   []Query           // of TaskRetrieval
	Texts     []LabelledText    // of TaskClassification and TaskClustering
	Training  []LabelledText    // of TaskClassification
	// Unjudged is the number of sentence pairs of the file that have no score. They are not in
	// Sentences.
	Unjudged int
}

// Words returns the words of all items, with repetitions. Sentences, documents and queries are cut at white space.
func (s Set) Words() []string {
	var words []string
	for _, p := range s.Pairs {
		words = append(words, p.A, p.B)
	}
	for _, section := range s.Sections {
		for _, q := range section.Questions {
			words = append(words, q[:]...)
		}
	}
	for _, relation := range s.Relations {
		for _, p := range relation.Pairs {
			words = append(append(words, p.Word), p.Answers...)
		}
	}
	for _, m := range s.Members {
		words = append(words, m.Word)
	}
	for _, c := range s.Clusters {
		words = append(append(words, c.Words...), c.Outliers...)
	}
	for _, t := range s.Tests {
		for _, l := range t.lists() {
			words = append(words, l.Words...)
		}
	}
	for _, p := range s.Sentences {
		words = append(append(words, strings.Fields(p.A)...), strings.Fields(p.B)...)
	}
	for _, d := range s.Documents {
		words = append(words, strings.Fields(d.whole())...)
	}
	for _, q := range s.Queries {
		words = append(words, strings.Fields(q.Text)...)
	}
	for _, t := range s.Texts {
		words = append(words, strings.Fields(t.Text)...)
	}
	return words
}

// isPart reports whether the set may be one file of a larger set, which is a folder.
func (s Set) isPart() bool {
	switch s.Task {
	case TaskRelation:
		return len(s.Relations) == 1
	case TaskCategorization:
		return !slices.ContainsFunc(s.Members, func(m Member) bool { return m.Category != s.Members[0].Category })
	case TaskOutliers:
		return len(s.Clusters) == 1
	case TaskBias:
		return len(s.Tests) == 1
	}
	return false
}

func (s *Set) join(other Set) {
	s.Relations = append(slices.Clip(s.Relations), other.Relations...)
	s.Members = append(slices.Clip(s.Members), other.Members...)
	s.Clusters = append(slices.Clip(s.Clusters), other.Clusters...)
	s.Tests = append(slices.Clip(s.Tests), other.Tests...)
}

// Options are the settings of Evaluate. The zero value works.
//
// A word of a set is looked up by the rule Case, or with FoldVocab by its upper-case form. Unless Case
// is vectors.CaseKept, a word that is not found is looked up as the training text of the vectors would
// have had it: without accents, as a phrase, or as a canonical k-mer, if the text was cut so. A word
// that is not in the vocabulary is composed of its n-grams if the vectors have n-grams. A word whose
// vector is not finite counts as missing. A vector of zeros has cosine 0 with every other vector.
type Options struct {
	Case vectors.Case
	// FoldVocab treats words with the same upper-case form as one word, also within the
	// vocabulary, where the first and most frequent of them is taken. This is what
	// case_insensitive=True does in gensim's evaluate_word_pairs and evaluate_word_analogies.
	// Case then only says how words that are not in the vocabulary are composed.
	FoldVocab bool
	// Restrict is the number of most frequent words of the vocabulary that are used, also as
	// answers. All other words of the vocabulary count as missing. 0 means all words.
	Restrict int
	// Resamples is the number of resamples for confidence intervals; 0 means DefaultResamples, a
	// negative number means no intervals.
	Resamples int
	// Seed is the seed of intervals, clusters, permutations, and the negatives of LRCos. The same
	// seed gives the same result on every machine.
	Seed uint64

	// Method scores answers to analogies. RelationMethod, one of RelationMethods, scores answers to
	// relations. Empty means vectors.CosAdd.
	Method, RelationMethod vectors.AnalogyMethod
	// Repeats is how often the words of categories, and labelled texts, are clustered, each time from other initial
	// means. The clustering with the smallest inertia is scored. It is also how many classifiers are trained, each on other
	// texts, of which the mean is scored. 0 means DefaultRepeats.
	Repeats int
	// Samples is how many texts a label a classifier is trained on, at most. 0 means DefaultSamples; a negative number takes
	// all texts, and trains one classifier.
	Samples int
	// Published scores outliers as the script that Camacho-Collados and Navigli published with
	// 8-8-8: a word with underscores but without a vector gets the mean vector of its parts, and
	// every other word without a vector gets zeros, whose cosines are 0. All tests are then scored.
	Published bool
	// MaxLost is the largest share, 0…1, of a list's words that may lack vectors in a test of bias.
	// A test with a list that loses more is refused. 0 means DefaultMaxLost; a negative number
	// refuses tests that lose any word.
	MaxLost float64
	// Permutations is the largest number of partitions of target words that a p-value uses. If there
	// are no more partitions than this, the p-value is exact; otherwise Permutations are drawn. 0
	// means DefaultPermutations.
	Permutations int
	// SentenceMethod is the method that gives the score of sentences, or of the vectors that find documents. The result has
	// the scores of all methods. Empty means the method of the vectors: see pooling.Options.
	SentenceMethod SentenceMethod
	// Smoothing is the number a of the methods of sentences. 0 means that of the vectors: see pooling.Options.
	Smoothing float64
	// Tokens cuts a sentence into tokens. Nil cuts it as the training text of the vectors was cut: see
	// query.Finder.Tokens. That is an error if the vectors lack the tokenizer.json of their training.
	// Goroutines call it concurrently.
	Tokens func(sentence string) ([]string, error)
	// With is WithBM25 to score a hybrid of vectors and BM25 in retrieval. WithNone, or nothing, scores vectors alone.
	With string
	// HybridWeight is how much vectors count in a hybrid, up to 1; BM25 counts the rest of 1. 0 means TextHybridWeight if
	// the model records how vectors of texts are made, as those of package pairs do, and else DefaultHybridWeight.
	HybridWeight float64
	// BM25 are the parameters of BM25 in retrieval.
	BM25 BM25

	// Bands are the last ranks of frequency bands in records, the most frequent first; nil means
	// DefaultBands. The last band ends with the vocabulary.
	Bands []int
	// BandIntervals adds intervals to the bands of records, which takes as long for each band as for
	// the score.
	BandIntervals bool
}

// Defaults of Options.
const (
	DefaultResamples    = 10000
	DefaultRepeats      = 10
	DefaultMaxLost      = 0.2
	DefaultPermutations = 200000
	DefaultHybridWeight = 0.3
	TextHybridWeight    = 0.6
)

func (o Options) complete(t task) (Options, error) {
	if o.Restrict < 0 {
		return o, fmt.Errorf("eval: restrict is %d, must be 0 (all words) or more", o.Restrict)
	}
	if t.check == nil {
		return o, nil
	}
	err := t.check(&o)
	return o, err
}

func (o Options) lacks(e entry) bool {
	return e.missing() || o.Restrict > 0 && e.id >= o.Restrict
}

// Evaluate scores vectors on a set of any task. It returns an error if ctx ends or an option of the
// task is invalid. Results do not depend on the number of cores.
func Evaluate(ctx context.Context, s *vectors.Set, set Set, opt Options) (Result, error) {
	r, _, _, err := evaluate(ctx, s, set, opt)
	return r, err
}

func evaluate(ctx context.Context, s *vectors.Set, set Set, opt Options) (r Result, t task, words *lookup, err error) {
	if t, err = taskOf(set.Task); err == nil {
		opt, err = opt.complete(t)
	}
	var lacks string
	if err == nil && slices.Contains([]Task{TaskSentences, TaskRetrieval, TaskClassification, TaskClustering}, set.Task) && opt.Tokens == nil {
		opt.Tokens, lacks, err = tokensOf(s, opt.Case)
	}
	var asked []string
	if err == nil && opt.FoldVocab {
		asked, err = opt.words(set)
	}
	if err == nil {
		words, err = newLookup(s, opt, asked)
	}
	if err == nil {
		r, err = t.score(ctx, words, set)
	}
	if err != nil {
		return Result{}, t, nil, err
	}
	r.Summary.Set, r.Summary.Task = set.Name, set.Task
	if lacks != "" {
		r.Summary.Notes = append(r.Summary.Notes, lacks)
	}
	return r, t, words, nil
}

// tokensOf returns how the vectors cut a sentence, and what is lacking for that.
func tokensOf(s *vectors.Set, rule vectors.Case) (cut func(sentence string) ([]string, error), lacks string, err error) {
	words, err := query.New(s, rule)
	if err != nil {
		return nil, "", err
	}
	p, err := words.Pipeline()
	if err != nil {
		return nil, "", err
	}
	return func(sentence string) ([]string, error) {
		tokens, _, err := words.Tokens(sentence)
		return wording.Map(tokens, func(t vectors.Token) string { return t.Word }), err
	}, p.Lacks, nil
}

// A Result is the outcome of evaluating vectors on one set. Its JSON is the JSON of Details.
type Result struct {
	Summary    Summary
	Sample     Sample      // the scored items, for intervals and comparisons
	Judgements []Judgement // the used pairs of sets judged by people, in the order of the set
	Answers    []Answered  // to all analogies and relation questions, in the order of the set
	// Details are all results of the task: a SimilarityResult, an AnalogyResult, a RelationResult, a
	// CategoryResult, an OutlierResult, a BiasResult or a SentenceResult.
	Details any

	// zero is the score over all items, where items with missing words count as 0 or wrong. In
	// unknownZero, items with composed words count so, too. Both are nil if the task does not define
	// them.
	zero, unknownZero *Score
}

// MarshalJSON writes the details.
func (r Result) MarshalJSON() ([]byte, error) { return json.Marshal(r.Details) }

// IsZero reports whether there is no result.
func (r Result) IsZero() bool { return r.Details == nil }

// A Summary is the part of a result that all tasks share: one line of a report.
type Summary struct {
	Set      string   `json:"set"`
	Task     Task     `json:"task"`
	Metric   string   `json:"metric"` // what Score is: "spearman", "accuracy", "purity", …
	Score    Score    `json:"score"`
	Interval Interval `json:"interval,omitzero"` // 95 % bootstrap interval of Score
	Items    int      `json:"items"`             // pairs, questions, words, … of the set
	Used     int      `json:"used"`              // items that were scored
	Composed int      `json:"composed"`          // used items with a word that is not in the vocabulary
	Missing  []string `json:"missing"`           // words without vectors, in the order of their first mention
	// Notes are sentences about what the score does not show, such as refused tests or the variation
	// of a score between repetitions.
	Notes []string `json:"notes,omitempty"`
	Parts []Part   `json:"-"` // sections of the set, or further scores
}

// A Part is a section of a set or a further score of a result.
type Part struct {
	Name     string
	Metric   string
	Score    Score
	Interval Interval
	Items    int
	Used     int
}

// A Sample holds the scored items of a set, and its score as a function of them.
type Sample struct {
	// Items are the used items, in the order of the set.
	Items []Item
	// Score returns the score if item i counts weights[i] ≥ 0 times, or NaN if there is no score.
	// Goroutines may call it concurrently. It does not change weights.
	Score func(weights []float64) float64
	// Values has a number for each item if Score is the weighted mean of these numbers, as for an
	// accuracy; else nil.
	Values []float64
}

// An Item is one pair, question, word, … of a set.
type Item struct {
	// Key names the item within its set. It is the same for every model.
	Key string
	// Words are the words of the item. Items that share a word are not independent, unless they are Independent.
	Words       []string
	Independent bool
}

func meanSample(items []Item, values []float64) Sample {
	return Sample{Items: items, Values: values, Score: weightedMean(values)}
}

func oneIf(right bool) float64 {
	if right {
		return 1
	}
	return 0
}

func (s Sample) once() Score { return Score(s.Score(ones(len(s.Items)))) }

func (s Sample) only(weights []float64) Sample {
	var at []int // indices of the items
	var part Sample
	for i, w := range weights {
		if w == 0 {
			continue
		}
		at = append(at, i)
		part.Items = append(part.Items, s.Items[i])
		if s.Values != nil {
			part.Values = append(part.Values, s.Values[i])
		}
	}
	part.Score = func(drawn []float64) float64 {
		all := make([]float64, len(weights))
		for i, w := range drawn {
			all[at[i]] = w
		}
		return s.Score(all)
	}
	return part
}

// weightedMean returns a function that computes the mean of values if value i counts weights[i]
// times.
func weightedMean(values []float64) func(weights []float64) float64 {
	return func(weights []float64) float64 {
		sum, total := 0.0, 0.0
		for i, w := range weights {
			sum += w * values[i]
			total += w
		}
		if total == 0 {
			return math.NaN()
		}
		return sum / total
	}
}

// A Score is a correlation or an accuracy. It is NaN if it cannot be computed: without used
// questions, with fewer than two used pairs, or if all pairs have the same value. NaN is null in
// JSON.
type Score float64

func undefined() Score { return Score(math.NaN()) }

// Defined reports whether the score is a number.
func (s Score) Defined() bool { return !math.IsNaN(float64(s)) }

// MarshalJSON writes the score, or null if it is not defined.
func (s Score) MarshalJSON() ([]byte, error) {
	if !s.Defined() {
		return []byte("null"), nil
	}
	return json.Marshal(float64(s))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Score) UnmarshalJSON(data []byte) error {
	value := math.NaN()
	if string(data) != "null" {
		if err := json.Unmarshal(data, &value); err != nil {
			return err
		}
	}
	*s = Score(value)
	return nil
}
