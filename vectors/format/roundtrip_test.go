package format

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/text"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// A dice of random sets.
type dice struct{ *rand.Rand }

var extremes = []float32{
	0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
	math.SmallestNonzeroFloat32, 1.17549435e-38, 1e-5, 123456.79, 16777216, 0.1,
	float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
}

func (r dice) float() float32 {
	switch r.IntN(4) {
	case 0:
		return extremes[r.IntN(len(extremes))]
	case 1:
		return math.Float32frombits(r.Uint32())
	}
	return r.Float32() - 0.5
}

func (r dice) matrix(rows, cols int) vectors.Matrix {
	m := vectors.NewMatrix(rows, cols)
	if r.IntN(2) == 0 {
		m = vectors.Matrix{Data: make([]float32, rows*cols), Rows: rows, Cols: cols, Stride: cols}
	}
	for i := range rows {
		for j := range cols {
			m.Row(i)[j] = r.float()
		}
	}
	return m
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
func (r dice) set(pieces []string, full bool) *vectors.Set {
	n, dim := 1+r.IntN(40), 1+r.IntN(3)
	if r.IntN(2) == 0 {
		dim = 1 + r.IntN(40)
	}
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(randomWords(r.Rand, n, pieces)...), Input: r.matrix(n, dim)})
	if !full {
		return s
	}
	rows := n
	if r.IntN(2) == 0 {
		sub := subword.FastText{MinN: 1 + r.IntN(3), MaxN: 3 + r.IntN(3), Buckets: 1 + r.IntN(60)}
		s = alter(s, func(p *vectors.Parts) { p.Subword = sub })
		rows += sub.Buckets
		if r.IntN(2) == 0 {
			rows = n + r.IntN(20)
			for range sub.Buckets {
				s = alter(s, func(p *vectors.Parts) { p.BucketRows = append(s.BucketRows(), int32(r.IntN(rows+1))-1) })
			}
		}
	}
	if (s.Subword() == nil || s.BucketRows() != nil) && r.IntN(2) == 0 {
		rows = 1 + r.IntN(rows)
		for range n {
			s = alter(s, func(p *vectors.Parts) { p.WordRows = append(s.WordRows(), uint32(r.IntN(rows))) })
		}
		for b := range s.BucketRows() {
			s.BucketRows()[b] = min(s.BucketRows()[b], int32(rows)-1)
		}
	}
	if s.WordRows() == nil && s.Subword() == nil {
		rows = n
	}
	s = alter(s, func(p *vectors.Parts) { p.Input = r.matrix(rows, dim) })
	if r.IntN(2) == 0 {
		s = alter(s, func(p *vectors.Parts) { p.Output = r.matrix(n, dim) })
	}
	if r.IntN(2) == 0 {
		for range n {
			s = alter(s, func(p *vectors.Parts) { p.Counts = append(s.Counts(), r.Uint64()>>1|1) })
		}
	}
	if r.IntN(2) == 0 {
		s = alter(s, func(p *vectors.Parts) {
			p.Training = vectors.NewTraining("arch", "skipgram", "window", r.IntN(9), "sample", r.Float64(), "seed", r.Uint64(), "tokens", 5, "tokenizer", "unicode")
		})
	}
	return s
}

// expanded is what the fastText format keeps of s: every row for itself, zeros
// where there was none, and context vectors always.
func expanded(s *vectors.Set) *vectors.Set {
	e := trial.Unchecked(vectors.Parts{Words: s.Words(), Counts: s.Counts(), Subword: s.Subword(), Output: s.Output()})
	buckets := 0
	if s.Subword() != nil {
		buckets = s.Subword().Rows()
	}
	e = alter(e, func(p *vectors.Parts) { p.Input = vectors.NewMatrix(s.Len()+buckets, s.Dim()) })
	for id := range s.Words().All() {
		copy(e.Input().Row(id), s.Input().Row(s.OwnRow(id)))
	}
	for b := range buckets {
		copy(e.Input().Row(s.Len()+b), s.BucketVector(uint32(b)))
	}
	if e.Output().Rows == 0 {
		e = alter(e, func(p *vectors.Parts) { p.Output = vectors.NewMatrix(s.Len(), s.Dim()) })
	}
	return e
}

// words is what the formats of plain words keep of s.
func composed(s *vectors.Set) *vectors.Set {
	return trial.Unchecked(vectors.Parts{Words: s.Words(), Input: s.Vectors()})
}

func TestRoundTrip(t *testing.T) {
	tests := []struct {
		format Format
		pieces []string
		kept   func(*vectors.Set) *vectors.Set
	}{
		{W2V, anyPieces, func(s *vectors.Set) *vectors.Set { return s }},
		{FastText, innerPieces, expanded},
		{Word2Vec, innerPieces, composed},
		{Text, spacedPieces, composed},
		{GloVe, spacedPieces, composed},
	}
	for _, tt := range tests {
		t.Run(string(tt.format), func(t *testing.T) {
			for seed := range uint64(reduced(300, 20)) {
				r := dice{rand.New(rand.NewPCG(seed, 0))}
				s := r.set(tt.pieces, true)
				if tt.format == GloVe && s.Dim() == 1 {
					continue // TestGloVeAmbiguity
				}
				if tt.format == Text || tt.format == GloVe {
					for _, w := range s.Words().All() {
						if err := text.Headed.Word(w); err != nil {
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
				if Format(got.Format()) != tt.format {
					t.Fatalf("seed %d: read as %s", seed, got.Format())
				}
				trial.SameSet(t, got, tt.kept(s))
				if tt.format == W2V && !got.Training().Equal(s.Training()) {
					t.Fatalf("training %+v, want %+v", got.Training(), s.Training())
				}
				// Reading knows the size of a file, and not that of a stream.
				sized, err := read(bytes.NewReader(file), int64(len(file)))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				trial.SameSet(t, sized, got)
				// And what was read is written to the same bytes.
				got = alter(got, func(p *vectors.Parts) { p.Training = s.Training() })
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
	r := dice{rand.New(rand.NewPCG(1, 2))}
	words, subwords := r.set(plainPieces, false), openGolden(t, "fasttext/skipgram.bin")
	for _, ext := range []string{".w2v", ".safetensors", ".bin", ".w2vbin", ".vec", ".txt", ".glove"} {
		for _, compressed := range []string{"", ".gz", ".zst"} {
			for _, s := range []*vectors.Set{words, subwords} {
				path := filepath.Join(dir, "model"+ext+compressed)
				f, err := ForPath(path, s.Subword() != nil)
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
				if Format(got.Format()) != f {
					t.Errorf("%s: read as %s, written as %s", path, got.Format(), f)
				}
				if !slices.Equal(got.Words().Strings(), s.Words().Strings()) {
					t.Errorf("%s: other words", path)
				}
				trial.SameMatrix(t, path, got.Vectors(), s.Vectors())
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
	s := trial.Unchecked(vectors.Parts{Input: vectors.NewMatrix(n, 3)})
	for i := range n {
		words[i] = fmt.Sprint("word", i)
		s.Input().Row(i)[1] = float32(i) / 7
	}
	s = alter(s, func(p *vectors.Parts) { p.Words = vectors.NewWords(words...) })
	var buf bytes.Buffer
	if err := Encode(&buf, s, Text); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&buf)
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, s)
}
