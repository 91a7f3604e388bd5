// Package pairs trains vectors of texts on pairs of texts that belong together: a question and its answer, a title and its
// text, two paragraphs that follow each other; or of a text and the vector that a teacher has of it.
//
//	trained, err := pairs.Train(ctx, pairs.Files(nil, pairs.TSV, "pairs.tsv"), pairs.Defaults(), pairs.Hooks{})
//	…
//	err = format.Write(ctx, "texts.w2v", trained.Vectors, format.W2V)
//
// The vector of a text is the mean of the vectors of its words, scaled to length 1. The vector of a word is the mean of its
// own row and those of its n-grams. A row is a vector times a weight, and both are trained, so that words that say
// little come to count little. The loss of a batch of pairs is that of the question which text is paired with which:
//
//	−log( exp(cos(a,b)/t) / Σ exp(cos(a,x)/t) )   over all second texts x of the batch, for each pair (a,b)
//
// and the same of second texts among first ones, where t is the temperature. Texts that are equal to one of the pair, or
// paired with it elsewhere in the batch, do not count as wrong. Source of the loss: Henderson and others, "Efficient Natural
// Language Response Suggestion for Smart Reply", 2017; of the temperature: van den Oord, Li and Vinyals, "Representation
// Learning with Contrastive Predictive Coding", 2018. Pairs with a score are trained so that their cosines
// become the scores, or have their order: see ScoreLoss.
//
// Distill is the other door: pairs of a text and its vector by a slow model, the teacher, which the text's vector becomes.
//
// The trained set is one like any other. Its record says that texts are means of length 1, so package
// vectors/pooling makes the vectors that were trained.
package pairs

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Settings say what rows a model has, and how they are trained.
type Settings struct {
	Text     pipeline.Pipeline // how texts are cut
	MinCount int               // words that occur less often in the texts have no row of their own
	// MinN and MaxN are the lengths of n-grams, in code points, which are hashed into so many Buckets; MaxN is 0 for none.
	MinN, MaxN, Buckets int
	// Init, if not nil, has the vectors to start from: see StartFrom. Words of it are kept that the texts do not have.
	Init *vectors.Set `json:"-"`

	Dim          int
	Epochs       int
	BatchSize    int // pairs
	LearningRate float64
	// Nested are numbers of dimensions, rising and less than Dim: the first so many dimensions are trained as vectors of their
	// own. Source: Kusupati and others, "Matryoshka Representation Learning", 2022.
	Nested []int
	// HeldOut is the share of pairs that are not trained, but measured after each epoch. Pairs that a chain of common texts
	// joins, such as those of the paragraphs of an article, are held out together.
	HeldOut float64
	// Patience is after how many epochs in which Metric has not improved on held-out pairs training ends. Trained.Vectors are
	// then those of the best epoch. 0 is for all epochs, and the last one.
	Patience int
	Metric   Metric // what must improve; empty means LossMetric

	Threads int  `json:"-"` // 0 means all processors; the result does not depend on it
	Force   bool `json:"-"` // train even if memory seems too small
	Seed    uint64
}

// Options say how vectors are trained on pairs of texts.
type Options struct {
	Settings
	Temperature float64 // of the softmax: from LeastTemperature to 1
	OneWay      bool    // only second texts are told apart, not first ones
	// Queue is how many pairs of the batches before are wrong answers too, without being trained by it.
	Queue int
	// Scored says that pairs have scores, from -HighestScore to HighestScore.
	Scored       bool
	HighestScore float64
	ScoreLoss    ScoreLoss // of pairs with scores
}

// A ScoreLoss says what pairs with scores are trained for.
type ScoreLoss string

const (
	// CosineLoss is the mean of (cos(a,b) − score/HighestScore)².
	CosineLoss ScoreLoss = "cosine"
	// CoSENTLoss is log(1 + Σ exp((cos(a′,b′) − cos(a,b))/Temperature)) over each two pairs of a batch of which (a,b) has the
	// higher score: only the order of scores counts. Source: Su Jianlin, "CoSENT", 2022.
	CoSENTLoss ScoreLoss = "cosent"
)

// ScoreLosses returns every loss of pairs with scores.
func ScoreLosses() []ScoreLoss { return []ScoreLoss{CosineLoss, CoSENTLoss} }

// A Metric is a number of an Evaluation.
type Metric string

const (
	LossMetric     Metric = "loss"
	NDCGMetric     Metric = "ndcg"     // Evaluation.NDCG10
	MRRMetric      Metric = "mrr"      // Evaluation.MRR
	SpearmanMetric Metric = "spearman" // Evaluation.Spearman, of pairs with scores
	CosineMetric   Metric = "cosine"   // Evaluation.Cosine, of a teacher
)

// Metrics returns the metrics of pairs with or without scores.
func (o Options) Metrics() []Metric {
	if o.Scored {
		return []Metric{LossMetric, SpearmanMetric}
	}
	return []Metric{LossMetric, NDCGMetric, MRRMetric}
}

// LeastTemperature is the least temperature. With a lower one, exponentials of cosines would not fit into 32 bits.
const LeastTemperature = 0.01

// Defaults returns the usual options. docs/pairs.md says how they were chosen.
func Defaults() Options {
	return Options{
		Settings: Settings{
			Text:     pipeline.Pipeline{Text: corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true}},
			MinCount: 2, MinN: 4, MaxN: 4, Buckets: 2_000_000,
			Dim: 512, Epochs: 4, BatchSize: 1024, LearningRate: 0.01, Seed: 1,
		},
		Temperature: 0.05, HighestScore: 1, ScoreLoss: CosineLoss,
	}
}

// ScoredDefaults returns the usual options for pairs with scores, which are fewer, and are trained after others.
func ScoredDefaults() Options {
	o := Defaults()
	o.Scored, o.Epochs, o.BatchSize, o.LearningRate = true, 3, 64, 0.003
	return o
}

// Validate returns an error if options are invalid or do not fit together.
func (o Options) Validate() error {
	if err := o.Settings.validate(2, o.Metrics()); err != nil {
		return err
	}
	switch {
	case o.Queue < 0 || o.Queue > math.MaxInt32:
		return fmt.Errorf("pairs: Queue is %d, must be from 0 to %d", o.Queue, math.MaxInt32)
	case !(o.Temperature >= LeastTemperature && o.Temperature <= 1):
		return fmt.Errorf("pairs: the temperature is %v, must be from %v to 1", o.Temperature, LeastTemperature)
	case o.Scored && !(o.HighestScore > 0 && o.HighestScore <= math.MaxFloat32):
		return fmt.Errorf("pairs: the highest score is %v, must be above 0", o.HighestScore)
	case o.Scored && !slices.Contains(ScoreLosses(), o.ScoreLoss):
		return fmt.Errorf("pairs: the loss of scores is %q, want one of %q", o.ScoreLoss, ScoreLosses())
	case o.Scored && (o.Queue > 0 || o.OneWay):
		return errors.New("pairs: pairs with a score are not told apart from others: a queue, and one direction, are for pairs without")
	}
	return nil
}

// validate returns an error if settings are invalid. A batch has at least so many pairs, and evaluations have the metrics.
func (o Settings) validate(leastBatch int, metrics []Metric) error {
	for _, of := range []struct {
		name     string
		n, least int
	}{{"MinCount", o.MinCount, 1}, {"Dim", o.Dim, 1}, {"Epochs", o.Epochs, 1}, {"BatchSize", o.BatchSize, leastBatch}, {"Threads", o.Threads, 0}, {"Patience", o.Patience, 0}} {
		if of.n < of.least || of.n > math.MaxInt32 {
			return fmt.Errorf("pairs: %s is %d, must be from %d to %d", of.name, of.n, of.least, math.MaxInt32)
		}
	}
	switch {
	case !(o.LearningRate > 0 && o.LearningRate <= 1):
		return fmt.Errorf("pairs: the learning rate is %v, must be above 0 and at most 1", o.LearningRate)
	case !(o.HeldOut >= 0 && o.HeldOut < 1):
		return fmt.Errorf("pairs: the share of pairs that are held out is %v, must be at least 0 and less than 1", o.HeldOut)
	}
	switch {
	case o.Metric != "" && o.Patience == 0:
		return errors.New("pairs: the metric is what early stopping goes by: say after how many epochs without improvement training ends")
	case o.Metric != "" && !slices.Contains(metrics, o.Metric):
		return fmt.Errorf("pairs: the metric is %q, want one of %q", o.Metric, metrics)
	}
	for i, d := range o.Nested {
		if d < 1 || d >= o.Dim || i > 0 && d <= o.Nested[i-1] {
			return fmt.Errorf("pairs: nested dimensions are %v, must rise from 1 to less than the %d of all", o.Nested, o.Dim)
		}
	}
	if o.Init != nil && o.Init.Dim() > o.Dim {
		return fmt.Errorf("pairs: the vectors to start from have %d dimensions, and these %d", o.Init.Dim(), o.Dim)
	}
	if o.MaxN > 0 {
		return subword.FastText{MinN: o.MinN, MaxN: o.MaxN, Buckets: o.Buckets}.Validate()
	}
	return nil
}

// indexer returns what splits words into n-grams; nil for none.
func (o Settings) indexer() subword.Indexer {
	if o.MaxN == 0 {
		return nil
	}
	return subword.FastText{MinN: o.MinN, MaxN: o.MaxN, Buckets: o.Buckets}
}

// StartFrom sets Init to a set, and Dim, the n-grams and how texts are cut to those of the set unless they are given, by the
// names dim, minn, maxn, buckets and text.
//
// Rows start as the set's. A set that this package has trained goes on as it is; words of others start with length 1 and
// the weight of new words, because lengths of word vectors are not for means. If Dim is larger than that of
// the set, the other dimensions start at random.
func (o *Settings) StartFrom(set *vectors.Set, given func(name string) bool) {
	o.Init = set
	if text, err := pipeline.Of(set.Training()); err == nil && text.Lacks == "" && !given("text") {
		o.Text = *text
		o.Text.Text.TextColumn, o.Text.Text.Header, o.Text.Text.JSONField, o.Text.Text.GroupBy = "", false, "", ""
	}
	if !given("dim") {
		o.Dim = set.Dim()
	}
	if given("minn") || given("maxn") || given("buckets") {
		return
	}
	if of, ok := subword.Value(set.Subword()).(subword.FastText); ok && of.MaxN > 0 {
		o.MinN, o.MaxN, o.Buckets = of.MinN, of.MaxN, of.Buckets
	} else {
		o.MaxN = 0
	}
}

// dims returns the numbers of dimensions that are trained, the largest first.
func (o Settings) dims() []int {
	all := append(slices.Clone(o.Nested), o.Dim)
	slices.Reverse(all)
	return all
}

// Contents are what is trained on.
type Contents struct {
	Pairs   int    // that are trained
	HeldOut int    // pairs that are measured
	Same    int    // pairs that are left out, because their texts are the same
	Empty   int    // pairs that are left out, because a text has no word with a row
	Texts   int    // distinct ones; with a teacher, all
	Tokens  uint64 // of these
	Words   int    // of the model
	Rows    int    // of words and n-grams
	// TeacherDim is the number of dimensions of the teacher's vectors, and Explained the share of their variance in the
	// principal components that are trained; 1 if these are all. Both are 0 without a teacher.
	TeacherDim int
	Explained  float64
}

// leftOut says which pairs are left out; empty if none are.
func (c *Contents) leftOut() string {
	if c.Same+c.Empty == 0 {
		return ""
	}
	return fmt.Sprintf(", besides %d whose texts are the same and %d with a text without a word that has a row", c.Same, c.Empty)
}

// A Plan says what a run needs.
type Plan struct {
	Contents
	Dim       int    // of the model
	TextBytes uint64 // of memory that texts and pairs take, as they are read; 0 with a teacher
	Bytes     uint64 // of memory that training takes beside them, about
}

// Progress is how far a run has come.
type Progress struct {
	Epoch, Epochs int
	Pairs, Total  uint64  // trained so far, and in all epochs
	Texts         uint64  // trained so far in this process
	Loss          float64 // mean since the last report; in a result, of the last epoch
	LearningRate  float64
	Elapsed       time.Duration // since training began or was resumed
	Early         bool          // ended by Settings.Patience
}

// An Evaluation is what was measured on held-out pairs after an epoch.
type Evaluation struct {
	Epoch int     `json:"epoch"`
	Loss  float64 `json:"loss"`
	// NDCG10 and MRR say where the second text of a pair is among those of all held-out pairs, at most RetrievedPairs, when
	// these are sorted by their cosine with the first text: see docs/evaluation.md. They are 0 for pairs with scores.
	NDCG10 float64 `json:"ndcg_10,omitempty"`
	MRR    float64 `json:"mrr,omitempty"`
	// Spearman is the rank correlation of cosines with scores; 0 for pairs without scores, or if all are the same.
	Spearman float64 `json:"spearman,omitempty"`
	// Cosine is the mean cosine of the vectors of texts and those of the teacher; 0 without one.
	Cosine float64 `json:"cosine,omitempty"`
}

// value returns the number of a metric, of which a larger one is better.
func (e Evaluation) value(m Metric) float64 {
	switch m {
	case NDCGMetric:
		return e.NDCG10
	case MRRMetric:
		return e.MRR
	case SpearmanMetric:
		return e.Spearman
	case CosineMetric:
		return e.Cosine
	}
	return -e.Loss
}

// Hooks are called while pairs are read and trained, by the goroutine that called Train. Any may be nil.
type Hooks struct {
	Reading   func(pairs uint64)            // so far
	Teacher   func(done, all uint64)        // vectors of the teacher
	Start     func(Plan) error              // an error ends the run
	Progress  func(Progress)                // about every Every
	Every     time.Duration                 // 0 means a second
	Evaluated func(e Evaluation, best bool) // best so far, with Settings.Patience
	// Save is called with a checkpoint every CheckpointEvery, when training is interrupted, and at the end. The set is valid
	// until Save returns. Training goes on whatever Save does.
	Save            func(*vectors.Set)
	CheckpointEvery time.Duration
}

// Trained is the result of training.
type Trained struct {
	Contents
	Vectors     *vectors.Set
	Progress    Progress
	Evaluations []Evaluation
	Best        *Evaluation // the one of Vectors, with Settings.Patience; else nil
}
