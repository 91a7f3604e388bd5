package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify"
)

// Whatever cuts the texts of a classifier is recorded, and cuts texts that are predicted: also after conversions, and in a run
// that is resumed.
func TestClassifiersCutTexts(t *testing.T) {
	var towns strings.Builder
	for i := range 30 {
		fmt.Fprintf(&towns, "x%d new york y%d\nnew z%d\n", i, i, i)
	}
	for _, test := range []struct {
		name  string
		flags []string
		texts [2]string // of the labels a and b
		words []string  // of the text, as explanations have them
		text  string    // of label a, written in another way
	}{
		{"white space", nil, [2]string{"Red wine, old", "blue sky"}, []string{"Red", "wine,"}, "wine,\tRed"},
		{"lower case", []string{"--lowercase"}, [2]string{"red WINE old", "blue sky"}, []string{"red", "wine"}, "RED Wine"},
		{"Turkish", []string{"--lowercase=tr"}, [2]string{"ışık old", "blue sky"}, []string{"ışık"}, "IŞIK"},
		{"words of Unicode", []string{"--tokenizer", "unicode", "--lowercase"}, [2]string{"it's red wine.", "blue sky!"}, []string{"it's", "wine"}, "(It's) «WINE»"},
		{"characters", []string{"--tokenizer", "characters"}, [2]string{"我爱北京", "你们"}, []string{"北", "京"}, "北京"},
		{"normal forms", []string{"--normalize", "nfkc", "--strip-accents", "--digits", "zero"}, [2]string{"café 1987 ﬁn", "blue sky"}, []string{"cafe", "0000", "fin"}, "cafe 2024 fin"},
		{"punctuation", []string{"--punctuation", "drop", "--digits", "drop"}, [2]string{"“Rome,” in 1987", "blue sky"}, []string{"Rome"}, "(Rome) 12"},
		{"phrases", []string{"--phrase-table", "phrases.txt", "--lowercase"}, [2]string{"new york at night", "blue new sky"}, []string{"new_york"}, "New York"},
		{"k-mers", []string{"--kmers", "3", "--canonical"}, [2]string{"ACGTACGT", "TTTTTT"}, []string{"ACG"}, "acgt"},
		{"a tokenizer.json", []string{"--tokenizer", "tok.json"}, [2]string{"unable to", "cafe ,"}, []string{"un", "##able"}, "UNABLE"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			at := func(name string) string { return filepath.Join(dir, name) }
			for name, text := range map[string]string{
				"tok.json": wordPieceJSON, "towns.txt": towns.String(),
				"texts.jsonl": strings.Repeat(`{"text":"`+test.texts[0]+`","label":"a"}`+"\n"+`{"text":"`+test.texts[1]+`","label":"b"}`+"\n", 10),
			} {
				if err := os.WriteFile(at(name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			flags := slices.Clone(test.flags)
			for i, flag := range flags {
				if _, err := os.Stat(at(flag)); err == nil || flag == "phrases.txt" {
					flags[i] = at(flag)
				}
			}
			if test.name == "phrases" {
				ran(t, "", "phrases", at("towns.txt"), "--write-table", at("phrases.txt"), "--scoring", "npmi", "--threshold", "0.3", "-o", at("joined.txt"))
			}
			train := func(output string, more ...string) {
				ran(t, "", slices.Concat([]string{"classify", "train", at("texts.jsonl"), "-o", at(output)}, more)...)
			}
			train("m.w2v", slices.Concat(flags, []string{"--json-field", "text", "--label-field", "label", "--dim", "6", "--epochs", "30", "--maxn", "0", "--word-ngrams", "1", "--threads", "1", "--checkpoint", at("ck.w2v")})...)
			train("resumed.w2v", "--resume", at("ck.w2v"))
			ran(t, "", "convert", at("m.w2v"), at("converted.w2v"), "--dtype", "f32")
			ran(t, "", "quantize", at("m.w2v"), at("quantized.w2v"), "--method", "int8")
			want := answersOf(t, at("m.w2v"), test.text, test.words)
			for _, other := range []string{"resumed.w2v", "converted.w2v"} {
				if got := answersOf(t, at(other), test.text, test.words); got != want {
					t.Errorf("%s predicts %v, not %v", other, got, want)
				}
			}
			answersOf(t, at("quantized.w2v"), test.text, test.words)
			if best, err := opened(t, at("m.w2v")).Predict(test.texts[1], 1, 0); err != nil || best[0].Label != "b" {
				t.Errorf("%q is %v, %v", test.texts[1], best, err)
			}
		})
	}
}

func opened(t *testing.T, path string) *classify.Model {
	t.Helper()
	m, err := classify.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// answersOf returns the prediction for a text of label a, which has these words and no others that the model knows.
func answersOf(t *testing.T, path, text string, words []string) classify.Prediction {
	t.Helper()
	m := opened(t, path)
	best, err := m.Predict(text, 1, 0)
	if err != nil || len(best) != 1 || best[0].Label != "a" || best[0].Probability < 0.6 {
		t.Fatalf("%s: %q is %v, %v", path, text, best, err)
	}
	e, err := m.Explain(text, "")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, part := range e.Parts {
		if part.Kind == classify.PartWord && part.Text != "</s>" {
			found = append(found, part.Text)
		}
	}
	if slices.Sort(found); !slices.Equal(found, slices.Sorted(slices.Values(words))) {
		t.Errorf("%s: %q has the words %q, want %q", path, text, found, words)
	}
	return best[0]
}
