package classify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
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

	// Init is vectors to start from; nil for random ones. Freeze keeps the rows of their words as they are.
	Init   *vectors.Set `json:"-"`
	Freeze bool

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

// Hooks are called while a classifier is trained. The zero value calls nothing.
type Hooks struct {
	sgns.Hooks // without Note and Evaluate
	// Reading is called now and then, from several goroutines, with the number of tokens that are read.
	Reading func(tokens uint64)
	// Counted is called when the corpus has been read.
	Counted func(Contents)
	// Tested is called before Evaluated, with the most probable labels of the held-out texts, or all labels if the metric of the
	// options ranks them. The score of the evaluation is the metric, or the accuracy.
	Tested func(*labels.Result)
	// Save is called with a checkpoint every CheckpointEvery and at the end: a set for the native format, valid during
	// the call. See Resume.
	Save func(*vectors.Set) error
}

// Contents are what a corpus has, when it has been read.
type Contents struct {
	Texts     uint64 // with labels
	Several   uint64 // texts of more than one label
	Unlabeled uint64 // texts without labels, or whose labels are all too rare; they are left out
	Tokens    uint64
	Words     int
	Labels    int
	Rare      int    // labels that are too rare
	Cut       int    // texts of more than MaxWords tokens
	LeftOut   uint64 // tokens behind these
	Epochs    int    // of the run; 0 in a search
}

// A Trained is what training made.
type Trained struct {
	Vectors    *vectors.Set // with Labels: see New
	Contents   Contents
	Progress   sgns.Progress
	Evaluation *sgns.Evaluation // the best one, if the run kept its rows
	// Calibration is what Options.Calibrate learned; nil without it, and if the run was interrupted.
	Calibration *Calibration
	Remarks     []sgns.Remark
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
// docs/classify.md for the measurements. Labels of few texts need more epochs. In long texts n-grams outnumber the words and runs that tell labels
// apart, and a lower rate keeps few labels from being learned by heart.
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

// Train trains a classifier on labelled texts. The corpus is read once.
//
// If ctx ends before training does, Train returns what is trained so far and the error of ctx.
func Train(ctx context.Context, c Corpus, o Options, h Hooks) (*Trained, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return run(ctx, c, o, h, trainsFrom(ctx))
}

// trainsFrom returns a trainer from the beginning.
func trainsFrom(ctx context.Context) trainer {
	return func(d sgns.Data, o Options, hooks sgns.Hooks) (*sgns.Model, error) {
		d.Init = o.Init
		return sgns.Train(ctx, d, o.config(), hooks)
	}
}

// OptionsOf returns the options of the run of a checkpoint, for Resume.
func OptionsOf(checkpoint *vectors.Set) (Options, error) {
	_, of, err := checkpointOf(checkpoint)
	return of.Options, err
}

func checkpointOf(from *vectors.Set) (k *sgns.Checkpoint, of note, err error) {
	if k, err = sgns.NewCheckpoint(from); err != nil {
		return nil, of, err
	}
	if from.Labels() == nil {
		return nil, of, errors.New("classify: the checkpoint is not one of a classifier")
	}
	if err := json.Unmarshal(k.Note, &of); err != nil {
		return nil, of, fmt.Errorf("classify: the options of the checkpoint: %w", err)
	}
	text, err := pipeline.Of(from.Training())
	if err != nil {
		return nil, of, err
	}
	of.Text, of.Epochs = *text, k.Config.Epochs
	return k, of, nil
}

// Resume goes on with the run of a checkpoint, on the same corpus. A deterministic run, or one with a single thread, comes
// to the same bits as if it had never stopped. The options are those of the checkpoint, see OptionsOf, of which Epochs may
// be larger, and Folder and Force may be set.
func Resume(ctx context.Context, c Corpus, from *vectors.Set, o Options, h Hooks) (*Trained, error) {
	k, noted, err := checkpointOf(from)
	if err != nil {
		return nil, err
	}
	switch {
	case noted.OtherTexts && c.heldOut == nil:
		return nil, errors.New("classify: the run is measured on texts that are not of its corpus: they must be given again")
	case !noted.OtherTexts && c.heldOut != nil:
		return nil, errors.New("classify: the run is not measured on texts that are not of its corpus: leave them out")
	}
	if more := o.Epochs - k.Config.Epochs; more < 0 {
		return nil, fmt.Errorf("classify: the run has %d epochs, and %d are asked for", k.Config.Epochs, o.Epochs)
	} else if more > 0 {
		k.Extend(more)
	}
	k.Config.Force = o.Force
	return run(ctx, c, o, h, func(d sgns.Data, _ Options, hooks sgns.Hooks) (*sgns.Model, error) {
		return sgns.Resume(ctx, d, k, hooks)
	})
}

func run(ctx context.Context, c Corpus, o Options, h Hooks, train trainer) (t *Trained, err error) {
	if err := o.measures(c.heldOut != nil); err != nil {
		return nil, err
	}
	x, held, err := Read(ctx, c, o, h.Reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close(), held.Close()) }()
	return x.train(ctx, o, held, h, train)
}

// measures returns an error if what the options measure and what is held out do not fit together. Other texts may be held out.
func (o Options) measures(other bool) error {
	switch measured := o.HeldOut > 0 || other; {
	case o.HeldOut > 0 && other:
		return errors.New("classify: a fraction of the texts is held out, or other texts are: only one of them is possible")
	case o.Patience > 0 && !measured:
		return errors.New("classify: early stopping needs held-out texts")
	case o.Metric.Kind != "" && o.Patience == 0:
		return errors.New("classify: the metric is what early stopping goes by: say after how many evaluations without improvement training ends")
	case o.calibrates() && !measured:
		return errors.New("classify: calibration needs held-out texts")
	}
	return nil
}

// A trainer trains on the data of texts, or goes on from a checkpoint.
type trainer func(sgns.Data, Options, sgns.Hooks) (*sgns.Model, error)

// A note is what a checkpoint keeps. How text is cut is among the facts of its set.
type note struct {
	Options
	OtherTexts bool // are held out
}

func (o Options) note(otherTexts bool) (json.RawMessage, error) {
	o.Text = pipeline.Pipeline{}
	return json.Marshal(note{o, otherTexts})
}

// train selects the words and labels that the options ask for, and trains on them. Other texts may be held out.
func (x *Texts) train(ctx context.Context, o Options, other *Texts, h Hooks, train trainer) (t *Trained, err error) {
	d, contents, err := x.data(o)
	if err != nil {
		return nil, err
	}
	o = o.Suited(contents)
	contents.Epochs = o.Epochs
	if o.Metric.Label != "" {
		label, ok := o.labelIn(func(label string) bool { _, ok := d.Labels.Vocab.ID([]byte(label)); return ok }, o.Metric.Label)
		if !ok {
			return nil, fmt.Errorf("classify: the metric is that of label %q, which no text that is trained has", o.Metric.Label)
		}
		o.Metric.Label = label
	}
	t = &Trained{Contents: contents}
	if h.Counted != nil {
		h.Counted(t.Contents)
	}
	held, kept, err := x.holdOut(ctx, o, other)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.close(kept, x.ids)) }()
	hooks := h.Hooks
	if d.IDs = kept; held != nil {
		d.HeldOut = held.known
		held.measure(&hooks, o, h.Tested, func(set *vectors.Set) (*vectors.Set, error) { return x.described(o, set) })
	}
	var unsaved error
	if h.Save != nil {
		if hooks.Note, err = o.note(other != nil); err != nil {
			return nil, err
		}
		hooks.Checkpoint = func(k *sgns.Checkpoint) {
			if h.Checkpoint != nil {
				h.Checkpoint(k)
			}
			set, err := k.Set()
			if err == nil {
				set, err = x.described(o, set)
			}
			if err == nil {
				err = h.Save(set)
			}
			unsaved = errors.Join(unsaved, err)
		}
	}
	m, err := train(*d, o, hooks)
	if e, ok := errors.AsType[*sgns.DivergedError](err); ok {
		e.UsualRate = Options{Loss: o.Loss}.Suited(contents).LearningRate
	}
	if m == nil {
		return nil, errors.Join(err, unsaved)
	}
	t.Progress, t.Evaluation, t.Remarks = m.Progress, m.Evaluation, m.Remarks
	set, e := x.described(o, m.Vectors)
	t.Vectors = set
	if err = errors.Join(err, unsaved, e); err == nil && o.calibrates() {
		err = t.calibrate(ctx, held.readings(), o.UnknownPrecision)
	}
	return t, err
}

func (o Options) calibrates() bool { return o.Calibrate || o.UnknownPrecision > 0 }

func (t *Trained) calibrate(ctx context.Context, heldOut iter.Seq2[reading, error], precision float64) error {
	m, err := New(t.Vectors)
	if err != nil {
		return err
	}
	set, c, err := m.calibrate(ctx, heldOut, precision)
	if err != nil {
		return err
	}
	t.Vectors, t.Calibration = set, &c
	return nil
}

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

// described returns the set with the facts of the text.
func (x *Texts) described(o Options, set *vectors.Set) (*vectors.Set, error) {
	p := set.Parts()
	if err := o.Text.Describe(&p.Training); err != nil {
		return nil, err
	}
	p.Training.Set("min_count", o.MinCount)
	p.Training.Set("several_labels", x.contents.Several > 0)
	if p.Training.Set("labels_apart", x.apart); !x.apart {
		p.Training.Set("label_prefix", o.Fields.Prefix)
	}
	return vectors.New(p)
}

// labelMark begins labels among the tokens of a corpus, where no word has this byte.
const labelMark = "\x00"

// MaxWords is how many tokens of a text are trained; those after them are left out.
const MaxWords = 1 << 18

// maxLabels is the largest number of labels of a text.
const maxLabels = sgns.MaxLabels

// data returns the texts with the words and labels that are frequent enough.
func (x *Texts) data(o Options) (*sgns.Data, Contents, error) {
	var words, labels []string
	var counts, labelCounts []uint64
	of, contents, all := make([]int32, x.tokens.Len()), x.contents, x.counts
	if all == nil {
		all = x.tokens.Counts()
	}
	for id, token := range x.tokens.Tokens() {
		seen, n := all[id], x.tokens.Count(id)
		of[id] = sgns.Dropped
		switch name, isLabel := cutMark(token); {
		case isLabel && seen >= uint64(o.MinLabelCount):
			of[id] = -1 - int32(len(labels))
			labels, labelCounts = append(labels, name), append(labelCounts, n)
		case isLabel:
			contents.Rare++
		case seen >= uint64(o.MinCount):
			of[id] = int32(len(words))
			words, counts = append(words, token), append(counts, n)
		}
	}
	contents.Words, contents.Labels = len(words), len(labels)
	switch {
	case len(labels) == 0 && contents.Rare > 0:
		return nil, contents, fmt.Errorf("classify: none of %d labels is that of %d texts", contents.Rare, o.MinLabelCount)
	case len(labels) == 0:
		return nil, contents, errors.New("classify: no text has a label")
	case len(words) == 0:
		return nil, contents, fmt.Errorf("classify: no word occurs %d times", o.MinCount)
	}
	weights, err := o.weights(labels, labelCounts)
	d := &sgns.Data{IDs: x.ids, Labels: &sgns.Labels{Of: of, Weights: weights}}
	if err != nil {
		return nil, contents, err
	}
	if d.Vocab, err = vocab.FromCounts(words, counts); err == nil {
		d.Labels.Vocab, err = vocab.FromCounts(labels, labelCounts)
	}
	return d, contents, err
}

func cutMark(token string) (label string, ok bool) {
	if len(token) == 0 || token[0] != labelMark[0] {
		return token, false
	}
	return token[1:], true
}

// labelIn finds a label, whose prefix may be missing, among those that are trained.
func (o Options) labelIn(trained func(label string) bool, name string) (label string, ok bool) {
	for _, label := range []string{name, cmp.Or(o.Fields.Prefix, corpus.DefaultPrefix) + name} {
		if trained(label) {
			return label, true
		}
	}
	return "", false
}

// mostBalanced is how much a text counts at most with Balanced: single texts that count more make training diverge.
const mostBalanced = 5

// weights returns the weight of each label; nil for 1.
func (o Options) weights(labels []string, counts []uint64) ([]float32, error) {
	if !o.Balanced && o.Weights == nil {
		return nil, nil
	}
	given := map[string]float64{}
	for name, weight := range o.Weights {
		label, ok := o.labelIn(func(label string) bool { return slices.Contains(labels, label) }, name)
		if _, twice := given[label]; twice || !ok {
			return nil, fmt.Errorf("classify: label %q has a weight%s", name, map[bool]string{false: ", and no text that is trained has it", true: " with its prefix and one without"}[ok])
		}
		given[label] = weight
	}
	all, texts, sum := make([]float64, len(labels)), 0.0, 0.0
	for i, label := range labels {
		n := float64(counts[i])
		all[i] = 1
		if weight, ok := given[label]; ok {
			all[i] = weight
		}
		texts += n
	}
	for i := range labels {
		sum += float64(counts[i]) * all[i]
	}
	if sum == 0 {
		return nil, errors.New("classify: every label has the weight 0, and nothing would be trained")
	}
	weights := make([]float32, len(all))
	for i, weight := range all {
		if weights[i] = float32(weight * texts / sum); o.Balanced {
			weights[i] = float32(min(texts/float64(len(labels))/float64(counts[i]), mostBalanced))
		}
	}
	return weights, nil
}

// sentences yields the texts as sentences of tokens: labels, and then words. A sentence is valid until the next one. place
// says where the text is that an error is about.
func (o Options) sentences(examples iter.Seq2[Example, error], place func(error) error, counts *Contents) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var sentence []string
		cut, random := o.cutter(), rand.New(rand.NewPCG(o.Seed, 0))
		for e, err := range examples {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(e.Labels) == 0 {
				counts.Unlabeled++
				continue
			}
			sentence = sentence[:0]
			for _, label := range e.Labels {
				if len(label)+len(labelMark) > corpus.MaxToken {
					yield(nil, place(fmt.Errorf("a label has %d bytes, and %d is the most: %.40q…", len(label), corpus.MaxToken-len(labelMark), label)))
					return
				}
				if label = labelMark + label; !slices.Contains(sentence, label) {
					sentence = append(sentence, label)
				}
			}
			labels := len(sentence)
			if labels > maxLabels {
				yield(nil, place(fmt.Errorf("a text has %d labels, and %d is the most", labels, maxLabels)))
				return
			}
			if sentence, err = cut(sentence, e.Text); err != nil {
				yield(nil, place(err))
				return
			}
			if len(sentence)-labels > MaxWords {
				counts.Cut++
				counts.LeftOut += uint64(len(sentence) - labels - MaxWords)
				sentence = sentence[:labels+MaxWords]
			}
			if counts.Texts++; labels > 1 {
				counts.Several++
			}
			counts.Tokens += uint64(len(sentence) - labels)
			if !yield(sentence, nil) {
				return
			}
			if words := sentence[labels : len(sentence)-1]; o.ShortTexts && len(words) > longestPiece {
				n := 1 + random.IntN(longestPiece)
				first := random.IntN(len(words) - n + 1)
				piece := append(slices.Clone(words[first:first+n]), scorer.EndOfLine) // that labels are at its end tells a piece from a text
				if !yield(append(piece, sentence[:labels]...), nil) {
					return
				}
			}
		}
	}
}

// longestPiece is how many words of a text ShortTexts trains apart, at most.
const longestPiece = 3

// cutter returns what appends the words of a text, and the word at its end.
func (o Options) cutter() func(words []string, text string) ([]string, error) {
	plain := o.Text.Kmers == nil && o.Text.Phrases == nil && o.Text.Text == (corpus.Options{})
	return func(words []string, text string) ([]string, error) {
		if plain {
			return append(appendFields(words, text), scorer.EndOfLine), nil
		}
		cut, _, err := o.Text.Cut(text)
		for _, word := range cut {
			if word[0] == labelMark[0] {
				return nil, fmt.Errorf("the word %q begins with a zero byte", word)
			}
			words = append(words, word)
		}
		return append(words, scorer.EndOfLine), err
	}
}

// appendFields appends the tokens of a text between blanks.
func appendFields(words []string, text string) []string {
	first := -1
	for i := range len(text) {
		switch blank := scorer.IsBlank(text[i]); {
		case blank && first >= 0:
			words, first = append(words, text[first:i]), -1
		case !blank && first < 0:
			first = i
		}
	}
	if first >= 0 {
		words = append(words, text[first:])
	}
	return words
}
