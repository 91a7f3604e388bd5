// Package eval scores vectors on evaluation sets. Each task has a set, a reader of its files, a
// function that scores vectors on it, and a result with the score, its 95 % confidence interval,
// how many items could be used, and the words without vectors:
//
//   - pairs of words: [ReadPairs], [Similarity]
//   - analogies: [ReadQuestions], [Analogy]; relations as in BATS: [ReadRelations], [Relations]
//   - words in categories: [ReadCategories], [Categorization]
//   - words that do not belong: [ReadOutliers], [Outliers]
//   - associations of word lists (WEAT, RND): [ReadBias], [Bias]
//   - pairs of sentences: [ReadSentences], [Sentences]
//
// [ReadSets] and [ReadSet] recognise the task of a file by its content, [Evaluate] scores vectors
// on a set of any task, and [Measure] adds what others need to verify the result. [Compare] says
// which differences between models are more than noise, and [Runs] what the scores of models with
// several seeds have in common. [Spelling] says how the words of a set are looked up in the
// vocabulary, which is the same for all tasks.
package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// Options are the settings of Evaluate: the rules of all tasks, and further settings of each.
// The zero value works. Of the settings of a task, Rules are not used: those of Options are.
type Options struct {
	Rules
	Analogy    AnalogyOptions
	Relation   RelationOptions
	Categories CategoryOptions
	Outliers   OutlierOptions
	Bias       BiasOptions
	Sentences  SentenceOptions
	// Bands are the last ranks of frequency bands in records, the most frequent first; nil means
	// DefaultBands. The last band ends with the vocabulary.
	Bands []int
	// BandIntervals adds intervals to the bands of records, which takes as long again for each band
	// as the interval of the score.
	BandIntervals bool
}

// Evaluate scores vectors on a set of any task. It returns an error if ctx ends or an option is
// invalid.
func Evaluate(ctx context.Context, s *vectors.Set, set Set, opt Options) (Result, error) {
	switch set := set.(type) {
	case PairSet:
		return result(Similarity(s, set, SimilarityOptions{opt.Rules}))
	case QuestionSet:
		o := opt.Analogy
		o.Rules = opt.Rules
		return result(Analogy(ctx, s, set, o))
	case RelationSet:
		o := opt.Relation
		o.Rules = opt.Rules
		return result(Relations(ctx, s, set, o))
	case CategorySet:
		o := opt.Categories
		o.Rules = opt.Rules
		return result(Categorization(ctx, s, set, o))
	case OutlierSet:
		o := opt.Outliers
		o.Rules = opt.Rules
		return result(Outliers(s, set, o))
	case BiasSet:
		o := opt.Bias
		o.Rules = opt.Rules
		return result(Bias(s, set, o))
	case SentenceSet:
		o := opt.Sentences
		o.Rules = opt.Rules
		return result(Sentences(s, set, o))
	}
	return nil, fmt.Errorf("eval: there is no task for sets of type %T", set)
}

// result is r as a Result, nil if there is an error.
func result[R Result](r R, err error) (Result, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// A Task is what an evaluation set asks of vectors.
type Task string

// The tasks.
const (
	TaskSimilarity     Task = "similarity"     // pairs of words and the judgements of people: PairSet
	TaskAnalogy        Task = "analogy"        // "a is to b as c is to ?": QuestionSet
	TaskRelation       Task = "relation"       // pairs of words in one relation, as in BATS
	TaskCategorization Task = "categorization" // words and their categories
	TaskOutliers       Task = "outliers"       // which word does not belong
	TaskBias           Task = "bias"           // word lists whose associations are compared
	TaskSentences      Task = "sentences"      // pairs of sentences and the judgements of people
)

// A Set is an evaluation set: the items of one task.
type Set interface {
	// Title names the set in reports and errors.
	Title() string
	Task() Task
	// Words returns the words of all items, with repetitions.
	Words() []string
	// named returns the set with another title.
	named(name string) Set
}

// Title returns the set's name.
func (p PairSet) Title() string { return p.Name }

// Task returns TaskSimilarity.
func (p PairSet) Task() Task { return TaskSimilarity }

// Title returns the set's name.
func (q QuestionSet) Title() string { return q.Name }

// Task returns TaskAnalogy.
func (q QuestionSet) Task() Task { return TaskAnalogy }

func (p PairSet) named(name string) Set     { p.Name = name; return p }
func (q QuestionSet) named(name string) Set { q.Name = name; return q }

// Rules are the settings that every task has. The zero value works.
type Rules struct {
	Spelling
	// Restrict uses only the first so many words of the vocabulary, which are the most
	// frequent ones. Its other words count as missing. 0 means all words.
	Restrict int
	// Resamples is how often a set's items are drawn again for a confidence interval; 0 means
	// DefaultResamples. With a negative number there are no intervals.
	Resamples int
	// Seed is that of everything random: intervals, clusters, permutations. One seed gives one
	// result on every machine.
	Seed uint64
}

// DefaultResamples is the number of bootstrap resamples of Rules whose Resamples is 0.
const DefaultResamples = 10000

// Validate returns an error if a rule is invalid.
func (r Rules) Validate() error {
	if r.Restrict < 0 {
		return fmt.Errorf("eval: restrict is %d, must be 0 (all words) or more", r.Restrict)
	}
	return nil
}

// lacks reports whether a word has no vector, or is not among the first Restrict words.
func (r Rules) lacks(e entry) bool {
	return e.missing() || r.Restrict > 0 && e.id >= r.Restrict
}

// A Result says what vectors are worth on one set. Its JSON is the whole record of the task.
type Result interface {
	// Summary is what results of every task have.
	Summary() Summary
	// Sample holds the scored items, of which intervals and comparisons are made.
	Sample() Sample
}

// A Summary is the part of a result that every task has: one line of a report.
type Summary struct {
	Set      string
	Task     Task
	Metric   string // what Score is: "spearman", "accuracy", "purity", …
	Score    Score
	Interval Interval // 95 % bootstrap interval of Score
	Items    int      // pairs, questions, words, … of the set
	Used     int      // items that were scored
	Composed int      // used items with a word that is not in the vocabulary
	Missing  []string // words without vectors
	Parts    []Part   // sections of the set, or further scores
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
	// Score returns the score if item i counts weights[i] ≥ 0 times; NaN if there is none.
	// Goroutines may call it at the same time. It does not change weights.
	Score func(weights []float64) float64
	// Values has a number for each item if Score is their weighted mean, as in an accuracy; else
	// it is nil.
	Values []float64
}

// An Item is one pair, question, word, … of a set.
type Item struct {
	// Key names the item within its set, the same for every model.
	Key string
	// Words are the words of the item. Items that share a word are not independent.
	Words []string
}

// A Score is a correlation or an accuracy. It is NaN if it cannot be computed: without used
// questions, with fewer than two used pairs, or if all pairs have the same value. In JSON it is
// null then.
type Score float64

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

// Noted is implemented by results that have something to say that their scores do not show: which
// tests are refused, or how much a score varies between repetitions.
type Noted interface {
	// Notes returns sentences for people.
	Notes() []string
}
