package vectors

import "testing"

// 8 words, 6 dimensions, a rank of 3, a window of 2, 25 rows of runs of words; a pool of 30
// rows and 50 weights of 2; a table of 40 rows for floret.
func TestParameters(t *testing.T) {
	const context, projection, positions, runs, importances = 8 * 6, 3 * 6, 4, 25, 50 * 2
	all := variants()
	rows := func(name string) uint64 { return uint64(all[name].input.Rows) } // those that are shared once
	for name, want := range map[string]Parameters{
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
	coded := mustQuantize(t, all["plain"], QuantizeOptions{Method: QuantizePQ, KeepOutput: true, KeepUnused: true})
	plain := all["plain"].Parameters()
	if got := coded.Parameters(); got.Total() != plain.Total() || got.Bytes >= plain.Bytes {
		t.Errorf("of codes: %+v", got)
	}
	if half := all["plain"].WithDType(F16).Parameters(); half.Total() != plain.Total() || half.Bytes != 2*int64(half.Total()) {
		t.Errorf("halves: %+v", half)
	}
	file, err := EncodedSize(all["cbow"], FormatW2V)
	if n := len(encode(t, all["cbow"], FormatW2V)); err != nil || file != uint64(n) {
		t.Errorf("%d bytes (%v), and %d are written", file, err, n)
	}
	if got := (newSet(Parts{})).Parameters(); got.Total() != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
