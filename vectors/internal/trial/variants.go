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
	fasttext, floret := fastText(2, 3, 40), floretTable(2, 3, 40)
	hash, appended, whole := hashEmbeddings()
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
		table := subword.NewTable(words, sub, subword.TableOptions{})
		p.Subword, p.Composition, p.WordRows, p.BucketRows = sub, subword.CompositionOf(sub), table.WordRow, table.BucketRow
		p.Input = matrix(table.Rows(), cols)
	}
	hashed := func(p *vectors.Parts, h subword.Weigher, cols int) {
		p.Subword, p.Composition = h, subword.Weighted
		p.Input = matrix(h.Rows(), cols)
		p.Put(vectors.MatrixImportance, matrix(h.ImportanceShape()))
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
		p.Output = vectors.Matrix{} // which is made of these
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
