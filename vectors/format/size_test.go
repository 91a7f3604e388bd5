package format

import (
	"bufio"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// written returns how many bytes a set takes in a format, and false if it cannot hold it.
func written(t *testing.T, s *vectors.Set, f Format) (uint64, bool) {
	t.Helper()
	c, err := codecOf(f)
	if err != nil {
		t.Fatal(err)
	}
	var n counter
	err = s.Parts().File.Guarded(func() error {
		parts, err := partsOf(c, s)
		for _, part := range parts {
			w := bufio.NewWriter(&n)
			err = errors.Join(err, part.Write(w), w.Flush())
		}
		return err
	})
	return uint64(n), err == nil
}

// sizable are sets of many rows, as training makes them: of words, and with n-grams.
func sizable() map[string]*vectors.Set {
	r := rand.New(rand.NewPCG(3, 4))
	matrix := func(rows int) vectors.Matrix {
		m := vectors.NewMatrix(rows, 20)
		for row := range rows {
			for k := range m.Row(row) {
				m.Row(row)[k] = float32(r.NormFloat64() / 4)
			}
		}
		return m
	}
	words := dice{r}.words(1000, []string{"a", "the", "é", "日本"})
	plain := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords(words...), Counts: make([]uint64, len(words)), Input: matrix(len(words)), Output: matrix(len(words))})
	for id := range words {
		plain.Counts()[id] = uint64(90_000 / (id + 1))
	}
	sub := subword.FastText{MinN: 3, MaxN: 6, Buckets: 2000}
	table := subword.NewTable(words, sub, subword.TableOptions{})
	ngrams := vectors.NewUnchecked(vectors.Parts{
		Words: plain.Words(), Counts: plain.Counts(), Input: matrix(table.Rows()), Output: plain.Output(),
		Subword: sub, WordRows: table.WordRow, BucketRows: table.BucketRow,
	})
	pieces := vectors.NewUnchecked(vectors.Parts{
		Subword:     subword.Floret{MinN: 2, MaxN: 4, Buckets: 2000, Hashes: 2, Seed: subword.FloretSeed, BOW: "<", EOW: ">"},
		Composition: subword.Pieces,
		Input:       matrix(2000),
	})
	checkpoint := vectors.NewUnchecked(vectors.Parts{
		Words: plain.Words(), Counts: plain.Counts(), Input: plain.Input(), Output: plain.Output(),
		State: make([]byte, 1000), StateRows: []vectors.Matrix{matrix(len(words))},
	})
	return map[string]*vectors.Set{"words": plain, "checkpoint": checkpoint, "n-grams": ngrams, "pieces": pieces, "half": transform.WithDType(plain, vectors.F16)}
}

func TestEstimateSizeIsNearWhatIsWritten(t *testing.T) {
	tried := map[Format]bool{}
	for name, s := range sizable() {
		for _, f := range All() {
			size, ok := written(t, s, f)
			if !ok {
				continue
			}
			tried[f] = true
			shape := s.Shape()
			shape.Trained = shape.Encoding == string(vectors.F32)
			least := 0.75
			if len(f.DTypes()) == 0 { // in decimal
				least = 0.1
				if shape.Trained {
					least = 0.6
				}
			}
			got := EstimateSize("model", shape, f)
			if got > size || float64(got) < least*float64(size) {
				t.Errorf("%s as %s: estimated %d bytes, written %d", name, f, got, size)
			}
		}
	}
	if len(tried) != len(All()) {
		t.Errorf("%d of %d formats are tried", len(tried), len(All()))
	}
}

// Whatever the set, what is estimated fits where it can be written.
func TestEstimateSizeIsNeverMore(t *testing.T) {
	r := dice{rand.New(rand.NewPCG(11, 12))}
	sets := []*vectors.Set{trial.Full(), trial.Table(200), vectors.NewUnchecked(vectors.Parts{Input: vectors.Matrix{Cols: 3}})}
	for range 30 {
		sets = append(sets, r.set(plainPieces, r.IntN(2) == 0))
	}
	for _, method := range []transform.QuantizeMethod{transform.QuantizeF16, transform.QuantizeInt8, transform.QuantizePQ} {
		small, err := transform.Quantize(t.Context(), sizable()["n-grams"], transform.QuantizeOptions{Method: method, KeepOutput: true, EqualParts: true})
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, small, transform.Whole(small))
	}
	for _, s := range trial.Variants() {
		sets = append(sets, s, transform.WithDType(s, vectors.F16))
	}
	for i, s := range sets {
		for _, f := range All() {
			if size, ok := written(t, s, f); ok {
				if got := EstimateSize("model", s.Shape(), f); got > size {
					t.Errorf("set %d as %s: estimated %d bytes, written %d: %+v", i, f, got, size, s.Shape())
				}
			}
		}
	}
}

func TestEstimateSizeOfCompressedFilesIsUnknown(t *testing.T) {
	shape := trial.Full().Shape()
	for path, known := range map[string]bool{"m.vec": true, "m.vec.gz": false, "m.w2v.zst": false, "m.bz2": true} {
		if got := EstimateSize(path, shape, Text); (got > 0) != known {
			t.Errorf("%s: %d bytes", path, got)
		}
	}
}
