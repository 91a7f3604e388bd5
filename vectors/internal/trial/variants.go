package trial

import (
	"math/rand/v2"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
)

// Variants returns sets of every variant of training, by name: eight words in six dimensions.
func Variants() map[string]*vectors.Set {
	const dim, window = 6, 2
	r := rand.New(rand.NewPCG(6, 6))
	matrix := func(rows, cols int) vectors.Matrix {
		m := vectors.NewMatrix(rows, cols)
		for i := range rows {
			for k := range cols {
				m.Row(i)[k] = float32(r.NormFloat64())
			}
		}
		return m
	}
	words := []string{"the", "cat", "sat", "on", "mat", "日本語", "a", "</s>"}
	fasttext := subword.FastText{MinN: 2, MaxN: 3, Buckets: 40}
	floret := subword.Floret{MinN: 2, MaxN: 3, Buckets: 40, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"}
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
		var table *subword.Table
		if _, ok := sub.(subword.Floret); ok {
			p.Composition = subword.Pieces
			table = subword.NewTable(words, sub, subword.TableOptions{})
		} else {
			table = subword.NewTable(words, sub, subword.TableOptions{})
		}
		p.Subword, p.WordRows, p.BucketRows = sub, table.WordRow, table.BucketRow
		p.Input = matrix(table.Rows(), cols)
	}
	hashed := func(p *vectors.Parts, h subword.Hash, cols int) {
		p.Subword, p.Composition = h, subword.Weighted
		p.Input = matrix(h.Buckets, cols)
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
		p.Output = vectors.MeanOverPositions(positions, len(words))
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

// Definition is the vector of a word, or, without numbers, of none, straight from what the
// parts of a set mean, in float64 and with nothing shared.
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
		pieces, importances := sub.Append(nil, word), sub.AppendImportances(nil, word)
		if sub.AppendWeights {
			appended = make([]float64, sub.Hashes)
		}
		for i, importance := range importances {
			if i == 0 && !known && len(importances) > 1 {
				continue
			}
			n++
			for j := range sub.Hashes {
				weight := float64(s.Matrix(vectors.MatrixImportance).Row(int(importance))[j])
				add(rows.Row(int(pieces[i*sub.Hashes+j])), weight)
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
		if known && s.Composition() == subword.Mean {
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
