package eval_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/eval"
)

func TestReadPairs(t *testing.T) {
	ab := []eval.Pair{{A: "a", B: "b", Score: 1.5}, {A: "c", B: "d", Score: -2}}
	tests := []struct {
		name, text string
		want       []eval.Pair
	}{
		{"tabs", "a\tb\t1.5\nc\td\t-2\n", ab},
		{"spaces, no newline at the end", "a  b 1.5\n  c d   -2  ", ab},
		{"commas", "a,b,1.5\nc, d, -2\n", ab},
		{"semicolons", "a;b;1.5\nc;d;-2\n", ab},
		{"colons and parts of speech behind", "a:b:1.5:n:v\nc:d:-2:n:n\n", ab},
		{"a different separator every line", "a\tb\t1.5\nc,d,-2", ab},
		{"CRLF, byte order mark", "\ufeffa\tb\t1.5\r\nc\td\t-2\r\n", ab},
		{"comments and blank lines", "# a\tb\t9\n\na\tb\t1.5\n \t \n#\nc\td\t-2\n\n", ab},
		{"header", "word1\tword2\tsimilarity\na\tb\t1.5\nc\td\t-2\n", ab},
		{"header after comments, in spaces", "#x\n\nfirst second rated\na b 1.5\nc d -2\n", ab},
		{"header in quotation marks", "\"Word 1\",\"Word 2\",\"Human (mean)\"\n\"a\",\"b\",\"1.5\"\nc,d,-2\n", ab},
		{"header with people before the average", "Word1,Word2,1,2,Average Score\na,b,1,2,1.5\nc,d,-1,-3,-2\n", ab},
		{"header with people behind the mean", "Word 1,Word 2,Human (mean),1,2\na,b,1.5,1,2\nc,d,-2,-1,-3\n", ab},
		{"header with part of speech", "word1\tword2\tPOS\tSimLex999\tconc(w1)\na\tb\tA\t1.5\t2.7\nc\td\tN\t-2\t3\n", ab},
		{"part of speech without header", "a\tb\tV\t1.5\tSYNONYMS\nc\td\tNN\t-2\tNONE\n", ab},
		{"a number and a topic before the words", "ID,Topic,Word 1,Word 2,Annotator 1,Annotator 2,Average\n1,x,a,b,1,2,1.5\n2,y,c,d,-1,-3,-2\n", ab},
		{"tags of parts of speech", "a-n b-v 1.5\nc-j d-n -2\n", ab},
		{"tags of some words only", "a-n b 1.5\nc-j d-n -2\n", []eval.Pair{{A: "a-n", B: "b", Score: 1.5}, {A: "c-j", B: "d-n", Score: -2}}},
		{"more numbers behind", "a\tb\t1.5\t[1, 2]\t7\nc\td\t-2\t9\t9\n", ab},
		{"words that end in 1 and 2 are no header", "k1\tk2\t1.5\n", []eval.Pair{{A: "k1", B: "k2", Score: 1.5}}},
		{"decimal commas", "a\tb\t1,5\nc;d;-2,0", ab},
		{"spaces and commas within words", "New York\tWashington, D.C.\t3\n1,000 thousand 10\n",
			[]eval.Pair{{A: "New York", B: "Washington, D.C.", Score: 3}, {A: "1,000", B: "thousand", Score: 10}}},
		{"numbers for words", "7 seven 8e-1\n", []eval.Pair{{A: "7", B: "seven", Score: 0.8}}},
		{"UTF-8", "Gepäck\tАффе\t1\n", []eval.Pair{{A: "Gepäck", B: "Аффе", Score: 1}}},
		{"ISO 8859-1", "Gep\xe4ck:\xdcbel:1\n", []eval.Pair{{A: "Gepäck", B: "Übel", Score: 1}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			set, err := eval.ReadPairs(strings.NewReader(test.text), "set")
			if err != nil {
				t.Fatal(err)
			}
			if set.Name != "set" || !slices.Equal(set.Pairs, test.want) {
				t.Errorf("got %+v, want %+v", set.Pairs, test.want)
			}
		})
	}
}

func TestReadPairsErrors(t *testing.T) {
	const want = "want two words and a number, separated by tab, semicolon, comma or space, not "
	tests := []struct{ name, text, err string }{
		{"empty", "", "ws: no pairs: want lines of two words and a number"},
		{"only a header", "# x\nword1 word2 score\n", "ws: no pairs: want lines of two words and a number"},
		{"two columns", "a b 1\n\nc d\n", "ws:3: " + want + `"c d"`},
		{"one word with a space", "a\tb\t1\nNew York\t5\n", "ws:2: " + want + `"New York\t5"`},
		{"empty word", "a\tb\t1\nc\t\t5\n", "ws:2: " + want + `"c\t\t5"`},
		{"no number", "a\tb\t1\nc\td\te\n", "ws:2: " + want + `"c\td\te"`},
		{"a number misspelt in the first line", "a\tb\t1x\n", "ws:1: " + want + `"a\tb\t1x"`},
		{"NaN", "a\tb\t1\nc\td\tNaN\n", "ws:2: " + want + `"c\td\tNaN"`},
		{"infinity", "a\tb\t1\nc\td\t-inf\n", "ws:2: " + want + `"c\td\t-inf"`},
		{"out of range", "a\tb\t1\nc\td\t1e999\n", "ws:2: " + want + `"c\td\t1e999"`},
		{"a third word", "a b 1\nI tiger cat 7.35\n", "ws:2: " + want + `"I tiger cat 7.35"`},
		{"analogies", ": capitals\nAthens Greece Baghdad Iraq\n", "ws:1: " + want + `": capitals"`},
		{"score column of the header missing", "w1,w2,x,mean\na,b,1\n", "ws:2: " + want + `"a,b,1"`},
		{"two headers", "word1 word2 score\nword1 word2 score\n", "ws:2: " + want + `"word1 word2 score"`},
		{"long line", "a b 1\n" + strings.Repeat("x", 100) + "\n", "ws:2: " + want + `"` + strings.Repeat("x", 60) + `…"`},
		{"endless line", "a b 1\n" + strings.Repeat("x", 2<<20), "ws:2: line of more than 1048576 bytes: is this an evaluation set?"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadPairs(strings.NewReader(test.text), "ws")
			var parse *eval.ParseError
			if !errors.As(err, &parse) || err.Error() != test.err {
				t.Errorf("got  %v\nwant %s", err, test.err)
			}
		})
	}
	if _, err := eval.ReadPairs(iotest.ErrReader(io.ErrUnexpectedEOF), "ws"); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the reader's error was not passed on: %v", err)
	}
}

func FuzzReadPairs(f *testing.F) {
	for _, seed := range []string{
		"a\tb\t1.5\n", "Word1,Word2,1,2,Average Score\na,b,1,2,1.5\n", "\ufeff#x\r\n\"a\";b;1,5\n", "a:b:1:n:v\n", "a b N 2\n\xe4 \xff 1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadPairs(strings.NewReader(text), "set")
		if err != nil {
			var parse *eval.ParseError
			if !errors.As(err, &parse) || parse.Line > strings.Count(text, "\n")+1 {
				t.Fatalf("error %#v", err)
			}
			return
		}
		if len(set.Pairs) == 0 {
			t.Fatal("no pairs and no error")
		}
		// What was read can be written plainly and read again.
		var plain strings.Builder
		plain.WriteString("word1\tword2\tscore\n")
		for _, p := range set.Pairs {
			if p.A == "" || p.B == "" || math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
				t.Fatalf("pair %+v", p)
			}
			if strings.ContainsAny(p.A+p.B, "\"\r\t") || p.A[0] == '#' || strings.TrimSpace(p.A) != p.A || strings.TrimSpace(p.B) != p.B || strings.HasPrefix(p.A, "\ufeff") {
				return
			}
			fmt.Fprintf(&plain, "%s\t%s\t%g\n", p.A, p.B, p.Score)
		}
		again, err := eval.ReadPairs(strings.NewReader(plain.String()), "set")
		if err != nil || !slices.Equal(again.Pairs, set.Pairs) {
			t.Fatalf("read %+v, wrote %q, read %+v, %v", set.Pairs, plain.String(), again.Pairs, err)
		}
	})
}
