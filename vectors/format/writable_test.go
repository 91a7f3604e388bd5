package format

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// Words that a format cannot hold are left out by name, and all others are written
// with their
func TestWritable(t *testing.T) {
	words := []string{"the", "", "caf\xe9", "a b", "a\nb", "the", "a\x00b", "naïve"}
	const twice = "stands there twice, first as word 0, which "
	for format, want := range map[Format]map[int]string{
		W2V:                  {},
		Npy:                  {1: "is empty", 4: "contains a newline"},
		Text:                 {1: "is empty", 4: "contains a newline"},
		GloVe:                {1: "is empty", 4: "contains a newline"},
		Word2Vec:             {1: "is empty", 3: "contains a space", 4: "contains a space or a newline"},
		FastText:             {1: "is empty", 5: twice + "fastText", 6: "contains a zero byte"},
		Finalfusion:          {2: "is not UTF-8", 5: twice + "finalfusion"},
		Model2Vec:            {1: "is empty", 2: "is not valid UTF-8", 5: twice + "a tokenizer"},
		SentenceTransformers: {1: "is empty", 2: "is not valid UTF-8", 5: twice + "a tokenizer"},
		Projector:            {1: "is nothing but white space", 4: "contains a tab or the end of a line"},
	} {
		t.Run(string(format), func(t *testing.T) {
			s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 2), Counts: []uint64{8, 7, 6, 5, 4, 3, 2, 1}})
			for i := range words {
				s.Input().Row(i)[0], s.Input().Row(i)[1] = float32(i), 1
			}
			got, others, err := writable(t, s, format)
			if err != nil {
				t.Fatal(err)
			}
			if len(others) != len(want) || len(want) == 0 && got != s {
				t.Errorf("%d words are left out, want %d: %v", len(others), len(want), others)
			}
			for _, other := range others {
				if reason, ok := want[other.ID]; !ok || other.Word != words[other.ID] || !strings.HasPrefix(other.Reason.Error(), reason) {
					t.Errorf("left out: %v; want %q", other, reason)
				}
			}
			files := filesOf(t, got, format)
			if len(files) == 0 {
				t.Fatal("nothing was written")
			}
			at := 0
			for id := range words {
				if _, out := want[id]; out {
					continue
				}
				if got.Words().At(at) != words[id] || trial.WordVector(got, at)[0] != float32(id) || got.Counts()[at] != s.Counts()[id] {
					t.Errorf("word %d is %q, %v, want %q", at, got.Words().At(at), trial.WordVector(got, at), words[id])
				}
				at++
			}
			if len(want) > 0 { // and all of them are refused by type
				err := Write(t.Context(), t.TempDir()+"/x", s, format)
				if other, ok := errors.AsType[*UnwritableWord](err); !ok || other.Word != words[other.ID] {
					t.Errorf("got %v, want an unwritable word", err)
				}
			}
		})
	}
	s := vectors.NewUnchecked(vectors.Parts{Words: vectors.NewWords("\xff"), Input: vectors.NewMatrix(1, 2)})
	if _, _, err := writable(t, s, Finalfusion); errorText(err) != `the format finalfusion can hold none of the 1 words: word 0, "\xff", is not UTF-8, which finalfusion insists on` {
		t.Errorf("of no writable word: %v", err)
	}
}

// N-grams stay when words that cannot be written are left out.
func TestWritableKeepsNgrams(t *testing.T) {
	s := openGolden(t, "fasttext/skipgram.bin") // has a word that is not UTF-8
	got, others, err := writable(t, s, Finalfusion)
	if err != nil || len(others) == 0 {
		t.Fatalf("%d words left out, %v", len(others), err)
	}
	again, err := Read(bytes.NewReader(encode(t, got, Finalfusion)))
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"the", "zzyzx", "naïvely"} {
		want, _ := vector(s, word)
		v, ok := vector(again, word)
		if !ok {
			t.Errorf("%q has no vector", word)
			continue
		}
		trial.Near(t, word, v, want)
	}
}
