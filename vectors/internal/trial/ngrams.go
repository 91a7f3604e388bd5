package trial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Shared returns a set whose words and buckets share rows.
func Shared() *vectors.Set {
	s := New(vectors.Parts{
		Words:      vectors.NewWords("the", "日本語", "\xff\n\x00 "),
		Counts:     []uint64{7, 2, 1},
		Input:      vectors.NewMatrix(4, 2),
		Output:     vectors.NewMatrix(3, 2),
		Subword:    subword.FastText{MinN: 2, MaxN: 3, Buckets: 5},
		WordRows:   []uint32{3, 0, 0},
		BucketRows: []int32{-1, 2, 1, 1, 3},
		Training:   vectors.NewTraining("arch", "skipgram", "window", 5, "sample", 1e-3, "seed", 1),
	})
	for r := range s.Input().Rows {
		s.Input().Row(r)[0], s.Input().Row(r)[1] = float32(r)+0.5, -float32(r)
	}
	for r := range s.Output().Rows {
		s.Output().Row(r)[0] = float32(r) / 3
	}
	return s
}

// NgramKinds are sets with all kinds of n-grams and of rows.
func NgramKinds(t testing.TB) map[string]*vectors.Set {
	t.Helper()
	words := vectors.NewWords("the", "naïve", "日本語", "", "a b", "🙂")
	n := words.Len()
	random := rand.New(rand.NewPCG(3, 4))
	numbers := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = random.Float32() - 0.5
		}
		return list
	}
	matrix := func(rows int) vectors.Matrix {
		return vectors.Matrix{Data: numbers(6 * rows), Rows: rows, Cols: 6, Stride: 6}
	}
	explicit, err := subword.NewExplicit(2, 3, []string{"<t", "th", "the", "語>", "日本"}, []uint32{2, 0, 1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	hashed := subword.Finalfusion{MinN: 3, MaxN: 4, Exponent: 2}
	book := pq.Codebook{Dim: 6, Part: 2, Size: 3, Centroids: numbers(18)}
	codes := make([]byte, 3*(n+4))
	for i := range codes {
		codes[i] = byte(random.IntN(3))
	}
	codedRows := func(q coded.Quantised) vectors.Matrix {
		q.Book, q.Codes = book, codes
		return vectors.Stored(n+4, 6, &q)
	}
	return map[string]*vectors.Set{
		"words": New(vectors.Parts{Words: words, Input: matrix(n)}),
		"mean":  New(vectors.Parts{Words: words, Input: matrix(n + 8), Subword: subword.Finalfusion{MinN: 1, MaxN: 6, Exponent: 3}}),
		"whole": New(vectors.Parts{Words: words, Input: matrix(n + 7), Subword: subword.FastText{MinN: 2, MaxN: 4, Buckets: 7}, Composition: subword.Whole}),
		"shared": New(vectors.Parts{
			Words: words, Input: matrix(5), Subword: hashed,
			WordRows: []uint32{0, 1, 2, 0, 1, 2}, BucketRows: []int32{3, -1, 4, 3},
			Training: vectors.NewTraining("arch", "cbow", "sample", 1e-7, "seed", uint64(math.MaxUint64), "lowercase", true, "tokenizer", "\"<é"),
		}),
		"pieces":         New(vectors.Parts{Words: words, Input: matrix(7), Subword: subword.FastText{MinN: 2, MaxN: 4, Buckets: 7}, Composition: subword.Pieces}),
		"explicit":       New(vectors.Parts{Words: words, Input: matrix(n + 3), Subword: explicit}),
		"no n-grams":     New(vectors.Parts{Words: words, Input: matrix(n), Subword: subword.FastText{}}),
		"floret":         New(vectors.Parts{Words: words, Input: matrix(9), Subword: subword.Floret{MinN: 2, MaxN: 4, Buckets: 9, Hashes: 3, Seed: 7, BOW: "[", EOW: "é"}, Composition: subword.Pieces}),
		"codes":          New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{}), Subword: hashed, Composition: subword.Whole}),
		"codes, rotated": New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{NormCodes: codes[:n+4], Norms: []float32{3, 0.5, 0}, Rotation: numbers(36)}), Subword: hashed, Composition: subword.Whole}),
		"codes, mean":    New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{}), Subword: hashed}),
		"codes, shared": New(vectors.Parts{
			Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{Book: book, Codes: codes[:3*n], Norms: numbers(n)}), Subword: hashed, Composition: subword.Whole,
			WordRows: []uint32{0, 1, 2, 0, 1, 2}, BucketRows: []int32{3, -1, 4, 3},
		}),
		"codes, unequal parts": New(vectors.Parts{Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{
			Book: pq.Codebook{Dim: 6, Part: 4, Size: 5, Centroids: numbers(30)}, Codes: []byte{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 4, 4},
		})}),
		"codes, no subwords": New(vectors.Parts{Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{Book: book, Codes: codes[:3*n], Norms: numbers(n)})}),
	}
}

// Table returns a table of n-grams without words.
func Table(rows int) *vectors.Set {
	return New(vectors.Parts{
		Subword:     subword.Floret{MinN: 2, MaxN: 4, Buckets: rows, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
		Composition: subword.Pieces,
		Input:       Plain(rows, 8).Input(),
	})
}

// Quantizable returns a set of random rows, n words with n-grams in buckets, as a
// model of fastText: a row for every word and every bucket.
func Quantizable(n, buckets, dim int) *vectors.Set {
	random := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	p := vectors.Parts{
		Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: buckets},
		Input:   vectors.NewMatrix(n+buckets, dim), Output: vectors.NewMatrix(n, dim),
		Training: vectors.NewTraining("arch", "skipgram", "tokens", 99),
	}
	var words []string
	for i := range n {
		words = append(words, fmt.Sprintf("%c%c%d", 'a'+i%7, 'k'+i%5, i))
		p.Counts = append(p.Counts, uint64(2*n-i))
	}
	p.Words = vectors.NewWords(words...)
	for _, m := range []vectors.Matrix{p.Input, p.Output} {
		for r := range m.Rows {
			for k := range m.Row(r) {
				m.Row(r)[k] = float32(random.NormFloat64() + 0.2)
			}
		}
	}
	return New(p)
}
