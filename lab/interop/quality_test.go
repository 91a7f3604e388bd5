package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestQuality trains on 17 million tokens of English and 5 million of German, and
// wants the scores that a plain exact trainer reaches. It takes minutes, so it runs
// on request (make bounds), where the corpora are.
func TestQuality(t *testing.T) {
	if os.Getenv("W2V_QUALITY") == "" {
		t.Skip("W2V_QUALITY is not set: make bounds sets it")
	}
	data, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(data); err != nil {
		t.Skipf("the corpora are not here: %v", err)
	}
	similarity := func(model, set string) (used int, spearman float64) {
		var r struct {
			Used     int
			Spearman float64
		}
		out := output(t, "", w2v, "eval", "similarity", "--json", model, filepath.Join(data, "eval", set))
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.4f over %d pairs", set, r.Spearman, r.Used)
		return r.Used, r.Spearman
	}
	atLeast := func(model, set string, least float64, pairs int) {
		t.Helper()
		if used, spearman := similarity(model, set); spearman < least || used < pairs {
			t.Errorf("%s: %.4f over %d pairs, want %.2f over %d", set, spearman, used, least, pairs)
		}
	}
	dir := t.TempDir()

	words := filepath.Join(dir, "words.w2v")
	output(t, "", w2v, "train", filepath.Join(data, "en/norm.txt.gz"), "-o", words)
	atLeast(words, "en/sim/ws353.tsv", 0.65, 350)
	atLeast(words, "en/sim/simlex999.tsv", 0.30, 990)
	var r struct{ Accuracy float64 }
	out := output(t, "", w2v, "eval", "analogy", "--json", "--restrict", "30000", words, filepath.Join(data, "eval/en/analogy/questions-words.txt"))
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	t.Logf("questions-words: %.4f", r.Accuracy)
	if r.Accuracy < 0.34 {
		t.Errorf("questions-words: %.4f, want 0.34", r.Accuracy)
	}

	subwords := filepath.Join(dir, "subwords.w2v")
	output(t, "", w2v, "train", filepath.Join(data, "en/norm.txt.gz"), "-o", subwords, "--subwords", "fasttext")
	atLeast(subwords, "en/sim/rw.tsv", 0.40, 2034)

	german := filepath.Join(dir, "german.w2v")
	output(t, "", w2v, "train", filepath.Join(data, "de/norm.txt.gz"), "-o", german, "--subwords", "fasttext")
	atLeast(german, "de/sim/gur350.tsv", 0.51, 350) // fastText 0.9.2 reaches 0.53
}
