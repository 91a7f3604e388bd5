package vectors

import "testing"

// 8 words, 6 dimensions, a rank of 3, a window of 2, 25 rows of runs of words; a pool of 30
// rows and 50 weights of 2; a table of 40 rows for floret.
func TestParameters(t *testing.T) {
	const context, projection, positions, runs, importances = 8 * 6, 3 * 6, 4, 25, 50 * 2
	all := variants()
	rows := func(name string) uint64 { return uint64(all[name].Input.Rows) } // those that are shared once
	for name, want := range map[string]Parameters{
		"plain":            {8 * 6, context},
		"cbow":             {8*6 + (positions+runs)*6, context},
		"cbow, n-grams":    {(rows("cbow, n-grams") + positions + runs) * 6, context},
		"cbow, rank":       {(rows("cbow, rank")+positions+runs)*3 + projection, context},
		"cbow, appended":   {30*4 + importances + (positions+runs)*6, context},
		"floret":           {rows("floret") * 6, context},
		"hash":             {30*6 + importances, context},
		"hash, appended":   {30*4 + importances, context},
		"hash, rank":       {30*3 + importances + projection, context},
		"rank":             {8*3 + projection, context},
		"tied":             {8 * 6, 0},
		"structured":       {8 * 6, positions * 8 * 6},
		"structured, rank": {rows("structured, rank")*3 + projection, positions * 8 * 6},
		"tree":             {8 * 6, 7 * 6},
		"tree, hash":       {30*6 + importances, 7 * 6},
	} {
		got := all[name].Parameters()
		if got != want || got.Total() != want.Input+want.Output {
			t.Errorf("%s: %+v, %d in all, want %+v", name, got, got.Total(), want)
		}
	}
	coded := mustQuantize(t, all["plain"], QuantizeOptions{Method: QuantizePQ, KeepOutput: true, KeepUnused: true})
	if got := coded.Parameters(); got != all["plain"].Parameters() {
		t.Errorf("of codes: %+v", got)
	}
	if got := (&Set{}).Parameters(); got.Total() != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
