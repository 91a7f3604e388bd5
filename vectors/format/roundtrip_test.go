package vectors

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
)

// sameSet fails the test unless got holds what want does, bit for bit, NaNs
// being equal to each other.
func sameSet(t testing.TB, got, want *Set) {
	t.Helper()
	if !slices.Equal(got.words.Strings(), want.words.Strings()) {
		t.Fatalf("words %.200q, want %.200q", got.words.Strings(), want.words.Strings())
	}
	if !slices.Equal(got.counts, want.counts) {
		t.Fatalf("counts %v, want %v", got.counts, want.counts)
	}
	if g, w := names(got.everyMatrix()), names(want.everyMatrix()); !slices.Equal(g, w) {
		t.Fatalf("matrices %q, want %q", g, w)
	}
	for i, m := range want.everyMatrix() {
		sameMatrix(t, m.Name, got.everyMatrix()[i].Matrix, m.Matrix)
	}
	if !slices.Equal(got.wordRows, want.wordRows) || (got.wordRows == nil) != (want.wordRows == nil) {
		t.Fatalf("word rows %v, want %v", got.wordRows, want.wordRows)
	}
	if !slices.Equal(got.bucketRows, want.bucketRows) || (got.bucketRows == nil) != (want.bucketRows == nil) {
		t.Fatalf("bucket rows %v, want %v", got.bucketRows, want.bucketRows)
	}
	if !reflect.DeepEqual(got.subword, want.subword) {
		t.Fatalf("subwords %+v, want %+v", got.subword, want.subword)
	}
}

func names(matrices []NamedMatrix) (names []string) {
	for _, m := range matrices {
		names = append(names, m.Name)
	}
	return names
}

func sameMatrix(t testing.TB, name string, got, want Matrix) {
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

// A source of random sets.
type source struct{ *rand.Rand }

var extremes = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
	math.SmallestNonzeroFloat32, 1.17549435e-38, 1e-5, 123456.79, 16777216, 0.1,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

func (r source) float() float32 {
	switch r.IntN(4) {
	case 0:
		return extremes[r.IntN(len(extremes))]
	case 1:
		return math.Float32frombits(r.Uint32())
	}
	return r.Float32() - 0.5
}

func (r source) matrix(rows, cols int) Matrix {
	m := NewMatrix(rows, cols)
	if r.IntN(2) == 0 {
		m = Matrix{Data: make([]float32, rows*cols), Rows: rows, Cols: cols, Stride: cols}
	}
	for i := range rows {
		for j := range cols {
			m.Row(i)[j] = r.float()
		}
	}
	return m
}

// words returns n different words of pieces.
func (r source) words(n int, pieces []string) []string {
	var words []string
	for i := range n {
		w := fmt.Sprintf("w%d.", i) // for them to differ
		for range r.IntN(4) {
			piece := pieces[r.IntN(len(pieces))]
			if r.IntN(2) == 0 {
				w = piece + w
			} else {
				w += piece
			}
		}
		words = append(words, w)
	}
	return words
}

// Pieces of words that every format holds, and those that some do.
var (
	plainPieces  = []string{"a", "the", "é", "日本", "🙂", "\xff", "caf\xe9", "\u00a0", "\u3000", "-", "<", "\u0301", "7", "0.5"}
	spacedPieces = append([]string{"x y", "x\ty"}, plainPieces...)
	innerPieces  = append([]string{"\r", "\v", "\f"}, plainPieces...)
	anyPieces    = append([]string{"\n", " ", "\x00", "\r", "\t"}, plainPieces...)
)

// set returns a random set that has subwords, shared rows, counts and context
// vectors or not, as far as full allows.
func (r source) set(pieces []string, full bool) *Set {
	n, dim := 1+r.IntN(40), 1+r.IntN(3)
	if r.IntN(2) == 0 {
		dim = 1 + r.IntN(40)
	}
	s := newSet(Parts{Words: NewWords(r.words(n, pieces)...), Input: r.matrix(n, dim)})
	if !full {
		return s
	}
	rows := n
	if r.IntN(2) == 0 {
		sub := subword.FastText{MinN: 1 + r.IntN(3), MaxN: 3 + r.IntN(3), Buckets: 1 + r.IntN(60)}
		s.subword = sub
		rows += sub.Buckets
		if r.IntN(2) == 0 {
			rows = n + r.IntN(20)
			for range sub.Buckets {
				s.bucketRows = append(s.bucketRows, int32(r.IntN(rows+1))-1)
			}
		}
	}
	if (s.subword == nil || s.bucketRows != nil) && r.IntN(2) == 0 {
		rows = 1 + r.IntN(rows)
		for range n {
			s.wordRows = append(s.wordRows, uint32(r.IntN(rows)))
		}
		for b := range s.bucketRows {
			s.bucketRows[b] = min(s.bucketRows[b], int32(rows)-1)
		}
	}
	if s.wordRows == nil && s.subword == nil {
		rows = n
	}
	s.input = r.matrix(rows, dim)
	if r.IntN(2) == 0 {
		s.output = r.matrix(n, dim)
	}
	if r.IntN(2) == 0 {
		for range n {
			s.counts = append(s.counts, r.Uint64()>>1|1)
		}
	}
	if r.IntN(2) == 0 {
		s.training = Training{Architecture: "skipgram", Window: r.IntN(9), Sample: r.Float64(), Seed: r.Uint64(), Tokens: 5, Tokenizer: "unicode"}
	}
	return s
}

// expanded is what the fastText format keeps of s: every row for itself, zeros
// where there was none, and context vectors always.
func expanded(s *Set) *Set {
	e := newSet(Parts{Words: s.words, Counts: s.counts, Subword: s.subword, Output: s.output})
	buckets := 0
	if s.subword != nil {
		buckets = s.subword.Rows()
	}
	e.input = NewMatrix(s.Len()+buckets, s.Dim())
	for id := range s.words.All() {
		copy(e.input.Row(id), s.input.Row(s.OwnRow(id)))
	}
	for b := range buckets {
		copy(e.input.Row(s.Len()+b), s.BucketVector(uint32(b)))
	}
	if e.output.Rows == 0 {
		e.output = NewMatrix(s.Len(), s.Dim())
	}
	return e
}

// words is what the formats of plain words keep of s.
func composed(s *Set) *Set { return newSet(Parts{Words: s.words, Input: s.Vectors()}) }

func TestRoundTrip(t *testing.T) {
	tests := []struct {
		format Format
		pieces []string
		kept   func(*Set) *Set
	}{
		{FormatW2V, anyPieces, func(s *Set) *Set { return s }},
		{FormatFastText, innerPieces, expanded},
		{FormatWord2Vec, innerPieces, composed},
		{FormatText, spacedPieces, composed},
		{FormatGloVe, spacedPieces, composed},
	}
	for _, tt := range tests {
		t.Run(string(tt.format), func(t *testing.T) {
			for seed := range uint64(300) {
				r := source{rand.New(rand.NewPCG(seed, 0))}
				s := r.set(tt.pieces, true)
				if tt.format == FormatGloVe && s.Dim() == 1 {
					continue // TestGloVeAmbiguity
				}
				if tt.format == FormatText || tt.format == FormatGloVe {
					for _, w := range s.words.All() {
						if err := checkTextWord(w); err != nil {
							t.Fatal(err)
						}
					}
				}
				if err := s.Check(); err != nil {
					t.Fatal(err)
				}
				var buf bytes.Buffer
				if err := Encode(&buf, s, tt.format); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				file := bytes.Clone(buf.Bytes())
				got, err := Read(&buf)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if got.origin.Format != tt.format {
					t.Fatalf("seed %d: read as %s", seed, got.origin.Format)
				}
				sameSet(t, got, tt.kept(s))
				if tt.format == FormatW2V && got.training != s.training {
					t.Fatalf("training %+v, want %+v", got.training, s.training)
				}
				// Reading knows the size of a file, and not that of a stream.
				sized, err := read(bytes.NewReader(file), int64(len(file)))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				sameSet(t, sized, got)
				// And what was read is written to the same bytes.
				got.training = s.training
				var again bytes.Buffer
				if err := Encode(&again, got, tt.format); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again.Bytes(), file) {
					t.Fatalf("seed %d: writing what was read gives other bytes", seed)
				}
			}
		})
	}
}

func TestWriteOpen(t *testing.T) {
	dir := t.TempDir()
	r := source{rand.New(rand.NewPCG(1, 2))}
	words, subwords := r.set(plainPieces, false), openGolden(t, "fasttext/skipgram.bin")
	for _, ext := range []string{".w2v", ".safetensors", ".bin", ".w2vbin", ".vec", ".txt", ".glove"} {
		for _, compressed := range []string{"", ".gz", ".zst"} {
			for _, s := range []*Set{words, subwords} {
				path := filepath.Join(dir, "model"+ext+compressed)
				f, err := FormatOf(path, s.subword != nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := Write(t.Context(), path, s, f); err != nil {
					t.Fatal(err)
				}
				got, err := Open(path)
				if err != nil {
					t.Fatal(err)
				}
				if got.origin.Format != f {
					t.Errorf("%s: read as %s, written as %s", path, got.origin.Format, f)
				}
				if !slices.Equal(got.words.Strings(), s.words.Strings()) {
					t.Errorf("%s: other words", path)
				}
				sameMatrix(t, path, got.Vectors(), s.Vectors())
				if err := got.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Different orders of goroutines print the same text.
func TestEncodeManyLines(t *testing.T) {
	const n = 5000
	words := make([]string, n)
	s := newSet(Parts{Input: NewMatrix(n, 3)})
	for i := range n {
		words[i] = fmt.Sprint("word", i)
		s.input.Row(i)[1] = float32(i) / 7
	}
	s.words = NewWords(words...)
	var buf bytes.Buffer
	if err := Encode(&buf, s, FormatText); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	sameSet(t, got, s)
}
