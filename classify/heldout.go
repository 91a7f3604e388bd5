package classify

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
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

// HoldsOut reports whether the corpus holds out other texts.
func (c Corpus) HoldsOut() bool { return c.heldOut != nil }

// heldOut are texts that are not trained.
type heldOut struct {
	*Texts
	known *vocab.IDs // the texts, by the tokens of the corpus
	texts uint64     // how many there are
}

// holdOut divides texts, or holds out other ones; nil if none are held out. kept are those to train.
func (x *Texts) holdOut(ctx context.Context, o Options, other *Texts) (h *heldOut, kept *vocab.IDs, err error) {
	switch {
	case other == nil && o.HeldOut == 0:
		return nil, x.ids, nil
	case other == nil:
		kept, held, err := x.Split(o.HeldOut)
		if err != nil {
			return nil, nil, err
		}
		return &heldOut{held, held.ids, heldTexts(o.HeldOut, x.contents.Texts)}, kept.ids, nil
	}
	h = &heldOut{Texts: other, texts: other.contents.Texts}
	source := corpus.Seq("the held-out texts", other.sentences(), corpus.Options{})
	_, h.known, err = vocab.Index(ctx, source, vocab.Options{Fixed: x.tokens, Threads: 1, MaxSentence: maxLabels + MaxWords, Force: o.Force}, o.Folder)
	if err != nil {
		return nil, nil, fmt.Errorf("the held-out texts: %w", err)
	}
	return h, x.ids, nil
}

// sentences yields the tokens of texts, labels first.
func (x *Texts) sentences() iter.Seq2[[]string, error] {
	return func(yield func([]string, error) bool) {
		reader := x.ids.Reader()
		var sentence []string
		for chunk := range x.ids.Chunks() {
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
		if err := x.ids.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// close closes what holdOut opened, kept if it is not all texts.
func (h *heldOut) close(kept, all *vocab.IDs) error {
	if h == nil {
		return nil
	}
	err := h.known.Close()
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
		score, result, err := h.evaluate(ctx, m, by, 0, threads)
		if errors.Is(err, errUntested) {
			return math.NaN(), nil
		}
		if err == nil && tested != nil {
			tested(result)
		}
		return score, err
	}
}
