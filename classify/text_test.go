package classify

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/classify/internal/scorer"
	"github.com/w2v-go/w2v/corpus"
)

// Prediction cuts the bytes that training cut: blanks are tokens for a tokenizer of bytes.
func TestBlanksAreText(t *testing.T) {
	bpe := `{"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},"model":{"type":"BPE",
"vocab":{"a":0,"b":1,"Ġ":2,"ĠĠ":3,"Ġa":4,"Ġb":5},"merges":["Ġ Ġ","Ġ a","Ġ b"]}}`
	var lines strings.Builder
	for i := range 200 {
		text, label := "a b", "one"
		if i%2 == 0 {
			text, label = "a   b", "more" // the label is its blanks
		}
		fmt.Fprintf(&lines, "__label__%s %s\n", label, text)
	}
	file := filepath.Join(t.TempDir(), "lines.txt")
	if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, texts := range map[string]Corpus{"lines": Files(nil, file), "examples": Examples(func(yield func(Example, error) bool) {
		for i := range 200 {
			text := "a b"
			if i%2 == 0 {
				text = "a   b"
			}
			if !yield(Example{text, []string{[]string{"__label__more", "__label__one"}[i%2]}}, nil) {
				return
			}
		}
	})} {
		trained, err := Train(t.Context(), texts, toyOptions(func(o *Options) {
			o.Text.Text.File = corpus.ReadTokenizer("tokenizer.json", []byte(bpe))
			o.WordNgrams, o.Epochs, o.MaxN = 1, 20, 0
		}), Hooks{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := New(trained.Vectors)
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]string{"a b": "__label__one", "a   b": "__label__more"} {
			if best, err := m.Predict(text, 1, 0); err != nil || best[0].Label != want {
				t.Errorf("%s: %q: %v, %v", name, text, best, err)
			}
		}
		if name == "lines" {
			if r, err := (Test{K: 1}).Lines(t.Context(), m, strings.NewReader(lines.String())); err != nil || r.Accuracy() != 1 {
				t.Errorf("accuracy %v, %v", r.Accuracy(), err)
			}
		}
	}
}

// A text without a known word is scored by the end of its line, as in fastText, unless the model may say that it is unknown.
func TestNothingKnown(t *testing.T) {
	trained, err := Train(t.Context(), Examples(each(toyExamples(60, "a", "b"))), toyOptions(func(o *Options) { o.WordNgrams, o.MaxN = 3, 0 }), Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	with := func(key string, value any) *Model {
		training := trained.Vectors.Training()
		training.Set(key, value)
		m, err := New(trained.Vectors.WithTraining(training))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m, known := with("epochs", 1), with(scorer.FactUnknown, 1e-9)
	for _, text := range []string{"", " \n", "zzz", "zzz yyy", "</s>"} {
		if best, err := m.Predict(text, 1, 0); err != nil || len(best) != 1 || best[0].ID < 0 {
			t.Errorf("%q: %v, %v", text, best, err)
		}
		if best, err := known.Predict(text, 1, 0); err != nil || !slices.Equal(best, []Prediction{{-1, Unknown, 1}}) {
			t.Errorf("%q with a threshold: %v, %v", text, best, err)
		}
	}
	word := trained.Vectors.Words().At(1)
	if best, err := known.Predict(word, 1, 0); err != nil || best[0].ID < 0 {
		t.Errorf("%q: %v, %v", word, best, err)
	}
	// A damaged file may ask for runs of any length.
	long, err := with("word_ngrams", math.MaxInt).Predict(word+" zzz "+word, 1, 0)
	if err != nil || len(long) != 1 {
		t.Errorf("runs of any length: %v, %v", long, err)
	}
}
