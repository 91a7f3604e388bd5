package trial

import "github.com/w2v-go/w2v/subword"

// hashEmbeddings returns hash embeddings of n-grams, those whose weights are appended, and those
// of whole words alone.
func hashEmbeddings() (ngrams, appended, whole subword.Weigher) {
	hash := subword.Hash{MinN: 2, MaxN: 3, Buckets: 30, Hashes: 2, Importances: 50}
	withWeights, ofWords := hash, hash
	withWeights.AppendWeights = true
	ofWords.MinN, ofWords.MaxN = 0, 0
	return hash, withWeights, ofWords
}
