package vocab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// Prose as people write it, cut into Unicode's words in lower case, has the words of the same
// prose whose punctuation a script removed, up to the differences that docs/corpora.md lists. The
// normalised text has some documents more.
func TestProseHasTheWordsOfNormalisedText(t *testing.T) {
	folder := filepath.Join("..", "..", "shared", "data", "en")
	count := func(name string, o corpus.Options) *vocab.Vocab {
		t.Helper()
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); err != nil {
			t.Skipf("the text is not here: %v", err)
		}
		src, err := corpus.Files([]string{path}, nil, o)
		if err != nil {
			t.Fatal(err)
		}
		v, err := vocab.Count(t.Context(), src, vocab.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	normalised := count("small.txt", corpus.Options{})
	prose := count("small_raw.txt", corpus.Options{Tokenizer: corpus.Unicode, Lowercase: true})

	// The script splits at the punctuation that Unicode keeps within words: "pei's", "u.s", "30,000".
	parts := make(map[string]uint64)
	for id, token := range prose.Tokens() {
		for part := range strings.FieldsFuncSeq(token, func(c rune) bool { return unicode.IsPunct(c) || unicode.IsSymbol(c) }) {
			parts[part] += prose.Count(id)
		}
	}
	var tokens, more, missing uint64
	for part, n := range parts {
		tokens += n
		var has uint64
		if id, ok := normalised.ID([]byte(part)); ok {
			has = normalised.Count(int(id))
		}
		switch c := []rune(part)[0]; {
		case n <= has: // the rest is in the other documents
		case unicode.In(c, unicode.Han, unicode.Hiragana): // which the script leaves together
		case unicode.Is(unicode.No, c): // "3½" and "km²" stay together as well
		default:
			more += n - has
		}
	}
	for _, token := range normalised.Tokens() {
		if _, ok := parts[token]; !ok {
			missing++
		}
	}
	if more*20_000 > tokens || tokens < 800_000 {
		t.Errorf("%d of %d tokens of prose are not in the normalised text", more, tokens)
	}
	if missing*80 > uint64(normalised.Len()) {
		t.Errorf("%d of %d words of the normalised text are not in prose", missing, normalised.Len())
	}
}
