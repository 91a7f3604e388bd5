package query_test

import (
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

// What a line goes on with: words by falling count, and of equal ones the first.
func TestComplete(t *testing.T) {
	words := vectors.NewWords("paris", "parish", "parliament", "rome", "männer", "männlich", "a:b", "a:c", "parity", "Pa")
	counted := []uint64{5, 1, 9, 2, 3, 3, 1, 2, 9, 0}
	for _, test := range []struct {
		line   string
		counts []uint64
		rule   vectors.Case
		most   int
		want   query.Completion
	}{
		{line: "par", most: 3, want: query.Completion{Words: []string{"paris", "parish", "parliament"}, Common: "par", Total: 4}},
		{line: "par", most: 3, counts: counted, want: query.Completion{Words: []string{"parliament", "parity", "paris"}, Common: "par", Total: 4}},
		{line: "par", most: 0, want: query.Completion{Common: "par", Total: 4}},
		{line: "paris", most: 9, want: query.Completion{Words: []string{"paris", "parish"}, Common: "paris", Total: 2}},
		{line: "rome - 0.5*parl", most: 9, want: query.Completion{Start: 11, Words: []string{"parliament"}, Common: "parliament", Total: 1}},
		{line: "m", most: 9, want: query.Completion{Words: []string{"männer", "männlich"}, Common: "männ", Total: 2}},
		{line: "x\u00a0m", most: 1, want: query.Completion{Start: 4}},                                        // a no-break space is part of a word
		{line: "a:", most: 9, want: query.Completion{Words: []string{"a:b", "a:c"}, Common: "a:", Total: 2}}, // a word has the colon
		{line: "rome:ro", most: 9, want: query.Completion{Start: 5, Words: []string{"rome"}, Common: "rome", Total: 1}},
		{line: "rome:paris::a:b", most: 9, want: query.Completion{Start: 12, Words: []string{"a:b"}, Common: "a:b", Total: 1}},
		{line: `rome + "ro`, most: 9, want: query.Completion{Start: 8, Words: []string{"rome"}, Common: "rome", Total: 1}},
		{line: "PARL", rule: vectors.CaseIgnored, most: 9, want: query.Completion{Words: []string{"parliament"}, Common: "parliament", Total: 1}},
		{line: "Pa", rule: vectors.CaseIgnored, most: 9, want: query.Completion{Words: []string{"Pa"}, Common: "Pa", Total: 1}},
		{line: "PARL", rule: vectors.CaseKept, most: 9, want: query.Completion{Start: 4}},
		{line: "zzz", most: 9, want: query.Completion{Start: 3}},
		{line: "", most: 9},
		{line: "rome ", most: 9, want: query.Completion{Start: 5}},
	} {
		set, err := vectors.New(vectors.Parts{Words: words, Counts: test.counts, Input: vectors.NewMatrix(words.Len(), 2)})
		if err != nil {
			t.Fatal(err)
		}
		f, err := query.New(set, test.rule)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Complete(test.line, test.most); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q goes on as %+v, %v, want %+v", test.line, got, err, test.want)
		}
	}
}
