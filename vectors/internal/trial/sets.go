package trial

import (
	"fmt"
	"math/rand/v2"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Plain returns n words of dim numbers.
func Plain(n, dim int) *vectors.Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	m := vectors.NewMatrix(n, dim)
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
		for k := range m.Row(i) {
			m.Row(i)[k] = r.Float32() - 0.5
		}
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
}

// Full returns words that every format holds, with all that a set can have.
func Full() *vectors.Set {
	r := rand.New(rand.NewPCG(9, 9))
	sub := subword.FastText{MinN: 3, MaxN: 5, Buckets: 100}
	p := vectors.Parts{
		Words:   vectors.NewWords(RandomWords(r, 60, []string{"a", "the", "é", "日本", "🙂", "-", "7"})...),
		Subword: sub, Input: Plain(60+sub.Buckets, 8).Input(), Output: Plain(61, 8).Input(),
		Training: vectors.NewTraining(
			"arch", "cbow", "loss", "hs", "tied", true, "nested", "4,8", "word_ngrams", 2, "window", 4,
			"epochs", 3, "negatives", 7, "draws", 24, "ns_exponent", 0.5, "min_count", 2, "sample", 0.25,
			"lr", 0.125, "seed", 11, "shuffle", true, "deterministic", true, "tokens", 60000, "trained", 70000, "lowercase", true, "lowercase_language", "tr", "tokenizer", "unicode",
			"normalize", "nfc", "strip_accents", true, "digits", "zero", "punctuation", "keep", "sentences", "unicode", "window_mode", "fixed", "precision", "f16",
			"split", ",", "group_by", "user", "phrases", true, "phrase_scoring", "npmi", "phrase_threshold", 0.25, "phrase_min_count", 2, "phrase_passes", 2, "phrase_delimiter", "~", "phrase_connectors", "of",
		),
	}
	p.Output.Rows = 60
	for i := range 60 {
		p.Counts = append(p.Counts, uint64(2000-i*i/2))
	}
	return New(p)
}

// Cut is Full, of text that was cut as the tokenizers of all formats can.
func Cut() *vectors.Set {
	p := Full().Parts()
	for _, name := range []string{"normalize", "strip_accents", "digits", "punctuation", "split", "group_by"} {
		p.Training.Set(name, nil)
	}
	return New(p)
}

// RandomWords returns n different words of pieces.
func RandomWords(r *rand.Rand, n int, pieces []string) []string {
	var words []string
	for i := range n {
		w := fmt.Sprintf("w%d.", i) // for them to differ
		for range r.IntN(4) {
			piece := pieces[r.IntN(len(pieces))]
			if r.IntN(2) == 0 {
				w = piece + w
			} else {
				w += piece
			}
		}
		words = append(words, w)
	}
	return words
}
