package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/subword"
)

// modelFlags are the flags that say what is trained and how, whatever the text: add adds
// them to a set of flags, and complete makes config of what they were set to.
type modelFlags struct {
	config sgns.Config

	subwords      string
	minn, maxn    int
	buckets       int // 0 for what is usual
	hashes        int
	importances   int // 0 for what is usual
	appendWeights bool
	wordBuckets   int
	nested        dimensionList

	floret subword.Floret // its seed and marks, for which there are no flags
}

// newModelFlags returns flags that stand for the defaults.
func newModelFlags() modelFlags {
	return modelFlags{config: sgns.Defaults(), floret: subword.Floret{Seed: subword.FloretSeed, BOW: "<", EOW: ">"}}
}

// add adds the flags, each with its default.
func (f *modelFlags) add(flags *pflag.FlagSet) {
	c := &f.config
	c.Arch, c.Loss = sgns.SkipGram, sgns.NegativeSampling
	addEnum(flags, &c.Arch, "arch", "what predicts what", choicesOf(sgns.Archs(), map[sgns.Arch]string{
		sgns.SkipGram:   "contexts from their centre",
		sgns.CBOW:       "the centre from the mean of its contexts",
		sgns.Structured: "skipgram with an output matrix for each relative position",
	}))
	addEnum(flags, &c.Loss, "loss", "how outputs are told apart", choicesOf(sgns.Losses(), map[sgns.Loss]string{
		sgns.NegativeSampling:    "negative sampling",
		sgns.HierarchicalSoftmax: "hierarchical softmax over a Huffman tree",
	}))
	flags.IntVar(&c.Dim, "dim", c.Dim, "dimensions")
	flags.IntVar(&c.Window, "window", c.Window, "largest distance between centre and context")
	flags.IntVar(&c.Epochs, "epochs", c.Epochs, "passes over the corpus")
	flags.IntVar(&c.Negatives, "negatives", c.Negatives, "negative samples a true pair")
	flags.Float64Var(&c.NSExponent, "ns-exponent", c.NSExponent, "noise distribution: count to this power")
	flags.Float64Var(&c.Sample, "sample", c.Sample, "subsampling threshold of frequent words; 0 turns it off")
	flags.Float64Var(&c.LearningRate, "lr", 0, "learning rate at the start, falls linearly to 0 (default by the size of the corpus: from 0.02 for the largest to 0.07 for small ones, or 0.05 with subwords, or 0.1 with cbow; lower for some variants, with larger windows and more negatives, and after --init)")
	f.subwords = subwordsNone
	addEnum(flags, &f.subwords, "subwords", "how words are composed", []choice{
		{subwordsNone, "of nothing: a row a word"},
		{subwordsFastText, "of character n-grams"},
		{subwordsFloret, "of n-grams and whole words in one small table"},
		{subwordsHash, "hash embeddings: as floret, with rows weighted by learned importances"},
	})
	flags.IntVar(&f.minn, "minn", 3, "shortest n-gram, in code points")
	flags.IntVar(&f.maxn, "maxn", 6, "longest n-gram, in code points; 0 with floret and hash for whole words alone")
	flags.IntVar(&f.buckets, "buckets", 0, "hash buckets of the n-grams (default 2000000 with fasttext, 200000 with floret, 50000 with hash)")
	flags.IntVar(&f.hashes, "hashes", 2, "rows of each n-gram with floret and hash, from 1 to 4")
	flags.IntVar(&f.importances, "importances", 0, "rows of importances with hash, which n-grams share (default 10 × buckets)")
	flags.BoolVar(&f.appendWeights, "append-weights", false, "with hash, the mean importances of a word are the last dimensions of its vector")
	flags.IntVar(&c.Rank, "rank", 0, "rows of `H` numbers, times a learned H × dim projection (default rows of dim numbers)")
	flags.BoolVar(&c.Tied, "tied", false, "input and output vectors are the same")
	flags.BoolVar(&c.PositionWeights, "position-weights", false, "with cbow, contexts are multiplied by a learned vector of their relative position")
	flags.IntVar(&c.WordNgrams, "word-ngrams", 0, "with cbow, runs of 2 to `N` words are contexts too, with hashed rows of their own")
	flags.IntVar(&f.wordBuckets, "word-buckets", 500_000, "hash buckets of the runs of words")
	flags.Var(&f.nested, "nested", "train the first dimensions as vectors of their own too: 32,64,128; the last are all, --dim; convert --first takes some")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "seed of all random numbers; with --threads 1 or --deterministic the same bits every time")
	flags.BoolVar(&c.Deterministic, "deterministic", false, "the same bits with any number of threads, on one kind of processor; slower than without")
}

// complete checks the flags, of which changed tells those that were given, and completes
// config. An error is about the flags.
func (f *modelFlags) complete(changed func(flag string) bool) error {
	for _, flag := range f.meanings() {
		if changed(flag.name) && !flag.has {
			return fmt.Errorf("--%s has a meaning only with %s", flag.name, flag.with)
		}
	}
	if changed("lr") && !(f.config.LearningRate > 0) {
		return fmt.Errorf("--lr must be above 0, is %v", f.config.LearningRate)
	}
	f.completeDim(changed)
	f.config.Nested = f.nested.numbers()
	f.config.WordBuckets = 0
	if f.config.WordNgrams > 1 {
		f.config.WordBuckets = f.wordBuckets
	}
	sub, err := f.indexer(changed)
	if err != nil {
		return err
	}
	f.config.Subword = sub
	if err := f.config.Validate(); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "sgns: "))
	}
	return nil
}

// completeDim makes all of nested dimensions those of the model, unless these are given.
func (f *modelFlags) completeDim(changed func(flag string) bool) {
	if n := f.nested.numbers(); len(n) > 0 && !changed("dim") {
		f.config.Dim = n[len(n)-1]
	}
}

// A meaning says what a flag needs to mean anything.
type meaning struct {
	name string
	has  bool
	with string
}

// meanings returns what flags have to be given with.
func (f *modelFlags) meanings() []meaning {
	var (
		sampled = f.config.Loss != sgns.HierarchicalSoftmax
		cut     = f.subwords != subwordsNone
		hash    = f.subwords == subwordsHash
		hashed  = hash || f.subwords == subwordsFloret
		runs    = f.config.WordNgrams > 1
	)
	return []meaning{
		{"negatives", sampled, "--loss ns"},
		{"ns-exponent", sampled, "--loss ns"},
		{"minn", cut, "--subwords fasttext, floret or hash"},
		{"maxn", cut, "--subwords fasttext, floret or hash"},
		{"minn", f.maxn != 0 || !hashed, "n-grams, and --maxn 0 takes words whole"},
		{"buckets", cut, "--subwords fasttext, floret or hash"},
		{"hashes", hashed, "--subwords floret or hash"},
		{"importances", hash, "--subwords hash"},
		{"append-weights", hash, "--subwords hash"},
		{"word-buckets", runs, "--word-ngrams of 2 or more"},
	}
}
