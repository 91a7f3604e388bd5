package vectors

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// variants are a model of every kind that training makes, with random numbers.
func variants() map[string]*Set {
	const dim, window = 6, 2
	r := rand.New(rand.NewPCG(6, 6))
	matrix := func(rows, cols int) Matrix {
		m := NewMatrix(rows, cols)
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
	set := func(change func(p *Parts)) *Set {
		p := Parts{Words: NewWords(words...), Output: matrix(len(words), dim), Training: Training{Architecture: "skipgram", Window: window}}
		for id := range words {
			p.Counts = append(p.Counts, uint64(900/(id+1)))
		}
		change(&p)
		return newSet(p)
	}
	plain := func(p *Parts, cols int) { p.Input = matrix(len(words), cols) }
	tables := func(p *Parts, sub subword.Indexer, cols int) {
		var table *subword.Table
		if _, ok := sub.(subword.Floret); ok {
			p.Composition = ComposePieces
			table = subword.NewTable(words, sub, subword.TableOptions{})
		} else {
			table = subword.NewTable(words, sub, subword.TableOptions{})
		}
		p.Subword, p.WordRows, p.BucketRows = sub, table.WordRow, table.BucketRow
		p.Input = matrix(table.Rows(), cols)
	}
	hashed := func(p *Parts, h subword.Hash, cols int) {
		p.Subword, p.Composition = h, ComposeWeighted
		p.Input = matrix(h.Buckets, cols)
		p.put(MatrixImportance, matrix(h.Importances, h.Hashes))
	}
	ranked := func(p *Parts) { p.Input = Product(p.Input, matrix(p.Input.Cols, dim)) }
	cbow := func(p *Parts, cols int) {
		p.Training.Architecture, p.Training.WordNgrams = "cbow", 3
		p.put(MatrixPositionWeights, matrix(2*window, cols))
		p.put(MatrixWordNgrams, matrix(25, cols))
	}
	structured := func(p *Parts) {
		p.Training.Architecture = "structured"
		p.put(MatrixPositionOutput, matrix(2*window*len(words), dim))
		p.Output = MeanOverPositions(p.matrix(MatrixPositionOutput), len(words))
	}
	tree := func(p *Parts) {
		p.Training.Loss, p.Output = "hs", Matrix{}
		p.put(MatrixNodes, matrix(len(words)-1, dim))
	}
	return map[string]*Set{
		"plain":             set(func(p *Parts) { plain(p, dim) }),
		"cbow":              set(func(p *Parts) { plain(p, dim); cbow(p, dim) }),
		"cbow, n-grams":     set(func(p *Parts) { tables(p, fasttext, dim); cbow(p, dim) }),
		"cbow, tree":        set(func(p *Parts) { plain(p, dim); cbow(p, dim); tree(p) }),
		"cbow, hash":        set(func(p *Parts) { hashed(p, hash, dim); cbow(p, dim) }),
		"cbow, appended":    set(func(p *Parts) { hashed(p, appended, dim-2); cbow(p, dim) }),
		"cbow, rank":        set(func(p *Parts) { tables(p, fasttext, 3); ranked(p); cbow(p, 3) }),
		"floret":            set(func(p *Parts) { tables(p, floret, dim) }),
		"floret, rank":      set(func(p *Parts) { tables(p, floret, 3); ranked(p) }),
		"hash":              set(func(p *Parts) { hashed(p, hash, dim) }),
		"hash, words alone": set(func(p *Parts) { hashed(p, whole, dim) }),
		"hash, rank":        set(func(p *Parts) { hashed(p, hash, 3); ranked(p) }),
		"hash, appended":    set(func(p *Parts) { hashed(p, appended, dim-2) }),
		"rank":              set(func(p *Parts) { plain(p, 3); ranked(p) }),
		"rank, n-grams":     set(func(p *Parts) { tables(p, fasttext, 3); ranked(p) }),
		"tied":              set(func(p *Parts) { plain(p, dim); p.Training.Tied, p.Output = true, p.Input }),
		"tied, cbow":        set(func(p *Parts) { plain(p, dim); cbow(p, dim); p.Training.Tied, p.Output = true, p.Input }),
		"structured":        set(func(p *Parts) { plain(p, dim); structured(p) }),
		"structured, rank":  set(func(p *Parts) { tables(p, fasttext, 3); ranked(p); structured(p) }),
		"tree":              set(func(p *Parts) { plain(p, dim); tree(p) }),
		"tree, hash":        set(func(p *Parts) { hashed(p, hash, dim); tree(p) }),
		"tree, floret":      set(func(p *Parts) { tables(p, floret, dim); tree(p) }),
	}
}

// definition is the vector of a word, or, without numbers, of none, straight from what the
// parts of a set mean, in float64 and with nothing shared.
func definition(s *Set, word string) []float64 {
	rows, projection, factored := s.input.Factors()
	if !factored {
		rows = s.input
	}
	id, known := s.ID(word)
	sum, n := make([]float64, rows.Cols), 0
	add := func(row []float32, weight float64) {
		for k, x := range row {
			sum[k] += weight * float64(x)
		}
	}
	var appended []float64
	switch sub := s.subword.(type) {
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
				weight := float64(s.Matrix(MatrixImportance).Row(int(importance))[j])
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
		if known && s.composition == ComposeMean {
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

func narrow(v []float64) []float32 {
	w := make([]float32, len(v))
	for k, x := range v {
		w[k] = float32(x)
	}
	return w
}

// oov are words that are in no vocabulary, two of them with no n-grams but of themselves.
var oov = []string{"theatre", "matters", "日本", "x", "", "cats"}

func TestVariantsAreValid(t *testing.T) {
	for name, s := range variants() {
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if s.Dim() != 6 {
			t.Errorf("%s: %d dimensions, want 6", name, s.Dim())
		}
	}
}

// Every way to a vector leads to what the definition says.
func TestVariantsAreComposedAsDefined(t *testing.T) {
	for name, s := range variants() {
		all := s.Vectors()
		for id, word := range s.words.All() {
			want := narrow(definition(s, word))
			near(t, name+": "+word, s.wordVector(id), want)
			near(t, name+": "+word, all.Row(id), want)
			near(t, name+": "+word, s.Rows().Row(id), want)
		}
		for _, word := range slices.Concat(s.words.Strings(), oov) {
			got := make([]float32, s.Dim())
			ok := s.Vector(got, word)
			want := definition(s, word)
			if ok != (want != nil) {
				t.Errorf("%s: %q has a vector: %v", name, word, ok)
			}
			if want == nil {
				want = make([]float64, s.Dim())
			}
			near(t, name+": "+word, got, narrow(want))
		}
		if best := s.Nearest(s.wordVector(1), 1); best[0].ID != 1 {
			t.Errorf("%s: nearest to %q is %q", name, s.words.At(1), best[0].Word)
		}
	}
}

// A sentence is the mean of its tokens' vectors and of the rows of its runs of known words.
func TestSentence(t *testing.T) {
	for name, s := range variants() {
		for _, sentence := range []string{"the cat sat on the mat", "the theatre cat", "the", "x", "", "theatre matters", "a a a a"} {
			tokens := strings.Fields(sentence)
			sum, n, used := make([]float64, s.Dim()), 0, 0
			add := func(v []float64) {
				n++
				for k, x := range v {
					sum[k] += x
				}
			}
			var known []uint64
			runs := subword.WordNgrams{MaxN: s.training.WordNgrams, Buckets: s.Matrix(MatrixWordNgrams).Rows}
			for _, token := range tokens {
				if v := definition(s, token); v != nil {
					add(v)
					used++
				}
				if _, ok := s.ID(token); ok {
					known = append(known, runs.Hash(token))
				}
			}
			if runs.Buckets > 0 && used > 0 {
				vectors := s.wordNgramVectors()
				for _, b := range runs.Append(nil, known) {
					v := make([]float64, s.Dim())
					for k, x := range vectors.Row(int(b)) {
						v[k] = float64(x)
					}
					add(v)
				}
			}
			for k := range sum {
				sum[k] /= max(1, float64(n))
			}
			got := make([]float32, s.Dim())
			got[0] = 99
			if n := s.Sentence(got, tokens); n != used {
				t.Errorf("%s: %q uses %d tokens, want %d", name, sentence, n, used)
			}
			near(t, name+": "+sentence, got, narrow(sum))
		}
	}
}

// Sets that are made of others have the vectors that are asked for, whatever the others
// are made of.
func TestVariantsDerived(t *testing.T) {
	for name, s := range variants() {
		vectorsOf := func(words []string) func(i int) []float32 {
			return func(i int) []float32 { return narrow(definition(s, words[i])) }
		}
		sameUnknown := func(what string, d *Set) {
			t.Helper()
			for _, word := range oov {
				got := make([]float32, d.Dim())
				want := definition(s, word)
				if ok := d.Vector(got, word); ok != (want != nil) {
					t.Errorf("%s, %s: %q has a vector: %v", name, what, word, ok)
				} else if ok {
					near(t, name+", "+what+": "+word, got, narrow(want))
				}
			}
		}
		all := s.words.Strings()
		output := func(d *Set, ids ...int) {
			t.Helper()
			if d.output.Rows == 0 && s.output.Rows == 0 {
				return
			}
			for i, id := range ids {
				near(t, name+": context", d.output.Row(i), s.output.Row(id))
			}
		}

		top := s.Top(3)
		wantVectors(t, top, all[:3], vectorsOf(all))
		sameUnknown("top", top)
		output(top, 0, 1, 2)
		if top.Matrix(MatrixNodes).Rows != 0 || top.Matrix(MatrixWordNgrams).Rows != s.Matrix(MatrixWordNgrams).Rows || top.Matrix(MatrixPositionOutput).Rows*len(all) != s.Matrix(MatrixPositionOutput).Rows*3 {
			t.Errorf("%s: top has %d nodes, %d word n-grams, %d rows by position", name, top.Matrix(MatrixNodes).Rows, top.Matrix(MatrixWordNgrams).Rows, top.Matrix(MatrixPositionOutput).Rows)
		}

		chosen, missing := s.Select([]string{"mat", "cat", "?"})
		wantVectors(t, chosen, []string{"mat", "cat"}, vectorsOf([]string{"mat", "cat"}))
		sameUnknown("select", chosen)
		output(chosen, 4, 1)
		if s.subword == nil && !slices.Equal(missing, []string{"?"}) {
			t.Errorf("%s: missing %q", name, missing)
		}

		composed, _ := s.SelectComposed([]string{"mat", "theatre", "cat"})
		want := []string{"mat", "cat"}
		if s.subword != nil {
			want = []string{"mat", "theatre", "cat"}
		}
		wantVectors(t, composed, want, vectorsOf(want))

		plain := s.Plain()
		wantVectors(t, plain, all, vectorsOf(all))
		output(plain, 0, 1, 2)

		wantVectors(t, s.Whole(), all, vectorsOf(all))
		sameUnknown("whole", s.Whole())

		half := s.WithDType(F16)
		if err := half.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		wantVectors(t, half.Exact(F16), all, vectorsOf(all))
		output(half.Exact(F16), 0, 1, 2)
		sameUnknown("exact", half.Exact(F16))

		double, err := s.Scaled(ScaleSqrtDim)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, word := range append(all, oov[0]) {
			v, w := make([]float32, 6), narrow(definition(s, word))
			if !double.Vector(v, word) {
				continue
			}
			for k := range w {
				w[k] *= 2.4494897
			}
			near(t, name+", scaled: "+word, v, w)
		}

		reduced, _, err := s.Reduce(t.Context(), 6, Computation{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := reduced.Check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for a := range all { // turned and moved, so what is between two is as long as it was
			b := (a + 1) % len(all)
			if isZero(s.wordVector(a)) || isZero(s.wordVector(b)) { // "</s>" in floret, which keeps its zeros
				continue
			}
			near(t, name+", reduced", []float32{float32(distance(reduced.wordVector(a), reduced.wordVector(b)))},
				[]float32{float32(distance(s.wordVector(a), s.wordVector(b)))})
		}
		if keeps := reduced.subword != nil; keeps != (s.subword != nil && s.composition != ComposeWeighted) {
			t.Errorf("%s: reduced keeps n-grams: %v", name, keeps)
		}
	}
}

// Quantised rows are as near as their few bits allow, whatever is made of them.
func TestVariantsQuantised(t *testing.T) {
	for name, s := range variants() {
		for method, off := range map[QuantizeMethod]float64{QuantizeF16: 0.01, QuantizeInt8: 0.1, QuantizePQ: 0.01} {
			q, err := s.Quantize(t.Context(), QuantizeOptions{Method: method, KeepOutput: true, KeepUnused: true})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := q.Check(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if want := map[QuantizeMethod]string{QuantizeF16: "f16", QuantizeInt8: "int8", QuantizePQ: "pq"}[method]; q.input.Encoding() != want {
				t.Errorf("%s: rows are %s, want %s", name, q.input.Encoding(), want)
			}
			for _, word := range append(s.words.Strings(), oov[:3]...) {
				v := make([]float32, 6)
				if want := definition(s, word); q.Vector(v, word) && distance(v, narrow(want)) > off {
					t.Errorf("%s, %s: %q is %v, want %v", name, method, word, v, want)
				}
			}
			if q.output.Rows != s.output.Rows || q.Matrix(MatrixWordNgrams).Rows != s.Matrix(MatrixWordNgrams).Rows {
				t.Errorf("%s, %s: %d context vectors, %d word n-grams", name, method, q.output.Rows, q.Matrix(MatrixWordNgrams).Rows)
			}
		}
	}
}

func TestVariantsChecked(t *testing.T) {
	for _, tt := range []struct {
		of     string
		change func(p *Parts)
		want   string
	}{
		{"hash", func(p *Parts) { p.put(MatrixImportance, NewMatrix(49, 2)) }, "weights of pieces of 49×2, must be 50×2"},
		{"hash", func(p *Parts) { m := p.matrix(MatrixImportance); m.Data = nil; p.put(MatrixImportance, m) }, "weights of pieces: 0 numbers for 50 rows of 2, 16 apart"},
		{"hash", func(p *Parts) { p.Composition = ComposePieces }, `composition "pieces" with hash n-grams: "weighted" is that of hash n-grams alone`},
		{"hash", func(p *Parts) { p.BucketRows = make([]int32, 30) }, "rows of 0 words and 30 buckets in hash embeddings, which have none of their own"},
		{"hash", func(p *Parts) { p.Input = NewMatrix(29, 6) }, "29 input rows for 8 words and 30 buckets"},
		{"hash, appended", func(p *Parts) { p.Output = NewMatrix(8, 4) }, "output matrix of 8×4, must be 8×6"},
		{"plain", func(p *Parts) { p.Composition = ComposeWeighted }, `composition "weighted" in a set without subwords`},
		{"plain", func(p *Parts) { p.put(MatrixImportance, NewMatrix(1, 1)) }, "weights of 1 pieces in a set without hash embeddings"},
		{"rank", func(p *Parts) { p.Input = Product(NewMatrix(8, 3), NewMatrix(4, 6)) }, "input matrix: rows of 3 numbers times a projection of 4×6, must be 3×6"},
		{"rank", func(p *Parts) { p.Input = Product(Matrix{Rows: 8, Cols: 3, Stride: 3}, NewMatrix(3, 6)) }, "input matrix: 0 numbers for 8 rows of 3, 3 apart"},
		{"cbow", func(p *Parts) { p.put(MatrixPositionWeights, NewMatrix(4, 5)) }, "position weights of 5 numbers for words of 6"},
		{"cbow", func(p *Parts) { p.put(MatrixPositionWeights, NewMatrix(6, 6)) }, "weights of 6 positions for a window of 2"},
		{"cbow, rank", func(p *Parts) { p.put(MatrixWordNgrams, NewMatrix(4, 6)) }, "word n-grams of 6 numbers for words of 3"},
		{"cbow", func(p *Parts) { p.Training.WordNgrams = 1 }, "subword: runs of words are up to 1 words long, must be from 2 to 255"},
		{"structured", func(p *Parts) { p.put(MatrixPositionOutput, NewMatrix(31, 6)) }, "output matrix by position of 31 rows for 8 words and a window of 2"},
		{"structured", func(p *Parts) { p.put(MatrixPositionOutput, NewMatrix(32, 5)) }, "output matrix by position of 5 dimensions, must be 6"},
		{"tree", func(p *Parts) { p.put(MatrixNodes, NewMatrix(8, 6)) }, "nodes of 8×6 for 8 words, must be 7×6"},
		{"tree", func(p *Parts) { p.Output = NewMatrix(8, 6) }, "output vectors of 8 words and of 7 nodes: a model has one of both"},
		{"tied", func(p *Parts) { p.Output = NewMatrix(8, 6) }, "input and output vectors are said to be tied, and are not the same"},
	} {
		p := variants()[tt.of].Parts()
		tt.change(&p)
		if _, err := New(p); err == nil || err.Error() != "vectors: the set is not valid: "+tt.want {
			t.Errorf("%s: got  %v\nwant %s", tt.of, err, tt.want)
		}
	}
}

func TestFactors(t *testing.T) {
	s := variants()["rank, n-grams"]
	rows, projection, ok := s.input.Factors()
	if !ok || rows.Rows != s.input.Rows || rows.Cols != 3 || projection.Rows != 3 || projection.Cols != 6 {
		t.Fatalf("%d×%d times %d×%d, %v", rows.Rows, rows.Cols, projection.Rows, projection.Cols, ok)
	}
	sameMatrix(t, "product", Product(rows, projection), s.input)
	if _, _, ok := projection.Factors(); ok {
		t.Error("a matrix in memory has factors")
	}
	// Both may be read from elsewhere.
	elsewhere := Product(Stored(rows.Rows, 3, picked{rows, s.allRows()}), Stored(3, 6, picked{projection, []uint32{0, 1, 2}}))
	sameMatrix(t, "product", elsewhere, s.input)
}

func (s *Set) allRows() []uint32 {
	rows := make([]uint32, s.input.Rows)
	for r := range rows {
		rows[r] = uint32(r)
	}
	return rows
}

func TestMeanOverPositions(t *testing.T) {
	m := Matrix{Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Rows: 4, Cols: 2, Stride: 2}
	mean := MeanOverPositions(m, 2)
	if mean.Rows != 2 || !slices.Equal(mean.Row(0), []float32{3, 4}) || !slices.Equal(mean.Row(1), []float32{5, 6}) {
		t.Errorf("%d rows, %v and %v", mean.Rows, mean.Row(0), mean.Row(1))
	}
	if none := MeanOverPositions(Matrix{}, 2); none.Rows != 0 {
		t.Errorf("of nothing: %d rows", none.Rows)
	}
}
