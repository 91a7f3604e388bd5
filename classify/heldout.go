package classify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/eval/labels"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// HoldingOut returns the corpus with other texts, which are not trained, to measure on. They stand in files as those of the
// corpus do. It excludes Options.HeldOut.
func (c Corpus) HoldingOut(texts Corpus) Corpus {
	c.heldOut = &texts
	return c
}

// heldOut are texts that are not trained.
type heldOut struct {
	*cache            // of their tokens
	ids    *vocab.IDs // the texts, by these tokens
	known  *vocab.IDs // the texts, by the tokens of the corpus
}

// holdOut reads the held-out texts of a corpus, or divides those of its cache; nil if none are held out. kept are the others.
func (x *cache) holdOut(ctx context.Context, o Options, c *Corpus) (h *heldOut, kept *vocab.IDs, err error) {
	switch {
	case c == nil && o.HeldOut == 0:
		return nil, x.ids, nil
	case c == nil:
		kept, ids, err := x.split(o.HeldOut)
		return &heldOut{x, ids, ids}, kept, err
	case o.HeldOut > 0:
		return nil, nil, errors.New("classify: a fraction of the texts is held out, or other texts are: only one of them is possible")
	}
	o.ShortTexts = false
	texts, err := o.read(ctx, *c)
	if err != nil {
		return nil, nil, fmt.Errorf("the held-out texts: %w", err)
	}
	h = &heldOut{cache: texts, ids: texts.ids}
	source := corpus.Seq("the held-out texts", texts.sentences(texts.ids), corpus.Options{})
	_, h.known, err = vocab.Index(ctx, source, vocab.Options{Fixed: x.tokens, Threads: 1, MaxSentence: maxLabels + MaxWords, Force: o.Force}, o.Folder)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("the held-out texts: %w", err), texts.ids.Close())
	}
	return h, x.ids, nil
}

// split divides the texts by chance, the same way each time: held are this share of them. One of each few that follow each
// other is taken, so that a corpus that is sorted by label gives texts of all labels. Pieces of texts, see
// Options.ShortTexts, are kept with their text, and never held.
func (x *cache) split(share float64) (kept, held *vocab.IDs, err error) {
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
	n := int(math.Round(share * float64(all)))
	switch {
	case n == 0:
		return nil, nil, fmt.Errorf("classify: a fraction of %v of %d texts holds none of them out: take a larger one, or held-out texts of their own", share, all)
	case n == all:
		return nil, nil, fmt.Errorf("classify: a fraction of %v of %d texts leaves none to train on: take a smaller one, or held-out texts of their own", share, all)
	}
	few := min(n, all-n)
	pick := func(ofHeld bool) (*vocab.IDs, error) {
		random, text, next, taken, is := rand.New(rand.NewPCG(0, 0)), 0, 0, 0, false
		return x.ids.Pick(func(sentence []uint32) bool {
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
	}
	if kept, err = pick(false); err != nil {
		return nil, nil, err
	}
	if held, err = pick(true); err != nil {
		return nil, nil, errors.Join(err, kept.Close())
	}
	return kept, held, nil
}

// sentences yields the tokens of texts, labels first.
func (x *cache) sentences(ids *vocab.IDs) iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		reader := ids.Reader()
		var sentence []string
		for chunk := range ids.Chunks() {
			for _, piece := range reader.Chunk(chunk) {
				for _, of := range piece {
					sentence = append(sentence, x.tokens.Token(int(of&^vocab.EndOfSentence)))
					if of&vocab.EndOfSentence == 0 {
						continue
					}
					if !yield(sentence, nil) {
						return
					}
					sentence = nil
				}
			}
		}
		if err := ids.Err(); err != nil {
			yield(nil, err)
		}
	}
}

func (h *heldOut) close(kept, all *vocab.IDs) error {
	if h == nil {
		return nil
	}
	err := h.known.Close()
	if h.ids != h.known {
		err = errors.Join(err, h.ids.Close())
	}
	if kept != all {
		err = errors.Join(err, kept.Close())
	}
	return err
}

// measure makes training measure its model on the texts.
func (h *heldOut) measure(hooks *sgns.Hooks, o Options, tested func(*labels.Result), described func(*vectors.Set) (*vectors.Set, error)) {
	by := o.Metric
	if hooks.ScoreDecides = by.Kind != ""; !hooks.ScoreDecides {
		by.Kind = labels.Accuracy
	}
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	hooks.Evaluate = func(ctx context.Context, set *vectors.Set) (float64, error) {
		set, err := described(set)
		if err != nil {
			return 0, err
		}
		m, err := New(set)
		if err != nil {
			return 0, err
		}
		score, result, err := h.evaluate(ctx, m, h.ids, by, 0, threads)
		if errors.Is(err, errUntested) {
			return math.NaN(), nil
		}
		if err == nil && tested != nil {
			tested(result)
		}
		return score, err
	}
}
