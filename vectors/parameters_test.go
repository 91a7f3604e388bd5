package vectors

import "testing"

// Every number that was trained is counted, once.
func TestParameters(t *testing.T) {
	all := variants()
	rows := func(name string) int64 { return int64(all[name].Input.Rows) }
	for name, want := range map[string]Parameters{
		"plain":          {Input: 8 * 6, Output: 8 * 6},
		"cbow":           {Input: 8*6 + 4*6 + 25*6, Output: 8 * 6},
		"cbow, rank":     {Input: rows("cbow, rank")*3 + 3*6 + 4*3 + 25*3, Output: 8 * 6},
		"hash, appended": {Input: 30*4 + 50*2, Output: 8 * 6},
		"floret":         {Input: rows("floret") * 6, Output: 8 * 6},
		"tied":           {Input: 8 * 6},
		"structured":     {Input: 8 * 6, Output: 4 * 8 * 6},
		"tree":           {Input: 8 * 6, Output: 7 * 6},
	} {
		got := all[name].Parameters()
		if got.Bytes < 4*got.Total() { // rows are padded
			t.Errorf("%s: %d numbers in %d bytes", name, got.Total(), got.Bytes)
		}
		if want.Bytes = got.Bytes; got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		file, err := EncodedSize(all[name], FormatW2V)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(encode(t, all[name], FormatW2V)); file != uint64(n) {
			t.Errorf("%s: %d bytes, and %d are written", name, file, n)
		}
	}
	if half := all["plain"].WithDType(F16).Parameters(); half.Total() != 96 || half.Bytes != 192 {
		t.Errorf("halves: %+v", half)
	}
}
