package vocab

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// lengthID is the id of a token of up to nine bytes; longer ones have none.
func lengthID(token []byte) (int32, bool) { return int32(len(token)), len(token) < 10 }

// again returns ids that are made of a text in a file whenever they are read.
func again(t *testing.T, ctx context.Context, text string) (*IDs, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ids, err := reread(ctx, src, MaxSentence, lengthID)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return ids, path
}

// recorded returns the ids of the same text in a cache.
func recorded(t *testing.T, text string) *IDs {
	t.Helper()
	r, err := newRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.begin(0)
	for line := range strings.Lines(text) {
		for _, token := range strings.Fields(line) {
			if err := r.add(uint32(min(len(token), 10))); err != nil {
				t.Fatal(err)
			}
		}
		r.endSentence()
	}
	ids, err := joinLists([]*recorder{r}, [][]int32{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -1}})
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
	for _, x := range []*IDs{a, b, c, d} {
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
	if _, err := reread(ctx, src, MaxSentence, lengthID); err == nil || err.Error() != "stream: can be read only once" {
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
	if _, err := reread(ctx, files, MaxSentence, lengthID); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// documents writes n documents, whose first token tells them apart, and returns their ids.
func documents(t *testing.T, n int) *IDs {
	t.Helper()
	r, err := newRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r.begin(0)
	for i := range n {
		for k := range 1 + i%7 {
			if err := r.add(uint32((i + k) % n)); err != nil {
				t.Fatal(err)
			}
		}
		r.endSentence()
	}
	same := make([]int32, n)
	for i := range same {
		same[i] = int32(i)
	}
	ids, err := joinLists([]*recorder{r}, [][]int32{same})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// copies returns how often each document is in a corpus, and checks that documents are whole.
func copies(t *testing.T, ids *IDs, n int) []int {
	t.Helper()
	times := make([]int, n)
	var tokens uint64
	reader := ids.Reader()
	for i := range ids.Chunks() {
		var document []uint32
		for _, id := range slices.Concat(reader.Chunk(i)...) {
			tokens++
			document = append(document, id&^EndOfSentence)
			if id&EndOfSentence == 0 {
				continue
			}
			first := int(document[0])
			if len(document) != 1+first%7 {
				t.Fatalf("document %d has %d tokens, want %d", first, len(document), 1+first%7)
			}
			times[first]++
			document = nil
		}
		if document != nil {
			t.Fatalf("chunk %d ends within a document", i)
		}
	}
	if tokens != ids.Tokens() {
		t.Errorf("%d tokens in chunks, Tokens says %d", tokens, ids.Tokens())
	}
	return times
}

func TestResampleDrawsDocuments(t *testing.T) {
	const n = 20000
	ids := documents(t, n)
	one, err := ids.Resample(1)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	two, err := ids.Resample(2)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ids.Resample(1)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if err := ids.Close(); err != nil { // the resamples go on
		t.Fatal(err)
	}
	times := copies(t, one, n)
	if !slices.Equal(times, copies(t, again, n)) {
		t.Error("one seed gives two resamples")
	}
	// Poisson's distribution with mean 1: e⁻¹ of the documents are left out, as many are there
	// once, and half as many twice.
	for k, want := range []float64{1, 1, 1. / 2, 1. / 6, 1. / 24} {
		want *= n / math.E
		got := 0
		for _, x := range times {
			if x == k {
				got++
			}
		}
		if math.Abs(float64(got)-want) > 4*math.Sqrt(want) {
			t.Errorf("%d documents are there %d times, want about %.0f", got, k, want)
		}
	}
	// Another seed draws others: the numbers of copies are not correlated.
	sum := 0.0
	for i, x := range copies(t, two, n) {
		sum += float64(x-1) * float64(times[i]-1)
	}
	if r := sum / n; math.Abs(r) > 4/math.Sqrt(n) {
		t.Errorf("resamples of two seeds have the correlation %.3f", r)
	}
	if err := two.Close(); err != nil {
		t.Fatal(err)
	}
}
