package vectors_test

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

func TestVariantsAreValid(t *testing.T) {
	for name, s := range trial.Variants() {
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
	for name, s := range trial.Variants() {
		all := s.Vectors()
		for id, word := range s.Words().All() {
			want := trial.Narrow(trial.Definition(s, word))
			trial.Near(t, name+": "+word, trial.WordVector(s, id), want)
			trial.Near(t, name+": "+word, all.Row(id), want)
			trial.Near(t, name+": "+word, s.Rows().Row(id), want)
		}
		for _, word := range slices.Concat(s.Words().Strings(), trial.Unknown()) {
			got := make([]float32, s.Dim())
			ok := s.Vector(got, word)
			want := trial.Definition(s, word)
			if ok != (want != nil) {
				t.Errorf("%s: %q has a vector: %v", name, word, ok)
			}
			if want == nil {
				want = make([]float64, s.Dim())
			}
			trial.Near(t, name+": "+word, got, trial.Narrow(want))
		}
		if best := trial.Nearest(s, trial.WordVector(s, 1), 1); best[0].ID != 1 {
			t.Errorf("%s: nearest to %q is %q", name, s.Words().At(1), best[0].Word)
		}
	}
}

// A sentence is the mean of its tokens' vectors and of the rows of its runs of known words.
func TestSentence(t *testing.T) {
	for name, s := range trial.Variants() {
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
			runs := subword.WordNgrams{MaxN: s.Training().Int("word_ngrams"), Buckets: s.Matrix(vectors.MatrixWordNgrams).Rows}
			for _, token := range tokens {
				if v := trial.Definition(s, token); v != nil {
					add(v)
					used++
				}
				if _, ok := s.ID(token); ok {
					known = append(known, runs.Hash(token))
				}
			}
			if runs.Buckets > 0 && used > 0 {
				rows := s.Matrix(vectors.MatrixWordNgrams)
				if _, projection, ok := s.Input().Factors(); ok {
					rows = vectors.Product(rows, projection)
				}
				for _, b := range runs.Append(nil, known) {
					v := make([]float64, s.Dim())
					for k, x := range rows.Row(int(b)) {
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
			trial.Near(t, name+": "+sentence, got, trial.Narrow(sum))
		}
	}
}

// A token of hash embeddings whose pieces nobody trained has no vector, and no part in a sentence.
func TestSentenceUntrained(t *testing.T) {
	p := trial.Variants()["hash"].Parts()
	s, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	const untrained = "zq"
	weigher := p.Subword.(subword.Hash)
	of := s.Matrix(vectors.MatrixImportance)
	weights := vectors.NewMatrix(of.Rows, of.Cols)
	for r := range of.Rows {
		if !slices.Contains(weigher.AppendImportances(nil, untrained), uint32(r)) {
			copy(weights.Row(r), of.Row(r))
		}
	}
	p.Put(vectors.MatrixImportance, weights)
	if s, err = vectors.New(p); err != nil {
		t.Fatal(err)
	}
	want, got := make([]float32, s.Dim()), make([]float32, s.Dim())
	if s.Vector(got, untrained) || !s.Vector(want, "the") {
		t.Fatal("of the two words, one must have a vector")
	}
	if n := s.Sentence(got, []string{"the", untrained}); n != 1 || !slices.Equal(got, want) {
		t.Errorf("%d tokens give %v, want 1 and %v", n, got, want)
	}
}

func TestVariantsChecked(t *testing.T) {
	for _, tt := range []struct {
		of     string
		change func(p *vectors.Parts)
		want   string
	}{
		{"hash", func(p *vectors.Parts) { p.Put(vectors.MatrixImportance, vectors.NewMatrix(49, 2)) }, "weights of pieces of 49×2, must be 50×2"},
		{"hash", func(p *vectors.Parts) {
			m := trial.New(*p).Matrix(vectors.MatrixImportance)
			m.Data = nil
			p.Put(vectors.MatrixImportance, m)
		}, "weights of pieces: 0 numbers for 50 rows of 2, 16 apart"},
		{"hash", func(p *vectors.Parts) { p.Composition = subword.Pieces }, `composition "pieces" with hash n-grams: "weighted" is that of hash n-grams alone`},
		{"hash", func(p *vectors.Parts) { p.BucketRows = make([]int32, 30) }, "rows of 0 words and 30 buckets in hash embeddings, which have none of their own"},
		{"hash", func(p *vectors.Parts) { p.Input = vectors.NewMatrix(29, 6) }, "29 input rows for 8 words and 30 buckets"},
		{"hash, appended", func(p *vectors.Parts) { p.Output = vectors.NewMatrix(8, 4) }, "output matrix of 8×4, must be 8×6"},
		{"plain", func(p *vectors.Parts) { p.Composition = subword.Weighted }, `composition "weighted" in a set without subwords`},
		{"plain", func(p *vectors.Parts) { p.Put(vectors.MatrixImportance, vectors.NewMatrix(1, 1)) }, "weights of pieces in a set whose rows are not multiplied by them"},
		{"rank", func(p *vectors.Parts) { p.Input = vectors.Product(vectors.NewMatrix(8, 3), vectors.NewMatrix(4, 6)) }, "input matrix: rows of 3 numbers times a projection of 4×6, must be 3×6"},
		{"rank", func(p *vectors.Parts) {
			p.Input = vectors.Product(vectors.Matrix{Rows: 8, Cols: 3, Stride: 3}, vectors.NewMatrix(3, 6))
		}, "input matrix: 0 numbers for 8 rows of 3, 3 apart"},
		{"cbow", func(p *vectors.Parts) { p.Put(vectors.MatrixPositionWeights, vectors.NewMatrix(4, 5)) }, "position weights of 5 numbers for words of 6"},
		{"cbow", func(p *vectors.Parts) { p.Put(vectors.MatrixPositionWeights, vectors.NewMatrix(6, 6)) }, "weights of 6 positions for a window of 2"},
		{"cbow, rank", func(p *vectors.Parts) { p.Put(vectors.MatrixWordNgrams, vectors.NewMatrix(4, 6)) }, "word n-grams of 6 numbers for words of 3"},
		{"cbow", func(p *vectors.Parts) { p.Training.Set("word_ngrams", 1) }, "subword: runs of words are up to 1 words long, must be from 2 to 255"},
		{"structured", func(p *vectors.Parts) { p.Put(vectors.MatrixPositionOutput, vectors.NewMatrix(31, 6)) }, "output matrix by position of 31 rows for 8 words and a window of 2"},
		{"structured", func(p *vectors.Parts) { p.Put(vectors.MatrixPositionOutput, vectors.NewMatrix(32, 5)) }, "output matrix by position of 5 dimensions, must be 6"},
		{"tree", func(p *vectors.Parts) { p.Put(vectors.MatrixNodes, vectors.NewMatrix(8, 6)) }, "nodes of 8×6 for 8 words, must be 7×6"},
		{"tree", func(p *vectors.Parts) { p.Output = vectors.NewMatrix(8, 6) }, "output vectors of 8 words and of 7 nodes: a model has one of both"},
		{"tied", func(p *vectors.Parts) { p.Output = vectors.NewMatrix(8, 6) }, "input and output vectors are said to be tied, and are not the same"},
	} {
		p := trial.Variants()[tt.of].Parts()
		tt.change(&p)
		if _, err := vectors.New(p); err == nil || err.Error() != "vectors: the set is not valid: "+tt.want {
			t.Errorf("%s: got  %v\nwant %s", tt.of, err, tt.want)
		}
	}
}

func TestFactors(t *testing.T) {
	s := trial.Variants()["rank, n-grams"]
	rows, projection, ok := s.Input().Factors()
	if !ok || rows.Rows != s.Input().Rows || rows.Cols != 3 || projection.Rows != 3 || projection.Cols != 6 {
		t.Fatalf("%d×%d times %d×%d, %v", rows.Rows, rows.Cols, projection.Rows, projection.Cols, ok)
	}
	trial.SameMatrix(t, "product", vectors.Product(rows, projection), s.Input())
	if _, _, ok := projection.Factors(); ok {
		t.Error("a matrix in memory has factors")
	}
	// Both may be read from elsewhere.
	product := vectors.Product(vectors.Stored(rows.Rows, 3, elsewhere{rows}), vectors.Stored(3, 6, elsewhere{projection}))
	trial.SameMatrix(t, "product", product, s.Input())
}

// elsewhere is the rows of a matrix in another one.
type elsewhere struct{ of vectors.Matrix }

func (m elsewhere) Read(dst []float32, r int) { m.of.Read(dst, r) }

func TestMeanOverPositions(t *testing.T) {
	m := vectors.Matrix{Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Rows: 4, Cols: 2, Stride: 2}
	mean := vectors.MeanOverPositions(m, 2)
	if mean.Rows != 2 || !slices.Equal(mean.Row(0), []float32{3, 4}) || !slices.Equal(mean.Row(1), []float32{5, 6}) {
		t.Errorf("%d rows, %v and %v", mean.Rows, mean.Row(0), mean.Row(1))
	}
	if none := vectors.MeanOverPositions(vectors.Matrix{}, 2); none.Rows != 0 {
		t.Errorf("of nothing: %d rows", none.Rows)
	}
}

// 8 words, 6 dimensions, a rank of 3, a window of 2, 25 rows of runs of words; a pool of 30
// rows and 50 weights of 2; a table of 40 rows for floret.
func TestParameters(t *testing.T) {
	const context, projection, positions, runs, importances = 8 * 6, 3 * 6, 4, 25, 50 * 2
	all := trial.Variants()
	rows := func(name string) uint64 { return uint64(all[name].Input().Rows) } // those that are shared once
	for name, want := range map[string]vectors.Parameters{
		"plain":            {Input: 8 * 6, Output: context},
		"cbow":             {Input: 8*6 + (positions+runs)*6, Output: context},
		"cbow, n-grams":    {Input: (rows("cbow, n-grams") + positions + runs) * 6, Output: context},
		"cbow, rank":       {Input: (rows("cbow, rank")+positions+runs)*3 + projection, Output: context},
		"cbow, appended":   {Input: 30*4 + importances + (positions+runs)*6, Output: context},
		"floret":           {Input: rows("floret") * 6, Output: context},
		"hash":             {Input: 30*6 + importances, Output: context},
		"hash, appended":   {Input: 30*4 + importances, Output: context},
		"hash, rank":       {Input: 30*3 + importances + projection, Output: context},
		"rank":             {Input: 8*3 + projection, Output: context},
		"tied":             {Input: 8 * 6, Output: 0},
		"structured":       {Input: 8 * 6, Output: positions * 8 * 6},
		"structured, rank": {Input: rows("structured, rank")*3 + projection, Output: positions * 8 * 6},
		"tree":             {Input: 8 * 6, Output: 7 * 6},
		"tree, hash":       {Input: 30*6 + importances, Output: 7 * 6},
	} {
		got := all[name].Parameters()
		if got.Bytes < 4*int64(got.Total()) { // rows are padded
			t.Errorf("%s: %d numbers in %d bytes", name, got.Total(), got.Bytes)
		}
		if want.Bytes = got.Bytes; got != want || got.Total() != want.Input+want.Output {
			t.Errorf("%s: %+v, %d in all, want %+v", name, got, got.Total(), want)
		}
	}
	coded, err := transform.Quantize(t.Context(), all["plain"], transform.QuantizeOptions{Method: transform.QuantizePQ, KeepOutput: true, KeepUnused: true})
	if err != nil {
		t.Fatal(err)
	}
	plain := all["plain"].Parameters()
	if got := coded.Parameters(); got.Total() != plain.Total() || got.Bytes >= plain.Bytes {
		t.Errorf("of codes: %+v", got)
	}
	if half := transform.WithDType(all["plain"], vectors.F16).Parameters(); half.Total() != plain.Total() || half.Bytes != 2*int64(half.Total()) {
		t.Errorf("halves: %+v", half)
	}
	var file bytes.Buffer
	if err := format.Encode(&file, all["cbow"], format.W2V); err != nil {
		t.Fatal(err)
	}
	if n, err := format.EncodedSize(all["cbow"], format.W2V); err != nil || n != uint64(file.Len()) {
		t.Errorf("%d bytes (%v), and %d are written", n, err, file.Len())
	}
	if got := (trial.New(vectors.Parts{})).Parameters(); got.Total() != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}

// What is known of a training is written in one order, and is what it was when it is read.
func TestTraining(t *testing.T) {
	all := vectors.NewTraining("tokenizer", "unicode", "seed", uint64(math.MaxUint64), "further", 7, "lr", 1e-7, "arch", "cbow", "tied", true, "window", 5, "more", "x<y",
		"loss", "", "lowercase", false, "sample", 0.0)
	text, err := json.Marshal(all)
	if want := `{"arch":"cbow","tied":true,"window":5,"lr":1e-7,"seed":18446744073709551615,"tokenizer":"unicode","further":7,"more":"x\u003cy"}`; err != nil || string(text) != want {
		t.Errorf("%s, %v\nwant %s", text, err, want)
	}
	var back vectors.Training
	if err := json.Unmarshal(text, &back); err != nil || !back.Equal(all) || back.Equal(vectors.Training{}) {
		t.Errorf("%v is read as %v, %v", all, back, err)
	}
	if back.Text("arch") != "cbow" || back.Text("more") != "x<y" || !back.Bool("tied") || back.Int("window") != 5 || back.Float("lr") != 1e-7 || back.Uint("seed") != math.MaxUint64 || back.Int("further") != 7 {
		t.Errorf("%v", back)
	}
	// What is not known, or is something else, is zero.
	if back.Text("loss") != "" || back.Bool("lowercase") || back.Int("arch") != 0 || back.Uint("arch") != 0 || back.Float("arch") != 0 || back.Text("window") != "" {
		t.Errorf("%v", back)
	}
	if want := []string{"arch", "tied", "window", "lr", "seed", "tokenizer", "further", "more"}; !slices.Equal(back.Known(), want) {
		t.Errorf("%q, want %q", back.Known(), want)
	}
	copied := back
	back.Set("window", 0)
	back.Set("arch", "skipgram")
	if back.Int("window") != 0 || back.Text("arch") != "skipgram" || !copied.Equal(all) {
		t.Errorf("%v, and the copy is %v", back, copied)
	}
}

// Values in a file have the types that w2v gives them, or the file is not one of ours.
func TestTrainingJSON(t *testing.T) {
	for text, want := range map[string]string{
		`null`:                                  `{}`,
		`{}`:                                    `{}`,
		`{"window":5,"arch":"cbow","window":6}`: `{"arch":"cbow","window":6}`,
		`{"lr":5.0e-2,"sample":0,"arch":"","tied":false,"seed":null}`: `{"lr":0.05}`,
		`{"colour":{"a":[1, 2]},"epochs":3}`:                          `{"epochs":3,"colour":{"a":[1,2]}}`,
	} {
		var read vectors.Training
		err := json.Unmarshal([]byte(text), &read)
		got, _ := json.Marshal(read)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{`[]`, `3`, `{"window":"5"}`, `{"window":5.5}`, `{"seed":-1}`, `{"arch":1}`, `{"tied":"true"}`, `{"lr":"fast"}`} {
		var read vectors.Training
		if err := json.Unmarshal([]byte(text), &read); err == nil {
			t.Errorf("%s is read as %v", text, read)
		}
	}
}
