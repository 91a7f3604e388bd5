package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/lab/battery"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A variant is a model to train, and the rows of the tables that come of it.
type variant struct {
	name  string // of -only, and of its row's results
	title string // of its row
	flags string // that w2v train has for it, besides --dim 100 and the other usual ones
	set   func(*sgns.Config)
	parts []part

	untrained bool    // random vectors
	gensim    float64 // not w2v, but gensim's CBOW with this learning rate
}

// A part is a row of something that is made of a trained model.
type part struct {
	name, title string
	made        func(*vectors.Set) (*vectors.Set, string, error) // and what is to be said of it
}

// The usual settings of word2vec and fastText.
const (
	dim      = 100
	minCount = 5
	restrict = battery.Restrict // answers to analogies are among so many words
)

// variants are all there are, those first that the checks need.
func variants(o options) []variant {
	ngrams := subword.FastText{MinN: 3, MaxN: 6, Buckets: 2_000_000}
	floret := subword.Floret{MinN: 3, MaxN: 6, Buckets: 200_000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	hash := subword.Hash{MinN: 3, MaxN: 6, Buckets: o.pool, Hashes: 2, Importances: o.importances}
	small := hash
	small.Buckets, small.Importances = 12_000, 200_000
	appended := hash
	appended.AppendWeights = true
	hashFlags := func(h subword.Hash) string {
		return fmt.Sprintf("--subwords hash --buckets %d --importances %d", h.Buckets, h.Importances)
	}
	plainOf := func(name string, dim int) variant {
		return variant{name: name, title: fmt.Sprintf("words, dim %d", dim), flags: fmt.Sprintf("--dim %d", dim),
			set: func(c *sgns.Config) { c.Dim = dim }}
	}
	return []variant{
		{name: "words", title: "words", set: func(*sgns.Config) {}, parts: []part{factorised(64), factorised(32)}},
		{name: "ngrams", title: "fastText-style n-grams", flags: "--subwords fasttext",
			set: func(c *sgns.Config) { c.Subword = ngrams }},
		{name: "cbow", title: "CBOW", flags: "--arch cbow",
			set: func(c *sgns.Config) { c.Arch = sgns.CBOW }},
		{name: "gensim", title: "gensim's CBOW, rate 0.025", gensim: 0.025},
		{name: "gensim-0.05", title: "gensim's CBOW, rate 0.05", gensim: 0.05},
		{name: "hash", title: "hash embeddings", flags: hashFlags(hash),
			set: func(c *sgns.Config) { c.Subword = hash }},
		{name: "hash-small", title: "hash embeddings, small", flags: hashFlags(small),
			set: func(c *sgns.Config) { c.Subword = small }},
		{name: "cbow-ngrams-positions", title: "CBOW, n-grams, position weights", flags: "--arch cbow --subwords fasttext --position-weights",
			set: func(c *sgns.Config) { c.Arch, c.Subword, c.PositionWeights = sgns.CBOW, ngrams, true }},
		{name: "nested", title: "nested 32,64,128: all", flags: "--dim 128 --nested 32,64,128",
			set:   func(c *sgns.Config) { c.Dim, c.Nested = 128, []int{32, 64, 128} },
			parts: []part{beginning(32), beginning(64)}},
		plainOf("dim32", 32),
		{name: "cbow-positions", title: "CBOW, position weights", flags: "--arch cbow --position-weights",
			set: func(c *sgns.Config) { c.Arch, c.PositionWeights = sgns.CBOW, true }},
		{name: "cbow-ngrams", title: "CBOW, n-grams", flags: "--arch cbow --subwords fasttext",
			set: func(c *sgns.Config) { c.Arch, c.Subword = sgns.CBOW, ngrams }},
		{name: "random", title: "random vectors", untrained: true},
		plainOf("dim8", 8),
		plainOf("dim64", 64),
		plainOf("dim128", 128),
		{name: "tied", title: "tied", flags: "--tied", set: func(c *sgns.Config) { c.Tied = true }},
		{name: "rank64", title: "rank 64", flags: "--rank 64", set: func(c *sgns.Config) { c.Rank = 64 }},
		{name: "rank32", title: "rank 32", flags: "--rank 32", set: func(c *sgns.Config) { c.Rank = 32 }},
		{name: "floret", title: "floret", flags: "--subwords floret --buckets 200000 --hashes 2",
			set: func(c *sgns.Config) { c.Subword = floret }},
		{name: "cbow-word-ngrams", title: "CBOW, word n-grams", flags: "--arch cbow --word-ngrams 2 --word-buckets 500000",
			set: func(c *sgns.Config) { c.Arch, c.WordNgrams, c.WordBuckets = sgns.CBOW, 2, 500_000 }},
		{name: "hash-appended", title: "hash embeddings, weights appended", flags: hashFlags(appended) + " --append-weights",
			set: func(c *sgns.Config) { c.Subword = appended }},
		{name: "cbow-hs", title: "CBOW, hierarchical softmax", flags: "--arch cbow --loss hs",
			set: func(c *sgns.Config) { c.Arch, c.Loss = sgns.CBOW, sgns.HierarchicalSoftmax }},
		{name: "hs", title: "words, hierarchical softmax", flags: "--loss hs",
			set: func(c *sgns.Config) { c.Loss = sgns.HierarchicalSoftmax }},
		{name: "directional", title: "directional skip-gram", flags: "--loss directional",
			set: func(c *sgns.Config) { c.Loss = sgns.Directional }},
		{name: "directional-ngrams", title: "directional skip-gram, n-grams", flags: "--loss directional --subwords fasttext",
			set: func(c *sgns.Config) { c.Loss, c.Subword = sgns.Directional, ngrams }},
		{name: "structured", title: "structured skip-gram", flags: "--arch structured",
			set: func(c *sgns.Config) { c.Arch = sgns.Structured }},
	}
}

// factorised is the row of a model that is made of factors after its training.
func factorised(rank int) part {
	return part{fmt.Sprintf("factorised%d", rank), fmt.Sprintf("words, factorised to rank %d", rank), func(s *vectors.Set) (*vectors.Set, string, error) {
		f, how, err := transform.Factorize(context.Background(), s, transform.FactorizeOptions{Rank: rank})
		return f, fmt.Sprintf("%.1f %% of the squares kept", 100*how.EnergyKept), err
	}}
}

// beginning is the row of the first so many dimensions.
func beginning(dim int) part {
	return part{fmt.Sprintf("nested%d", dim), fmt.Sprintf("nested: the first %d", dim), func(s *vectors.Set) (*vectors.Set, string, error) {
		first, err := transform.First(s, dim)
		return first, "", err
	}}
}

// rows are the names and titles of a variant's rows, as tables have them: shortened ones
// before the whole.
func (v variant) rows() (names, titles []string) {
	names, titles = []string{v.name}, []string{v.title}
	for _, p := range v.parts {
		names, titles = append(names, p.name), append(titles, p.title)
	}
	return names, titles
}

// config is what a variant is trained with.
func (v variant) config(o options, seed uint64) sgns.Config {
	c := sgns.Defaults()
	c.Dim, c.Epochs, c.Threads, c.Seed = dim, o.epochs, o.threads, seed
	if v.set != nil {
		v.set(&c)
	}
	return c
}

// choose returns the variants of a list of names, of rows too, in their own order; all if
// the list is empty.
func choose(all []variant, list string) ([]variant, error) {
	if list == "" {
		return all, nil
	}
	names := strings.Split(list, ",")
	var chosen []variant
	var known []string
	for _, v := range all {
		rows, _ := v.rows()
		known = append(known, v.name)
		if slices.ContainsFunc(rows, func(row string) bool { return slices.Contains(names, row) }) {
			chosen = append(chosen, v)
		}
		names = slices.DeleteFunc(names, func(name string) bool { return slices.Contains(rows, name) })
	}
	if len(names) > 0 {
		return nil, fmt.Errorf("-only: there is no row %q, but %s", names[0], strings.Join(known, ", "))
	}
	return chosen, nil
}
