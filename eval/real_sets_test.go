package eval_test

import (
	"testing"

	"github.com/w2v-go/w2v/eval"
)

func TestRealCategories(t *testing.T) {
	tests := []struct {
		path              string
		words, categories int
		first, last       eval.Member
	}{
		// The files have a line without a word for each category of AP and of BLESS.
		{"en/categorization/ap.tsv", 402, 21, eval.Member{Word: "acne", Category: "illness"}, eval.Member{Word: "weight", Category: "physical_property"}},
		{"en/categorization/bless.tsv", 200, 17, eval.Member{Word: "carp", Category: "water_animal"}, eval.Member{Word: "willow", Category: "tree"}},
		{"en/categorization/essli-2008.tsv", 45, 9, eval.Member{Word: "suggest", Category: "communication-cognition"}, eval.Member{Word: "break", Category: "changeState-changeState"}},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			set, err := eval.ReadCategories(openData(t, test.path), test.path)
			if err != nil {
				t.Fatal(err)
			}
			categories := map[string]bool{}
			for _, m := range set.Members {
				categories[m.Category] = true
			}
			if len(set.Members) != test.words || len(categories) != test.categories {
				t.Errorf("%d words in %d categories, want %d in %d", len(set.Members), len(categories), test.words, test.categories)
			}
			if first, last := set.Members[0], set.Members[len(set.Members)-1]; first != test.first || last != test.last {
				t.Errorf("first %+v, last %+v", first, last)
			}
		})
	}
}

func TestRealOutliers(t *testing.T) {
	set, err := eval.ReadOutliers(openData(t, "en/outlier/8-8-8.jsonl"), "8-8-8")
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Clusters) != 8 {
		t.Errorf("%d clusters", len(set.Clusters))
	}
	for _, c := range set.Clusters {
		if len(c.Words) != 8 || len(c.Outliers) != 8 {
			t.Errorf("%s has %d words and %d outliers", c.Name, len(c.Words), len(c.Outliers))
		}
	}
}

func TestRealBias(t *testing.T) {
	set, err := eval.ReadBias(openData(t, "en/weat/WEAT.json"), "WEAT")
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int{25, 25, 32, 18, 18, 8, 8, 8, 6, 8}
	if len(set.Tests) != len(sizes) {
		t.Fatalf("%d tests", len(set.Tests))
	}
	for i, test := range set.Tests {
		if len(test.X.Words) != sizes[i] || len(test.Y.Words) != sizes[i] || len(test.A.Words) != len(test.B.Words) {
			t.Errorf("%s: %d and %d targets, %d and %d attributes", test.Name, len(test.X.Words), len(test.Y.Words), len(test.A.Words), len(test.B.Words))
		}
	}
}
