package vectors

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// wantFirst fails the test unless f is s but for the dimensions behind the first n.
func wantFirst(t *testing.T, f, s *Set, n int) {
	t.Helper()
	if err := f.Check(); err != nil {
		t.Fatal(err)
	}
	if f.Dim() != n {
		t.Fatalf("%d dimensions, want %d", f.Dim(), n)
	}
	for _, word := range slices.Concat(s.words.Strings(), oov) {
		got, ok := vector(f, word)
		want, was := vector(s, word)
		if ok != was {
			t.Fatalf("%q has a vector: %v", word, ok)
		}
		near(t, word, got, want[:n])
	}
	all, tokens := f.Vectors(), strings.Fields("the theatre cat sat on the mat")
	for id, word := range s.words.All() {
		near(t, word, all.Row(id), s.wordVector(id)[:n])
	}
	got, want := make([]float32, n), make([]float32, s.Dim())
	if f.Sentence(got, tokens) != s.Sentence(want, tokens) {
		t.Error("a sentence has other tokens")
	}
	near(t, "sentence", got, want[:n])
	for _, m := range []struct {
		name    string
		got, of Matrix
	}{
		{"input", f.input, s.input}, {"context", f.output, s.output}, {"by position", f.Matrix(MatrixPositionOutput), s.Matrix(MatrixPositionOutput)},
		{"nodes", f.Matrix(MatrixNodes), s.Matrix(MatrixNodes)}, {"runs", f.wordNgramVectors(), s.wordNgramVectors()},
	} {
		if m.got.Rows != m.of.Rows {
			t.Fatalf("%s: %d rows, want %d", m.name, m.got.Rows, m.of.Rows)
		}
		for r := range m.of.Rows {
			near(t, m.name, m.got.Row(r), m.of.Row(r)[:min(n, m.of.Cols)])
		}
	}
	rows, projection, factored := f.input.Factors()
	if wide, _, was := s.input.Factors(); was != factored || factored && (rows.Cols != wide.Cols || projection.Cols != n) {
		t.Errorf("factors %v, rows of %d, projection to %d", factored, rows.Cols, projection.Cols)
	}
	width := n // of what is composed of rows
	if factored {
		width = rows.Cols
	}
	if f.Matrix(MatrixPositionWeights).Rows != s.Matrix(MatrixPositionWeights).Rows || f.Matrix(MatrixPositionWeights).Rows > 0 && f.Matrix(MatrixPositionWeights).Cols != width {
		t.Errorf("position weights of %d×%d", f.Matrix(MatrixPositionWeights).Rows, f.Matrix(MatrixPositionWeights).Cols)
	}
	for r := range f.Matrix(MatrixPositionWeights).Rows {
		near(t, "position", f.Matrix(MatrixPositionWeights).Row(r), s.Matrix(MatrixPositionWeights).Row(r)[:width])
	}
}

// All that is there of a vector is its beginning, whatever it is made of, in whatever type
// of numbers or codes, in memory, mapped or read from a file.
func TestFirst(t *testing.T) {
	for name, full := range variants() {
		code := func(opt QuantizeOptions) *Set {
			opt.KeepOutput, opt.KeepUnused = true, true
			return mustQuantize(t, full, opt)
		}
		for kind, s := range map[string]*Set{
			"f32": full, "bf16": full.WithDType(BF16), "int8": code(QuantizeOptions{Method: QuantizeInt8}),
			"pq": code(QuantizeOptions{Method: QuantizePQ, Bytes: 2}), "opq": code(QuantizeOptions{Method: QuantizeOPQ, Bytes: 2}),
		} {
			path := filepath.Join(t.TempDir(), "model.w2v")
			if err := Write(t.Context(), path, s, FormatW2V); err != nil {
				t.Fatal(err)
			}
			mapped, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			streamed, err := OpenStream(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			for from, set := range map[string]*Set{"memory": s, "mapped": mapped, "streamed": streamed} {
				t.Run(name+", "+kind+", "+from, func(t *testing.T) {
					for n := 1; n <= set.input.Cols; n++ {
						f, err := set.First(n)
						if err != nil {
							t.Fatal(err)
						}
						wantFirst(t, f, s, n)
						if want := s.input.Encoding(); want != "opq" && f.input.Encoding() != want {
							t.Errorf("rows are %s, want %s", f.input.Encoding(), want)
						}
						file := encode(t, f, FormatW2V)
						read, err := Read(bytes.NewReader(file))
						if err != nil {
							t.Fatal(err)
						}
						sameVariant(t, read, f)
						if got := EstimateSize("m.w2v", f.Shape(), FormatW2V); got > uint64(len(file)) {
							t.Errorf("estimated %d bytes, written %d", got, len(file))
						}
					}
				})
			}
			for _, set := range []*Set{mapped, streamed} {
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
			for _, d := range []*Set{s, s.Top(3), s.Plain(), s.Whole(), s.Normalized()} {
				f, err := d.First(2)
				if err != nil {
					t.Fatal(err)
				}
				wantFirst(t, f, d, 2)
			}
		})
	}
	for _, path := range []string{"fasttext/quantised.ftz", "finalfusion/buckets.fifu", "finalfusion/simple.fifu", "finalfusion/quantised.fifu", "finalfusion/quantised-opq.fifu"} {
		s := openGolden(t, path)
		f, err := s.First(3)
		if err != nil {
			t.Fatal(err)
		}
		wantFirst(t, f, s, 3)
		if s.origin.Format != FormatFinalfusion {
			continue
		}
		read, err := Read(bytes.NewReader(encode(t, f, FormatFinalfusion)))
		if err != nil {
			t.Fatal(err)
		}
		wantVectors(t, read, s.words.Strings(), func(id int) []float32 { return s.wordVector(id)[:3] })
	}
}

// Appended weights go together.
func TestFirstOfAppended(t *testing.T) {
	s := variants()["cbow, appended"]
	f, err := s.First(4)
	if err != nil {
		t.Fatal(err)
	}
	if hash := f.subword.(subword.Hash); hash.AppendWeights || f.Matrix(MatrixPositionWeights).Cols != 4 || f.Matrix(MatrixWordNgrams).Cols != 4 {
		t.Errorf("weights appended %v, position weights of %d numbers, runs of %d", hash.AppendWeights, f.Matrix(MatrixPositionWeights).Cols, f.Matrix(MatrixWordNgrams).Cols)
	}
	_, err = s.First(5)
	want := "5 dimensions asked for, and the last 2 of 6 are weights, one for each hash, of which all stay or none: ask for 4 at most"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestFirstOfNested(t *testing.T) {
	s := variants()["plain"]
	for _, tt := range []struct {
		nested string
		n      int
		want   string
	}{
		{"2,4,6", 4, "2,4"}, {"2,4,6", 2, "2"}, {"2,4,6", 6, "2,4,6"}, {"2,4,6", 3, ""}, {"", 3, ""}, {"odd", 1, ""},
	} {
		s.training.Nested = tt.nested
		f, err := s.First(tt.n)
		if err != nil {
			t.Fatal(err)
		}
		if f.training.Nested != tt.want || s.training.Nested != tt.nested {
			t.Errorf("%q to %d: %q, want %q", tt.nested, tt.n, f.training.Nested, tt.want)
		}
	}
	for n, want := range map[int]string{0: "0 dimensions asked for, must be at least 1", 7: "7 dimensions asked for, there are 6"} {
		if _, err := s.First(n); err == nil || err.Error() != want {
			t.Errorf("%d: %v, want %s", n, err, want)
		}
	}
	if f, err := s.First(6); err != nil || f != s {
		t.Errorf("all dimensions are another set, %v", err)
	}
}
