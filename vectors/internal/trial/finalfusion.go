package trial

import "github.com/w2v-go/w2v/subword"

func finalfusion(minn, maxn, exponent int) subword.Indexer {
	return subword.Finalfusion{MinN: minn, MaxN: maxn, Exponent: exponent}
}
