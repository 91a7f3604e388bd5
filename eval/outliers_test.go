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

func TestReadOutliers(t *testing.T) {
	birds := eval.OutlierCluster{Name: "birds", Words: []string{"owl", "wren", "auk"}, Outliers: []string{"axe", "New_York"}}
	tools := eval.OutlierCluster{Name: "tools", Words: []string{"axe", "saw"}, Outliers: []string{"it's"}}
	tests := []struct {
		name, text string
		want       []eval.OutlierCluster
	}{
		{"8-8-8 and WikiSem500", "owl\nwren\nauk\n\naxe\nNew_York\n", []eval.OutlierCluster{birds}},
		{"blank lines, spaces, comments", "\n# birds\nowl \r\n wren\r\nauk\r\n\r\naxe\r\nNew York\r\n\r\n", []eval.OutlierCluster{birds}},
		{"lines of JSON", `{"category": "birds", "words": ["owl", "wren", "auk"], "outliers": ["axe", "New York", ""]}` + "\n\n" +
			`{"category":"tools","words":["axe","saw"],"outliers":["it's"]}` + "\n", []eval.OutlierCluster{birds, tools}},
		{"a list of JSON", "[\n{\"category\":\"tools\",\n\"words\":[\"axe\",\"saw\"],\"outliers\":[\"it's\"]}\n]", []eval.OutlierCluster{tools}},
		{"CSV of lists", ",category,outliers,words\n0,birds,\"['axe', 'New_York', '']\",\"['owl', 'wren', 'auk']\"\n1,tools,\"[\"\"it's\"\"]\",\"['axe', 'saw']\"\n", []eval.OutlierCluster{birds, tools}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recognizes(t, test.text, eval.TaskOutliers)
			set, err := eval.ReadSet(strings.NewReader(test.text), "sets/birds.txt", eval.TaskOutliers)
			if err != nil || !reflect.DeepEqual(set.Clusters, test.want) {
				t.Errorf("got %v, %v\nwant %v", set.Clusters, err, test.want)
			}
		})
	}
}

func TestReadOutliersErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "\n\n", "s: no clusters: want words one a line"},
		{"no outliers", "owl\nwren\n", "s: want two or more words and one or more outliers in a cluster, not 2 and 0"},
		{"one word", "owl\n\naxe\n", "s: want two or more words and one or more outliers in a cluster, not 1 and 1"},
		{"two clusters", "owl\nwren\n\naxe\n\nsaw\naxe\n\nowl\n", "s:5: want one cluster a file"},
		{"cut off JSON", `{"category": "birds", "words": ["owl"`, `s:1: want {"category": "…", "words": ["…"], "outliers": ["…"]}: the file ends within it`},
		{"bad JSON in line 2", "{\"words\":[\"a\",\"b\"],\"outliers\":[\"c\"]}\n{\"words\": 7}\n", "s:2: want {"},
		{"JSON without outliers", "{\"words\":[\"a\",\"b\"],\"outliers\":[\"c\"]}\n\n{\"words\":[\"a\",\"b\"]}\n", "s:3: want two or more words and one or more outliers"},
		{"a bad list", "words,outliers\n\"['a', 'b']\",\"['c'\"\n", `s:2: want a list such as ['a', 'b'], not "['c'"`},
		{"a column too few", "words,outliers\nx\n", "s:2: want 2 columns as in the header, not 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := eval.ReadSet(strings.NewReader(test.text), "s", eval.TaskOutliers)
			if parse := (*eval.ParseError)(nil); !errors.As(err, &parse) || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzReadOutliers(f *testing.F) {
	for _, text := range []string{"a\nb\n\nc\n", `{"words":["a","b"],"outliers":["c"]}`, "[{}]", "words,outliers\n\"['a', \"\"b\"\"]\",\"['\\'']\"\n", "{", "[", "#\n\n", "[]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := eval.ReadSet(strings.NewReader(text), "s", eval.TaskOutliers)
		if err != nil {
			return
		}
		if len(set.Clusters) == 0 {
			t.Error("no clusters and no error")
		}
		for _, c := range set.Clusters {
			if len(c.Words) < 2 || len(c.Outliers) == 0 || slices.Contains(c.Words, "") {
				t.Errorf("%+v", c)
			}
		}
	})
}

func mustOutliers(t testing.TB, s []string, outliers ...string) eval.Set {
	t.Helper()
	set, err := eval.ReadSet(strings.NewReader(strings.Join(s, "\n")+"\n\n"+strings.Join(outliers, "\n")), "test", eval.TaskOutliers)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Directions in the plane: a at 0°, b at 60°, c at 90°. Cosines: ab 1/2, ac 0, bc √3/2.
func TestOutliers(t *testing.T) {
	h := math.Sqrt(3) / 2
	s := wordSet([]string{"a", "b", "c", "far", "near", "zero", "new", "york"},
		[]float32{1, 0}, []float32{0.5, float32(h)}, []float32{0, 2}, []float32{0, -3}, []float32{7, 7}, []float32{0, 0}, []float32{2, 0}, []float32{0, 2})
	tests := []struct {
		name      string
		words     []string
		outlier   string
		published bool
		position  int // -1 if the test is not scored
		instead   string
	}{
		// p · 3 of a: 1/2 + 0 + 0; b: 1/2 + √3/2 − √3/2; c: 0 + √3/2 − 1; far: 0 − √3/2 − 1.
		{"found", []string{"a", "b", "c"}, "far", false, 3, ""},
		// near is at 45°: with a and c √½, with b cos 15° = 0.97: the largest sum of all.
		{"not found", []string{"a", "b", "c"}, "near", false, 0, "a"},
		// a: 1 + 0, c: 0 + 1, zero: 0.
		{"a vector of zeros", []string{"b", "near"}, "zero", false, 2, ""},
		// a: 0 + 0, c: 0 + 0 and zero: 0 + 0 are equal, and count against the outlier.
		{"equal", []string{"a", "c"}, "zero", false, 0, "a"},
		// Without d, which has no vector: a ½ + 0, b ½ − √3/2, far −√3/2 + 0.
		{"a word is missing", []string{"a", "d", "b"}, "far", false, 2, ""},
		{"a word is missing, as published", []string{"a", "d", "b"}, "far", true, 3, ""},
		{"too few words", []string{"a", "d", "e"}, "far", false, -1, ""},
		{"the outlier is missing", []string{"a", "b", "c"}, "d", false, -1, ""},
		// As published: new_york at 45° has the largest sum, as near has.
		{"the mean of parts", []string{"a", "b", "c"}, "new_york", true, 0, "a"},
		{"no mean of parts", []string{"a", "b", "c"}, "new_york", false, -1, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := details[eval.OutlierResult](t.Context(), s, mustOutliers(t, test.words, test.outlier), eval.Options{Published: test.published})
			if err != nil {
				t.Fatal(err)
			}
			if got.Used+got.OOV != got.Tests || got.Tests != 1 || len(got.Detections) != got.Used {
				t.Fatalf("%+v", got)
			}
			if test.position < 0 {
				if got.Used != 0 || got.Accuracy.Defined() || got.OPP.Defined() {
					t.Errorf("%+v", got)
				}
				return
			}
			d := got.Detections[0]
			found := test.instead == ""
			if d.Position != test.position || d.Found != found || d.Instead != test.instead || (got.Accuracy == 1) != found {
				t.Errorf("%+v, accuracy %v", d, got.Accuracy)
			}
			if want := eval.Score(test.position) / eval.Score(d.Words); got.OPP != want {
				t.Errorf("OPP %v, want %v", got.OPP, want)
			}
		})
	}
}

func TestOutlierResult(t *testing.T) {
	s := wordSet([]string{"a", "b", "c", "far", "near"},
		[]float32{1, 0}, []float32{0.5, 0.866}, []float32{0, 2}, []float32{0, -3}, []float32{7, 7})
	set := mustOutliers(t, []string{"a", "b", "c"}, "far", "near", "nowhere", "far")
	result, got, err := evaluated[eval.OutlierResult](t.Context(), s, set, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// Positions 3, 0 and 3 of 3.
	if got.Tests != 4 || got.Used != 3 || got.OOV != 1 || got.Accuracy != 2.0/3 || got.OPP != 2.0/3 || !slices.Equal(got.Missing, []string{"nowhere"}) {
		t.Errorf("%+v", got)
	}
	if c := got.Clusters[0]; c.Name != "test" || c.Words != 3 || c.UsedWords != 3 || c.Tests != 4 || c.Used != 3 || c.Detected != 2 || c.Accuracy != 2.0/3 {
		t.Errorf("%+v", c)
	}
	sample := result.Sample
	if x := sample.Score([]float64{1, 1, 1}); x != 2.0/3 {
		t.Errorf("score %v", x)
	}
	if x := sample.Score([]float64{0, 3, 1}); x != 0.25 {
		t.Errorf("score %v, want 1/4", x)
	}
	if item := sample.Items[1]; item.Key != "test\tnear" || !slices.Equal(item.Words, []string{"a", "b", "c", "near"}) {
		t.Errorf("%+v", item)
	}
	summary := result.Summary
	if summary.Metric != "accuracy" || summary.Score != got.Accuracy || summary.Items != 4 || len(summary.Parts) != 2 || summary.Parts[0].Name != "opp" || summary.Parts[1].Name != "test" {
		t.Errorf("%+v", summary)
	}
	if _, err := json.Marshal(got); err != nil {
		t.Error(err)
	}
}

func ExampleEvaluate_outliers() {
	s := wordSet([]string{"owl", "wren", "auk", "axe"}, []float32{1, 0}, []float32{5, 1}, []float32{7, 2}, []float32{0, 1})
	set, err := eval.ReadSet(strings.NewReader("owl\nwren\nauk\n\naxe\n"), "birds", eval.TaskOutliers)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := eval.Evaluate(context.Background(), s, set, eval.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := result.Details.(eval.OutlierResult)
	fmt.Printf("accuracy %.2f, OPP %.2f\n", r.Accuracy, r.OPP)
	// Output: accuracy 1.00, OPP 1.00
}
