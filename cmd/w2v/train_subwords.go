package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/subword"
)

// The ways to compose a word's vector, by the names that --subwords has for them.
const (
	subwordsNone     = "none"
	subwordsFastText = "fasttext"
	subwordsFloret   = "floret"
	subwordsHash     = "hash"
)

// indexer returns what cuts words as the flags say, nil for what leaves them whole.
func (f *modelFlags) indexer(changed func(flag string) bool) (subword.Indexer, error) {
	usual := map[string]int{subwordsFastText: 2_000_000, subwordsFloret: 200_000, subwordsHash: 50_000}
	buckets := f.buckets
	if buckets == 0 && !changed("buckets") {
		buckets = usual[f.subwords]
	}
	minn := f.minn
	if f.maxn == 0 {
		minn = 0
	}
	var sub interface {
		subword.Indexer
		Validate() error
	}
	switch f.subwords {
	case subwordsNone:
		return nil, nil
	case subwordsFastText:
		if f.maxn < 1 {
			return nil, fmt.Errorf("--maxn must be at least 1 with --subwords fasttext, is %d", f.maxn)
		}
		sub = subword.FastText{MinN: minn, MaxN: f.maxn, Buckets: buckets}
	case subwordsFloret:
		floret := f.floret
		floret.MinN, floret.MaxN, floret.Buckets, floret.Hashes = minn, f.maxn, buckets, f.hashes
		sub = floret
	case subwordsHash:
		importances := f.importances
		if importances == 0 && !changed("importances") {
			importances = min(10*buckets, subword.MaxImportances)
		}
		sub = subword.Hash{MinN: minn, MaxN: f.maxn, Buckets: buckets, Hashes: f.hashes, Importances: importances, AppendWeights: f.appendWeights}
	}
	if err := sub.Validate(); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "subword: "))
	}
	return sub, nil
}
