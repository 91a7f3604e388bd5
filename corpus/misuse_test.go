package corpus_test

import (
	"bytes"
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
	var nobody context.Context
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
		{"a stream of no reader", func() error { return one(corpus.Stream("logs", nil, corpus.Options{}), nil) }, "logs: there is no reader of the text: it is nil"},
		{"a stream of a nil buffer", func() error { return one(corpus.Stream("logs", (*bytes.Buffer)(nil), corpus.Options{}), nil) }, "logs: there is no reader of the text: it is nil"},
		{"a stream by tokenizer 99", func() error {
			return one(corpus.Stream("logs", strings.NewReader("a"), corpus.Options{Tokenizer: 99}), nil)
		}, "corpus: Tokenizer(99) is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are"},
		{"files by tokenizer -1", func() error { return one(corpus.Files(nil, nil, corpus.Options{Tokenizer: -1})) }, "corpus: Tokenizer(-1) is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are"},
		{"standard input of no reader", func() error { return one(corpus.Files([]string{"-"}, nil, corpus.Options{})) }, "standard input: there is no reader of the text: it is nil"},
		{"options", func() error { return corpus.Options{Tokenizer: 3}.Validate() }, "corpus: Tokenizer(3) is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are"},
		{"the name of tokenizer 99", func() error { _, err := corpus.Tokenizer(99).MarshalText(); return err }, "corpus: Tokenizer(99) is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are"},
		{"shards of no source", func() error { _, err := (*corpus.Source)(nil).Shards(3); return err }, "corpus: there is no source: Files, FS, Stream, Sentences and Seq make one"},
		{"an empty shard", func() error { return open(ctx, corpus.Shard{}) }, "corpus: the shard is empty: Source.Shards makes shards"},
		{"a shard without a context", func() error {
			shards, err := corpus.Stream("logs", strings.NewReader("a"), corpus.Options{}).Shards(1)
			if err != nil {
				return err
			}
			return open(nobody, shards[0])
		}, "logs: there is no context to read it in: it is nil"},
		{"a reader that reads nothing", func() error { _, err := new(corpus.Reader).Next(); return err }, "corpus: the reader reads nothing: Shard.Open makes one"},
		{"no reader", func() error { _, err := (*corpus.Reader)(nil).Next(); return err }, "corpus: the reader reads nothing: Shard.Open makes one"},
		{"closing no reader", func() error { return (*corpus.Reader)(nil).Close() }, "corpus: the reader reads nothing: Shard.Open makes one"},
		{"closing no ids", func() error { return (*corpus.IDs)(nil).Close() }, "corpus: there are no ids to close: they are nil"},
		{"splitting no ids", func() error { _, _, err := (*corpus.IDs)(nil).Split(0.5); return err }, "corpus: the ids to split are closed or nil"},
		{"splitting empty ids", func() error { _, _, err := new(corpus.IDs).Split(0.5); return err }, "corpus: the ids to split are closed or nil"},
		{"splitting closed ids", func() error {
			ids := joined(t)
			if err := ids.Close(); err != nil {
				return err
			}
			_, _, err := ids.Split(0.5)
			return err
		}, "corpus: the ids to split are closed or nil"},
		{"closing an empty recorder", func() error { return new(corpus.Recorder).Close() }, "corpus: the recorder is empty: NewRecorder makes one"},
		{"closing no recorder", func() error { return (*corpus.Recorder)(nil).Close() }, "corpus: the recorder is empty: NewRecorder makes one"},
		{"filling an empty recorder", func() error {
			var r corpus.Recorder
			for id := range uint32(1 << 17) {
				if err := r.Add(id); err != nil {
					return err
				}
			}
			return nil
		}, "corpus: the recorder is empty: NewRecorder makes one"},
		{"joining no recorder", func() error { return joinOf([]*corpus.Recorder{nil}, [][]int32{nil}) }, "recorder 0: corpus: the recorder is empty: NewRecorder makes one"},
		{"joining an empty recorder", func() error { return joinOf([]*corpus.Recorder{{}}, [][]int32{nil}) }, "recorder 0: corpus: the recorder is empty: NewRecorder makes one"},
		{"fewer lists than recorders", func() error { return joinOf([]*corpus.Recorder{recorder(t, 0)}, nil) }, "corpus: the ids of 1 recorders have 0 lists of final ids: each has one"},
		{"a list that is too short", func() error { return joinOf([]*corpus.Recorder{recorder(t, 0, 1, 2)}, [][]int32{{0, 1}}) }, "corpus: recorder 0 has id 2, and its list has 2 final ids"},
		{"no list", func() error { return joinOf([]*corpus.Recorder{recorder(t, 0)}, [][]int32{nil}) }, "corpus: recorder 0 has id 0, and its list has 0 final ids"},
		{"a recorder twice", func() error {
			r := recorder(t, 0)
			return joinOf([]*corpus.Recorder{r, r}, [][]int32{{0}, {0}})
		}, "corpus: recorder 1 stands there twice"},
		{"a recorder that was joined", func() error {
			r := recorder(t, 0)
			ids, err := corpus.Join([]*corpus.Recorder{r}, [][]int32{{0}})
			if err != nil {
				return err
			}
			defer ids.Close()
			return joinOf([]*corpus.Recorder{r}, [][]int32{{0}})
		}, "recorder 0: corpus: the recorder was joined already, and its ids belong to the result"},
		{"an id of 32 bits", func() error {
			return joinOf([]*corpus.Recorder{recorder(t, corpus.EndOfSentence+5)}, [][]int32{{0, 1, 2}})
		}, "recorder 0: corpus: id 2147483653 was added to the recorder: ids must be below 2147483648"},
		{"tokens of no shard", func() error {
			r, err := corpus.NewRecorder(t.TempDir())
			if err == nil {
				err = r.Add(0)
			}
			if err != nil {
				return err
			}
			return joinOf([]*corpus.Recorder{r}, [][]int32{{0}})
		}, "recorder 0: corpus: tokens were added to the recorder before Begin said of which shard they are"},
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
		{"tokens by tokenizer 99", func() { corpus.Options{Tokenizer: 99}.Tokens("a b") }, "corpus: Tokenizer(99) is no tokenizer: Whitespace, which is 0, Unicode, which is 1, and Characters, which is 2, are"},
		{"a chunk that is not there", func() { joined(t).Chunk(1) }, "corpus: chunk 1 of 1 of the ids"},
		{"a chunk before the first", func() { joined(t).Chunk(-1) }, "corpus: chunk -1 of 1 of the ids"},
		{"a chunk of closed ids", func() {
			ids := joined(t)
			_ = ids.Close()
			ids.Chunk(0)
		}, "corpus: chunk 0 of 0 of the ids, which are closed"},
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
	var ids corpus.IDs
	if ids.Tokens() != 0 || ids.Chunks() != 0 || ids.Largest() != -1 || len(ids.Checksums()) != 0 || ids.Close() != nil {
		t.Error("ids of nothing are not empty")
	}
	var source corpus.Source
	if shards, err := source.Shards(-1); len(shards) != 0 || err != nil || source.Name() != "the corpus" || source.Files() != nil {
		t.Errorf("a source of nothing: %d shards, %v", len(shards), err)
	}
	if none, err := corpus.Join(nil, nil); err != nil || none.Tokens() != 0 || none.Largest() != -1 {
		t.Errorf("no recorders: %v", err)
	}
}

// Ids know the largest of them, of those that are left.
func TestLargest(t *testing.T) {
	for _, test := range []struct {
		rename []int32
		want   int
	}{{[]int32{7, 5, 9}, 9}, {[]int32{7, 5, -1}, 7}, {[]int32{-1, 0, -1}, 0}, {[]int32{-1, -1, -1}, -1}, {[]int32{1<<31 - 1, 0, 3}, 1<<31 - 1}} {
		ids, err := corpus.Join([]*corpus.Recorder{recorder(t, 0, 1, 2, 1, 0)}, [][]int32{test.rename})
		if err != nil {
			t.Fatal(err)
		}
		if got := ids.Largest(); got != test.want {
			t.Errorf("%v: the largest is %d, want %d", test.rename, got, test.want)
		}
		if err := ids.Close(); err != nil {
			t.Error(err)
		}
	}
}

type liar struct{}

func (liar) Read(p []byte) (int, error) { return len(p) + 1, nil }

var _ io.Reader = liar{}

// recorder returns one that holds a sentence of these ids.
func recorder(t *testing.T, ids ...uint32) *corpus.Recorder {
	t.Helper()
	r, err := corpus.NewRecorder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	r.Begin(0)
	for _, id := range ids {
		if err := r.Add(id); err != nil {
			t.Fatal(err)
		}
	}
	r.EndSentence()
	return r
}

func joinOf(recorders []*corpus.Recorder, rename [][]int32) error {
	ids, err := corpus.Join(recorders, rename)
	if err == nil {
		err = ids.Close()
	}
	return err
}

// joined returns the ids 0, 1 and 2 in a sentence.
func joined(t *testing.T) *corpus.IDs {
	t.Helper()
	ids, err := corpus.Join([]*corpus.Recorder{recorder(t, 0, 1, 2)}, [][]int32{{0, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ids.Close() })
	return ids
}
