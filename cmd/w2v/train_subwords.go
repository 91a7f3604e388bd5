package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
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

// cutAs makes the flags those that cut words as sub does, and reports whether there are
// such.
func (f *modelFlags) cutAs(sub subword.Indexer) bool {
	switch sub := sub.(type) {
	case nil:
		f.subwords = subwordsNone
	case subword.FastText:
		f.subwords, f.minn, f.maxn, f.buckets = subwordsFastText, max(sub.MinN, 1), sub.MaxN, sub.Buckets // no n-gram has no code points
	case subword.Floret:
		f.subwords, f.minn, f.maxn, f.buckets, f.hashes = subwordsFloret, sub.MinN, sub.MaxN, sub.Buckets, sub.Hashes
		f.floret = sub
	case subword.Hash:
		f.subwords, f.minn, f.maxn, f.buckets, f.hashes = subwordsHash, sub.MinN, sub.MaxN, sub.Buckets, sub.Hashes
		f.importances, f.appendWeights = sub.Importances, sub.AppendWeights
	default:
		return false
	}
	return true
}

// takeCut makes the flags about n-grams those that cut words as sub does, but for those
// that are given, if there are such.
func (f *modelFlags) takeCut(t *taken, sub subword.Indexer) {
	var saved modelFlags
	if !saved.cutAs(sub) {
		return
	}
	take(t, "subwords", &f.subwords, saved.subwords)
	if f.subwords != saved.subwords || sub == nil {
		return
	}
	take(t, "minn", &f.minn, saved.minn)
	take(t, "maxn", &f.maxn, saved.maxn)
	take(t, "buckets", &f.buckets, saved.buckets)
	switch saved.subwords {
	case subwordsHash:
		take(t, "importances", &f.importances, saved.importances)
		take(t, "append-weights", &f.appendWeights, saved.appendWeights)
		take(t, "hashes", &f.hashes, saved.hashes)
	case subwordsFloret:
		take(t, "hashes", &f.hashes, saved.hashes)
		f.floret = saved.floret
	}
}

// composition is what words' vectors are made of.
func (f *modelFlags) composition() vectors.Composition {
	switch f.subwords {
	case subwordsFloret:
		return vectors.ComposePieces
	case subwordsHash:
		return vectors.ComposeWeighted
	}
	return vectors.ComposeMean
}
