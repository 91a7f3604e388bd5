// Package trial has sets of all kinds for tests, and helpers for tests of sets.
package trial

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/pq"
	"github.com/w2v-go/w2v/internal/rowtable"
	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/backing"
	"github.com/w2v-go/w2v/vectors/internal/coded"
)

// New is vectors.New for parts that fit together.
func New(p vectors.Parts) *vectors.Set {
	s, err := vectors.New(p)
	if err != nil {
		panic(err)
	}
	return s
}

// Unchecked is vectors.New without checks.
func Unchecked(p vectors.Parts) *vectors.Set {
	return backing.NewSet(p, (*vectors.NotFinite)(nil), nil).(*vectors.Set)
}

// Nearest returns the nearest words of one vector. The set must be readable.
func Nearest(s *vectors.Set, v []float32, k int, skip ...int) []vectors.Neighbor {
	near, err := s.Nearest(context.Background(), vectors.Query{Vector: v, K: k, Skip: skip})
	if err != nil {
		panic(err)
	}
	return near[0]
}

// OfRows returns a set of the words a, b, c … with these vectors.
func OfRows(rows ...[]float32) *vectors.Set {
	var words []string
	for i := range rows {
		words = append(words, string(rune('a'+i)))
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: rowsOf(rows...)})
}

func rowsOf(rows ...[]float32) vectors.Matrix {
	m := vectors.NewMatrix(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	return m
}

// With returns s with some of its parts changed.
func With(s *vectors.Set, change func(p *vectors.Parts)) *vectors.Set {
	p := s.Parts()
	change(&p)
	return New(p)
}

// Unknown returns words that no set of Variants knows. Two have no n-grams shorter than themselves.
func Unknown() []string { return []string{"theatre", "matters", "日本", "x", "", "cats"} }

// SameSet fails the test unless both sets are equal bit for bit, with all NaNs equal to each other.
func SameSet(t testing.TB, got, want *vectors.Set) {
	t.Helper()
	facts := func(s *vectors.Set) []any {
		names := []string{}
		for _, m := range matrices(s) {
			names = append(names, m.Name)
		}
		return []any{s.Words().Strings(), s.Counts(), names, s.WordRows(), s.BucketRows(), s.Subword()}
	}
	for i, w := range facts(want) {
		if g := facts(got)[i]; !reflect.DeepEqual(g, w) {
			t.Fatalf("%s %.200v, want %.200v", []string{"words", "counts", "matrices", "word rows", "bucket rows", "subwords"}[i], g, w)
		}
	}
	for i, m := range matrices(want) {
		SameMatrix(t, m.Name, matrices(got)[i].Matrix, m.Matrix)
	}
}

// SameMatrix fails the test unless both matrices are equal bit for bit.
func SameMatrix(t testing.TB, name string, got, want vectors.Matrix) {
	t.Helper()
	if got.Rows != want.Rows || got.Rows > 0 && got.Cols != want.Cols {
		t.Fatalf("%s of %d×%d, want %d×%d", name, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for r := range got.Rows {
		for j, x := range got.Row(r) {
			if y := want.Row(r)[j]; math.Float32bits(x) != math.Float32bits(y) && (x == x || y == y) {
				t.Fatalf("%s row %d: %v, want %v", name, r, got.Row(r), want.Row(r))
			}
		}
	}
}

// Near fails the test unless both vectors are equal up to rounding.
func Near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%q: %v, want %v", what, got, want)
	}
	for k, x := range want {
		if d := float64(got[k] - x); !(math.Abs(d) <= 1e-5*max(1, math.Abs(float64(x)))) && (x == x || got[k] == got[k]) {
			t.Fatalf("%q: %v, want %v", what, got, want)
		}
	}
}

// Narrow converts v to float32.
func Narrow(v []float64) []float32 {
	w := make([]float32, len(v))
	for k, x := range v {
		w[k] = float32(x)
	}
	return w
}

func matrices(s *vectors.Set) []vectors.NamedMatrix {
	return append([]vectors.NamedMatrix{{Name: vectors.MatrixInput, Matrix: s.Input()}, {Name: vectors.MatrixOutput, Matrix: s.Output()}}, s.Matrices()...)
}

// Vector returns a copy of the vector of a word, and whether the word has one.
func Vector(s *vectors.Set, word string) ([]float32, bool) {
	v := make([]float32, s.Dim())
	ok := s.Vector(v, word)
	return v, ok
}

// WordVector returns a copy of the vector of word id.
func WordVector(s *vectors.Set, id int) []float32 {
	v := make([]float32, s.Dim())
	s.WordVector(v, id)
	return v
}

// Plain returns a set of n plain words of dim numbers.
func Plain(n, dim int) *vectors.Set {
	r := rand.New(rand.NewPCG(uint64(n), uint64(dim)))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	return New(vectors.Parts{Words: vectors.NewWords(words...), Input: filled(n, dim, func() float32 { return r.Float32() - 0.5 })})
}

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
	sets := map[string]*vectors.Set{}
	for _, name := range []string{
		"plain", "cbow", "cbow, n-grams", "cbow, tree", "cbow, hash", "cbow, appended", "cbow, rank", "floret", "floret, rank",
		"hash", "hash, words alone", "hash, rank", "hash, appended", "rank", "rank, n-grams", "tied", "tied, cbow",
		"structured", "structured, rank", "tree", "tree, hash", "tree, floret", "directional", "directional, n-grams",
	} {
		is := func(part string) bool { return slices.Contains(strings.Split(name, ", "), part) }
		p := vectors.Parts{Words: vectors.NewWords(words...), Output: matrix(len(words), dim), Training: vectors.NewTraining("arch", "skipgram", "window", window)}
		for id := range words {
			p.Counts = append(p.Counts, uint64(900/(id+1)))
		}
		rows, cols := len(words), dim
		if is("rank") {
			cols = 3
		}
		switch {
		case is("floret"):
			p.Subword = subword.Floret{MinN: 2, MaxN: 3, Buckets: 40, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
		case is("n-grams"), name == "cbow, rank", name == "structured, rank":
			p.Subword = subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
		case is("hash"), is("appended"):
			h := subword.Hash{MinN: 2, MaxN: 3, Buckets: 30, Hashes: 2, Importances: 50, AppendWeights: is("appended")}
			if is("words alone") {
				h.MinN, h.MaxN = 0, 0
			}
			p.Subword, rows = h, h.Rows()
			p.Put(vectors.MatrixImportance, matrix(h.Importances, h.Hashes))
		}
		if _, hashed := p.Subword.(subword.Hash); p.Subword != nil && !hashed {
			table := rowtable.New(words, p.Subword, rowtable.Options{})
			p.WordRows, p.BucketRows, rows = table.WordRow, table.BucketRow, table.Rows()
		}
		switch {
		case is("rank"):
			p.Input = vectors.Product(matrix(rows, cols), matrix(cols, dim))
		case is("appended"):
			p.Input = matrix(rows, dim-2)
		default:
			p.Input = matrix(rows, dim)
		}
		if is("cbow") {
			p.Training.Set("arch", "cbow")
			p.Training.Set("word_ngrams", 3)
			p.Put(vectors.MatrixPositionWeights, matrix(2*window, cols))
			p.Put(vectors.MatrixWordNgrams, matrix(25, cols))
		}
		switch {
		case is("structured"): // the matrices make the output
			p.Training.Set("arch", "structured")
			p.Put(vectors.MatrixPositionOutput, matrix(2*window*len(words), dim))
			p.Output = vectors.Matrix{}
		case is("tree"):
			p.Training.Set("loss", "hs")
			p.Output = vectors.Matrix{}
			p.Put(vectors.MatrixNodes, matrix(len(words)-1, dim))
		case is("directional"):
			p.Training.Set("loss", "directional")
			p.Put(vectors.MatrixDirections, matrix(len(words), dim))
		case is("tied"):
			p.Training.Set("tied", true)
			p.Output = p.Input
		}
		sets[name] = New(p)
	}
	return sets
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
	book := pq.Codebook{Dim: 6, Part: 2, Size: 3, Centroids: numbers(18)}
	codes := make([]byte, 3*(n+4))
	for i := range codes {
		codes[i] = byte(random.IntN(3))
	}
	codedRows := func(rows int, q coded.Quantised) vectors.Matrix {
		q.Book, q.Codes = book, codes[:3*rows]
		return vectors.Stored(rows, 6, &q)
	}
	hashed, ngrams := subword.Finalfusion{MinN: 3, MaxN: 4, Exponent: 2}, subword.FastText{MinN: 2, MaxN: 4, Buckets: 7}
	wordRows, bucketRows := []uint32{0, 1, 2, 0, 1, 2}, []int32{3, -1, 4, 3}
	unequal := coded.Quantised{Book: pq.Codebook{Dim: 6, Part: 4, Size: 5, Centroids: numbers(30)}, Codes: []byte{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 4, 4}}
	whole, pieces := subword.Whole, subword.Pieces
	sets := map[string]*vectors.Set{}
	for name, p := range map[string]vectors.Parts{
		"words": {Input: matrix(n)},
		"mean":  {Input: matrix(n + 8), Subword: subword.Finalfusion{MinN: 1, MaxN: 6, Exponent: 3}},
		"whole": {Input: matrix(n + 7), Subword: ngrams, Composition: whole},
		"shared": {
			Input: matrix(5), Subword: hashed, WordRows: wordRows, BucketRows: bucketRows,
			Training: vectors.NewTraining("arch", "cbow", "sample", 1e-7, "seed", uint64(math.MaxUint64), "lowercase", true, "tokenizer", "\"<é"),
		},
		"pieces":               {Input: matrix(7), Subword: ngrams, Composition: pieces},
		"explicit":             {Input: matrix(n + 3), Subword: explicit},
		"no n-grams":           {Input: matrix(n), Subword: subword.FastText{}},
		"floret":               {Input: matrix(9), Subword: subword.Floret{MinN: 2, MaxN: 4, Buckets: 9, Hashes: 3, Seed: 7, BOW: "[", EOW: "é"}},
		"codes":                {Input: codedRows(n+4, coded.Quantised{}), Subword: hashed, Composition: whole},
		"codes, rotated":       {Input: codedRows(n+4, coded.Quantised{NormCodes: codes[:n+4], Norms: []float32{3, 0.5, 0}, Rotation: numbers(36)}), Subword: hashed, Composition: whole},
		"codes, mean":          {Input: codedRows(n+4, coded.Quantised{}), Subword: hashed},
		"codes, shared":        {Input: codedRows(n, coded.Quantised{Norms: numbers(n)}), Subword: hashed, Composition: whole, WordRows: wordRows, BucketRows: bucketRows},
		"codes, unequal parts": {Input: vectors.Stored(n, 6, &unequal)},
		"codes, no subwords":   {Input: codedRows(n, coded.Quantised{Norms: numbers(n)})},
	} {
		p.Words = words
		sets[name] = New(p)
	}
	return sets
}

// Table returns a set that is a table of n-grams without words.
func Table(rows int) *vectors.Set {
	return New(vectors.Parts{
		Subword: subword.Floret{MinN: 2, MaxN: 4, Buckets: rows, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
		Input:   Plain(rows, 8).Input(),
	})
}

// Quantizable returns a set of random rows for every word and bucket, like a model of fastText.
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
		pieces, importances := sub.Append(nil, word), sub.AppendImportances(nil, word)
		if sub.AppendWeights {
			appended = make([]float64, sub.Hashes)
		}
		for i, importance := range importances {
			if i == 0 && !known && len(importances) > 1 {
				continue
			}
			n++
			for j, weight := range s.Matrix(vectors.MatrixImportance).Row(int(importance)) {
				add(rows.Row(int(pieces[i*sub.Hashes+j])), float64(weight))
				if sub.AppendWeights {
					appended[j] += float64(weight)
				}
			}
		}
	default:
		if known && s.OwnRows() && (sub == nil || s.Composes()) {
			add(rows.Row(s.OwnRow(id)), 1)
			n++
		}
		if sub == nil {
			break
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
			add(projection.Row(h), x)
		}
	}
	sum = append(sum, appended...)
	for k := range sum {
		sum[k] /= max(1, float64(n))
	}
	return sum
}
