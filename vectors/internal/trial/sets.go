package trial

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// Plain returns a set of n plain words of dim numbers.
func Plain(n, dim int) *vectors.Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: filled(n, dim, func() float32 { return r.Float32() - 0.5 })})
}

// filled returns a matrix of numbers, drawn row by row.
func filled(rows, cols int, draw func() float32) vectors.Matrix {
	m := vectors.NewMatrix(rows, cols)
	for r := range rows {
		for k := range cols {
			m.Row(r)[k] = draw()
		}
	}
	return m
}

// Variants returns sets of every training variant, by name: eight words in six dimensions.
func Variants() map[string]*vectors.Set {
	const dim, window = 6, 2
	r := rand.New(rand.NewPCG(6, 6))
	matrix := func(rows, cols int) vectors.Matrix {
		return filled(rows, cols, func() float32 { return float32(r.NormFloat64()) })
	}
	words := []string{"the", "cat", "sat", "on", "mat", "日本語", "a", "</s>"}
	fasttext, floret := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}, subword.Floret{MinN: 2, MaxN: 3, Buckets: 40, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
	hash := subword.Hash{MinN: 2, MaxN: 3, Buckets: 30, Hashes: 2, Importances: 50}
	appended, whole := hash, hash
	appended.AppendWeights = true
	whole.MinN, whole.MaxN = 0, 0
	set := func(change func(p *vectors.Parts)) *vectors.Set {
		p := vectors.Parts{Words: vectors.NewWords(words...), Output: matrix(len(words), dim), Training: vectors.NewTraining("arch", "skipgram", "window", window)}
		for id := range words {
			p.Counts = append(p.Counts, uint64(900/(id+1)))
		}
		change(&p)
		return New(p)
	}
	plain := func(p *vectors.Parts, cols int) { p.Input = matrix(len(words), cols) }
	tables := func(p *vectors.Parts, sub subword.Indexer, cols int) {
		table := rowtable.New(words, sub, rowtable.Options{})
		p.Subword, p.WordRows, p.BucketRows = sub, table.WordRow, table.BucketRow
		p.Input = matrix(table.Rows(), cols)
	}
	hashed := func(p *vectors.Parts, h subword.Hash, cols int) {
		p.Subword, p.Input = h, matrix(h.Rows(), cols)
		p.Put(vectors.MatrixImportance, matrix(h.Importances, h.Hashes))
	}
	ranked := func(p *vectors.Parts) { p.Input = vectors.Product(p.Input, matrix(p.Input.Cols, dim)) }
	cbow := func(p *vectors.Parts, cols int) {
		p.Training.Set("arch", "cbow")
		p.Training.Set("word_ngrams", 3)
		p.Put(vectors.MatrixPositionWeights, matrix(2*window, cols))
		p.Put(vectors.MatrixWordNgrams, matrix(25, cols))
	}
	structured := func(p *vectors.Parts) {
		p.Training.Set("arch", "structured")
		positions := matrix(2*window*len(words), dim)
		p.Put(vectors.MatrixPositionOutput, positions)
		p.Output = vectors.Matrix{} // the matrices make the output
	}
	tree := func(p *vectors.Parts) {
		p.Training.Set("loss", "hs")
		p.Output = vectors.Matrix{}
		p.Put(vectors.MatrixNodes, matrix(len(words)-1, dim))
	}
	return map[string]*vectors.Set{
		"plain":             set(func(p *vectors.Parts) { plain(p, dim) }),
		"cbow":              set(func(p *vectors.Parts) { plain(p, dim); cbow(p, dim) }),
		"cbow, n-grams":     set(func(p *vectors.Parts) { tables(p, fasttext, dim); cbow(p, dim) }),
		"cbow, tree":        set(func(p *vectors.Parts) { plain(p, dim); cbow(p, dim); tree(p) }),
		"cbow, hash":        set(func(p *vectors.Parts) { hashed(p, hash, dim); cbow(p, dim) }),
		"cbow, appended":    set(func(p *vectors.Parts) { hashed(p, appended, dim-2); cbow(p, dim) }),
		"cbow, rank":        set(func(p *vectors.Parts) { tables(p, fasttext, 3); ranked(p); cbow(p, 3) }),
		"floret":            set(func(p *vectors.Parts) { tables(p, floret, dim) }),
		"floret, rank":      set(func(p *vectors.Parts) { tables(p, floret, 3); ranked(p) }),
		"hash":              set(func(p *vectors.Parts) { hashed(p, hash, dim) }),
		"hash, words alone": set(func(p *vectors.Parts) { hashed(p, whole, dim) }),
		"hash, rank":        set(func(p *vectors.Parts) { hashed(p, hash, 3); ranked(p) }),
		"hash, appended":    set(func(p *vectors.Parts) { hashed(p, appended, dim-2) }),
		"rank":              set(func(p *vectors.Parts) { plain(p, 3); ranked(p) }),
		"rank, n-grams":     set(func(p *vectors.Parts) { tables(p, fasttext, 3); ranked(p) }),
		"tied":              set(func(p *vectors.Parts) { plain(p, dim); p.Training.Set("tied", true); p.Output = p.Input }),
		"tied, cbow":        set(func(p *vectors.Parts) { plain(p, dim); cbow(p, dim); p.Training.Set("tied", true); p.Output = p.Input }),
		"structured":        set(func(p *vectors.Parts) { plain(p, dim); structured(p) }),
		"structured, rank":  set(func(p *vectors.Parts) { tables(p, fasttext, 3); ranked(p); structured(p) }),
		"tree":              set(func(p *vectors.Parts) { plain(p, dim); tree(p) }),
		"tree, hash":        set(func(p *vectors.Parts) { hashed(p, hash, dim); tree(p) }),
		"tree, floret":      set(func(p *vectors.Parts) { tables(p, floret, dim); tree(p) }),
	}
}

// Shared returns a set whose words and buckets share rows.
func Shared() *vectors.Set {
	return New(vectors.Parts{
		Words:      vectors.NewWords("the", "日本語", "\xff\n\x00 "),
		Counts:     []uint64{7, 2, 1},
		Input:      rowsOf([]float32{0.5, 0}, []float32{1.5, -1}, []float32{2.5, -2}, []float32{3.5, -3}),
		Output:     rowsOf([]float32{0, 0}, []float32{1. / 3, 0}, []float32{2. / 3, 0}),
		Subword:    subword.FastText{MinN: 2, MaxN: 3, Buckets: 5},
		WordRows:   []uint32{3, 0, 0},
		BucketRows: []int32{-1, 2, 1, 1, 3},
		Training:   vectors.NewTraining("arch", "skipgram", "window", 5, "sample", 1e-3, "seed", 1),
	})
}

// NgramKinds returns sets with all kinds of n-grams and of rows.
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
	whole := subword.Whole
	return map[string]*vectors.Set{
		"words": New(vectors.Parts{Words: words, Input: matrix(n)}),
		"mean":  New(vectors.Parts{Words: words, Input: matrix(n + 8), Subword: subword.Finalfusion{MinN: 1, MaxN: 6, Exponent: 3}}),
		"whole": New(vectors.Parts{Words: words, Input: matrix(n + 7), Subword: subword.FastText{MinN: 2, MaxN: 4, Buckets: 7}, Composition: whole}),
		"shared": New(vectors.Parts{
			Words: words, Input: matrix(5), Subword: hashed,
			WordRows: []uint32{0, 1, 2, 0, 1, 2}, BucketRows: []int32{3, -1, 4, 3},
			Training: vectors.NewTraining("arch", "cbow", "sample", 1e-7, "seed", uint64(math.MaxUint64), "lowercase", true, "tokenizer", "\"<é"),
		}),
		"pieces":         New(vectors.Parts{Words: words, Input: matrix(7), Subword: subword.FastText{MinN: 2, MaxN: 4, Buckets: 7}, Composition: subword.Pieces}),
		"explicit":       New(vectors.Parts{Words: words, Input: matrix(n + 3), Subword: explicit}),
		"no n-grams":     New(vectors.Parts{Words: words, Input: matrix(n), Subword: subword.FastText{}}),
		"floret":         New(vectors.Parts{Words: words, Input: matrix(9), Subword: subword.Floret{MinN: 2, MaxN: 4, Buckets: 9, Hashes: 3, Seed: 7, BOW: "[", EOW: "é"}}),
		"codes":          New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{}), Subword: hashed, Composition: whole}),
		"codes, rotated": New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{NormCodes: codes[:n+4], Norms: []float32{3, 0.5, 0}, Rotation: numbers(36)}), Subword: hashed, Composition: whole}),
		"codes, mean":    New(vectors.Parts{Words: words, Input: codedRows(coded.Quantised{}), Subword: hashed}),
		"codes, shared": New(vectors.Parts{
			Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{Book: book, Codes: codes[:3*n], Norms: numbers(n)}), Subword: hashed, Composition: whole,
			WordRows: []uint32{0, 1, 2, 0, 1, 2}, BucketRows: []int32{3, -1, 4, 3},
		}),
		"codes, unequal parts": New(vectors.Parts{Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{
			Book: pq.Codebook{Dim: 6, Part: 4, Size: 5, Centroids: numbers(30)}, Codes: []byte{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 4, 4},
		})}),
		"codes, no subwords": New(vectors.Parts{Words: words, Input: vectors.Stored(n, 6, &coded.Quantised{Book: book, Codes: codes[:3*n], Norms: numbers(n)})}),
	}
}

// Table returns a set that is a table of n-grams without words.
func Table(rows int) *vectors.Set {
	return New(vectors.Parts{
		Subword: subword.Floret{MinN: 2, MaxN: 4, Buckets: rows, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
		Input:   Plain(rows, 8).Input(),
	})
}

// Quantizable returns a set of random rows, n words and n-gram buckets, with a row for every word and bucket,
// like a model of fastText.
func Quantizable(n, buckets, dim int) *vectors.Set {
	random := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	draw := func() float32 { return float32(random.NormFloat64() + 0.2) }
	p := vectors.Parts{
		Subword: subword.FastText{MinN: 3, MaxN: 4, Buckets: buckets},
		Input:   filled(n+buckets, dim, draw), Output: filled(n, dim, draw),
		Training: vectors.NewTraining("arch", "skipgram", "tokens", 99),
	}
	var words []string
	for i := range n {
		words = append(words, fmt.Sprintf("%c%c%d", 'a'+i%7, 'k'+i%5, i))
		p.Counts = append(p.Counts, uint64(2*n-i))
	}
	p.Words = vectors.NewWords(words...)
	return New(p)
}

// Definition computes the vector of a word in float64, straight from the definition of a set's parts. It
// shares no code with package vectors. A word without a vector has no numbers.
func Definition(s *vectors.Set, word string) []float64 {
	rows, projection, factored := s.Input().Factors()
	if !factored {
		rows = s.Input()
	}
	id, known := s.ID(word)
	sum, n := make([]float64, rows.Cols), 0
	add := func(row []float32, weight float64) {
		for k, x := range row {
			sum[k] += weight * float64(x)
		}
	}
	var appended []float64
	switch sub := s.Subword().(type) {
	case subword.Hash:
		pieces, importances, hashes := sub.Append(nil, word), sub.AppendImportances(nil, word), sub.Hashes
		if sub.AppendWeights {
			appended = make([]float64, hashes)
		}
		for i, importance := range importances {
			if i == 0 && !known && len(importances) > 1 {
				continue
			}
			n++
			for j := range hashes {
				weight := float64(s.Matrix(vectors.MatrixImportance).Row(int(importance))[j])
				add(rows.Row(int(pieces[i*hashes+j])), weight)
				if sub.AppendWeights {
					appended[j] += weight
				}
			}
		}
	case nil:
		if !known {
			return nil
		}
		add(rows.Row(s.OwnRow(id)), 1)
		n++
	default:
		if known && s.OwnRows() && s.Composes() {
			add(rows.Row(s.OwnRow(id)), 1)
			n++
		}
		for _, bucket := range sub.Append(nil, word) {
			n++
			if r := s.BucketRow(bucket); r >= 0 {
				add(rows.Row(r), 1)
			}
		}
	}
	if n == 0 && !known {
		return nil
	}
	if factored {
		all := sum
		sum = make([]float64, projection.Cols)
		for h, x := range all {
			for k, y := range projection.Row(h) {
				sum[k] += x * float64(y)
			}
		}
	}
	sum = append(sum, appended...)
	for k := range sum {
		sum[k] /= max(1, float64(n))
	}
	return sum
}
