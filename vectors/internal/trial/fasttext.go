package trial

import "github.com/w2v-go/w2v/subword"

func fastText(minn, maxn, buckets int) subword.Indexer {
	return subword.FastText{MinN: minn, MaxN: maxn, Buckets: buckets}
}
