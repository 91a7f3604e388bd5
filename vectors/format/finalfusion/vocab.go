package finalfusion

import (
	"encoding/binary"
	"slices"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// A vocab is what the chunk of the vocabulary says.
type vocab struct {
	kind    uint32
	head    []any    // numbers that come first
	words   int      // of the set, all or none
	ngrams  []ngram  // that are listed
	marks   []string // of the beginning and end of a word, if they may differ
	buckets int      // rows of n-grams
}

// An ngram is one of a list, and its row.
type ngram struct {
	text string
	row  uint32
}

// vocabOf returns what the file for s has to say.
func vocabOf(s *vectors.Set) (vocab, error) {
	words := uint64(s.Len())
	v := vocab{kind: chunkSimpleVocab, head: []any{words}, words: s.Len()}
	hashed := func(kind uint32, minn, maxn, buckets int) {
		v.kind, v.buckets = kind, s.Subword().Rows()
		v.head = []any{words, uint32(minn), uint32(maxn), uint32(buckets)}
	}
	switch sub := subword.Value(s.Subword()).(type) {
	case nil:
	case subword.FastText:
		// fastText takes a minn of 0 for 1, which finalfusion does not, and a maxn
		// below it for no n-grams.
		if minn := max(sub.MinN, 1); sub.MaxN >= minn {
			hashed(chunkFastTextVocab, minn, sub.MaxN, sub.Buckets)
		}
	case subword.Finalfusion:
		hashed(chunkBucketVocab, sub.MinN, sub.MaxN, sub.Exponent)
	case *subword.Explicit:
		v.kind, v.buckets, v.ngrams = chunkExplicitVocab, sub.Rows(), ngramsOf(sub)
		v.head = []any{words, uint64(len(v.ngrams)), uint32(sub.MinN()), uint32(sub.MaxN())}
	case subword.Floret:
		v.kind, v.words, v.buckets, v.marks = chunkFloretVocab, 0, sub.Buckets, []string{sub.BOW, sub.EOW}
		v.head = []any{uint32(sub.MinN), uint32(sub.MaxN), uint64(sub.Buckets), uint32(sub.Hashes), sub.Seed}
	}
	if v.words == 0 {
		return v, nil
	}
	return v, nil
}

// ngramsOf returns the n-grams of a list in an order in which rows first occur as
// they are numbered, which finalfusion-rust takes for granted: in its own if that
// is one.
func ngramsOf(sub *subword.Explicit) []ngram {
	texts, rows := sub.List()
	ngrams := make([]ngram, len(texts))
	next, ordered := uint32(0), true
	for i, text := range texts {
		ngrams[i] = ngram{text, rows[i]}
		if rows[i] == next {
			next++
		} else if rows[i] > next {
			ordered = false
		}
	}
	if !ordered {
		slices.SortStableFunc(ngrams, func(a, b ngram) int { return int(a.row) - int(b.row) })
	}
	return ngrams
}

// size returns how many bytes follow the chunk's length.
func (v vocab) size(words vectors.Words) uint64 {
	size := 0
	for _, part := range v.head {
		size += binary.Size(part)
	}
	const length = 4 // of a text
	for id := range v.words {
		size += length + len(words.At(id))
	}
	for _, n := range v.ngrams {
		size += length + len(n.text) + 8
	}
	for _, mark := range v.marks {
		size += length + len(mark)
	}
	return uint64(size)
}

// vocabulary writes the chunk of the vocabulary.
func (f *writer) vocabulary(s *vectors.Set, v vocab) error {
	if err := f.put(v.kind, v.size(s.Words())); err != nil {
		return err
	}
	if err := f.put(v.head...); err != nil {
		return err
	}
	for id := range v.words {
		if err := f.string(s.Words().At(id)); err != nil {
			return err
		}
	}
	for _, n := range v.ngrams {
		if err := f.string(n.text); err != nil {
			return err
		}
		if err := f.put(uint64(n.row)); err != nil {
			return err
		}
	}
	for _, mark := range v.marks {
		if err := f.string(mark); err != nil {
			return err
		}
	}
	return nil
}
