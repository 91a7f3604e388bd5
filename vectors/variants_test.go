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
	set := func(change func(s *Set)) *Set {
		s := &Set{Words: NewWords(words...), Output: matrix(len(words), dim), Training: Training{Architecture: "skipgram", Window: window}}
		for id := range words {
			s.Counts = append(s.Counts, uint64(900/(id+1)))
		}
		change(s)
		return s
	}
	plain := func(s *Set, cols int) { s.Input = matrix(len(words), cols) }
	tables := func(s *Set, sub subword.Indexer, cols int) {
		var table *subword.Table
		if _, ok := sub.(subword.Floret); ok {
			s.Composition = ComposePieces
			table = subword.NewTable(words, sub, subword.TableOptions{})
		} else {
			table = subword.NewTable(words, sub, subword.TableOptions{})
		}
		s.Subword, s.WordRow, s.BucketRow = sub, table.WordRow, table.BucketRow
		s.Input = matrix(table.Rows(), cols)
	}
	hashed := func(s *Set, h subword.Hash, cols int) {
		s.Subword, s.Composition = h, ComposeWeighted
		s.Input, s.Importance = matrix(h.Buckets, cols), matrix(h.Importances, h.Hashes)
	}
	ranked := func(s *Set) { s.Input = Product(s.Input, matrix(s.Input.Cols, dim)) }
	cbow := func(s *Set, cols int) {
		s.Training.Architecture, s.Training.WordNgrams = "cbow", 3
		s.PositionWeights, s.WordNgrams = matrix(2*window, cols), matrix(25, cols)
	}
	structured := func(s *Set) {
		s.Training.Architecture = "structured"
		s.PositionOutput = matrix(2*window*len(words), dim)
		s.Output = MeanOverPositions(s.PositionOutput, len(words))
	}
	tree := func(s *Set) {
		s.Training.Loss, s.Output, s.Nodes = "hs", Matrix{}, matrix(len(words)-1, dim)
	}
	return map[string]*Set{
		"plain":             set(func(s *Set) { plain(s, dim) }),
		"cbow":              set(func(s *Set) { plain(s, dim); cbow(s, dim) }),
		"cbow, n-grams":     set(func(s *Set) { tables(s, fasttext, dim); cbow(s, dim) }),
		"cbow, tree":        set(func(s *Set) { plain(s, dim); cbow(s, dim); tree(s) }),
		"cbow, hash":        set(func(s *Set) { hashed(s, hash, dim); cbow(s, dim) }),
		"cbow, appended":    set(func(s *Set) { hashed(s, appended, dim-2); cbow(s, dim) }),
		"cbow, rank":        set(func(s *Set) { tables(s, fasttext, 3); ranked(s); cbow(s, 3) }),
		"floret":            set(func(s *Set) { tables(s, floret, dim) }),
		"floret, rank":      set(func(s *Set) { tables(s, floret, 3); ranked(s) }),
		"hash":              set(func(s *Set) { hashed(s, hash, dim) }),
		"hash, words alone": set(func(s *Set) { hashed(s, whole, dim) }),
		"hash, rank":        set(func(s *Set) { hashed(s, hash, 3); ranked(s) }),
		"hash, appended":    set(func(s *Set) { hashed(s, appended, dim-2) }),
		"rank":              set(func(s *Set) { plain(s, 3); ranked(s) }),
		"rank, n-grams":     set(func(s *Set) { tables(s, fasttext, 3); ranked(s) }),
		"tied":              set(func(s *Set) { plain(s, dim); s.Training.Tied, s.Output = true, s.Input }),
		"tied, cbow":        set(func(s *Set) { plain(s, dim); cbow(s, dim); s.Training.Tied, s.Output = true, s.Input }),
		"structured":        set(func(s *Set) { plain(s, dim); structured(s) }),
		"structured, rank":  set(func(s *Set) { tables(s, fasttext, 3); ranked(s); structured(s) }),
		"tree":              set(func(s *Set) { plain(s, dim); tree(s) }),
		"tree, hash":        set(func(s *Set) { hashed(s, hash, dim); tree(s) }),
		"tree, floret":      set(func(s *Set) { tables(s, floret, dim); tree(s) }),
	}
}

// definition is the vector of a word, or, without numbers, of none, straight from what the
// parts of a set mean, in float64 and with nothing shared.
func definition(s *Set, word string) []float64 {
	rows, projection, factored := s.Input.Factors()
	if !factored {
		rows = s.Input
	}
	id, known := s.ID(word)
	sum, n := make([]float64, rows.Cols), 0
	add := func(row []float32, weight float64) {
		for k, x := range row {
			sum[k] += weight * float64(x)
		}
	}
	var appended []float64
	switch sub := s.Subword.(type) {
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
				weight := float64(s.Importance.Row(int(importance))[j])
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
		add(rows.Row(s.ownRow(id)), 1)
		n++
	default:
		if known && s.Composition == ComposeMean {
			add(rows.Row(s.ownRow(id)), 1)
			n++
		}
		for _, bucket := range sub.Append(nil, word) {
			n++
			if r := s.bucketRow(bucket); r >= 0 {
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
		for id, word := range s.Words.All() {
			want := narrow(definition(s, word))
			near(t, name+": "+word, s.wordVector(id), want)
			near(t, name+": "+word, all.Row(id), want)
			near(t, name+": "+word, s.wordVectors().Row(id), want)
		}
		for _, word := range slices.Concat(s.Words.Strings(), oov) {
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
			t.Errorf("%s: nearest to %q is %q", name, s.Words.At(1), best[0].Word)
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
			runs := subword.WordNgrams{MaxN: s.Training.WordNgrams, Buckets: s.WordNgrams.Rows}
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
		all := s.Words.Strings()
		output := func(d *Set, ids ...int) {
			t.Helper()
			if d.Output.Rows == 0 && s.Output.Rows == 0 {
				return
			}
			for i, id := range ids {
				near(t, name+": context", d.Output.Row(i), s.Output.Row(id))
			}
		}

		top := s.Top(3)
		wantVectors(t, top, all[:3], vectorsOf(all))
		sameUnknown("top", top)
		output(top, 0, 1, 2)
		if top.Nodes.Rows != 0 || top.WordNgrams.Rows != s.WordNgrams.Rows || top.PositionOutput.Rows*len(all) != s.PositionOutput.Rows*3 {
			t.Errorf("%s: top has %d nodes, %d word n-grams, %d rows by position", name, top.Nodes.Rows, top.WordNgrams.Rows, top.PositionOutput.Rows)
		}

		chosen, missing := s.Select([]string{"mat", "cat", "?"})
		wantVectors(t, chosen, []string{"mat", "cat"}, vectorsOf([]string{"mat", "cat"}))
		sameUnknown("select", chosen)
		output(chosen, 4, 1)
		if s.Subword == nil && !slices.Equal(missing, []string{"?"}) {
			t.Errorf("%s: missing %q", name, missing)
		}

		composed, _ := s.SelectComposed([]string{"mat", "theatre", "cat"})
		want := []string{"mat", "cat"}
		if s.Subword != nil {
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
		wantVectors(t, half.exact(F16), all, vectorsOf(all))
		output(half.exact(F16), 0, 1, 2)
		sameUnknown("exact", half.exact(F16))

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
		if keeps := reduced.Subword != nil; keeps != (s.Subword != nil && s.Composition != ComposeWeighted) {
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
			if want := map[QuantizeMethod]string{QuantizeF16: "f16", QuantizeInt8: "int8", QuantizePQ: "pq"}[method]; q.Input.Encoding() != want {
				t.Errorf("%s: rows are %s, want %s", name, q.Input.Encoding(), want)
			}
			for _, word := range append(s.Words.Strings(), oov[:3]...) {
				v := make([]float32, 6)
				if want := definition(s, word); q.Vector(v, word) && distance(v, narrow(want)) > off {
					t.Errorf("%s, %s: %q is %v, want %v", name, method, word, v, want)
				}
			}
			if q.Output.Rows != s.Output.Rows || q.WordNgrams.Rows != s.WordNgrams.Rows {
				t.Errorf("%s, %s: %d context vectors, %d word n-grams", name, method, q.Output.Rows, q.WordNgrams.Rows)
			}
		}
	}
}

func TestVariantsChecked(t *testing.T) {
	for _, tt := range []struct {
		of     string
		change func(s *Set)
		want   string
	}{
		{"hash", func(s *Set) { s.Importance = NewMatrix(49, 2) }, "weights of pieces of 49×2, must be 50×2"},
		{"hash", func(s *Set) { s.Importance.Data = nil }, "weights of pieces: 0 numbers for 50 rows of 2, 16 apart"},
		{"hash", func(s *Set) { s.Composition = ComposePieces }, `composition "pieces" with hash n-grams: "weighted" is that of hash n-grams alone`},
		{"hash", func(s *Set) { s.BucketRow = make([]int32, 30) }, "rows of 0 words and 30 buckets in hash embeddings, which have none of their own"},
		{"hash", func(s *Set) { s.Input = NewMatrix(29, 6) }, "29 input rows for 8 words and 30 buckets"},
		{"hash, appended", func(s *Set) { s.Output = NewMatrix(8, 4) }, "output matrix of 8×4, must be 8×6"},
		{"plain", func(s *Set) { s.Composition = ComposeWeighted }, `composition "weighted" in a set without subwords`},
		{"plain", func(s *Set) { s.Importance = NewMatrix(1, 1) }, "weights of 1 pieces in a set without hash embeddings"},
		{"rank", func(s *Set) { s.Input = Product(NewMatrix(8, 3), NewMatrix(4, 6)) }, "input matrix: rows of 3 numbers times a projection of 4×6, must be 3×6"},
		{"rank", func(s *Set) { s.Input = Product(Matrix{Rows: 8, Cols: 3, Stride: 3}, NewMatrix(3, 6)) }, "input matrix: 0 numbers for 8 rows of 3, 3 apart"},
		{"cbow", func(s *Set) { s.PositionWeights = NewMatrix(4, 5) }, "position weights of 5 numbers for words of 6"},
		{"cbow", func(s *Set) { s.PositionWeights = NewMatrix(6, 6) }, "weights of 6 positions for a window of 2"},
		{"cbow, rank", func(s *Set) { s.WordNgrams = NewMatrix(4, 6) }, "word n-grams of 6 numbers for words of 3"},
		{"cbow", func(s *Set) { s.Training.WordNgrams = 1 }, "subword: runs of words are up to 1 words long, must be from 2 to 255"},
		{"structured", func(s *Set) { s.PositionOutput = NewMatrix(31, 6) }, "output matrix by position of 31 rows for 8 words and a window of 2"},
		{"structured", func(s *Set) { s.PositionOutput = NewMatrix(32, 5) }, "output matrix by position of 5 dimensions, must be 6"},
		{"tree", func(s *Set) { s.Nodes = NewMatrix(8, 6) }, "nodes of 8×6 for 8 words, must be 7×6"},
		{"tree", func(s *Set) { s.Output = NewMatrix(8, 6) }, "output vectors of 8 words and of 7 nodes: a model has one of both"},
		{"tied", func(s *Set) { s.Output = NewMatrix(8, 6) }, "input and output vectors are said to be tied, and are not the same"},
	} {
		s := variants()[tt.of]
		tt.change(s)
		if err := s.Check(); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got  %v\nwant %s", tt.of, err, tt.want)
		}
	}
}

func TestFactors(t *testing.T) {
	s := variants()["rank, n-grams"]
	rows, projection, ok := s.Input.Factors()
	if !ok || rows.Rows != s.Input.Rows || rows.Cols != 3 || projection.Rows != 3 || projection.Cols != 6 {
		t.Fatalf("%d×%d times %d×%d, %v", rows.Rows, rows.Cols, projection.Rows, projection.Cols, ok)
	}
	sameMatrix(t, "product", Product(rows, projection), s.Input)
	if _, _, ok := projection.Factors(); ok {
		t.Error("a matrix in memory has factors")
	}
	// Both may be read from elsewhere.
	elsewhere := Product(stored(rows.Rows, 3, picked{rows, s.allRows()}), stored(3, 6, picked{projection, []uint32{0, 1, 2}}))
	sameMatrix(t, "product", elsewhere, s.Input)
}

func (s *Set) allRows() []uint32 {
	rows := make([]uint32, s.Input.Rows)
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
