package vectors_test

import (
	"bytes"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

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
