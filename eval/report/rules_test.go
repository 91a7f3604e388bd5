package report

import "testing"

func TestSpelledOut(t *testing.T) {
	for _, test := range []struct {
		of   any
		want string
	}{
		{nil, ""},
		{struct{}{}, ""},
		{struct {
			Method string  `json:"method"`
			Lost   float64 `json:"max_lost"`
			Strict bool    `json:"strict"`
			Few    []int   `json:"few"`
		}{`k-means "<++>"`, 0.2, false, []int{1, 2}}, `method k-means "<++>"; max_lost 0.2; strict false; few [1,2]`},
		{map[string]int{"abtt": 2}, "abtt 2"},
		{"as they are", `"as they are"`},
		{func() {}, ""},
	} {
		if got := spelledOut(test.of); got != test.want {
			t.Errorf("spelledOut(%v) = %s, want %s", test.of, got, test.want)
		}
	}
}
