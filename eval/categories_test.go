package eval_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func TestReadCategories(t *testing.T) {
	birds := []eval.Member{{Word: "owl", Category: "bird"}, {Word: "wren", Category: "bird"}, {Word: "spade", Category: "tool"}}
	tests := []struct {
		name, text string
		want       []eval.Member
	}{
		{"category, word", "bird\towl\nbird\twren\ntool\tspade\n", birds},
		{"word, category", "owl\tbird\nwren\tbird\nspade\ttool\n", birds},
		{"spaces", "owl bird\nwren   bird\nspade tool\n", birds},
		{"commas and quotation marks", "bird,owl\n\"bird\",\"wren\"\ntool,spade", birds},
		{"semicolons", "owl;bird\nwren;bird\nspade;tool", birds},
		{"comments and blank lines", "# mine\n\nbird\towl\r\nbird\twren\r\n\n#\ntool\tspade\r\n", birds},
		{"a header", "word\tnote\tclass\nowl\tx\tbird\nwren\ty\tbird\nspade\tz\ttool\n", birds},
		{"a header with numbered lines", ",category,word\n0,bird,owl\n1,bird,wren\n2,tool,spade\n", birds},
		{"the finest of several levels", "owl\tbird\tanimal\tnatural\nwren\tbird\tanimal\tnatural\nhen\tfowl\tanimal\tnatural\nspade\ttool\tthing\tmade\n", slices.Insert(slices.Clone(birds), 2, eval.Member{Word: "hen", Category: "fowl"})},
		{"BLESS", "owl-n\tbird\tattri\twise-j\nowl-n\tbird\tcoord\twren-n\nwren-n\tbird\trandom-n\tcoal-n\nspade-n\ttool\tevent\tdig-v\n", birds},
		{"tags of parts of speech", "owl_N\tbird\nwren_N\tbird\nspade_N\ttool\n", birds},
		{"tags that are not on all words", "bird\towl-n\nbird\twren\n", []eval.Member{{Word: "owl-n", Category: "bird"}, {Word: "wren", Category: "bird"}}},
		{"one word a line", "owl\nwren\n", []eval.Member{{Word: "owl", Category: "birds"}, {Word: "wren", Category: "birds"}}},
		{"one word and numbers a line", "word,rank\nowl,1\nwren,2\n", []eval.Member{{Word: "owl", Category: "birds"}, {Word: "wren", Category: "birds"}}},
		{"a word twice in a category, and in two", "bird\towl\nbird\towl\nbird\tcrane\ntool\tcrane\n", []eval.Member{{Word: "owl", Category: "bird"}, {Word: "crane", Category: "bird"}, {Word: "crane", Category: "tool"}}},
		{"lines without a word", "bird\t\nbird\towl\nbird\twren\ntool\t\ntool\tspade\n", birds},
		{"a category of two words", "precious stone,ruby\nprecious stone,opal\n", []eval.Member{{Word: "ruby", Category: "precious stone"}, {Word: "opal", Category: "precious stone"}}},
		{"a category a word", "bird\towl\ntool\tspade\n", []eval.Member{{Word: "owl", Category: "bird"}, {Word: "spade", Category: "tool"}}},
		{"ISO 8859-1", "tool\tb\xe4r\ntool\taxt\n", []eval.Member{{Word: "bär", Category: "tool"}, {Word: "axt", Category: "tool"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			switch test.name {
			case "a category a word", "a word twice in a category, and in two", "the finest of several levels":
				// These lines could be of other tasks, too.
			default:
				recognizes(t, test.text, eval.TaskCategorization)
			}
			set, err := eval.ReadSet(strings.NewReader(test.text), "birds.txt", eval.TaskCategorization)
			if err != nil || !slices.Equal(set.Members, test.want) {
				t.Errorf("got %v, %v\nwant %v", set.Members, err, test.want)
			}
		})
	}
}

func TestReadCategoriesErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", "s: no words: want lines of a word and its category"},
		{"no words", "# a comment\n\n", "s: no words: want lines of a word and its category"},
		{"a line of one column", "bird\towl\nbird\twren\nspade\n", `s:3: want a word and its category in 2 columns, not "spade"`},
		{"a word without a category", "bird\towl\nbird\twren\n\tspade\n", `s:3: want a category for "spade"`},
		{"two words in a list of words", "owl\nwren bird\n", `s:2: want a word and its category in 2 columns, not "wren bird"`},
		{"a long word", "bird\towl\nbird\t" + strings.Repeat("w", 1<<16) + "\n", "s:2: want words of at most"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskCategorization)
			if parse := (*eval.ParseError)(nil); !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzReadCategories(f *testing.F) {
	for _, text := range []string{"bird\towl\n", "a,b\n1,2\n", ",category,word\n0,x,y", "w\n", "x y z\n", "\"", "a-n\tb\tcoord\tc\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "s", eval.TaskCategorization)
		if (err == nil) != (len(set.Members) > 0) && err == nil {
			t.Errorf("%d words, %v", len(set.Members), err)
		}
		for _, m := range set.Members {
			if err == nil && (m.Word == "" || m.Category == "") {
				t.Errorf("empty: %+v", m)
			}
		}
	})
}

func mustCategories(t testing.TB, text string) eval.Set {
	t.Helper()
	set, err := eval.ReadSet(strings.NewReader(text), "test", eval.TaskCategorization)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Two directions: owl, wren and spade lie near the one, axe and saw near the other.
func TestCategorization(t *testing.T) {
	s := wordSet([]string{"owl", "wren", "spade", "axe", "saw", "zero"},
		[]float32{1, 0}, []float32{5, 1}, []float32{8, 1}, []float32{0, 1}, []float32{1, 9}, []float32{0, 0})
	set := mustCategories(t, "bird\towl\nbird\twren\nbird\tauk\ntool\tspade\ntool\taxe\ntool\tsaw\n")
	result, got, err := evaluated[eval.CategoryResult](t.Context(), s, set, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Words != 6 || got.Used != 5 || got.OOV != 1 || got.Categories != 2 || got.Repeats != 10 || !reflect.DeepEqual(got.Missing, []string{"auk"}) {
		t.Errorf("%+v", got)
	}
	same := func(a, b int) bool { return got.Clusters[a].Cluster == got.Clusters[b].Cluster }
	if !same(0, 1) || !same(1, 2) || !same(3, 4) || same(2, 3) {
		t.Errorf("clusters %v", got.Clusters)
	}
	// Of cluster {owl wren spade} two are birds, of {axe saw} both are tools.
	if got.Purity != 0.8 || math.Abs(float64(got.MeanPurity-0.8)) > 1e-15 || got.PurityDeviation > 1e-15 {
		t.Errorf("purity %v, mean %v, deviation %v", got.Purity, got.MeanPurity, got.PurityDeviation)
	}
	// H(C) = H(K) = −(2/5 ln 2/5 + 3/5 ln 3/5), H(C|K) = 3/5 · −(2/3 ln 2/3 + 1/3 ln 1/3) = H(K|C).
	ln := math.Log
	want := 1 - 0.6*(2.0/3*ln(2.0/3)+1.0/3*ln(1.0/3))/(0.4*ln(0.4)+0.6*ln(0.6))
	for _, x := range []eval.Score{got.VMeasure, got.Homogeneity, got.Completeness} {
		if math.Abs(float64(x)-want) > 1e-15 {
			t.Errorf("V-measure %v, homogeneity %v, completeness %v, want %v", got.VMeasure, got.Homogeneity, got.Completeness, want)
		}
	}
	sample := result.Sample
	if x := sample.Score([]float64{1, 1, 1, 1, 1}); x != 0.8 || len(sample.Items) != 5 {
		t.Errorf("the sample's score is %v", x)
	}
	if x := sample.Score([]float64{0, 0, 2, 1, 1}); x != 0.5 {
		t.Errorf("the sample's score is %v with spade twice and without birds, want 0.5", x)
	}
	summary := result.Summary
	if summary.Metric != "purity" || summary.Score != 0.8 || summary.Items != 6 || summary.Used != 5 || len(summary.Parts) != 3 || summary.Interval == (eval.Interval{}) {
		t.Errorf("%+v", summary)
	}
	for _, part := range summary.Parts {
		if !(part.Interval.Low <= float64(part.Score) && float64(part.Score) <= part.Interval.High) {
			t.Errorf("%s: %v is not in %v", part.Name, part.Score, part.Interval)
		}
	}
}

// A record says how much the scores vary between clusterings.
func TestRecordOfCategoriesHasNotes(t *testing.T) {
	words := []string{"owl", "wren", "axe", "saw"}
	set := mustCategories(t, "bird\towl\nbird\twren\ntool\taxe\ntool\tsaw\n")
	r, err := eval.Measure(t.Context(), subwordSet(words...), eval.SetFile{Set: set}, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "10 clusterings: purity 0.8500 ± 0.1291") {
		t.Errorf("the notes are %q", r.Notes)
	}
}

// The same seed gives the same clusters, however many processors there are.
func TestCategorizationIsDeterministic(t *testing.T) {
	var text strings.Builder
	var words []string
	for i := range 60 {
		words = append(words, fmt.Sprintf("word%d", i))
		fmt.Fprintf(&text, "c%d\tword%d\n", i%7, i)
	}
	s := subwordSet(words...)
	set := mustCategories(t, text.String())
	record := func(seed uint64) string {
		r, err := details[eval.CategoryResult](t.Context(), s, set, eval.Options{Seed: seed, Resamples: 50})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := record(1)
	if again := record(1); again != one {
		t.Errorf("twice the same seed:\n%s\n%s", one, again)
	}
	if record(2) == one {
		t.Error("another seed makes no difference")
	}
}

func TestCategorizationErrors(t *testing.T) {
	s := wordSet([]string{"owl"}, []float32{1, 0})
	set := mustCategories(t, "bird\towl\ntool\taxe\n")
	_, err := details[eval.CategoryResult](t.Context(), s, set, eval.Options{Repeats: -1})
	if err == nil || err.Error() != "eval: repeats is -1, must be 0 (10 repeats) or more" {
		t.Error(err)
	}
	result, one, err := evaluated[eval.CategoryResult](t.Context(), s, mustCategories(t, "owl\nwren\n"), eval.Options{})
	if err != nil || one.Used != 1 || one.Purity.Defined() || one.VMeasure.Defined() || !strings.HasPrefix(result.Summary.Notes[0], "all words with vectors are of one category") {
		t.Errorf("%+v, %v", one, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = details[eval.CategoryResult](ended, s, set, eval.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	none, err := details[eval.CategoryResult](t.Context(), wordSet([]string{"x"}, []float32{1}), set, eval.Options{})
	if err != nil || none.Used != 0 || none.Purity.Defined() || none.VMeasure.Defined() {
		t.Errorf("no word is known: %+v, %v", none, err)
	}
	if _, err := json.Marshal(none); err != nil {
		t.Error(err)
	}
}

func ExampleEvaluate_categories() {
	s := wordSet([]string{"owl", "wren", "axe", "saw"}, []float32{1, 0}, []float32{5, 1}, []float32{0, 1}, []float32{1, 9})
	set, err := eval.ReadSet(strings.NewReader("bird\towl\nbird\twren\ntool\taxe\ntool\tsaw\n"), "birds and tools", eval.TaskCategorization)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.CategoryResult)
	fmt.Printf("purity %.2f, V-measure %.2f\n", r.Purity, r.VMeasure)
	// Output: purity 1.00, V-measure 1.00
}
