package corpus_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// What a caller gets wrong is an error that says so, or a panic of the caller's own
// goroutine in methods that return none.
func TestMisuse(t *testing.T) {
	ctx := t.Context()
	one := func(s *corpus.Source, err error) error {
		if err != nil {
			return err
		}
		_, err = s.Shards(1)
		return err
	}
	open := func(ctx context.Context, s corpus.Shard) error {
		_, err := s.Open(ctx)
		return err
	}
	for _, test := range []struct {
		name string
		do   func() error
		want string
	}{
		{"a stream by tokenizer 99", func() error {
			return one(corpus.Stream("logs", strings.NewReader("a"), corpus.Options{Tokenizer: 99}), nil)
		}, "corpus: Tokenizer(99) is invalid: the choices are 0 to 2"},
		{"files by tokenizer -1", func() error { return one(corpus.Files(nil, nil, corpus.Options{Tokenizer: -1})) }, "corpus: Tokenizer(-1) is invalid: the choices are 0 to 2"},
		{"options", func() error { return corpus.Options{Tokenizer: 3}.Validate() }, "corpus: Tokenizer(3) is invalid: the choices are 0 to 2"},
		{"the name of tokenizer 99", func() error { _, err := corpus.Tokenizer(99).MarshalText(); return err }, "corpus: Tokenizer(99) is invalid: the choices are 0 to 2"},
		{"a reader that says it read more", func() error {
			shards, err := corpus.Stream("logs", liar{}, corpus.Options{}).Shards(1)
			if err != nil {
				return err
			}
			return open(ctx, shards[0])
		}, "logs: its reader says that it read 262145 bytes into 262144"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.do(); err == nil || err.Error() != test.want {
				t.Errorf("error %v\nwant  %s", err, test.want)
			}
		})
	}
	for _, test := range []struct {
		name string
		do   func()
		want string
	}{
		{"tokens by tokenizer 99", func() { corpus.Options{Tokenizer: 99}.Tokens("a b") }, "corpus: Tokenizer(99) is invalid: the choices are 0 to 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); got != test.want {
					t.Errorf("panic %s\nwant  %s", got, test.want)
				}
			}()
			test.do()
		})
	}
}

// What has a meaning without anything in it does what that means.
func TestZeroValues(t *testing.T) {
	var source corpus.Source
	if shards, err := source.Shards(-1); len(shards) != 0 || err != nil || source.Name() != "the corpus" || source.Files() != nil {
		t.Errorf("a source of nothing: %d shards, %v", len(shards), err)
	}
}

type liar struct{}

func (liar) Read(p []byte) (int, error) { return len(p) + 1, nil }

var _ io.Reader = liar{}

// A nil iterator or function panics where it is given, not in the goroutine that reads it.
func TestNilFunctions(t *testing.T) {
	text := corpus.Sentences("x", [][]string{{"a"}}, corpus.Options{})
	for name, give := range map[string]func(){
		"Seq":     func() { corpus.Seq("x", nil, corpus.Options{}) },
		"Through": func() { text.Through(nil) },
		"Derived": func() { text.Derived(nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("did not panic")
				}
			}()
			give()
		})
	}
}
