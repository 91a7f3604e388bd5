package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// What is at hand is answered together, and nothing waits for more of the input.
func TestBatches(t *testing.T) {
	tests := []struct {
		name   string
		words  []string
		writes []string // to standard input, each read as a whole
		want   string   // batches, and ! where a query is too long
	}{
		{"words of the command line", []string{"a", "b", "c", "d"}, nil, "a,b,c d"},
		{"a long word between others", []string{"a", "longer", "b"}, nil, "a ! b"},
		{"lines at hand", nil, []string{"a\nb\n", "c\n"}, "a,b c"},
		{"half a line waits for the rest", nil, []string{"a\nb\nc", "d\ne\n"}, "a,b cd,e"},
		{"full", nil, []string{"a\nb\nc\nd\n"}, "a,b,c d"},
		{"lines without words", nil, []string{"a\n\n", "\n \n", "b\n\n"}, "a b"},
		{"a long line between others", nil, []string{"a\nlonger\nb\n"}, "a ! b"},
		{"no last newline", nil, []string{"a\nb"}, "a b"},
		{"nothing", nil, nil, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, w := io.Pipe()
			go func() {
				for _, text := range test.writes {
					io.WriteString(w, text)
				}
				w.Close()
			}()
			var got []string
			tooLong := func(piece) { got = append(got, "!") }
			for batch, err := range batches(test.words, r, 4, 3, tooLong) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, strings.Join(batch, ","))
			}
			if !slices.Equal(got, strings.Fields(test.want)) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
