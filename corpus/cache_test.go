package corpus_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/faults"
)

// A full disk is said to be full, by the name of the folder.
func TestCacheWithoutRoom(t *testing.T) {
	folder := faults.Tmpfs(t, 1<<20)
	r, err := corpus.NewRecorder(folder)
	if err != nil {
		t.Fatal(err)
	}
	r.Begin(0)
	for id := uint32(0); err == nil && id < 1<<20; id++ {
		err = r.Add(id)
	}
	cache, ok := errors.AsType[*corpus.CacheError](err)
	if !ok || cache.Folder != folder || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("error %v", err)
	}
	want := folder + ": the tokenised corpus, up to 4 bytes a token, cannot be kept in this folder: no space left on device"
	if err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestCacheWithoutFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "none")
	_, err := corpus.NewRecorder(folder)
	cache, ok := errors.AsType[*corpus.CacheError](err)
	if !ok || cache.Folder != folder || !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), "w2v-ids") {
		t.Errorf("error %v", err)
	}
}

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
