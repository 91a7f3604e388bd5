package main

import (
	"fmt"

	"github.com/w2v-go/w2v/subword"
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
}

// describe says how words are cut.
func (n *ngramInfo) describe(sub subword.Indexer) {
	switch sub := sub.(type) {
	case subword.FastText:
		n.Kind, n.MinN, n.MaxN = "fasttext", sub.MinN, sub.MaxN
	case *subword.Pruned:
		n.Kind, n.MinN, n.MaxN = "fasttext", sub.Whole().MinN, sub.Whole().MaxN
	case subword.Finalfusion:
		n.Kind, n.MinN, n.MaxN = "finalfusion", sub.MinN, sub.MaxN
	case subword.Floret:
		n.Kind, n.MinN, n.MaxN, n.Hashes = "floret", sub.MinN, sub.MaxN, sub.Hashes
	case subword.Hash:
		n.Kind, n.MinN, n.MaxN, n.Hashes = "hash", sub.MinN, sub.MaxN, sub.Hashes
		n.Importances, n.Appended = sub.Importances, sub.AppendWeights
	case *subword.Explicit:
		ngrams, _ := sub.List()
		n.Kind, n.MinN, n.MaxN, n.Listed = "explicit", sub.MinN(), sub.MaxN(), len(ngrams)
	}
}

// String says it in words.
func (n *ngramInfo) String() string {
	buckets := thousands(uint64(n.Buckets))
	text := fmt.Sprintf("of %d to %d code points in %s buckets", n.MinN, n.MaxN, buckets)
	pieces := fmt.Sprintf("of %d to %d code points, and whole words", n.MinN, n.MaxN)
	if n.MaxN == 0 {
		pieces = "whole words alone"
	}
	switch n.Kind {
	case "finalfusion":
		text += ", hashed as finalfusion does"
	case "floret":
		text = fmt.Sprintf("%s, in %s rows, %d for each, hashed as floret does", pieces, buckets, n.Hashes)
	case "hash":
		text = fmt.Sprintf("%s, in %s rows, %d for each, weighted by %s rows of importances", pieces, buckets, n.Hashes, thousands(uint64(n.Importances)))
		if n.Appended {
			text += ", which are the last dimensions too"
		}
	case "explicit":
		text = fmt.Sprintf("of %d to %d code points, %s of them, listed, in %s rows",
			n.MinN, n.MaxN, thousands(uint64(n.Listed)), buckets)
	}
	if n.Trained > 0 {
		text += fmt.Sprintf(", %s of them trained", thousands(uint64(n.Trained)))
	}
	return text
}
