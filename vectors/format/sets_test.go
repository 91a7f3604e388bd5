package format

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// fullSet returns a set that every format can hold, with all optional parts.
func fullSet() *vectors.Set {
	r := rand.New(rand.NewPCG(9, 9))
	sub := subword.FastText{MinN: 3, MaxN: 5, Buckets: 100}
	p := vectors.Parts{
		Words:   vectors.NewWords(randomWords(r, 60, []string{"a", "the", "é", "日本", "🙂", "-", "7"})...),
		Subword: sub, Input: trial.Plain(60+sub.Buckets, 8).Input(), Output: trial.Plain(61, 8).Input(),
		Training: vectors.NewTraining(
			"arch", "cbow", "loss", "hs", "tied", true, "nested", "4,8", "word_ngrams", 2, "text_pooling", "mean+max+min", "labels_apart", true, "label_prefix", "__label__", "several_labels", true, "window", 4,
			"epochs", 3, "epochs_auto", true, "negatives", 7, "draws", 24, "ns_exponent", 0.5, "x_max", 20.0, "own_weight", 0.5, "power", 0.75, "min_count", 2, "sample", 0.25,
			"lr", 0.125, "seed", 11, "shuffle", true, "deterministic", true, "tokens", 60000, "trained", 70000, "lowercase", true, "lowercase_language", "tr", "tokenizer", "unicode",
			"normalize", "nfc", "strip_accents", true, "digits", "zero", "punctuation", "keep", "sentences", "unicode", "window_mode", "fixed", "precision", "f16",
			"split", ",", "group_by", "user", "phrases", true, "phrase_scoring", "npmi", "phrase_threshold", 0.25, "phrase_min_count", 2, "phrase_passes", 2, "phrase_delimiter", "~", "phrase_connectors", "of", "phrase_table", "sha256:00",
			"merge", "concat", "merge_parts", "a.w2v, b.w2v", "merge_weights", "1,0.5", "merge_power", 0.75, "recipe", "best",
			"text_column", 2, "header", true, "json_field", "text", "kmers", 6, "kmer_stride", 2, "kmer_alphabet", "protein", "kmer_canonical", true, "kmer_join", true,
		),
	}
	p.Training.Attach(vectors.AttachedTokenizer, []byte("{}"))
	p.Training.Attach(vectors.AttachedPhrases, []byte("a table"))
	p.Output.Rows = 60
	for i := range 60 {
		p.Counts = append(p.Counts, uint64(2000-i*i/2))
	}
	return trial.New(p)
}

// cutSet is fullSet with a tokenizer.json of its words.
func cutSet() *vectors.Set {
	p := fullSet().Parts()
	vocab := map[string]int{}
	for id, word := range p.Words.All() {
		vocab[word] = id
	}
	text, _ := json.Marshal(map[string]any{"model": map[string]any{"type": "WordLevel", "unk_token": p.Words.At(3), "vocab": vocab}, "truncation": map[string]any{
		"direction": "Right", "max_length": 100, "strategy": "LongestFirst", "stride": 0,
	}})
	p.Training = vectors.NewTraining("tokenizer", fmt.Sprintf("tokenizer.json sha256:%x", sha256.Sum256(text)),
		"pooling", "mean", "text_norm", true, "unknown", "row", "text_limit", 100, "text_characters", 9, "text_tokens", 100,
		"pairs", 12, "texts", 13, "batch_size", 64, "patience", 2, "metric", "ndcg", "queue", 9, "one_way", true, "teacher_dim", 768, "teacher_variance", 0.75)
	p.Training.Attach(vectors.AttachedTokenizer, text)
	return trial.New(p)
}

// randomWords returns n different words made of pieces.
func randomWords(r *rand.Rand, n int, pieces []string) []string {
	var words []string
	for i := range n {
		w := fmt.Sprintf("w%d.", i) // makes words unique
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
