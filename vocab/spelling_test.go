package vocab_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

func count(t *testing.T, text string, minCount int) *vocab.Vocab {
	t.Helper()
	v, err := vocab.Count(t.Context(), corpus.Stream("test", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: minCount})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSpelling(t *testing.T) {
	got := count(t, `Hungary. Hungary. Hungary. "Hungary Hungary hungary (well, well foo(bar) foo.bar, 1990, 'tis dogs' – ... ¿qué? qué The the THE A a Über über Ω a_b .NET`, 1).Spelling()
	want := vocab.Spelling{
		Tokens: 25, Total: 27, // Hungary. is there three times
		Punctuated: 7, // Hungary. "Hungary (well, foo(bar) foo.bar, ¿qué? .NET
		Known:      4, // Hungary. "Hungary (well, ¿qué?
		Cased:      9, // Hungary hungary, The the THE, A a, Über über
		Symbolic:   3, // foo(bar) foo.bar, a_b
		Example:    "Hungary.",
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

// Text as people write it is noticed, and what is no such text is not.
func TestSpellingOfCorpora(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 21))
	word := func(n int) string {
		id := int(float64(n) * rng.Float64() * rng.Float64() * rng.Float64())
		return strings.ToLower(fmt.Sprintf("%c%s", 'a'+id%26, strings.Repeat(string(rune('a'+id/26%26)), 1+id/676%7)))
	}
	text := func(tokens int, write func(i int, word string) string) string {
		var b strings.Builder
		for i := range tokens {
			b.WriteString(write(i, word(3000)) + " ")
		}
		return b.String()
	}
	title := func(w string) string { return strings.ToUpper(w[:1]) + w[1:] }
	sentences := func(i int, w string) string {
		switch i % 12 {
		case 0:
			return title(w)
		case 5:
			return w + ","
		case 11:
			return w + "."
		}
		return w
	}
	tests := []struct {
		name                   string
		text                   string
		punctuated, cased, few bool
	}{
		{"sentences", text(40000, sentences), true, true, false},
		{"words", text(40000, func(_ int, w string) string { return w }), false, false, false},
		{"words in sentences' case", text(40000, func(i int, w string) string { return strings.TrimRight(sentences(i, w), ",.") }), false, true, false},
		{"nouns in capitals", text(40000, func(_ int, w string) string {
			if w[0] < 'k' {
				return title(w)
			}
			return w
		}), false, false, false},
		{"punctuation apart", text(40000, func(i int, w string) string { return w + []string{"", " ,", " \"", " ."}[i%4] }), false, false, false},
		{"items", text(40000, func(_ int, w string) string { return "SKU-" + w }), false, false, false},
		{"paths", text(40000, func(_ int, w string) string { return "/shop/" + w + "/" }), false, false, false},
		{"tags", text(40000, func(i int, w string) string { return []string{"#", "@", "$"}[i%3] + w }), false, false, false},
		{"program text", text(40000, func(i int, w string) string {
			return []string{w + "(" + w + "),", w + "." + w + "();", "self._" + w, w + ",", w, "\"" + w + "\"", "{" + w + ":"}[i%7]
		}), false, false, false},
		{"apostrophes", text(40000, func(i int, w string) string { return []string{w + "'s", w + "'", "l'" + w, w}[i%4] }), false, false, false},
		{"Chinese in words", text(40000, func(i int, w string) string {
			return string([]rune{'一' + rune(len(w)*100) + rune(w[0]), '丁' + rune(w[0])}) + []string{"", " 。", " ，"}[i%3]
		}), false, false, false},
		{"bases", text(1000, func(_ int, w string) string { return string("ACGT"[w[0]%4]) }), false, false, true},
		{"a sentence", "The cat sat on the mat, did it not?", false, false, false},
	}
	for _, test := range tests {
		for _, minCount := range []int{1, 3} {
			if test.name == "a sentence" && minCount > 1 {
				continue
			}
			s := count(t, test.text, minCount).Spelling()
			if s.IsPunctuated() != test.punctuated || s.IsCased() != test.cased || s.IsFew() != test.few {
				t.Errorf("%s, seen %d times: punctuated %v, cased %v, few %v; want %v, %v, %v: %+v",
					test.name, minCount, s.IsPunctuated(), s.IsCased(), s.IsFew(), test.punctuated, test.cased, test.few, s)
			}
		}
	}
}

// The text of an encyclopedia as it is, and as it was prepared for training.
func TestSpellingOfRealText(t *testing.T) {
	for _, test := range []struct {
		path  string
		noted bool
	}{{"../../shared/data/en/small_raw.txt", true}, {"../../shared/data/en/small.txt", false}} {
		text, err := os.ReadFile(test.path)
		if err != nil {
			t.Skip("no real text here: ", err)
		}
		for _, minCount := range []int{1, 5, 20} {
			s := count(t, string(text), minCount).Spelling()
			if s.IsPunctuated() != test.noted || s.IsCased() != test.noted || s.IsFew() {
				t.Errorf("%s, seen %d times: %+v", test.path, minCount, s)
			}
		}
	}
}
