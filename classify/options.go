package classify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Options say how a classifier is trained. Defaults returns some that suit most texts.
type Options struct {
	Fields corpus.Fields // where text and labels are, in files
	// Text says how texts are cut into words. The model records it.
	Text pipeline.Pipeline

	Dim          int
	Epochs       int     // 0 means a number that suits the texts and labels
	LearningRate float64 // at the start; it falls linearly to 0. 0 means a rate that suits the loss, the labels and the length of texts
	// Loss is sgns.Softmax, OneVersusAll, NegativeSampling or HierarchicalSoftmax; empty means Softmax.
	Loss sgns.Loss
	// Pooling is how the rows of a text become its vector: sgns.PoolMean, or PoolExtremes.
	Pooling   sgns.Pooling
	Negatives int // drawn for each label with NegativeSampling

	// ShortTexts also trains 1 to 3 words of each longer text, with its labels. Models of languages are right more often on
	// short texts then, and on others.
	ShortTexts bool

	MinCount      int // of a word
	MinLabelCount int // of a label
	// MinN and MaxN are the lengths of the n-grams of characters of words; MaxN 0 has none, and Suited those that
	// suit the length of texts.
	MinN, MaxN int
	// WordNgrams is the longest run of words with a row of its own; below 2 there are none.
	WordNgrams int
	// Buckets is the number of buckets that n-grams and runs are hashed into. Only buckets that texts use take memory.
	Buckets int

	// Weights are how much texts of a label count, 1 for labels that are not here. They are divided by their mean over all
	// texts, so that the learning rate stays what it is. Labels may lack their prefix; one that no text has is an error.
	Weights map[string]float64
	// Balanced weighs each label by one divided by its frequency, so that labels count alike; but a text counts at most 5 times
	// as much as without. It excludes Weights.
	Balanced bool

	Threads       int           // 0 means GOMAXPROCS
	Affinity      sgns.Affinity `json:"-"`
	Seed          uint64
	Deterministic bool // the same bits with any number of threads
	// InOrder trains texts in the order of the corpus. Otherwise each epoch has an order of its own: a corpus that is
	// sorted by label would train badly.
	InOrder bool

	// HeldOut is the fraction of texts that the loss is measured on after each epoch; they are not trained. 0 holds out
	// none.
	HeldOut float64
	// EvaluateEvery is how many tokens are trained between two evaluations of the held-out texts; 0 means an epoch.
	EvaluateEvery uint64
	// Patience ends training after so many evaluations of the held-out texts without improvement, and returns the best
	// model. 0 trains to the end.
	Patience int
	// Metric is what must improve; without a kind, it is the loss.
	Metric labels.Metric

	// Calibrate divides the scores of the model by the temperature that suits the held-out texts: see Model.Calibrate,
	// which also says what UnknownPrecision does. Above 0, it calibrates too.
	Calibrate        bool
	UnknownPrecision float64

	// Init is vectors to start from; nil for random ones. Freeze keeps the rows of their words as they are. UpdateVocab keeps
	// all of their words, also those that no text has and those that are too rare in the texts.
	Init                *vectors.Set `json:"-"`
	Freeze, UpdateVocab bool

	Folder string `json:"-"` // for the cache of the corpus; empty means the system's folder for temporary files
	Force  bool   `json:"-"` // train even if memory or disk seem too small
}

// Suited is MaxN for n-grams of up to 5 characters, and none if texts have 100 words or more on average.
const Suited = -1

// Defaults returns options that suit most texts.
func Defaults() Options {
	return Options{
		Dim: 32, Negatives: 5, MinCount: 1, MinLabelCount: 1, WordNgrams: 2,
		Buckets: 2_000_000, MinN: 3, MaxN: Suited, Seed: 1,
	}
}

// Validate returns an error for the first invalid option.
func (o Options) Validate() error {
	if err := cmp.Or(o.Fields.Validate(true), o.Text.Text.Validate(), checkPrecision(o.UnknownPrecision)); err != nil {
		return err
	}
	least := func(name string, n, least int) error {
		if n < least {
			return fmt.Errorf("classify: %s is %d, must be at least %d", name, n, least)
		}
		return nil
	}
	if err := cmp.Or(least("the minimal count of words", o.MinCount, 1), least("the minimal count of labels", o.MinLabelCount, 1), least("patience", o.Patience, 0)); err != nil {
		return err
	}
	switch {
	case !(o.LearningRate >= 0):
		return fmt.Errorf("classify: the learning rate is %v, must be above 0, or 0 for a usual one", o.LearningRate)
	case !(o.HeldOut >= 0 && o.HeldOut < 1):
		return fmt.Errorf("classify: the fraction of held-out texts is %v, must be from 0 to less than 1", o.HeldOut)
	case o.Balanced && o.Weights != nil:
		return errors.New("classify: labels are balanced or have weights, not both")
	case o.Freeze && o.Init == nil:
		return errors.New("classify: there are no vectors to start from that could be frozen")
	case o.UpdateVocab && o.Init == nil:
		return errors.New("classify: there are no vectors to start from whose words could be kept")
	}
	for label, weight := range o.Weights {
		if !(weight >= 0 && weight <= math.MaxFloat32) {
			return fmt.Errorf("classify: the weight of label %q is %v", label, weight)
		}
	}
	return o.Suited(Contents{}).config().Validate()
}

// Draws reports whether the loss draws negatives.
func (o Options) Draws() bool {
	c := o.config()
	return slices.ContainsFunc(sgns.Settings(), func(s sgns.Setting) bool { return s.Name == "negatives" && s.Needs.Met(&c) })
}

// Advice says which losses would suit the contents of a corpus better.
func (o Options) Advice(c Contents) (advice []string) {
	const many, perSecond = 100_000, 3e9 // labels; numbers of their rows that a processor trains
	if c.Several > 0 && o.Loss != sgns.OneVersusAll {
		advice = append(advice, fmt.Sprintf("%s several labels, whose probabilities add up to 1: loss ova tells each label by itself", wording.Count(c.Several, "text has", "texts have")))
	}
	if c.Labels >= many && o.Loss != sgns.NegativeSampling && o.Loss != sgns.HierarchicalSoftmax {
		seconds := float64(c.Texts) * float64(c.Epochs) * float64(c.Labels) * float64(o.Dim) / perSecond
		advice = append(advice, fmt.Sprintf("each text trains the rows of all %s labels, which takes about %v of one processor: losses hs and ns train few of them", wording.Thousands(c.Labels), time.Duration(seconds)*time.Second))
	}
	return advice
}

// Suited returns the options with what suits a corpus in place of what is not given: Epochs, LearningRate and MaxN. See
// docs/classify.md for the measurements. Labels of few texts need more epochs. In long texts n-grams outnumber the words and
// runs that tell labels apart, and a lower rate keeps few labels from being learned by heart.
func (o Options) Suited(c Contents) Options {
	const (
		fewest, most = 5, 50     // epochs
		ofLabel      = 4000      // texts to train on for each label
		ofAll        = 1_000_000 // texts that are enough for any number of labels
		long         = 100       // words
	)
	texts := float64(max(c.Texts, 1))
	isLong := float64(c.Tokens) >= long*texts
	if o.Epochs == 0 {
		o.Epochs = int(math.Round(min(max(min(ofLabel*float64(c.Labels), ofAll)/texts, fewest), most)))
	}
	if o.MaxN == Suited {
		if o.MaxN = max(5, o.MinN); isLong {
			o.MaxN = 0
		}
	}
	if o.LearningRate == 0 {
		if o.LearningRate = usualRate(o.Loss, c.Labels); isLong {
			o.LearningRate = min(o.LearningRate, max(0.75, 0.25*float64(c.Labels)))
		}
		if o.ShortTexts { // the few rows of a piece change much
			o.LearningRate = min(o.LearningRate, 1)
		}
	}
	return o
}

// StartFrom sets Init to a set, and Dim and the n-grams to those of the set unless they are given, by the names dim, minn,
// maxn and buckets. Text becomes what the set records, if it does, unless text is given.
func (o *Options) StartFrom(set *vectors.Set, given func(name string) bool) {
	o.Init = set
	if text, err := pipeline.Of(set.Training()); err == nil && text != nil && text.Lacks == "" && !given("text") {
		o.Text = *text
		o.Text.Text.TextColumn, o.Text.Text.Header, o.Text.Text.JSONField, o.Text.Text.GroupBy = "", false, "", ""
	}
	if !given("dim") {
		o.Dim = set.Dim()
	}
	if of, ok := subword.Value(set.Subword()).(subword.FastText); ok && of.MaxN > 0 && !given("minn") && !given("maxn") && !given("buckets") {
		o.MinN, o.MaxN, o.Buckets = of.MinN, of.MaxN, of.Buckets
	}
}

// config returns the configuration of the run.
func (o Options) config() sgns.Config {
	c := sgns.Defaults()
	c.Arch, c.Loss = sgns.Supervised, cmp.Or(o.Loss, sgns.Softmax)
	c.Dim, c.Epochs, c.LearningRate, c.Negatives = o.Dim, o.Epochs, o.LearningRate, o.Negatives
	c.Pooling = o.Pooling
	c.NSExponent, c.Sample, c.Window = 0.5, 0, 0
	c.Affinity, c.EvaluateEvery = o.Affinity, o.EvaluateEvery
	c.Threads, c.Seed, c.Deterministic, c.Shuffle, c.Patience, c.Force = o.Threads, o.Seed, o.Deterministic, !o.InOrder, o.Patience, o.Force
	if o.WordNgrams > 1 {
		c.WordNgrams, c.WordBuckets = o.WordNgrams, o.Buckets
	}
	if o.MaxN > 0 || o.WordNgrams > 1 {
		c.Subword = subword.FastText{MinN: o.MinN, MaxN: o.MaxN, Buckets: o.Buckets}
	}
	if o.Freeze {
		c.Freeze = sgns.FreezeKnown
	}
	return c
}

func (o Options) calibrates() bool { return o.Calibrate || o.UnknownPrecision > 0 }

// usualRate returns the learning rate that suits a loss and so many labels. A one-against-all loss is a sum over all labels,
// and hierarchical softmax one over the nodes of a path, whose gradients add up.
func usualRate(loss sgns.Loss, labels int) float64 {
	switch {
	case loss == sgns.HierarchicalSoftmax && labels > 20:
		return 0.5
	case loss != sgns.OneVersusAll:
		return 2
	case labels <= 20:
		return 1
	}
	return 0.5
}
