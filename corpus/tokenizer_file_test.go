package corpus_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/w2v-go/w2v/corpus"
)

const pieces = `{"model":{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"un":1,"##able":2,"a":3,"##b":5}},"pre_tokenizer":{"type":"WhitespaceSplit"}}`

func tokenizerFile(t *testing.T, text string) *corpus.TokenizerFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokenizer.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return corpus.NewTokenizerFile(path)
}

func TestTokenizerFile(t *testing.T) {
	file := tokenizerFile(t, pieces)
	tokens, err := file.Tokens()
	if want := []string{"[UNK]", "un", "##able", "a", "", "##b"}; err != nil || !slices.Equal(tokens, want) {
		t.Errorf("tokens %q, %v; want %q", tokens, err, want)
	}
	o := corpus.Options{File: file}
	const text = "a unable\r\n\ufeffab\n\nx \xff a"
	want := []string{"a|un|##able", "a|##b", "", "[UNK]|[UNK]|a"}
	if got := cutInto(t, iotest.OneByteReader(strings.NewReader(text)), o); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, _, _ := o.Tokens("unable a"); !slices.Equal(got, []string{"un", "##able", "a"}) {
		t.Errorf("Tokens: %q", got)
	}
	tall := strings.Repeat("x", 18_722)
	tokens, left, err := corpus.Options{File: tokenizerFile(t, `{"model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0,"`+tall+`":1}},"pre_tokenizer":{"type":"WhitespaceSplit"}}`)}.Tokens("a " + tall + " b")
	if err != nil || !slices.Equal(tokens, []string{"a", "a"}) || left.Tokens != 1 || left.Longest != 18_722 {
		t.Errorf("a long token: %q, %v, %v", tokens, left, err)
	}
	_, _, err = corpus.Options{File: tokenizerFile(t, `{"model":{"type":"WordLevel","vocab":{"a":0}}}`)}.Tokens("b")
	if want := "tokenizer.json: a text has a character that the tokenizer has no token for, and it has no token for unknown ones"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	o.Sentences = corpus.UnicodeSentences
	if got := cutInto(t, strings.NewReader("a a. A b"), o); len(got) != 2 {
		t.Errorf("sentences: %q", got)
	}
	long := strings.Repeat("a unable ", 300_000)
	n := 0
	for _, sentence := range cutInto(t, strings.NewReader(long), corpus.Options{File: file}) {
		n += strings.Count(sentence, "un|##able")
		if strings.Contains(sentence, "UNK") {
			t.Fatal("a long line is cut within a word")
		}
	}
	if n != 300_000 {
		t.Errorf("a long line has %d of its words", n)
	}
}

// Options tell files apart by their content, also in JSON, and a file without a path can be compared.
func TestTokenizerFileName(t *testing.T) {
	one, same, other := tokenizerFile(t, pieces), tokenizerFile(t, pieces), tokenizerFile(t, pieces+" ")
	if one.String() != same.String() || one.String() == other.String() || !strings.HasPrefix(one.String(), "tokenizer.json sha256:") {
		t.Errorf("%v, %v, %v", one, same, other)
	}
	text, err := json.Marshal(corpus.Options{File: one})
	if err != nil || !strings.Contains(string(text), fmt.Sprintf("%q", one.String())) {
		t.Errorf("%s, %v", text, err)
	}
	named, ok := corpus.TokenizerFileNamed(one.String())
	if !ok || named.String() != one.String() {
		t.Errorf("%v, %t", named, ok)
	}
	if _, err := named.Tokens(); err == nil || !strings.HasPrefix(err.Error(), "corpus: the path of tokenizer.json sha256:") {
		t.Errorf("a file without a path: %v", err)
	}
	if _, ok := corpus.TokenizerFileNamed("unicode"); ok {
		t.Error("a tokenizer is a file")
	}
}

func TestTokenizerFileErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.json")
	broken := tokenizerFile(t, `{"model":{"type":"Char"}}`)
	for _, c := range []struct {
		options corpus.Options
		want    string
	}{
		{corpus.Options{File: corpus.NewTokenizerFile(missing)}, missing + ": no such file or directory"},
		{corpus.Options{File: broken}, broken.String() + `: model: expected one of BPE, WordPiece, Unigram or WordLevel, found "Char"`},
		{corpus.Options{File: tokenizerFile(t, pieces), Lowercase: true}, "corpus: a tokenizer.json says itself how text is normalized and cut: no other option goes with it but where sentences end"},
		{corpus.Options{File: tokenizerFile(t, pieces), Tokenizer: corpus.Unicode}, "corpus: a tokenizer.json says itself how text is normalized and cut: no other option goes with it but where sentences end"},
	} {
		_, err := corpus.Stream("text", strings.NewReader("a"), c.options).Shards(1)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	noUnknown := tokenizerFile(t, `{"model":{"type":"WordLevel","unk_token":"?","vocab":{"a":0}}}`)
	shards, err := corpus.Stream("text", strings.NewReader("a\nb"), corpus.Options{File: noUnknown}).Shards(1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := shards[0].Open(t.Context())
	for err == nil {
		_, err = r.Next()
	}
	if want := "text: a text has a character that the tokenizer has no token for, and it has no token for unknown ones"; err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
