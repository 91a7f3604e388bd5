package format

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
)

// CheckSubword returns an error if a set of words with such n-grams, which may be nil,
// and such a composition cannot be written in format f. Formats that hold words alone
// take all sets and leave n-grams out; so do others with hash embeddings, and with
// floret's n-grams, if they hold n-grams but not these. KeepsSubword tells which do.
func CheckSubword(sub subword.Indexer, c subword.Composition, f Format) error {
	to, err := codecOf(f)
	if err != nil || to.Subword == nil || instead(to, sub) {
		return err
	}
	return to.Subword(sub, c)
}

// KeepsSubword tells whether a file in format f holds such n-grams, so that words that are
// not in the vocabulary have vectors in it.
func KeepsSubword(sub subword.Indexer, c subword.Composition, f Format) bool {
	to, err := codecOf(f)
	return err == nil && sub != nil && to.Subword != nil && to.Subword(sub, c) == nil
}

// instead tells whether words alone are written where a format cannot hold such n-grams:
// if it holds plain words and the n-grams are of a kind that is trained here and has no
// other way out.
func instead(c codec.Codec, sub subword.Indexer) bool {
	return sub != nil && !subword.CompositionOf(sub).OwnRows() && c.Subword(nil, subword.Mean) == nil
}

// checkSubword returns an error if a format cannot hold the n-grams of s, or
// nothing else of it.
func checkSubword(c codec.Codec, s *vectors.Set) error {
	if c.Subword != nil {
		if s.Len() > 0 && instead(c, s.Subword()) {
			return nil
		}
		return c.Subword(s.Subword(), s.Composition())
	}
	if s.Subword() != nil && s.Len() == 0 {
		return fmt.Errorf("the set has n-grams and no words, and the format %s holds words alone: write %s, %s or %s",
			c.Name, W2V, Finalfusion, Floret)
	}
	return nil
}
