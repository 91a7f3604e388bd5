package main

import (
	"fmt"
	"strconv"

	"github.com/w2v-go/w2v/internal/wording"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// ngramInfo describes the subwords of a model.
type ngramInfo struct {
	Kind    string `json:"kind"` // whose way of hashing; "explicit" where they are listed
	MinN    int    `json:"minn"`
	MaxN    int    `json:"maxn"`
	Buckets int    `json:"buckets"`
	Hashes  int    `json:"hashes,omitempty"` // rows of each, with floret's and hash embeddings
	Listed  int    `json:"listed,omitempty"` // how many there are, in a list
	// Trained is how many buckets have a row, of their own or a shared one; absent
	// where the file does not tell.
	Trained int `json:"trained_buckets,omitempty"`
	// Importances is how many rows of weights hash embeddings have, each of Hashes
	// numbers, and Appended whether the weights are dimensions too.
	Importances int  `json:"importances,omitempty"`
	Appended    bool `json:"append_weights,omitempty"`

	text string // how words are cut, in words
}

// newNgramInfo describes the subwords of a set that has them.
func newNgramInfo(set *vectors.Set) *ngramInfo {
	n := &ngramInfo{Buckets: set.Subword().Rows()}
	_ = set.Guard(func() error { // a set that cannot be read has an error, which is seen later
		for _, row := range set.SharedParts().BucketRows {
			if row >= 0 {
				n.Trained++
			}
		}
		return nil
	})
	n.describe(set.Subword())
	return n
}

// describe says how words are cut.
func (n *ngramInfo) describe(sub subword.Indexer) {
	encoded, err := subword.Encode(sub)
	if err != nil {
		n.Kind = subword.NameOf(sub)
		return
	}
	number := func(setting string) int {
		x, _ := strconv.Atoi(encoded.Settings[setting]) // 0 for what it does not have
		return x
	}
	n.Kind, n.Listed, n.text = encoded.Kind, len(encoded.Ngrams), subword.Describe(sub)
	n.MinN, n.MaxN, n.Hashes = number("minn"), number("maxn"), number("hashes")
	n.Importances, n.Appended = number("importances"), encoded.Settings["append_weights"] == "true"
}

// String says it in words.
func (n *ngramInfo) String() string {
	if n.Trained > 0 {
		return fmt.Sprintf("%s, %s of them trained", n.text, wording.Thousands(n.Trained))
	}
	return n.text
}
