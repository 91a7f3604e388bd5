package query_test

import (
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

func TestFind(t *testing.T) {
	f := finder(vectors.CaseAuto)
	for _, test := range []struct {
		text, spelling, foundAs, lacking string
		id                               int
		words                            []string
	}{
		{text: "king", spelling: "king", id: 0, words: []string{"king"}},
		{text: "King", spelling: "king", foundAs: "king", id: 0, words: []string{"king"}},
		{text: `"king"`, spelling: "king", foundAs: "king", id: 0, words: []string{"king"}},
		{text: "kong", spelling: "kong", lacking: "kong", id: -1, words: []string{"kong"}},
		{text: "king - Man", id: -1, words: []string{"king", "man"}},
		{text: "King - Kong", lacking: "Kong", id: -1, words: []string{"king", "kong"}},
		{text: "king - none", lacking: "none", id: -1, words: []string{"king", "none"}}, // zeros have no direction
		{text: "king-man", spelling: "king-man", lacking: "king-man", id: -1, words: []string{"king-man"}},
		{text: "c++", spelling: "c++", id: 7, words: []string{"c++"}},
	} {
		v := []float32{9, 9, 9}
		w, err := f.Find(v, test.text)
		if err != nil {
			t.Fatal(err)
		}
		if w.Terms == nil {
			if w.Spelling != test.spelling || w.FoundAs() != test.foundAs || w.ID != test.id {
				t.Errorf("%q is %q, found as %q with id %d", test.text, w.Spelling, w.FoundAs(), w.ID)
			}
		}
		if w.Lacking != test.lacking || w.Missing() != (test.lacking != "") || w.Asked != test.text || w.Composed() {
			t.Errorf("%q: %+v", test.text, w)
		}
		var words []string
		for _, word := range w.Words() {
			words = append(words, strings.ToLower(word))
		}
		if !reflect.DeepEqual(words, test.words) {
			t.Errorf("%q has the words %q, want %q", test.text, words, test.words)
		}
		if w.Missing() && !reflect.DeepEqual(v, []float32{0, 0, 0}) {
			t.Errorf("%q has no vector, and left %v", test.text, v)
		}
	}
}

func TestFindWhatIsNoExpression(t *testing.T) {
	f := finder(vectors.CaseAuto)
	w, err := f.Find(make([]float32, 3), "king - - man")
	if err != nil || !w.Missing() || w.Lacking != "king - - man" {
		t.Errorf("%+v, %v", w, err)
	}
	if _, ok := errors.AsType[*vectors.ExpressionError](w.Wrong); !ok {
		t.Errorf("why: %v", w.Wrong)
	}
	if near := f.Suggester(1).For(w); near != nil {
		t.Errorf("suggests %q", near)
	}
}

// A word that is asked for as one is never read as an expression.
func TestWord(t *testing.T) {
	f := finder(vectors.CaseAuto)
	for text, want := range map[string]int{"King": 0, "king - man": -1, `"king"`: -1, "2*king": -1, "c++": 7, "": -1} {
		w, err := f.Word(make([]float32, 3), text)
		if err != nil || w.Terms != nil || w.ID != want || w.Missing() != (want < 0) {
			t.Errorf("%q: %+v, %v", text, w, err)
		}
	}
}

func TestParseCompact(t *testing.T) {
	f := finder(vectors.CaseAuto)
	for text, want := range map[string]vectors.Expression{
		"king":              {{Word: "king", Weight: 1}},
		"kong":              {{Word: "kong", Weight: 1}},
		"king-man+woman":    {{Word: "king", Weight: 1}, {Word: "man", Weight: -1}, {Word: "woman", Weight: 1}},
		"King−man":          {{Word: "King", Weight: 1}, {Word: "man", Weight: -1}},
		"-man+king":         {{Word: "man", Weight: -1}, {Word: "king", Weight: 1}},
		"king - man":        {{Word: "king", Weight: 1}, {Word: "man", Weight: -1}},
		"0.5*king-2*man":    {{Word: "king", Weight: .5}, {Word: "man", Weight: -2}},
		"well-known":        {{Word: "well-known", Weight: 1}},
		"king-well-known":   {{Word: "king", Weight: 1}, {Word: "well-known", Weight: -1}},
		"well-known-king":   {{Word: "well-known", Weight: 1}, {Word: "king", Weight: -1}},
		"king-well":         {{Word: "king-well", Weight: 1}}, // a word nobody knows, and its n-grams may
		"c+++king":          {{Word: "c++", Weight: 1}, {Word: "king", Weight: 1}},
		"king+c++":          {{Word: "king", Weight: 1}, {Word: "c++", Weight: 1}},
		"+":                 {{Word: "+", Weight: 1}},
		"king--man":         {{Word: "king--man", Weight: 1}},
		" king-man+woman\n": {{Word: "king", Weight: 1}, {Word: "man", Weight: -1}, {Word: "woman", Weight: 1}},
	} {
		if e, err := f.ParseCompact(text); err != nil || !reflect.DeepEqual(e, want) {
			t.Errorf("%q is %v, %v, want %v", text, e, err, want)
		}
	}
	if e, err := f.ParseCompact("king - - man"); err == nil {
		t.Errorf("reads %v", e)
	}
}

// Texts that have exponentially many readings end soon.
func FuzzParseCompact(f *testing.F) {
	words := finder(vectors.CaseAuto)
	f.Add("king-man+woman")
	f.Add(strings.Repeat("well-known-", 40) + "x")
	f.Add(strings.Repeat("c++", 100))
	f.Add("0.5*−−\xff")
	f.Fuzz(func(t *testing.T, text string) {
		e, err := words.ParseCompact(text)
		if (err == nil) != (len(e) > 0) {
			t.Errorf("%q: %v, %v", text, e, err)
		}
		if len(e) > 1 {
			for _, term := range e {
				if term.Word == "" {
					t.Errorf("%q: %v", text, e)
				}
			}
		}
	})
}

func TestSuggesterIsBounded(t *testing.T) {
	s := finder(vectors.CaseAuto).Suggester(2)
	for i, want := range [][]string{{"king"}, {"queen"}, nil, nil} {
		word := []string{"kinng", "quen", "kinng", "wooman"}[i]
		if got := s.Word(word); len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
			t.Errorf("search %d for %q found %q, want %q", i, word, got, want)
		}
	}
}

func TestDoesntMatch(t *testing.T) {
	f := finder(vectors.CaseAuto)
	r, err := f.DoesntMatch([]string{"king", "King", "none", "kong"})
	if err != nil {
		t.Fatal(err)
	}
	want := query.Ranking{
		Words:   []query.Ranked{{Word: "king", Similarity: 1}, {Word: "King", Similarity: 1}},
		FoundAs: map[string]string{"King": "king"},
		Missing: []string{"none", "kong"},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	if odd, ok := r.Odd(); ok {
		t.Errorf("%q is odd among two", odd)
	}
}

func TestFinderIsForManyGoroutines(t *testing.T) {
	f := finder(vectors.CaseAuto)
	s := f.Suggester(4)
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			if w, err := f.Find(make([]float32, 3), "King - man"); err != nil || w.Missing() {
				t.Errorf("%+v, %v", w, err)
			}
			s.Word("kinng")
		})
	}
	g.Wait()
}

func TestNewRefuses(t *testing.T) {
	if _, err := query.New(court(), 7); err == nil {
		t.Error("takes rule 7")
	}
}

// The worst that can be asked for has many readings of which none reaches the end.
func BenchmarkParseCompact(b *testing.B) {
	f := finder(vectors.CaseAuto)
	text := strings.Repeat("well-known-", 7) + strings.Repeat("x", 4000)
	for b.Loop() {
		if e, err := f.ParseCompact(text); err != nil || len(e) != 1 {
			b.Fatal(e, err)
		}
	}
}

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
