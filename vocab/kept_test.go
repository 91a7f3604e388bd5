package vocab_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/vocab"
)

// kept indexes a file with a kept cache. It returns the vocabulary, the ids and the notes.
func kept(t *testing.T, path, folder string, options corpus.Options, o vocab.Options) (*vocab.Vocab, [][]uint32, string) {
	t.Helper()
	var notes []string
	o.Keep, o.Note = folder, func(text string) { notes = append(notes, text) }
	src, err := corpus.Files([]string{path}, nil, options)
	if err != nil {
		t.Fatal(err)
	}
	v, ids, err := vocab.Index(t.Context(), src, o, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var chunks [][]uint32
	for i := range ids.Chunks() {
		chunks = append(chunks, slices.Concat(ids.Chunk(i)...))
	}
	if err := ids.Close(); err != nil {
		t.Error(err)
	}
	return v, chunks, strings.Join(notes, "\n")
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// cacheIn returns the path of the only file in a folder.
func cacheIn(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	return files[0]
}

const isUsed = "the cache of an earlier run is used"

func TestKeptCacheIsUsedIfNothingHasChanged(t *testing.T) {
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "text")
	text := zipf(30_000)
	write(t, path, text)
	all := vocab.Options{MinCount: 2}
	want, wantIDs, note := kept(t, path, folder, corpus.Options{}, all)
	if note != "" {
		t.Errorf("the first time: %s", note)
	}
	second := func(why string, options corpus.Options, o vocab.Options) {
		t.Helper()
		_, _, note := kept(t, path, folder, options, o)
		if !strings.HasPrefix(note, cacheIn(t, folder)+": ") || !strings.Contains(note, why) {
			t.Errorf("note %q, want one with %q", note, why)
		}
	}
	v, ids, note := kept(t, path, folder, corpus.Options{}, all)
	if !strings.Contains(note, isUsed) || !slices.Equal(v.Tokens(), want.Tokens()) || !slices.Equal(v.Counts(), want.Counts()) || v.Total() != want.Total() || !reflect.DeepEqual(ids, wantIDs) {
		t.Errorf("the cache is not used, or has other content: %s", note)
	}
	for id, token := range v.Tokens() {
		if got, ok := v.ID([]byte(token)); !ok || int(got) != id {
			t.Fatalf("token %d, %q, has id %d", id, token, got)
		}
	}
	// The vocabulary that the ids have may be given, whatever the options.
	second(isUsed, corpus.Options{}, vocab.Options{Fixed: want, MinCount: 9})

	second("is stale, and is made again: the least count is 3, and was 2", corpus.Options{}, vocab.Options{MinCount: 3})
	second("the largest number of words is 7, and was 0", corpus.Options{}, vocab.Options{MinCount: 3, MaxVocab: 7})
	second("the text becomes tokens in another way now", corpus.Options{Lowercase: true}, vocab.Options{MinCount: 3, MaxVocab: 7})
	second("the vocabulary is another one", corpus.Options{Lowercase: true}, vocab.Options{Known: want, MinCount: 3, MaxVocab: 7})
	second("the vocabulary is another one", corpus.Options{Lowercase: true}, vocab.Options{Fixed: want})
	second(isUsed, corpus.Options{Lowercase: true}, vocab.Options{Fixed: want})
	second("the vocabulary is another one", corpus.Options{Lowercase: true}, all)
	write(t, path, text+"more text\n")
	second(path+" has changed", corpus.Options{Lowercase: true}, all)
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	second(path+" has changed", corpus.Options{Lowercase: true}, all)
	second(isUsed, corpus.Options{Lowercase: true}, all)
}

// Another text that is given the size and the time of the one before, as cp -p, rsync -t and touch -r give them,
// is another text.
func TestKeptCacheOfAnotherTextWithTheSameTime(t *testing.T) {
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, replace := range map[string]func(path, text string) error{
		"written in place": func(path, text string) error { return os.WriteFile(path, []byte(text), 0o666) },
		"renamed": func(path, text string) error {
			write(t, path+".new", text)
			return errors.Join(os.Chtimes(path+".new", at, at), os.Rename(path+".new", path))
		},
		"behind a link": func(path, text string) error {
			write(t, path+".new", text)
			return errors.Join(os.Chtimes(path+".new", at, at), os.Remove(path), os.Symlink(path+".new", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder, path := t.TempDir(), filepath.Join(t.TempDir(), "text")
			write(t, path, "a b c\n")
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
			kept(t, path, folder, corpus.Options{}, vocab.Options{})
			if _, _, note := kept(t, path, folder, corpus.Options{}, vocab.Options{}); !strings.Contains(note, isUsed) {
				t.Fatalf("an unchanged text: %s", note)
			}
			if err := errors.Join(replace(path, "x y z\n"), os.Chtimes(path, at, at)); err != nil {
				t.Skip(err)
			}
			v, _, note := kept(t, path, folder, corpus.Options{}, vocab.Options{})
			if !strings.Contains(note, "has been replaced or written, though its size and its time are the same") || !slices.Contains(v.Tokens(), "x") {
				t.Errorf("%q of %q", v.Tokens(), note)
			}
		})
	}
}

// A text with the same content is the same text, whatever else the system has noted of its file.
func TestKeptCacheOfAFileThatIsDescribedAnew(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"another mode": func(path string) error { return os.Chmod(path, 0o600) },
		"a hard link":  func(path string) error { return os.Link(path, path+".link") },
		"a copy in its place": func(path string) error {
			text, err := os.ReadFile(path)
			info, err2 := os.Stat(path)
			if err := errors.Join(err, err2, os.WriteFile(path+".new", text, 0o666)); err != nil {
				return err
			}
			return errors.Join(os.Chtimes(path+".new", time.Time{}, info.ModTime()), os.Rename(path+".new", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder, path := t.TempDir(), filepath.Join(t.TempDir(), "text")
			write(t, path, "a b c\n")
			kept(t, path, folder, corpus.Options{}, vocab.Options{})
			if err := change(path); err != nil {
				t.Skip(err)
			}
			for range 2 {
				if _, _, note := kept(t, path, folder, corpus.Options{}, vocab.Options{}); !strings.Contains(note, isUsed) {
					t.Error(note)
				}
			}
		})
	}
}

// Whatever byte is changed, the cache is made again. So is one that is cut off.
func TestDamagedKeptCache(t *testing.T) {
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "text")
	write(t, path, "the cat sat\non the mat\n")
	want, wantIDs, _ := kept(t, path, folder, corpus.Options{}, vocab.Options{})
	file := cacheIn(t, folder)
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i += 41 { // each is synced to disk
		for _, damage := range []func(b []byte) []byte{
			func(b []byte) []byte { b[i] ^= 1 << (i % 8); return b },
			func(b []byte) []byte { return b[:i] },
		} {
			write(t, file, string(damage(slices.Clone(whole))))
			v, ids, note := kept(t, path, folder, corpus.Options{}, vocab.Options{})
			if !strings.Contains(note, "the cache cannot be used, and is made again: ") || !slices.Equal(v.Tokens(), want.Tokens()) || !reflect.DeepEqual(ids, wantIDs) {
				t.Fatalf("byte %d of %d: note %q", i, len(whole), note)
			}
			if got, err := os.ReadFile(file); err != nil || !slices.Equal(got, whole) {
				t.Fatalf("byte %d: the cache is not as it was, %v", i, err)
			}
		}
	}
}

// Several readers may use the same folder at once.
func TestKeptCacheOfSeveralAtOnce(t *testing.T) {
	folder, path := t.TempDir(), filepath.Join(t.TempDir(), "text")
	write(t, path, zipf(20_000))
	want, wantIDs, _ := kept(t, path, t.TempDir(), corpus.Options{}, vocab.Options{})
	var g sync.WaitGroup
	for k := range 8 {
		g.Go(func() {
			for i := range 4 {
				o := vocab.Options{MinCount: 1 + (k+i)%2}
				v, ids, _ := kept(t, path, folder, corpus.Options{}, o)
				if o.MinCount == 1 && (!slices.Equal(v.Tokens(), want.Tokens()) || !reflect.DeepEqual(ids, wantIDs)) {
					t.Error("another vocabulary, or other ids")
				}
			}
		})
	}
	g.Wait()
	cacheIn(t, folder)
}

// Without room for the kept cache, or for any, the text is indexed all the same.
func TestCachesWithoutRoom(t *testing.T) {
	small, path := faults.Tmpfs(t, 1<<18), filepath.Join(t.TempDir(), "text")
	write(t, path, zipf(200_000))
	want, wantIDs, _ := kept(t, path, t.TempDir(), corpus.Options{}, vocab.Options{})
	v, ids, note := kept(t, path, small, corpus.Options{}, vocab.Options{})
	if !strings.HasPrefix(note, "the cache is not kept: "+small) || !slices.Equal(v.Tokens(), want.Tokens()) || !reflect.DeepEqual(ids, wantIDs) {
		t.Errorf("note %q", note)
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, again, err := vocab.Index(t.Context(), src, vocab.Options{Note: func(text string) { note = text }}, small)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if !again.InOrder() || !strings.Contains(note, "does not fit into this folder") || !slices.Equal(v.Tokens(), want.Tokens()) {
		t.Errorf("note %q", note)
	}
	for i, chunk := range wantIDs {
		if !slices.Equal(slices.Concat(again.Chunk(i)...), chunk) {
			t.Fatalf("chunk %d is another one", i)
		}
	}
	if left, _ := os.ReadDir(small); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
