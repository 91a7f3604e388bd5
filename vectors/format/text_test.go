package format

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

func TestReadText(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		name, file string
		words      []string
		rows       []float32
	}{
		{"word2vec", "2 2\n</s> 0.5 -0.25 \nthe 1 2 \n", []string{"</s>", "the"}, []float32{0.5, -0.25, 1, 2}},
		{"glove", "the 1 2\nof 3 4\n", []string{"the", "of"}, []float32{1, 2, 3, 4}},
		{"Windows", "2 1\r\nthe 1\r\nof 2\r\n", []string{"the", "of"}, []float32{1, 2}},
		{"no final newline", "2 1\nthe 1\nof 2", []string{"the", "of"}, []float32{1, 2}},
		{"empty lines at the end", "1 1\nthe 1\n\n \r\n", []string{"the"}, []float32{1}},
		{"tabs and runs of spaces", "1 3\n the\t1  2 \t 3\t\n", []string{"the"}, []float32{1, 2, 3}},
		{"words with spaces", "3 1\nNew York 1\n. . . 2\na  b 3\n", []string{"New York", ". . .", "a  b"}, []float32{1, 2, 3}},
		{"words with spaces and numbers", "2 2\nMay 5 1 2\n7 11 3 4\n", []string{"May 5", "7 11"}, []float32{1, 2, 3, 4}},
		{"other spaces", "2 1\n\u00a0 1\na\u3000b 2\n", []string{"\u00a0", "a\u3000b"}, []float32{1, 2}},
		{"not UTF-8", "2 1\ncaf\xe9 1\n\xff\xfe 2\n", []string{"caf\xe9", "\xff\xfe"}, []float32{1, 2}},
		{"a number as word", "1984 1 2\n3.14 3 4\npi 5 6\n", []string{"1984", "3.14", "pi"}, []float32{1, 2, 3, 4, 5, 6}},
		{"nan as word", "nan 1 2\n", []string{"nan"}, []float32{1, 2}},
		{"exponents", "a 1e-05 -2.5E+3 1e-50\n", []string{"a"}, []float32{1e-5, -2500, 0}},
		{"no numbers", "a nan -nan inf -inf +Inf NaN\n", []string{"a"}, []float32{nan, nan, inf, -inf, inf, nan}},
		{"numbers as words", "2 2\n1984 1 2\n3.14 3 4\n", []string{"1984", "3.14"}, []float32{1, 2, 3, 4}},
		{"words that are blank", "2 1\n 1\n  2\n", []string{"", " "}, []float32{1, 2}},
		{"control characters", "2 1\na\x01\x02\x7f 1\n\x03 2\n", []string{"a\x01\x02\x7f", "\x03"}, []float32{1, 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := Read(strings.NewReader(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(s.Words().Strings(), tt.words) {
				t.Errorf("words %q, want %q", s.Words().Strings(), tt.words)
			}
			n := len(tt.words)
			cols := len(tt.rows) / n
			trial.SameMatrix(t, "vectors", s.Input(), vectors.Matrix{Data: tt.rows, Rows: n, Cols: cols, Stride: cols})
		})
	}
}

// A row may be longer than any buffer.
func TestReadLongRow(t *testing.T) {
	const dim = 100_000
	long := strings.Repeat("long", vectors.MaxWord/4)
	file := "short" + strings.Repeat(" 0.125", dim) + "\n" + long + strings.Repeat(" 2", dim) + "\n"
	for _, file := range []string{file, "2 100000\n" + file} {
		s, err := Read(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if s.Len() != 2 || s.Dim() != dim || s.Words().At(1) != long || s.Input().Row(0)[dim-1] != 0.125 || s.Input().Row(1)[dim-1] != 2 {
			t.Errorf("read %d words of %d", s.Len(), s.Dim())
		}
	}
}

func TestWriteText(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", "New York"), Input: vectors.NewMatrix(2, 3)})
	copy(s.Input().Row(0), []float32{0.1, -2, 1e-10})
	copy(s.Input().Row(1), []float32{16777216, float32(math.NaN()), float32(math.Inf(-1))})
	for f, want := range map[Format]string{
		Text:  "2 3\nthe 0.1 -2 1e-10\nNew York 1.6777216e+07 NaN -Inf\n",
		GloVe: "the 0.1 -2 1e-10\nNew York 1.6777216e+07 NaN -Inf\n",
	} {
		var buf bytes.Buffer
		if err := Encode(&buf, s, f); err != nil {
			t.Fatal(err)
		}
		if buf.String() != want {
			t.Errorf("%s: got %q, want %q", f, buf.String(), want)
		}
	}
}

func benchmarkSet(rows, dim int) *vectors.Set {
	words := make([]string, rows)
	s := trial.Unchecked(vectors.Parts{Input: vectors.NewMatrix(rows, dim)})
	for i := range rows {
		words[i] = "word" + strings.Repeat("x", i%7)
		for j := range dim {
			s.Input().Row(i)[j] = float32(math.Sin(float64(i*dim+j))) / 3
		}
	}
	s = alter(s, func(p *vectors.Parts) { p.Words = vectors.NewWords(words...) })
	return s
}

func BenchmarkWrite(b *testing.B) {
	s := benchmarkSet(10_000, 100)
	for _, f := range All() {
		if f == FastText {
			continue // wants different words
		}
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			var buf bytes.Buffer
			for b.Loop() {
				buf.Reset()
				if err := Encode(&buf, s, f); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(buf.Len()))
			b.ReportMetric(float64(s.Len()*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkRead(b *testing.B) {
	s := benchmarkSet(10_000, 100)
	for _, f := range All() {
		if f == FastText {
			continue
		}
		var buf bytes.Buffer
		if err := Encode(&buf, s, f); err != nil {
			b.Fatal(err)
		}
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(buf.Len()))
			for b.Loop() {
				if _, err := read(bytes.NewReader(buf.Bytes()), int64(buf.Len())); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(s.Len()*b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
