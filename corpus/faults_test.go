package corpus_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/faults"
)

// A stream that gives a few bytes at a time has the same tokens.
func TestShortReadsChangeNothing(t *testing.T) {
	text := "The cat sat, on the Mat.\nnaïve 日本語 Straße caf\xe9 \xff\n\n" + strings.Repeat("long", 300) + " end"
	for name, options := range map[string]corpus.Options{
		"plain":      {},
		"lower case": {Lowercase: true},
		"words":      {Tokenizer: corpus.Unicode, Lowercase: true},
	} {
		want := read(t, corpus.Stream("text", strings.NewReader(text), options), 1)
		for most := range 6 {
			short := &faults.Reader{R: strings.NewReader(text), Most: 1 + most*most, Seed: uint64(most)}
			if got := read(t, corpus.Stream("text", short, options), 1); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, reads of at most %d bytes: %q, want %q", name, short.Most, got, want)
			}
		}
	}
}

// A stream that fails is an error that names it, and never the end of the corpus.
func TestFailedReadIsNoEnd(t *testing.T) {
	text := strings.Repeat("the cat sat on the mat\n", 20)
	broken := errors.New("broken")
	for name, options := range map[string]corpus.Options{
		"plain":      {},
		"lower case": {Lowercase: true},
		"words":      {Tokenizer: corpus.Unicode},
	} {
		for room := range int64(len(text)) {
			failing := &faults.Reader{R: strings.NewReader(text), Most: 50, Err: broken, Room: room}
			shards, err := corpus.Stream("pipe", failing, options).Shards(1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := shards[0].Open(t.Context())
			for err == nil {
				_, err = r.Next()
			}
			if !errors.Is(err, broken) || errors.Is(err, io.EOF) || !strings.HasPrefix(err.Error(), "pipe: ") {
				t.Fatalf("%s, after %d bytes: %v", name, room, err)
			}
		}
	}
}
