package vocab_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

func stream(text string) *corpus.Source {
	return corpus.Stream("text", strings.NewReader(text), corpus.Options{})
}

// list returns a vocabulary as its file.
func list(t testing.TB, v *vocab.Vocab) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := v.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestCount(t *testing.T) {
	const text = "b a c a\nb é d a\n\xff b é\n"
	for _, test := range []struct {
		name    string
		options vocab.Options
		want    string
	}{
		{"all, ties by bytes", vocab.Options{}, "a 3\nb 3\né 2\nc 1\nd 1\n\xff 1\n"},
		{"min-count", vocab.Options{MinCount: 2}, "a 3\nb 3\né 2\n"},
		{"max-vocab", vocab.Options{MaxVocab: 4}, "a 3\nb 3\né 2\nc 1\n"},
		{"both", vocab.Options{MinCount: 3, MaxVocab: 1}, "a 3\n"},
	} {
		v, err := vocab.Count(t.Context(), stream(text), test.options)
		if err != nil {
			t.Fatal(err)
		}
		if got := list(t, v); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestNothingToCount(t *testing.T) {
	for want, test := range map[string]struct {
		text    string
		options vocab.Options
	}{
		"text: the corpus has no tokens": {" \n\n", vocab.Options{}},
		"text: no token is seen 5 times, the least asked for: the most frequent of 3 distinct tokens (4 in all) is seen 2 times": {"a b a c", vocab.Options{MinCount: 5}},
	} {
		if _, err := vocab.Count(t.Context(), stream(test.text), test.options); err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	}
}

// zipf returns a text in which word k comes about n/k times.
func zipf(n int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "w%d", int(math.Exp(r.Float64()*math.Log(float64(n)))))
		b.WriteByte(" \n"[min(i%17/16, 1)])
	}
	return b.String()
}

// The same text gives the same ids, however many workers read it.
func TestWorkersAgree(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "text")
	text := strings.ReplaceAll(zipf(200_000), "w1", "a-long-token-that-begins-as-others-do-")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var wantVocab string
	var wantIDs []uint32
	for _, threads := range []int{1, 2, 7} {
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, ids, err := vocab.Index(t.Context(), src, vocab.Options{MinCount: 2, Threads: threads}, dir)
		if err != nil {
			t.Fatal(err)
		}
		var all []uint32
		for i := range ids.Chunks() {
			all = append(all, slices.Concat(ids.Chunk(i)...)...)
		}
		if threads == 1 {
			wantVocab, wantIDs = list(t, v), all
			checkIDs(t, text, v, all)
		}
		if list(t, v) != wantVocab {
			t.Errorf("%d workers give another vocabulary than one", threads)
		}
		if !reflect.DeepEqual(all, wantIDs) {
			t.Errorf("%d workers give other ids than one", threads)
		}
		if v.Total() != ids.Tokens() {
			t.Errorf("%d tokens counted, %d recorded", v.Total(), ids.Tokens())
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
}

// checkIDs reads the text again to see whether ids are its tokens.
func checkIDs(t *testing.T, text string, v *vocab.Vocab, ids []uint32) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		var want []uint32
		for _, token := range strings.Fields(line) {
			if id, ok := v.ID([]byte(token)); ok {
				want = append(want, uint32(id))
			}
		}
		if len(want) == 0 {
			continue
		}
		want[len(want)-1] |= vocab.EndOfSentence
		if !reflect.DeepEqual(ids[:len(want)], want) {
			t.Fatalf("line %q is recorded as %x, want %x", line, ids[:len(want)], want)
		}
		ids = ids[len(want):]
	}
	if len(ids) > 0 {
		t.Fatalf("%d ids too many", len(ids))
	}
}

func TestIndexWithGivenVocabulary(t *testing.T) {
	fixed, err := vocab.Read(strings.NewReader("c 30\na 20\nz 10\n"), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, ids, err := vocab.Index(t.Context(), stream("a b c\nb\nc a"), vocab.Options{Fixed: fixed, MinCount: 5}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer ids.Close()
	if v != fixed {
		t.Error("another vocabulary than the one given")
	}
	const end = vocab.EndOfSentence
	if want := []uint32{1, 0 | end, 0, 1 | end}; !reflect.DeepEqual(ids.Chunk(0), [][]uint32{want}) {
		t.Errorf("ids %x, want %x", ids.Chunk(0), want)
	}
	_, _, err = vocab.Index(t.Context(), stream("x y"), vocab.Options{Fixed: fixed}, t.TempDir())
	if want := "text: no token of the corpus is in the given vocabulary of 3 tokens"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestInterruptedIndexLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	options := vocab.Options{Progress: func(uint64) { cancel() }}
	_, _, err := vocab.Index(ctx, stream(zipf(300_000)), options, dir)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestRead(t *testing.T) {
	for _, test := range []struct {
		file    string
		options vocab.Options
		want    string // the vocabulary
		err     string
	}{
		{file: "a 1\nb 3\n", want: "b 3\na 1\n"},
		{file: "a 1\r\n\r\nb\t3", want: "b 3\na 1\n"},
		{file: "a\u00a0b 2\n\u00a0 1\n", want: "a\u00a0b 2\n\u00a0 1\n"},
		{file: "12 7\n", want: "12 7\n"},
		{file: "a 1\nb 3\nc 2\n", options: vocab.Options{MinCount: 2, MaxVocab: 1}, want: "b 3\n"},
		{file: "a 1\nb\n", err: `line 2: expected a token and its count, found "b"`},
		{file: "a x\n", err: `line 1: expected the count of token "a", a whole number above 0, found "x"`},
		{file: "a 0\n", err: `line 1: expected the count of token "a", a whole number above 0, found "0"`},
		{file: "a -1\n", err: `line 1: expected the count of token "a", a whole number above 0, found "-1"`},
		{file: "a 1\nb 1\na 2\n", err: `line 3: token "a" stands there a second time`},
		{file: "a\x00 1\n", err: `line 1: token "a\x00" contains a zero byte, which separates tokens`},
		{file: "", err: "no token with a count of 0 or more"},
		{file: "a 4\n", options: vocab.Options{MinCount: 5}, err: "no token with a count of 5 or more"},
	} {
		v, err := vocab.Read(strings.NewReader(test.file), test.options)
		switch {
		case test.err != "":
			if err == nil || err.Error() != test.err {
				t.Errorf("%q: error %v, want %s", test.file, err, test.err)
			}
		case err != nil:
			t.Errorf("%q: %v", test.file, err)
		case list(t, v) != test.want:
			t.Errorf("%q: %q, want %q", test.file, list(t, v), test.want)
		}
	}
}

func TestLookupDoesNotAllocate(t *testing.T) {
	v, err := vocab.Count(t.Context(), stream(zipf(10_000)), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	token := []byte("w7")
	if n := testing.AllocsPerRun(100, func() { v.ID(token) }); n != 0 {
		t.Errorf("%v allocations a lookup", n)
	}
	for id, word := range v.Tokens() {
		if got, ok := v.ID([]byte(word)); !ok || int(got) != id || v.Token(id) != word {
			t.Fatalf("%q has id %d, looked up as %d, %v", word, id, got, ok)
		}
	}
	if _, ok := v.ID([]byte("never seen")); ok {
		t.Error("found what is not there")
	}
}

func TestKeepProbabilities(t *testing.T) {
	v, err := vocab.Read(strings.NewReader("often 9000\nsome 900\nrare 100\n"), vocab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// word2vec.c: (sqrt(c/(s·T)) + 1)·(s·T)/c, here with s·T = 100.
	want := []float64{(math.Sqrt(90) + 1) / 90, (3 + 1) / 9.0, 1}
	for id, p := range v.KeepProbabilities(1e-2) {
		if math.Abs(p-want[id]) > 1e-12 {
			t.Errorf("%s is kept with %v, want %v", v.Token(id), p, want[id])
		}
	}
	for id, p := range v.KeepProbabilities(0) {
		if p != 1 {
			t.Errorf("%s is kept with %v without subsampling", v.Token(id), p)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a 1\nb 2\n"))
	f.Add([]byte("\xff\t3\r\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		v, err := vocab.Read(bytes.NewReader(file), vocab.Options{})
		if err != nil {
			return
		}
		written := list(t, v)
		again, err := vocab.Read(strings.NewReader(written), vocab.Options{})
		if err != nil {
			t.Fatalf("%q was written and cannot be read: %v", written, err)
		}
		if list(t, again) != written {
			t.Fatalf("%q is read as %q", written, list(t, again))
		}
	})
}

func ExampleCount() {
	src := corpus.Stream("example", strings.NewReader("to be or not to be"), corpus.Options{})
	v, err := vocab.Count(context.Background(), src, vocab.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id, word := range v.Tokens() {
		fmt.Println(id, word, v.Count(id))
	}
	// Output:
	// 0 be 2
	// 1 to 2
	// 2 not 1
	// 3 or 1
}

func BenchmarkCount(b *testing.B) {
	text := zipf(1_000_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := vocab.Count(b.Context(), stream(text), vocab.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "tokens/s")
}

func BenchmarkIndex(b *testing.B) {
	text := zipf(1_000_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, ids, err := vocab.Index(b.Context(), stream(text), vocab.Options{}, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		ids.Close()
	}
	b.ReportMetric(float64(b.N)*1e6/b.Elapsed().Seconds(), "tokens/s")
}
