package vocab_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// What a caller gets wrong is an error that says so, or a panic of the caller's own
// goroutine in functions that return none.
func TestMisuse(t *testing.T) {
	text := func() *corpus.Source {
		return corpus.Stream("logs", strings.NewReader("a b a"), corpus.Options{})
	}
	count := func(ctx context.Context, src *corpus.Source, o vocab.Options) error {
		_, err := vocab.Count(ctx, src, o)
		_, ids, other := vocab.Index(ctx, src, o, t.TempDir())
		if ids != nil {
			_ = ids.Close()
		}
		if fmt.Sprint(err) != fmt.Sprint(other) {
			return fmt.Errorf("Count says %w, and Index %w", err, other)
		}
		return err
	}
	some, err := vocab.New([]string{"a", "b"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"a source of no inputs", func() error { return count(t.Context(), &corpus.Source{}, vocab.Options{}) }, "the corpus: the corpus has no tokens"},
		{"a corpus by tokenizer 99", func() error {
			return count(t.Context(), corpus.Stream("logs", strings.NewReader("a"), corpus.Options{Tokenizer: 99}), vocab.Options{})
		}, "corpus: Tokenizer(99) is invalid: the choices are 0 to 2"},
		{"a negative MinCount", func() error { return count(t.Context(), text(), vocab.Options{MinCount: -1}) }, "vocabulary: MinCount is -1, must be 0 or more"},
		{"a negative MaxVocab", func() error { return count(t.Context(), text(), vocab.Options{MaxVocab: -2}) }, "vocabulary: MaxVocab is -2, must be 0 or more"},
		{"negative Threads", func() error { return count(t.Context(), text(), vocab.Options{Threads: -3}) }, "vocabulary: Threads is -3, must be 0 or more"},
		{"fixed and known", func() error { return count(t.Context(), text(), vocab.Options{Fixed: some, Known: some}) }, "vocabulary: Fixed and Known exclude each other"},
		{"a fixed vocabulary of nothing", func() error {
			_, _, err := vocab.Index(t.Context(), text(), vocab.Options{Fixed: &vocab.Vocab{}}, t.TempDir())
			return err
		}, "logs: no token of the corpus is in the given vocabulary of 0 tokens"},
		{"reading by negative options", func() error { _, err := vocab.Read(strings.NewReader("a 1"), vocab.Options{MaxVocab: -1}); return err }, "vocabulary: MaxVocab is -1, must be 0 or more"},
		{"more tokens than counts", func() error { _, err := vocab.New([]string{"a"}, []uint64{}); return err }, "vocabulary: 0 counts for 1 tokens"},
		{"tokens without counts", func() error { _, err := vocab.FromCounts([]string{"a"}, nil); return err }, "vocabulary: 0 counts for 1 tokens"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
}

// A vocabulary of nothing is empty.
func TestZeroValues(t *testing.T) {
	var v vocab.Vocab
	_, known := v.ID([]byte("a"))
	if n, err := v.WriteTo(&bytes.Buffer{}); known || n != 0 || err != nil || v.Len() != 0 || v.Total() != 0 || len(v.Tokens()) != 0 || len(v.Counts()) != 0 || len(v.KeepProbabilities(1)) != 0 {
		t.Error("a vocabulary of nothing is not empty")
	}
}
