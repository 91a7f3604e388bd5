package terminal

import (
	"math"
	"reflect"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// What a text is read as, and what is said of it.
func TestReadings(t *testing.T) {
	plain, composed := model(t, "plain", false, 1), model(t, "composed", true, 1)
	for _, test := range []struct {
		text    string
		set     *Set
		kind    Kind
		reading string
		problem string
		first   string // neighbour
	}{
		{"king", plain, Word, "", "", "kings"},
		{"King", plain, Word, "found as king", "", "kings"},
		{"new york", plain, Word, "", "", "a:b"},
		{"a:b", plain, Word, "", "", "new york"},
		{"king - man + woman", plain, Expression, "king − man + woman", "", "queen"},
		{"-0.5*man + King", plain, Expression, "−0.5·man + king", "", "kingdom"},
		{"man king woman", plain, Analogy, "man is to king as woman is to …", "", "queen"},
		{"man:king::woman:?", plain, Analogy, "man is to king as woman is to …", "", "queen"},
		{" Man : King :: woman", plain, Analogy, "man is to king as woman is to …", "", "queen"},
		{"man:king::new york:", plain, Analogy, "man is to king as new york is to …", "", words[12].word},
		{"king kongg woman", plain, Nothing, "", "kongg is not in the vocabulary", ""},
		{"man king", plain, Nothing, "", "man king is not in the vocabulary; three words ask for an analogy, + and - make a sum", ""},
		{"man king woman queen", plain, Nothing, "", "man king woman queen is not in the vocabulary; three words ask for an analogy, + and - make a sum", ""},
		{"kingg", plain, Nothing, "", "kingg is not in the vocabulary", ""},
		{"king - kingg", plain, Nothing, "", "kingg is not in the vocabulary", ""},
		{"nothing", plain, Nothing, "", "the vector is zero or not finite, and nothing is near to it", ""},
		{"king - nothing", plain, Nothing, "", "the vector of nothing is zero or not finite", ""},
		{"kingship", composed, Composed, "kingship is not in the vocabulary: composed from its n-grams", "", "שלום"},
	} {
		a, err := test.set.Answer(Question{Text: test.text})
		if err != nil {
			t.Fatal(err)
		}
		first := ""
		if len(a.Neighbors) > 0 {
			first = a.Neighbors[0].Word
		}
		if a.Kind != test.kind || a.Reading != test.reading || a.Problem != test.problem || first != test.first {
			t.Errorf("%q: kind %d, %q, problem %q, first %q", test.text, a.Kind, a.Reading, a.Problem, first)
		}
	}
	a, err := plain.Answer(Question{Text: "king +"})
	if _, want := plain.Finder.Parse("king +"); err != nil || a.Kind != Nothing || a.Problem != want.(*vectors.ExpressionError).Reason {
		t.Errorf("king + is %+v, %v", a, err)
	}
}

func TestAnswer(t *testing.T) {
	set := model(t, "model", false, 1)
	set.K = 2
	a, err := set.Answer(Question{Text: "king", Pinned: "queen"})
	if err != nil {
		t.Fatal(err)
	}
	cos := func(a, b string) float64 {
		v, w := make([]float32, 3), make([]float32, 3)
		set.From.Vector(v, a)
		set.From.Vector(w, b)
		return vectors.Cosine(v, w)
	}
	want := Answer{
		Question: Question{"king", "queen"}, Kind: Word, Word: Entry{1, 5158}, ToPinned: Cosine{cos("king", "queen"), true},
		Neighbors: []Neighbor{
			{Word: "kings", Similarity: cos("king", "kings"), Entry: Entry{7, 900}, ToPinned: Cosine{cos("kings", "queen"), true}},
			{Word: "prince", Similarity: cos("king", "prince"), Entry: Entry{5, 1696}, ToPinned: Cosine{cos("prince", "queen"), true}},
		},
	}
	for i := range a.Neighbors { // a cosine of a search is float32
		if got := &a.Neighbors[i].Similarity; math.Abs(*got-want.Neighbors[i].Similarity) < 1e-6 {
			*got = want.Neighbors[i].Similarity
		}
	}
	if !reflect.DeepEqual(a, want) {
		t.Errorf("answer\n%+v, want\n%+v", a, want)
	}
	least := 0.99
	set.Threshold = &least
	if a, err = set.Answer(Question{Text: "king", Pinned: "kingg"}); err != nil || len(a.Neighbors) != 1 || a.NoPinned != "kingg is not in the vocabulary" || a.ToPinned.Known {
		t.Errorf("with a threshold %+v, %v", a, err)
	}
}

// The words of an analogy are not answers, and its vector is what pinned texts are compared with.
func TestAnalogyIsPinnedAsItsExpression(t *testing.T) {
	set := model(t, "model", false, 1)
	a, err := set.Answer(Question{Text: "man king woman", Pinned: "king - man + woman"})
	if err != nil || !a.ToPinned.Known || math.Abs(a.ToPinned.Value-1) > 1e-6 {
		t.Errorf("the cosine with its own expression is %v, %v", a.ToPinned, err)
	}
	for _, n := range a.Neighbors {
		if n.Word == "man" || n.Word == "king" || n.Word == "woman" {
			t.Errorf("%s is an answer", n.Word)
		}
	}
}

// The shares of parts say what makes a vector: they add up to 1, and the largest comes first.
func TestParts(t *testing.T) {
	set := model(t, "model", true, 1)
	for text, want := range map[string]int{"kingship": 8, "king": 5} {
		a, err := set.Answer(Question{Text: text})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, p := range a.Parts {
			sum += p.Share
			if i > 0 && p.Share > a.Parts[i-1].Share {
				t.Errorf("%s: part %d has a larger share than the one before", text, i)
			}
		}
		if len(a.Parts) != want || math.Abs(sum-1) > 1e-5 {
			t.Errorf("%s has %d parts with %v of it: %v", text, len(a.Parts), sum, a.Parts)
		}
	}
	if a, err := model(t, "plain", false, 1).Answer(Question{Text: "king"}); err != nil || len(a.Parts) > 0 {
		t.Errorf("a row of its own has parts: %v, %v", a.Parts, err)
	}
}

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"word":                 "word",
		"männer":               "männer",
		"日本語":                  "日本語",
		"new york":             "new york",
		"a\x00\t\n\x1b[31m":    `a\x00\x09\x0a\x1b[31m`,
		"a\u0085\u009bb":       `a\x85\x9bb`,
		"\xffa\xc3":            `\xffa\xc3`,
		"\ufffd":               "\ufffd",
		"a\u202eb\u2066\ufeff": `a\u202eb\u2066\ufeff`,
		"a\u2028\U000e0001":    `a\u2028\U000e0001`,
		"\u0301x":              "◌\u0301x",
		"e\u0301":              "e\u0301",
		"שלום":                 "שלום\u200e",
		"سلام":                 "سلام\u200e",
		"می\u200cخواهم":        "می\u200cخواهم\u200e",
		"٣":                    "٣\u200e",
		"👩\u200d👩\u200d👧":      "👩\u200d👩\u200d👧",
	} {
		if got := shown(text); got != want {
			t.Errorf("shown(%+q) = %+q, want %+q", text, got, want)
		}
	}
}

func TestBar(t *testing.T) {
	for share, want := range map[float64]string{-1: "", 0: "", 0.5: "██", 1: "████", 2: "████", 0.25: "█", 0.28125: "█▏", math.NaN(): ""} {
		if got := bar(share, 4); got != want {
			t.Errorf("bar(%v, 4) = %q, want %q", share, got, want)
		}
	}
}
