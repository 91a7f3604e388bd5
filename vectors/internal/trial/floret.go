package trial

import "github.com/w2v-go/w2v/subword"

func floretTable(minn, maxn, rows int) subword.Indexer {
	return subword.Floret{MinN: minn, MaxN: maxn, Buckets: rows, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
}
