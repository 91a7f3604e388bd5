package classify

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/pipeline"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

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
	Texts     uint64 // with labels, also those that are held out of them
	HeldOut   uint64 // texts that are measured and not trained: of Texts with Options.HeldOut, else others
	Several   uint64 // texts of more than one label
	Unlabeled uint64 // texts without labels, or whose labels are all too rare; they are left out
	Tokens    uint64
	Words     int
	Labels    int
	Rare      int // labels that are too rare
	// Heading is the label of the first row of tables without corpus.Fields.Header if no other text has it and it is what columns of
	// labels are usually called, such as "label": the row then seems to have the names of columns. Empty if not.
	Heading string
	Cut     Cut // texts of more than MaxWords tokens
	// TooLong are tokens of more than corpus.MaxToken bytes, which are left out.
	TooLong corpus.TooLong
	Epochs  int // of the run; 0 in a search
}

// A Cut is what is left out of the texts of more than MaxWords tokens.
type Cut struct {
	Texts   int
	Tokens  uint64 // behind the first MaxWords ones
	Longest int    // tokens of the longest of these texts
	Name    string // file of the first of them; empty if there is none
	Line    uint64 // of that text, from 1; the number of the text if there is no file
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
	if k.Config.Force = o.Force; k.Config.Deterministic {
		k.Config.Threads = o.Threads
	}
	if o.Init = nil; o.UpdateVocab {
		o.Init = from // has all words
	}
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
	held, kept, err := x.holdOut(ctx, o, other)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.close(kept, x.ids)) }()
	if held != nil {
		contents.HeldOut = held.texts
	}
	t = &Trained{Contents: contents}
	if h.Counted != nil {
		h.Counted(t.Contents)
	}
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
	var also vectors.Words
	if o.UpdateVocab {
		also = o.Init.Words()
	}
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
		case seen >= uint64(o.MinCount) || has(also, token):
			of[id] = int32(len(words))
			words, counts = append(words, token), append(counts, n)
		}
	}
	contents.Words, contents.Labels = len(words), len(labels)
	switch {
	case len(labels) == 0 && contents.Rare > 0:
		return nil, contents, fmt.Errorf("classify: none of %d labels has %d texts, the least number that was asked for", contents.Rare, o.MinLabelCount)
	case len(labels) == 0:
		return nil, contents, &NoLabelError{}
	case also.Len() == 0 && !slices.ContainsFunc(words, func(word string) bool { return word != scorer.EndOfLine }):
		if o.MinCount == 1 && contents.TooLong.Tokens > 0 {
			return nil, contents, fmt.Errorf("classify: no text with a label has a word: %v", contents.TooLong)
		} else if o.MinCount == 1 {
			return nil, contents, errors.New("classify: no text with a label has a word")
		}
		return nil, contents, fmt.Errorf("classify: no word occurs %d times", o.MinCount)
	}
	weights, err := o.weights(labels, labelCounts)
	d := &sgns.Data{IDs: x.ids, Labels: &sgns.Labels{Of: of, Weights: weights}}
	if err != nil {
		return nil, contents, err
	}
	if o.UpdateVocab {
		d.Vocab, err = x.joined(words, counts, also, of, o)
	} else {
		d.Vocab, err = vocab.FromCounts(words, counts)
	}
	if err == nil {
		contents.Words = d.Vocab.Len()
		d.Labels.Vocab, err = vocab.FromCounts(labels, labelCounts)
	}
	return d, contents, err
}

func has(words vectors.Words, word string) bool {
	_, ok := words.Find(word)
	return ok
}

// joined returns the vocabulary of words and of others that texts can have, with a count of 1, and changes the ids of words in
// of to those of the vocabulary.
func (x *Texts) joined(words []string, counts []uint64, others vectors.Words, of []int32, o Options) (*vocab.Vocab, error) {
	n := len(words)
	words, counts = slices.Clip(words), slices.Clip(counts)
	for _, word := range others.All() {
		isLabel := !x.apart && strings.HasPrefix(word, cmp.Or(o.Fields.Prefix, corpus.DefaultPrefix))
		if !isLabel && !strings.HasPrefix(word, labelMark) && len(word) <= corpus.MaxToken {
			words, counts = append(words, word), append(counts, 1)
		}
	}
	v, err := vocab.New(words, counts)
	if err != nil {
		return nil, err
	}
	for i, id := range of {
		if id >= 0 && int(id) < n {
			now, _ := v.ID([]byte(words[id]))
			of[i] = int32(now)
		}
	}
	return v, nil
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

// sentences yields the texts as sentences of tokens: labels, and then words. A sentence is valid until the next one. at is
// the place of the last example. first, unless it is nil, gets the beginning of the first text without a label.
func (o Options) sentences(examples iter.Seq2[Example, error], at *place, counts *Contents, first *NoLabelError) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		var sentence []string
		cut, random := o.cutter(), rand.New(rand.NewPCG(o.Seed, 0))
		for e, err := range examples {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(e.Labels) == 0 {
				if counts.Unlabeled++; first != nil {
					first.Begins, first = fmt.Sprintf("%.80s", e.Text), nil
				}
				continue
			}
			sentence = sentence[:0]
			for _, label := range e.Labels {
				if len(label)+len(labelMark) > corpus.MaxToken {
					yield(nil, at.Error(fmt.Errorf("a label has %d bytes, and %d is the most: %.40q…", len(label), corpus.MaxToken-len(labelMark), label)))
					return
				}
				if label = labelMark + label; !slices.Contains(sentence, label) {
					sentence = append(sentence, label)
				}
			}
			labels := len(sentence)
			if labels > maxLabels {
				yield(nil, at.Error(fmt.Errorf("a text has %d labels, and %d is the most", labels, maxLabels)))
				return
			}
			var left corpus.TooLong
			if sentence, left, err = cut(sentence, e.Text); err != nil {
				yield(nil, at.Error(err))
				return
			}
			if left.Tokens > 0 {
				left.Name, left.Line = at.at()
				counts.TooLong.Add(left)
			}
			if n := len(sentence) - labels; n > MaxWords {
				c := &counts.Cut
				if c.Texts == 0 {
					c.Name, c.Line = at.at()
				}
				c.Texts++
				c.Tokens += uint64(n - MaxWords)
				c.Longest = max(c.Longest, n)
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

// cutter returns what appends the words of a text, and the word at its end. left are those that are too long.
func (o Options) cutter() func(words []string, text string) (_ []string, left corpus.TooLong, _ error) {
	plain := o.Text.Kmers == nil && o.Text.Phrases == nil && o.Text.Text == (corpus.Options{})
	return func(words []string, text string) ([]string, corpus.TooLong, error) {
		if plain {
			words, left := appendFields(words, text)
			return append(words, scorer.EndOfLine), left, nil
		}
		cut, left, err := o.Text.Cut(text)
		for _, word := range cut {
			if word[0] == labelMark[0] {
				return nil, left, fmt.Errorf("the word %q begins with a zero byte", word)
			}
			words = append(words, word)
		}
		return append(words, scorer.EndOfLine), left, err
	}
}

// appendFields appends the tokens of a text between blanks, without those that are too long.
func appendFields(words []string, text string) (_ []string, left corpus.TooLong) {
	add := func(word string) {
		if len(word) > corpus.MaxToken {
			left.Add(corpus.TooLong{Tokens: 1, Longest: uint64(len(word)), Begins: word[:24]})
			return
		}
		words = append(words, word)
	}
	first := -1
	for i := range len(text) {
		switch blank := scorer.IsBlank(text[i]); {
		case blank && first >= 0:
			add(text[first:i])
			first = -1
		case !blank && first < 0:
			first = i
		}
	}
	if first >= 0 {
		add(text[first:])
	}
	return words, left
}
