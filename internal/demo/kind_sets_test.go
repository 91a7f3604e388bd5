package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func setText(t *testing.T, path string) string {
	t.Helper()
	for _, s := range Sets() {
		if s.Path == path {
			return s.Text
		}
	}
	t.Fatalf("there is no set %s", path)
	return ""
}

// Every word of the sets of kinds occurs in the corpus, and in one category only.
func TestCategories(t *testing.T) {
	of := make(map[string]string)
	sizes := make(map[string]int)
	lines := strings.Split(strings.TrimSpace(setText(t, "categories.tsv")), "\n")
	for _, line := range lines[1:] {
		category, word, ok := strings.Cut(line, "\t")
		if !ok || of[word] != "" || counts()[word] < 5 {
			t.Errorf("%q: also in %q, occurs %d times", line, of[word], counts()[word])
		}
		of[word] = category
		sizes[category]++
	}
	if len(sizes) < 20 {
		t.Errorf("there are %d categories, want 20", len(sizes))
	}
	for category, n := range sizes {
		if n < fewest || n > most {
			t.Errorf("%s has %d words", category, n)
		}
	}
}

func TestOutliers(t *testing.T) {
	clusters := 0
	for line := range strings.Lines(setText(t, "outliers.jsonl")) {
		var c struct{ Words, Outliers []string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		clusters++
		all := slices.Concat(c.Words, c.Outliers)
		if len(c.Words) != clusterSize || len(c.Outliers) != clusterSize {
			t.Errorf("%d words and %d outliers: %s", len(c.Words), len(c.Outliers), line)
		}
		slices.Sort(all)
		if len(slices.Compact(all)) != 2*clusterSize {
			t.Errorf("a word is there twice: %s", line)
		}
	}
	if clusters < 8 {
		t.Errorf("there are %d clusters, want 8", clusters)
	}
}

func TestRelations(t *testing.T) {
	relations := 0
	for _, s := range Sets() {
		if !strings.HasPrefix(s.Path, "relations/") {
			continue
		}
		relations++
		lines := strings.Split(strings.TrimSpace(s.Text), "\n")
		if len(lines) < 20 {
			t.Errorf("%s has %d pairs, want 20", s.Path, len(lines))
		}
		for _, line := range lines {
			word, answers, ok := strings.Cut(line, "\t")
			if !ok || word == "" || answers == "" || strings.Contains(line, " ") || slices.Contains(strings.Split(answers, "/"), word) {
				t.Errorf("%s: %q", s.Path, line)
			}
		}
	}
	if relations < 5 {
		t.Errorf("there are %d relations, want 5", relations)
	}
}
