package corpus_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/corpus"
)

// A compressed file that changes is an error as well, and so is one whose place another one takes.
func TestCompressedFileThatChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "text.gz")
	whole := zipped(strings.Repeat("one two three\n", 30_000))
	more := zipped("four\n")
	for _, test := range []struct {
		name   string
		change func() error
		want   string
	}{
		{"gone", func() error { return os.Remove(path) }, "no such file or directory"},
		{"shorter", func() error { return os.Truncate(path, int64(len(whole)/2)) }, fmt.Sprintf("the file has become shorter than it was, %d bytes are left: leave it alone while it is read", len(whole)/2)},
		{"longer by a member", func() error { return os.WriteFile(path, append(slices.Clone(whole), more...), 0o666) }, fmt.Sprintf("the file has become longer while it was read, %d bytes instead of %d: leave it alone until it is read", len(whole)+len(more), len(whole))},
		{"another file", func() error {
			other := filepath.Join(dir, "other")
			return errors.Join(os.WriteFile(other, whole, 0o666), os.Rename(other, path))
		}, "another file has taken its place: leave it alone while it is read"},
	} {
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := test.change(); err != nil {
			t.Fatal(err)
		}
		if err := drainAll(t, src); err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// A file that was empty is the same when it is read.
func TestEmptyFileThatGrows(t *testing.T) {
	path := files(t, "text", "")[0]
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err == nil {
		err = os.WriteFile(path, []byte("one two\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := drainAll(t, src); err == nil || !strings.Contains(err.Error(), "become longer") {
		t.Errorf("error %v", err)
	}
}

// A file that grows or shrinks while it is read is an error, too.
func TestFileThatChangesWhileItIsRead(t *testing.T) {
	text := strings.Repeat("one two three\n", 300_000)
	for _, test := range []struct {
		name    string
		content []byte
		change  func(path string) error
		want    string
	}{
		{"longer", []byte(text), truncate(len(text) + 7), "become longer"},
		{"shorter", []byte(text), truncate(len(text) - 7), "become shorter"},
		{"much shorter", []byte(text), truncate(9), "become shorter"},
		{"longer, compressed", zipped(text), truncate(len(zipped(text)) + 7), "become longer"},
		{"gone", []byte(text), os.Remove, "vanished"},
		{"gone, compressed", zipped(text), os.Remove, "vanished"},
		{"another file", []byte(text), replace, "another file has taken its place"},
		{"another file, compressed", zipped(text), replace, "another file has taken its place"},
	} {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, test.content, 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shards, err := src.Shards(1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := shards[0].Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
		if err := test.change(path); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
		if errors.Is(err, io.EOF) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want one with %q", test.name, err, test.want)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}

func truncate(size int) func(path string) error {
	return func(path string) error { return os.Truncate(path, int64(size)) }
}

func replace(path string) error {
	content, err := os.ReadFile(path)
	return errors.Join(err, os.WriteFile(path+".other", content, 0o666), os.Rename(path+".other", path))
}

// Inputs without text are said if others have some.
func TestEmpty(t *testing.T) {
	for _, test := range []struct {
		inputs []string
		want   string
	}{
		{[]string{"a", " \n\t", "", "b"}, "2 of 4 inputs have no text, the first is 1"},
		{[]string{"a", ""}, "1 has no text, unlike the others of 2 inputs"},
		{[]string{"", " "}, ""},
		{[]string{"a", "b"}, ""},
	} {
		fsys := fstest.MapFS{}
		var names []string
		for i, text := range test.inputs {
			fsys[fmt.Sprint(i)] = &fstest.MapFile{Data: []byte(text)}
			names = append(names, fmt.Sprint(i))
		}
		src, err := corpus.FS(fsys, names, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		shards, err := src.Shards(2)
		if err != nil {
			t.Fatal(err)
		}
		for _, shard := range shards {
			if err := drain(t.Context(), shard); err != nil {
				t.Fatal(err)
			}
		}
		empty := src.Empty(src.Filled(shards))
		if got := empty.String(); empty.Inputs > 0 && got != test.want || empty.Inputs == 0 && test.want != "" {
			t.Errorf("%q: %q, want %q", test.inputs, got, test.want)
		}
	}
}

// A file that cannot be read is said by its name, before anything is read.
func TestUnreadableFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(dir, "b")
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(secret); err == nil {
		t.Skip("permissions do not keep this user from reading")
	}
	if _, err := corpus.Files([]string{dir}, nil, corpus.Options{}); err == nil || err.Error() != secret+": permission denied" {
		t.Errorf("error %v, want %s: permission denied", err, secret)
	}
}
