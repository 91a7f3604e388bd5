package sgns

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/w2v-go/w2v/sgns/internal/params"
	"github.com/w2v-go/w2v/sgns/internal/variant"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vocab"
)

// A start is the vectors that a run begins with, and what of them it takes. Words are
// matched by name.
type start struct {
	variant     *variant.Variant
	list        params.List // the matrices of the run, of which input rows are not numbered yet
	from        *vectors.Set
	unprojected *vectors.Set   // from before its projection, if the run has one; else from
	id          []int32        // by word of the run: its id in from, -1 for a new word
	left        int            // words of from that the run does not have
	part        float64        // of the tokens that were counted, those of known words
	share       bool           // buckets are those of from, one by one
	own         bool           // and so are words' own rows
	context     bool           // output rows start as what the set has
	same        bool           // the vocabulary is that of from, with the same counts
	marks       []subword.Mark // see subword.TableOptions
}

// startFrom returns the start of a run over a vocabulary from a set, nil if that is nil.
func startFrom(from *vectors.Set, words *vocab.Vocab, v *variant.Variant) (*start, error) {
	if from == nil {
		if v.Run.Freeze {
			return nil, errors.New("sgns: there are no vectors to start from that could be frozen")
		}
		return nil, nil
	}
	if err := from.Check(); err != nil {
		return nil, unfit("not a valid model: %w", err)
	}
	if dim := v.Run.Dim; from.Dim() != dim {
		return nil, unfit("%d dimensions, and %d are to be trained: train %d, or take vectors of %d", from.Dim(), dim, from.Dim(), dim)
	}
	s := &start{variant: v, list: v.Matrices(words.Len(), 0, nil), from: from}
	if err := s.findRows(); err != nil {
		return nil, err
	}
	known := s.match(words)
	indexer := v.Run.Subword
	s.share = indexer != nil && subword.Same(indexer, from.Subword())
	s.own = s.share && from.Composition() == subword.Mean
	if err := s.composable(); err != nil {
		return nil, err
	}
	s.context = s.tied() || s.sourceOf(s.outputs()).rows.Rows > 0
	if known == 0 && !s.share {
		return nil, unfit("none of the %d words of the vocabulary is among its %d: was its text cut and lower-cased in another way?", words.Len(), from.Len())
	}
	if v.Run.Freeze && known == words.Len() && s.context {
		return nil, unfit("all %d words of the vocabulary are known and frozen, so there is nothing to train", known)
	}
	switch composition := subword.CompositionOf(indexer); {
	case !s.share || composition == subword.Weighted:
		return s, nil
	case composition.OwnRows():
		return s, s.mark(words.Len(), indexer.Rows())
	}
	return s, s.mark(0, indexer.Rows())
}

// match finds the words of the run in the set, and returns how many it has.
func (s *start) match(words *vocab.Vocab) (known int) {
	s.id = make([]int32, words.Len())
	for w := range s.id {
		s.id[w] = -1
	}
	token := make([]byte, 0, 64)
	for id, word := range s.from.Words().All() {
		token = append(token[:0], word...)
		w, ok := words.ID(token)
		switch first, _ := s.from.ID(word); {
		case first != id: // it stands there twice
		case !ok:
			s.left++
		default:
			s.id[w] = int32(id)
			known++
		}
	}
	s.same = slices.Equal(s.from.Counts(), words.Counts())
	for w, id := range s.id {
		s.same = s.same && int(id) == w
		if id >= 0 {
			s.part += float64(words.Count(w)) / float64(words.Total())
		}
	}
	return known
}

// composable reports words that have no rows of their own which could start as their
// vectors, if n-grams are not those of the set.
func (s *start) composable() error {
	indexer := s.variant.Run.Subword
	composition := subword.CompositionOf(indexer)
	switch t := s.from.Training(); {
	case s.tied() && t.Text("arch") != "" && !t.Bool("tied"):
		return unfit("they were trained against vectors of their own, and tied vectors against each other: their products would be far too large; start from tied vectors, or train without tying")
	case composition.OwnRows() || s.share && composition == s.from.Composition():
		return nil
	}
	title := subword.TitleOf(indexer)
	return unfit("words of %s are made of shared rows and have none of their own that could start as their vectors: start from %s with the same settings, or train plain words or n-grams as fastText has them", title, title)
}

// unknownTokens is how many tokens vectors are taken to be trained on that do not say.
const unknownTokens = 86_000_000

// leastWarmRate is the lowest rate at which new words still find their places.
const leastWarmRate = 0.005

// trained returns on how many tokens the vectors were trained, of all epochs; 0 if that
// is not known.
func (s *start) trained() uint64 {
	t := s.from.Training()
	if t.Uint("trained") > 0 {
		return min(t.Uint("trained"), math.MaxInt64)
	}
	return uint64(min(float64(t.Uint("tokens"))*float64(max(t.Int("epochs"), 1)), math.MaxInt64/2))
}

// rate returns the learning rate that suits a number of tokens to train from s, which
// may be nil: the one that a run over these and all tokens before would have come down
// to. A rate for the new ones alone would undo what is known. Where that is frozen the
// rate is for what is new; where there are no context vectors, which are all to be
// learned, it is about half of that.
func (s *start) rate(c Config, tokens uint64) float64 {
	if s == nil || c.Freeze == FreezeKnown {
		return c.RateFor(tokens)
	}
	if !s.context {
		return math.Round(1e4*c.RateFor(tokens)*(1-s.part/2)) / 1e4
	}
	before := s.part * float64(cmp.Or(s.trained(), unknownTokens))
	all := before + float64(tokens)
	rate := c.RateFor(uint64(min(all, 1<<62))) * float64(tokens) / all
	return max(math.Round(1e4*rate)/1e4, leastWarmRate)
}
