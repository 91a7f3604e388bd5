package corpus_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
)

// What happens to a file between listing and reading is no shorter text.
func TestFileThatChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	text := strings.Repeat("one two three\n", 30_000)
	for _, test := range []struct {
		name   string
		change func() error
		want   string
	}{
		{"gone", func() error { return os.Remove(path) }, "no such file or directory"},
		{"shorter", func() error { return os.Truncate(path, 300_000) }, "the file has become shorter than it was, 300000 bytes are left: leave it alone while it is read"},
		{"longer", func() error { return os.WriteFile(path, []byte(text+"four\n"), 0o666) }, "the file has become longer while it was read, 420005 bytes instead of 420000: leave it alone until it is read"},
	} {
		for _, cut := range []bool{false, true} { // into shards before that happens
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := corpus.Files([]string{path}, nil, corpus.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var shards []corpus.Shard
			if cut {
				if shards, err = src.Shards(3); err != nil {
					t.Fatal(err)
				}
			}
			if err := test.change(); err != nil {
				t.Fatal(err)
			}
			if !cut {
				shards, err = src.Shards(3)
			}
			for _, shard := range shards {
				if err == nil {
					err = drain(t.Context(), shard)
				}
			}
			if test.want == "" && err == nil {
				continue
			}
			if err == nil || err.Error() != path+": "+test.want {
				t.Errorf("%s, cut before %v: error %v, want %q", test.name, cut, err, test.want)
			}
		}
	}
}

// drain reads a shard.
func drain(ctx context.Context, shard corpus.Shard) error {
	r, err := shard.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		if _, err := r.Next(); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}
