package transform

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// wantFirst fails the test unless f is s but for the dimensions behind the first n.
func wantFirst(t *testing.T, f, s *vectors.Set, n int) {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if f.Dim() != n {
		t.Fatalf("%d dimensions, want %d", f.Dim(), n)
	}
	for _, word := range slices.Concat(s.Words().Strings(), trial.Unknown()) {
		got, ok := trial.Vector(f, word)
		want, was := trial.Vector(s, word)
		if ok != was {
			t.Fatalf("%q has a vector: %v", word, ok)
		}
		trial.Near(t, word, got, want[:n])
	}
	all, tokens := f.Vectors(), strings.Fields("the theatre cat sat on the mat")
	for id, word := range s.Words().All() {
		trial.Near(t, word, all.Row(id), trial.WordVector(s, id)[:n])
	}
	got, want := make([]float32, n), make([]float32, s.Dim())
	if f.Sentence(got, tokens) != s.Sentence(want, tokens) {
		t.Error("a sentence has other tokens")
	}
	trial.Near(t, "sentence", got, want[:n])
	for _, m := range []struct {
		name    string
		got, of vectors.Matrix
	}{
		{"input", f.Input(), s.Input()}, {"context", f.Output(), s.Output()}, {"by position", f.Matrix(vectors.MatrixPositionOutput), s.Matrix(vectors.MatrixPositionOutput)},
		{"nodes", f.Matrix(vectors.MatrixNodes), s.Matrix(vectors.MatrixNodes)}, {"runs", partVector(f), partVector(s)},
	} {
		if m.got.Rows != m.of.Rows {
			t.Fatalf("%s: %d rows, want %d", m.name, m.got.Rows, m.of.Rows)
		}
		for r := range m.of.Rows {
			trial.Near(t, m.name, m.got.Row(r), m.of.Row(r)[:min(n, m.of.Cols)])
		}
	}
	rows, projection, factored := f.Input().Factors()
	if wide, _, was := s.Input().Factors(); was != factored || factored && (rows.Cols != wide.Cols || projection.Cols != n) {
		t.Errorf("factors %v, rows of %d, projection to %d", factored, rows.Cols, projection.Cols)
	}
	width := n // of what is composed of rows
	if factored {
		width = rows.Cols
	}
	if f.Matrix(vectors.MatrixPositionWeights).Rows != s.Matrix(vectors.MatrixPositionWeights).Rows || f.Matrix(vectors.MatrixPositionWeights).Rows > 0 && f.Matrix(vectors.MatrixPositionWeights).Cols != width {
		t.Errorf("position weights of %d×%d", f.Matrix(vectors.MatrixPositionWeights).Rows, f.Matrix(vectors.MatrixPositionWeights).Cols)
	}
	for r := range f.Matrix(vectors.MatrixPositionWeights).Rows {
		trial.Near(t, "position", f.Matrix(vectors.MatrixPositionWeights).Row(r), s.Matrix(vectors.MatrixPositionWeights).Row(r)[:width])
	}
}

// partVector returns the rows of runs of words, as parts of vectors.
func partVector(s *vectors.Set) vectors.Matrix {
	for _, m := range partVectors(s) {
		return m.Matrix
	}
	return vectors.Matrix{}
}

// sameModel fails the test unless got is what want is.
func sameModel(t *testing.T, got, want *vectors.Set) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, want)
	if !got.Training().Equal(want.Training()) || got.Composition() != want.Composition() {
		t.Errorf("%q, %+v, want %q, %+v", got.Composition(), got.Training(), want.Composition(), want.Training())
	}
	if _, _, factored := want.Input().Factors(); factored {
		if _, _, ok := got.Input().Factors(); !ok {
			t.Error("the factors are multiplied out")
		}
	}
	for _, word := range trial.Unknown() {
		v, ok := trial.Vector(got, word)
		w, also := trial.Vector(want, word)
		if ok != also {
			t.Fatalf("%q has a vector: %v", word, ok)
		}
		trial.Near(t, word, v, w)
	}
}

// All that is there of a vector is its beginning, whatever it is made of, in whatever type
// of numbers or codes, in memory, mapped or read from a file.
func TestFirst(t *testing.T) {
	for name, full := range trial.Variants() {
		code := func(opt QuantizeOptions) *vectors.Set {
			opt.KeepOutput, opt.KeepUnused = true, true
			return mustQuantize(t, full, opt)
		}
		for kind, s := range map[string]*vectors.Set{
			"f32": full, "bf16": WithDType(full, vectors.BF16), "int8": code(QuantizeOptions{Method: QuantizeInt8}),
			"pq": code(QuantizeOptions{Method: QuantizePQ, Bytes: 2}), "opq": code(QuantizeOptions{Method: QuantizeOPQ, Bytes: 2}),
		} {
			path := filepath.Join(t.TempDir(), "model.w2v")
			if err := format.Write(t.Context(), path, s, format.W2V); err != nil {
				t.Fatal(err)
			}
			mapped, err := format.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := format.OpenStream(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for from, set := range map[string]*vectors.Set{"memory": s, "mapped": mapped, "streamed": streamed} {
				t.Run(name+", "+kind+", "+from, func(t *testing.T) {
					for n := 1; n <= set.Input().Cols; n++ {
						if from != "memory" && n != 2 {
							continue // rows are read in one way, however many dimensions stay
						}
						f, err := First(set, n)
						if err != nil {
							t.Fatal(err)
						}
						wantFirst(t, f, s, n)
						if want := s.Input().Encoding(); want != "opq" && f.Input().Encoding() != want {
							t.Errorf("rows are %s, want %s", f.Input().Encoding(), want)
						}
						file := encoded(t, f, format.W2V)
						read, err := format.Read(bytes.NewReader(file))
						if err != nil {
							t.Fatal(err)
						}
						sameModel(t, read, f)
						if got := format.EstimateSize("m.w2v", f.Shape(), format.W2V); got > uint64(len(file)) {
							t.Errorf("estimated %d bytes, written %d", got, len(file))
						}
					}
				})
			}
			for _, set := range []*vectors.Set{mapped, streamed} {
				if err := set.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Sets of other formats, and those that are made of others, begin as they do too.
func TestFirstOfDerived(t *testing.T) {
	for name, s := range derivable(t) {
		t.Run(name, func(t *testing.T) {
			for _, d := range []*vectors.Set{s, Top(s, 3), s.Plain(), Whole(s), Normalized(s)} {
				f, err := First(d, 2)
				if err != nil {
					t.Fatal(err)
				}
				wantFirst(t, f, d, 2)
			}
		})
	}
	for _, path := range []string{"fasttext/quantised.ftz", "finalfusion/buckets.fifu", "finalfusion/simple.fifu", "finalfusion/quantised.fifu", "finalfusion/quantised-opq.fifu"} {
		s := openGolden(t, path)
		f, err := First(s, 3)
		if err != nil {
			t.Fatal(err)
		}
		wantFirst(t, f, s, 3)
		if format.Format(s.Format()) != format.Finalfusion {
			continue
		}
		read, err := format.Read(bytes.NewReader(encoded(t, f, format.Finalfusion)))
		if err != nil {
			t.Fatal(err)
		}
		wantVectors(t, read, s.Words().Strings(), func(id int) []float32 { return trial.WordVector(s, id)[:3] })
	}
}

// Appended weights go together.
func TestFirstOfAppended(t *testing.T) {
	s := trial.Variants()["cbow, appended"]
	f, err := First(s, 4)
	if err != nil {
		t.Fatal(err)
	}
	if hash := f.Subword().(subword.Hash); hash.AppendWeights || f.Matrix(vectors.MatrixPositionWeights).Cols != 4 || f.Matrix(vectors.MatrixWordNgrams).Cols != 4 {
		t.Errorf("weights appended %v, position weights of %d numbers, runs of %d", hash.AppendWeights, f.Matrix(vectors.MatrixPositionWeights).Cols, f.Matrix(vectors.MatrixWordNgrams).Cols)
	}
	_, err = First(s, 5)
	want := "5 dimensions asked for, and the last 2 of 6 are weights, one for each hash, of which all stay or none: ask for 4 at most"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestFirstOfNested(t *testing.T) {
	s := trial.Variants()["plain"]
	for _, tt := range []struct {
		nested string
		n      int
		want   string
	}{
		{"2,4,6", 4, "2,4"}, {"2,4,6", 2, "2"}, {"2,4,6", 6, "2,4,6"}, {"2,4,6", 3, ""}, {"", 3, ""}, {"odd", 1, ""},
	} {
		s := trial.With(s, func(p *vectors.Parts) { p.Training.Set("nested", tt.nested) })
		f, err := First(s, tt.n)
		if err != nil {
			t.Fatal(err)
		}
		if f.Training().Text("nested") != tt.want || s.Training().Text("nested") != tt.nested {
			t.Errorf("%q to %d: %q, want %q", tt.nested, tt.n, f.Training().Text("nested"), tt.want)
		}
	}
	for n, want := range map[int]string{0: "0 dimensions asked for, must be at least 1", 7: "7 dimensions asked for, there are 6"} {
		if _, err := First(s, n); err == nil || err.Error() != want {
			t.Errorf("%d: %v, want %s", n, err, want)
		}
	}
	if f, err := First(s, 6); err != nil || f != s {
		t.Errorf("all dimensions are another set, %v", err)
	}
}
