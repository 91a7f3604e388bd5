package trial

import "github.com/w2v-go/w2v/subword"

func floretTable(minn, maxn, rows int) subword.Indexer {
	return subword.Floret{MinN: minn, MaxN: maxn, Buckets: rows, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
}

// oddFloret has other settings than floret's defaults.
func oddFloret() subword.Indexer {
	return subword.Floret{MinN: 2, MaxN: 4, Buckets: 9, Hashes: 3, Seed: 7, BOW: "[", EOW: "é"}
}
