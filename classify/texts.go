package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// Texts are labelled texts that were read once, to train several models on, or to measure models with. Only Count changes them:
// several goroutines may use them at once. They are a temporary file: close them.
type Texts struct {
	tokens   *vocab.Vocab // all words, and labels behind a mark
	ids      *vocab.IDs
	contents Contents // without what depends on minimal counts
	counts   []uint64 // of tokens in these texts; nil for those of all texts that were read
	apart    bool     // labels are no tokens of texts
}

// A NoLabelError says that no text has a label.
type NoLabelError struct {
	Begins string // how the first text without a label begins; empty if none was read
}

func (*NoLabelError) Error() string { return "classify: no text has a label" }

// Read reads a corpus, and the texts that it holds out: nil without them. Of the options it takes Fields, Text, ShortTexts,
// Seed, Folder and Force, with which the texts then are to be trained. Unless it is nil, reading is called as Hooks.Reading.
func Read(ctx context.Context, c Corpus, o Options, reading func(tokens uint64)) (x, held *Texts, err error) {
	if x, err = o.read(ctx, c, reading); err != nil || c.heldOut == nil {
		return x, nil, err
	}
	o.ShortTexts = false
	if held, err = o.read(ctx, *c.heldOut, nil); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the held-out texts: %w", err), x.Close())
	}
	return x, held, nil
}

// read reads a corpus without the texts that it holds out.
func (o Options) read(ctx context.Context, c Corpus, reading func(tokens uint64)) (*Texts, error) {
	if c.names == nil && c.examples == nil {
		return nil, errors.New("classify: there is no corpus: Files and Examples make one")
	}
	x := &Texts{apart: c.examples != nil || o.Fields.TextColumn+o.Fields.TextField != ""}
	var unlabeled NoLabelError
	read := false    // to the end
	heading := ""    // the first label
	var unread error // without the name of the corpus before it: it names the file
	source := corpus.Seq("the corpus", func(yield func([]string, error) bool) {
		examples, at := c.read(ctx, o.Fields)
		for sentence, err := range o.sentences(examples, at, &x.contents, &unlabeled) {
			if unread = err; err == nil && x.contents.Texts == 1 && heading == "" {
				heading = sentence[0]
			}
			if !yield(sentence, err) {
				return
			}
		}
		read = true
	}, corpus.Options{})
	var err error
	x.tokens, x.ids, err = vocab.Index(ctx, source, vocab.Options{MinCount: 1, Threads: 1, MaxSentence: maxLabels + MaxWords, Force: o.Force, Progress: reading}, o.Folder)
	switch {
	case unread != nil:
		return nil, unread
	case err != nil && x.contents.Texts == 0 && x.contents.Unlabeled > 0:
		return nil, &unlabeled
	case err != nil && read && x.contents.Texts == 0:
		return nil, fmt.Errorf("classify: %s has no text", cmp.Or(strings.Join(c.names, ", "), "the corpus"))
	case err != nil:
		return nil, err
	}
	if id, ok := x.tokens.ID([]byte(heading)); ok && o.Fields.TextColumn != "" && !o.Fields.Header && x.tokens.Count(int(id)) == 1 && x.contents.Texts > 2 {
		if name := strings.TrimPrefix(heading, labelMark+o.Fields.Prefix); headings[strings.ToLower(strings.TrimSpace(name))] {
			x.contents.Heading = name
		}
	}
	return x, nil
}

// headings are names that columns of labels usually have.
var headings = map[string]bool{
	"label": true, "labels": true, "class": true, "classes": true, "category": true, "categories": true, "target": true, "targets": true,
	"tag": true, "tags": true, "topic": true, "topics": true, "sentiment": true, "kind": true, "y": true,
}

// Close closes the texts; nil has none. Parts that they were split into stay open.
func (x *Texts) Close() error {
	if x == nil {
		return nil
	}
	return x.ids.Close()
}

// Split divides the texts by chance, the same way each time: held are this share of them, above 0 and below 1. One of each few that follow each
// other is taken, so that a corpus that is sorted by label gives texts of all labels. Pieces of texts, see
// Options.ShortTexts, are kept with their text, and never held. A model of a part knows the frequencies of words and labels in
// all texts.
func (x *Texts) Split(share float64) (kept, held *Texts, err error) {
	isText := func(sentence []uint32) bool {
		_, isLabel := cutMark(x.tokens.Token(int(sentence[0] &^ vocab.EndOfSentence)))
		return isLabel
	}
	all := 0
	none, err := x.ids.Pick(func(sentence []uint32) bool {
		if isText(sentence) {
			all++
		}
		return false
	})
	if err == nil {
		err = none.Close()
	}
	if err != nil {
		return nil, nil, err
	}
	n := int(heldTexts(share, uint64(all)))
	switch {
	case n == 0:
		return nil, nil, fmt.Errorf("classify: a fraction of %v of %d texts holds none of them out: take a larger one, or held-out texts of their own", share, all)
	case n == all:
		return nil, nil, fmt.Errorf("classify: a fraction of %v of %d texts leaves none to train on: take a smaller one, or held-out texts of their own", share, all)
	}
	few := min(n, all-n)
	pick := func(ofHeld bool) (*Texts, error) {
		random, text, next, taken, is := rand.New(rand.NewPCG(0, 0)), 0, 0, 0, false
		ids, err := x.ids.Pick(func(sentence []uint32) bool {
			if !isText(sentence) {
				return !is && !ofHeld
			}
			if text == next*all/few {
				next++
				taken = text + random.IntN(next*all/few-text)
			}
			is = (text == taken) == (few == n)
			text++
			return is == ofHeld
		})
		if err != nil {
			return nil, err
		}
		return &Texts{tokens: x.tokens, ids: ids, contents: x.contents, apart: x.apart}, nil
	}
	if kept, err = pick(false); err != nil {
		return nil, nil, err
	}
	if held, err = pick(true); err != nil {
		return nil, nil, errors.Join(err, kept.Close())
	}
	return kept, held, nil
}

// heldTexts returns how many of all texts a share of them is.
func heldTexts(share float64, all uint64) uint64 { return uint64(math.Round(share * float64(all))) }

// Count counts the words and labels of a part, so that those that are not in it take no time and memory in training. Minimal
// counts are those in the part then.
func (x *Texts) Count() error {
	counts := make([]uint64, x.tokens.Len())
	reader := x.ids.Reader()
	for chunk := range x.ids.Chunks() {
		for _, piece := range reader.Chunk(chunk) {
			for _, id := range piece {
				counts[id&^vocab.EndOfSentence]++
			}
		}
	}
	x.counts = counts
	return x.ids.Err()
}

// Labelled returns how many texts have a label.
func (x *Texts) Labelled(label string) uint64 {
	id, ok := x.tokens.ID([]byte(labelMark + label))
	switch {
	case !ok:
		return 0
	case x.counts != nil:
		return x.counts[id]
	}
	return x.tokens.Count(int(id))
}

// Contents returns what is trained with these options. Texts and Tokens are those of the whole corpus, also for a part.
func (x *Texts) Contents(o Options) (Contents, error) {
	_, contents, err := x.data(o)
	return contents, err
}

// Train trains a classifier, as the function Train does.
func (x *Texts) Train(ctx context.Context, o Options, h Hooks) (*Trained, error) {
	if err := cmp.Or(o.Validate(), o.measures(false)); err != nil {
		return nil, err
	}
	return x.train(ctx, o, nil, h, trainsFrom(ctx))
}

// Score returns a metric of the texts with the k most probable labels of each. k is 0 for 1 label, or for all if the metric
// ranks them, and -1 for all. It runs so many threads.
func (x *Texts) Score(ctx context.Context, m *Model, by labels.Metric, k, threads int) (float64, error) {
	score, _, err := x.evaluate(ctx, m, by, k, threads)
	return score, err
}

// Calibrate replaces the vectors of a classifier by those that Model.Calibrate makes of these texts.
func (x *Texts) Calibrate(ctx context.Context, t *Trained, precision float64) error {
	return t.calibrate(ctx, (&heldOut{Texts: x}).readings(), precision)
}

// Retrain trains a classifier again, as the function Retrain does.
func (x *Texts) Retrain(ctx context.Context, set *vectors.Set, o RetrainOptions) (*vectors.Set, error) {
	return x.retrain(ctx, set, o)
}
