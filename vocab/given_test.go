package vocab_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

func TestFromCounts(t *testing.T) {
	for _, test := range []struct {
		tokens []string
		counts []uint64
		err    string
	}{
		{nil, nil, ""},
		{[]string{"b", "a", "a-token-longer-than-a-key", "é", "\xff"}, []uint64{3, 2, 2, 2, 1}, ""},
		{[]string{"a"}, nil, "vocabulary: 0 counts for 1 tokens"},
		{[]string{"a", "b"}, []uint64{1, 0}, `vocabulary: token 1, "b", has count 0`},
		{[]string{"a", "b"}, []uint64{1, 2}, `vocabulary: token 1, "b" (count 2), does not come after "a" (count 1) by falling count, then by bytes`},
		{[]string{"b", "a"}, []uint64{2, 2}, `vocabulary: token 1, "a" (count 2), does not come after "b" (count 2) by falling count, then by bytes`},
		{[]string{"a", "a"}, []uint64{2, 2}, `vocabulary: token 1, "a" (count 2), does not come after "a" (count 2) by falling count, then by bytes`},
		{[]string{"a", "b", "a"}, []uint64{3, 2, 1}, "vocabulary: a token is empty or occurs twice"},
		{[]string{"a", ""}, []uint64{3, 2}, "vocabulary: a token is empty or occurs twice"},
		{[]string{"a", "b"}, []uint64{1 << 62, 1}, `the counts up to token "b" add up to more than 2⁶²`},
	} {
		v, err := vocab.FromCounts(test.tokens, test.counts)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%q: error %v, want %s", test.tokens, err, test.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", test.tokens, err)
			continue
		}
		if !slices.Equal(v.Tokens(), test.tokens) || !slices.Equal(v.Counts(), test.counts) {
			t.Errorf("%q: the vocabulary is %q", test.tokens, v.Tokens())
		}
		for id, token := range test.tokens {
			if got, ok := v.ID([]byte(token)); !ok || int(got) != id {
				t.Errorf("%q has id %d, %v, want %d", token, got, ok, id)
			}
		}
	}
}

func TestNewVocabulary(t *testing.T) {
	for name, test := range map[string]struct {
		tokens []string
		counts []uint64
		want   string
	}{
		"any order":           {[]string{"a", "b", "c"}, []uint64{1, 3, 2}, "b 3\nc 2\na 1\n"},
		"the first counts":    {[]string{"a", "b", "a"}, []uint64{1, 3, 9}, "b 3\na 1\n"},
		"empty tokens":        {[]string{"", "b"}, []uint64{1, 3}, "b 3\n"},
		"unknown counts":      {[]string{"b", "a"}, nil, "a 1\nb 1\n"},
		"some unknown counts": {[]string{"b", "a"}, []uint64{0, 2}, "a 2\nb 1\n"},
	} {
		v, err := vocab.New(test.tokens, test.counts)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := list(t, v); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
	if _, err := vocab.New([]string{"a"}, []uint64{1, 2}); err == nil {
		t.Error("two counts for one token")
	}
}

func known(t testing.TB, lines string) *vocab.Vocab {
	t.Helper()
	v, err := vocab.Read(strings.NewReader(lines), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// What is known stays and adds up, what is new has to be frequent, and there is room
// for so many of all.
func TestVocabularyGrows(t *testing.T) {
	const text = "new new new new a b b other other other\nrare once"
	for _, test := range []struct {
		name    string
		options vocab.Options
		want    string
	}{
		{"all", vocab.Options{}, "a 8\nb 4\nnew 4\nother 3\nrare 2\nnever 1\nonce 1\n"},
		{"min-count", vocab.Options{MinCount: 4}, "a 8\nb 4\nnew 4\nrare 2\nnever 1\n"},
		{"min-count that none has", vocab.Options{MinCount: 5}, "a 8\nb 4\nrare 2\nnever 1\n"},
		{"max-vocab leaves room for one", vocab.Options{MaxVocab: 5}, "a 8\nb 4\nnew 4\nrare 2\nnever 1\n"},
		{"max-vocab leaves no room", vocab.Options{MaxVocab: 4}, "a 8\nb 4\nrare 2\nnever 1\n"},
		{"max-vocab below what is known", vocab.Options{MaxVocab: 1}, "a 8\nb 4\nrare 2\nnever 1\n"},
	} {
		test.options.Known = known(t, "a 7\nb 2\nnever 1\nrare 1\n")
		v, err := vocab.Count(t.Context(), stream(text), test.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := list(t, v); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// The corpus is recorded in the ids of the grown vocabulary, however many workers
// read it, and whatever of the vocabulary one of them never met.
func TestGrownVocabularyIsIndexed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "text")
	text := zipf(100_000)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	before := known(t, "w1 5\nw99999999 70\na-long-token-that-the-text-does-not-have 9\nw54321 2\n")
	var want string
	for _, threads := range []int{1, 2, 7} {
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, ids, err := vocab.Index(t.Context(), src, vocab.Options{MinCount: 3, Threads: threads, Known: before}, dir)
		if err != nil {
			t.Fatal(err)
		}
		var all []uint32
		for i := range ids.Chunks() {
			all = append(all, slices.Concat(ids.Chunk(i)...)...)
		}
		checkIDs(t, text, v, all)
		if got := list(t, v); threads == 1 {
			want = got
		} else if got != want {
			t.Errorf("%d workers give another vocabulary than one", threads)
		}
		for id, token := range before.Tokens() {
			now, ok := v.ID([]byte(token))
			if !ok || v.Count(int(now)) < before.Count(id) {
				t.Errorf("%q was seen %d times before, and is %d, %v now", token, before.Count(id), now, ok)
			}
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestNothingToGrowFrom(t *testing.T) {
	before := known(t, "a 7\n")
	_, _, err := vocab.Index(t.Context(), stream("x y y"), vocab.Options{MinCount: 3, Known: before}, t.TempDir())
	if want := "text: no token of the corpus is in the given vocabulary of 1 tokens, or seen 3 times"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	_, err = vocab.Count(t.Context(), stream("a"), vocab.Options{Known: before, Fixed: before})
	if want := "vocabulary: Fixed and Known exclude each other"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// Growing by two texts, one after the other, counts what counting both at once does.
func TestGrowthAddsUp(t *testing.T) {
	first, second := zipf(20_000), strings.Repeat("w1 more w77 \n", 50)
	v, err := vocab.Count(t.Context(), stream(first), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, err = vocab.Count(t.Context(), stream(second), vocab.Options{Known: v})
	if err != nil {
		t.Fatal(err)
	}
	both, err := vocab.Count(t.Context(), stream(first+"\n"+second), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(v.Tokens(), both.Tokens()) || !reflect.DeepEqual(v.Counts(), both.Counts()) || v.Total() != both.Total() {
		t.Error("growing gives another vocabulary than counting both texts at once")
	}
}

// A vocabulary grows with a new text.
func ExampleOptions_known() {
	before, err := vocab.New([]string{"to", "be"}, []uint64{20, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	src := corpus.Stream("example", strings.NewReader("to be or not to be, or so"), corpus.Options{})
	v, err := vocab.Count(context.Background(), src, vocab.Options{Known: before, MinCount: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id, word := range v.Tokens() {
		fmt.Println(word, v.Count(id))
	}
	// Output:
	// to 22
	// be 11
	// or 2
}
