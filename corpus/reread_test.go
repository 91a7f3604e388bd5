package corpus_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// lengthID is the id of a token of up to nine bytes; longer ones have none.
func lengthID(token []byte) (int32, bool) { return int32(len(token)), len(token) < 10 }

// again returns ids that are made of a text in a file whenever they are read.
func again(t *testing.T, ctx context.Context, text string) (*corpus.IDs, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := corpus.Reread(ctx, src, lengthID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return ids, path
}

// recorded returns the ids of the same text in a cache.
func recorded(t *testing.T, text string) *corpus.IDs {
	t.Helper()
	r, err := corpus.NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(0)
	for line := range strings.Lines(text) {
		for _, token := range strings.Fields(line) {
			if err := r.Add(uint32(min(len(token), 10))); err != nil {
				t.Fatal(err)
			}
		}
		r.EndSentence()
	}
	ids, err := corpus.Join([]*corpus.Recorder{r}, [][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return ids
}

func longText() string {
	var text strings.Builder
	for i := range 150_000 {
		text.WriteString(strings.Repeat("x", i*i%11+1) + " ")
		if i*7%23 == 0 || i > 100_000 && i%5000 == 0 {
			text.WriteByte('\n')
		}
	}
	return text.String() + strings.Repeat("y ", 5000) + "tooLongAToken"
}

// Chunks that are made of the text are those of a cache, in whatever order they are read.
func TestRereadChunksAreThoseOfACache(t *testing.T) {
	text := longText()
	want := recorded(t, text)
	got, _ := again(t, t.Context(), text)
	if got.Chunks() < 10 || got.Tokens() != want.Tokens() || got.Largest() != want.Largest() {
		t.Fatalf("%d tokens in %d chunks, want %d in %d", got.Tokens(), got.Chunks(), want.Tokens(), want.Chunks())
	}
	for range 2 {
		if !reflect.DeepEqual(chunks(got), chunks(want)) {
			t.Error("chunks are other ones")
		}
	}
	if !reflect.DeepEqual(got.Checksums(), want.Checksums()) {
		t.Error("checksums are other ones")
	}
	for _, i := range []int{got.Chunks() - 1, 0, 7, 3, got.Chunks() - 1} {
		if !reflect.DeepEqual(got.Chunk(i), want.Chunk(i)) {
			t.Errorf("chunk %d is another one", i)
		}
	}
	a, b, err := got.Split(0.1)
	if err != nil {
		t.Fatal(err)
	}
	c, d, err := want.Split(0.1)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(chunks(a), chunks(c)) || !reflect.DeepEqual(chunks(b), chunks(d)) {
		t.Error("parts are other ones")
	}
	if !got.InOrder() || want.InOrder() {
		t.Errorf("in order: %v and %v", got.InOrder(), want.InOrder())
	}
	for _, x := range []*corpus.IDs{a, b, c, d} {
		if err := x.Err(); err != nil {
			t.Error(err)
		}
		_ = x.Close()
	}
}

// A text that changes between two epochs is an error, and no shorter epoch.
func TestRereadTextThatChanges(t *testing.T) {
	text := strings.Repeat(longText()+"\n", 5) // more chunks than are remembered
	for name, change := range map[string]func(path string) error{
		"no such file":               os.Remove,
		"the file has become longer": func(path string) error { return os.WriteFile(path, []byte(text+" more"), 0o666) },
		"the text has": func(path string) error {
			return os.WriteFile(path, []byte(strings.ReplaceAll(text, "y y ", "yyy ")), 0o666)
		},
	} {
		ids, path := again(t, t.Context(), text)
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		chunks(ids)
		if err := ids.Err(); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
		if got := ids.Chunk(0); got != nil {
			t.Errorf("%s: there is a chunk after the error", name)
		}
	}
}

func TestRereadEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	src := corpus.Stream("stream", strings.NewReader("a b"), corpus.Options{})
	if _, err := corpus.Reread(ctx, src, lengthID); err == nil || err.Error() != "stream: can be read only once" {
		t.Errorf("error %v", err)
	}
	cancel()
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(longText()), 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Reread(ctx, files, lengthID); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
