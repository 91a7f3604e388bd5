package vocab

import (
	"errors"
	"fmt"

	"github.com/w2v-go/w2v/corpus"
)

// FromCounts returns the vocabulary of tokens and their counts, in which tokens[i] has id i. The
// tokens must be in the order of a vocabulary: by falling count, and tokens of equal count by
// their bytes. FromCounts returns an error if they are in another order, if a token is empty,
// occurs twice or has more than corpus.MaxToken bytes, or if a count is 0.
func FromCounts(tokens []string, counts []uint64) (*Vocab, error) {
	if len(tokens) != len(counts) {
		return nil, fmt.Errorf("vocabulary: %d counts for %d tokens", len(counts), len(tokens))
	}
	for id, token := range tokens {
		if counts[id] == 0 {
			return nil, fmt.Errorf("vocabulary: token %d, %.40q, has count 0", id, token)
		}
		if id == 0 {
			continue
		}
		before := tokens[id-1]
		if counts[id-1] < counts[id] || counts[id-1] == counts[id] && before >= token {
			return nil, fmt.Errorf("vocabulary: token %d, %.40q (count %d), does not come after %.40q (count %d) by falling count, then by bytes",
				id, token, counts[id], before, counts[id-1])
		}
	}
	v, err := New(tokens, counts)
	if err == nil && v.Len() != len(tokens) { // equal tokens with different counts pass the test above
		err = errors.New("vocabulary: a token is empty, or stands there twice")
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// New returns the vocabulary of tokens that are in any order. If a token occurs twice, its first
// count is taken. Empty tokens are left out. A count of 0 means that the count is not known, and
// so does nil for counts; such tokens get a count of 1. New returns an error if a token has more
// than corpus.MaxToken bytes.
func New(tokens []string, counts []uint64) (*Vocab, error) {
	if counts != nil && len(tokens) != len(counts) {
		return nil, fmt.Errorf("vocabulary: %d counts for %d tokens", len(counts), len(tokens))
	}
	all := newTable(len(tokens), newSecret())
	var buf []byte
	for i, token := range tokens {
		if token == "" {
			continue
		}
		if len(token) > corpus.MaxToken {
			return nil, fmt.Errorf("vocabulary: token %d, %.20q…, has %d bytes, at most %d are possible", i, token, len(token), corpus.MaxToken)
		}
		buf = append(buf[:0], token...)
		k := all.secret.key(buf)
		s := all.find(buf, k)
		if s.count > 0 {
			continue
		}
		count := uint64(1)
		if counts != nil {
			count = max(count, counts[i])
		}
		if _, err := all.insert(s, buf, k, count); err != nil {
			return nil, err
		}
	}
	v, _, err := newVocab(all, all.frequent(1, 0))
	return v, err
}
