package interop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// labelled writes the test corpus as fasttext supervised reads it: each line with the
// labels that label gives it.
func labelled(t *testing.T, text, path string, label func(line int, text string) string) {
	t.Helper()
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		fmt.Fprintf(&b, "%s %s\n", label(i, line), line)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// sameWordVectors wants the vectors that fastText prints, of words it knows and of
// words it does not. Words of which nothing was left have zeros there, and no vector
// here. fastText composes a word as it is written, also in a model in lower case.
func sameWordVectors(t *testing.T, model string) {
	t.Helper()
	asked := append(slices.Clone(queries), "</s>", "bakery", "dogs", "q")
	theirs := rows(t, output(t, strings.Join(asked, "\n")+"\n", "fasttext", "print-word-vectors", model))
	var words []string
	for _, word := range asked {
		if slices.ContainsFunc(theirs[word], func(x float64) bool { return x != 0 }) {
			words = append(words, word)
		} else if out, err := exec.Command(w2v, "vector", model, word, "--ignore-case=false").Output(); err == nil {
			t.Errorf("%q has the vector %s, by fastText none", word, out)
		}
	}
	t.Logf("%d of %d words have vectors", len(words), len(asked))
	if len(words) < len(asked)/2 {
		t.Errorf("fastText has vectors for %q alone", words)
	}
	sameRows(t, words, rows(t, output(t, strings.Join(words, "\n")+"\n", w2v, "vector", model, "--ignore-case=false")), theirs)
}

// Supervised models, and what fasttext quantize makes of them: .ftz with norms in the
// rows and apart, with only some of the rows, and with a quantised output.
func TestWeReadFastTextsSupervisedAndQuantizedModels(t *testing.T) {
	needFastText(t)
	dir := t.TempDir()
	text := readText(t, corpus(t, dir))
	two := filepath.Join(dir, "two.txt")
	labelled(t, text, two, func(_ int, line string) string {
		if strings.Contains(line, "dog") {
			return "__label__dog"
		}
		return "__label__other"
	})
	many := filepath.Join(dir, "many.txt") // -qout takes at least 256 labels
	labelled(t, text, many, func(i int, _ string) string { return fmt.Sprintf("__label__%d", i%300) })

	common := []string{"-dim", "20", "-thread", "12", "-verbose", "0"}
	for _, test := range []struct {
		name, text string
		supervised []string
		quantize   map[string][]string
	}{
		{"subwords", two, []string{"-minn", "2", "-maxn", "4", "-bucket", "2000"}, map[string][]string{
			"plain":        nil,
			"qnorm":        {"-qnorm"},
			"dsub":         {"-dsub", "3"}, // which does not divide the dimensions
			"cutoff":       {"-cutoff", "1000", "-retrain", "-epoch", "1"},
			"cutoff-qnorm": {"-qnorm", "-cutoff", "1000", "-retrain", "-epoch", "1"},
		}},
		{"labels", many, []string{"-minn", "2", "-maxn", "3", "-bucket", "2000"}, map[string][]string{
			"qout":       {"-qout"},
			"qout-qnorm": {"-qout", "-qnorm", "-cutoff", "600", "-retrain", "-epoch", "1"},
		}},
	} {
		model := filepath.Join(dir, test.name)
		output(t, "", "fasttext", slices.Concat([]string{"supervised", "-input", test.text, "-output", model, "-epoch", "2"}, test.supervised, common)...)
		t.Run(test.name+".bin", func(t *testing.T) { sameWordVectors(t, model+".bin") })
		bin := readText(t, model+".bin")
		for name, flags := range test.quantize {
			t.Run(test.name+"-"+name+".ftz", func(t *testing.T) {
				// fasttext quantize takes its model and puts what it makes by one name.
				copied := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(copied+".bin", []byte(bin), 0o666); err != nil {
					t.Fatal(err)
				}
				output(t, "", "fasttext", slices.Concat([]string{"quantize", "-input", test.text, "-output", copied, "-thread", "12", "-verbose", "0"}, flags)...)
				sameWordVectors(t, copied+".ftz")
			})
		}
	}
}

// TestQuantizedKeepsQuality makes a model of 17 million tokens small and wants it to
// say what it did, for words that it does not know too.
func TestQuantizedKeepsQuality(t *testing.T) {
	if os.Getenv("W2V_PEERS") != "require" {
		t.Skip("trains on a corpus for a minute or two: only with W2V_PEERS=require, as .ci/run has it")
	}
	data, err := filepath.Abs("../../../shared/data")
	if err != nil {
		t.Fatal(err)
	}
	text := filepath.Join(data, "en/norm.txt.gz")
	if _, err := os.Stat(text); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the corpus is not here: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	model, small := filepath.Join(dir, "en.w2v"), filepath.Join(dir, "small.w2v")
	output(t, "", w2v, "train", text, "-o", model, "--subwords", "fasttext", "--epochs", "1")
	sets := filepath.Join(data, "eval/en/sim")
	out := output(t, "", w2v, "quantize", model, small,
		"--similarity", filepath.Join(sets, "ws353.tsv"), "--similarity", filepath.Join(sets, "rw.tsv"), "--json")
	t.Log(out)
	var r struct {
		Before     int64 `json:"bytes_before"`
		After      int64 `json:"bytes_after"`
		Similarity []struct {
			Set        string
			Difference *float64 // null if it is not defined
		}
		Unknown struct {
			Before int `json:"vectors_before"`
			After  int `json:"vectors_after"`
		} `json:"out_of_vocabulary"`
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.After <= 0 || r.After*8 > r.Before {
		t.Errorf("%d bytes became %d, want an eighth or less", r.Before, r.After)
	}
	if len(r.Similarity) != 2 || !strings.Contains(r.Similarity[0].Set, "ws353") {
		t.Fatalf("sets %+v, want ws353 and rw", r.Similarity)
	}
	if d := r.Similarity[0].Difference; d == nil {
		t.Error("ws353 has no difference")
	} else if math.Abs(*d) > 0.02 {
		t.Errorf("ws353 changed by %+.4f, want 0.02 at most", *d)
	}
	if r.Unknown.After != r.Unknown.Before || r.Unknown.Before == 0 {
		t.Errorf("%d unknown words have a vector, before %d", r.Unknown.After, r.Unknown.Before)
	}
}
