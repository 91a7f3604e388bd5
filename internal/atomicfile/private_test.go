package atomicfile_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// While a file is being written its owner alone can read it, by a name that has more
// than 64 random bits, though the file that it replaces is anybody's. Those of a folder
// lie in one that nobody else can enter.
func TestTemporaryFilesArePrivate(t *testing.T) {
	temporary := regexp.MustCompile(`^\.w2v-[0-9a-f]{32}\.tmp$`) // 4 bits a character
	seen := map[string]bool{}
	for _, there := range []bool{false, true} {
		dir := t.TempDir()
		path, folder := filepath.Join(dir, "model"), filepath.Join(dir, "folder")
		if there {
			if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(folder, 0o777); err != nil {
				t.Fatal(err)
			}
		}
		// look checks the only name in dir that is not that of a target.
		look := func(want fs.FileMode) {
			t.Helper()
			entries, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, e := range entries {
				if e.Name() == "model" || e.Name() == "folder" {
					continue
				}
				found++
				info, err := e.Info()
				if err != nil {
					t.Fatal(err)
				}
				if mode := info.Mode(); mode != want && runtime.GOOS != "windows" {
					t.Errorf("%s has mode %v, want %v", e.Name(), mode, want)
				}
				if !temporary.MatchString(e.Name()) || seen[e.Name()] {
					t.Errorf("a temporary file is called %s", e.Name())
				}
				seen[e.Name()] = true
			}
			if found != 1 {
				t.Errorf("%d temporary files, want 1", found)
			}
		}
		f, err := atomicfile.CreateNamed(path)
		if err != nil {
			t.Fatal(err)
		}
		look(0o600)
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		err = atomicfile.WriteFolder(folder, func(create func(string, func(io.Writer) error) error) error {
			return create("part", func(io.Writer) error {
				look(fs.ModeDir | 0o700)
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		only(t, dir, "folder", "model")
	}
}

// A link that somebody puts in the place of a temporary file is never written through:
// its name is not known before it is there, and then it is not opened again.
func TestTemporaryFileIsNotReopened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	dir := t.TempDir()
	victim, path := filepath.Join(dir, "victim"), filepath.Join(dir, "model")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := atomicfile.CreateNamed(path)
	if err != nil {
		t.Fatal(err)
	}
	temps, err := filepath.Glob(filepath.Join(dir, ".w2v-*.tmp"))
	if err != nil || len(temps) != 1 {
		t.Fatalf("temporary files %q, %v", temps, err)
	}
	if err := os.Remove(temps[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("victim", temps[0]); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	_ = f.Commit() // whether the link is renamed or not
	if got := read(t, victim); got != "mine" {
		t.Errorf("the victim is %q", got)
	}
}

// Where files can be without a name, nothing of one is left however the program ends.
func TestTemporaryFileHasNoName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("files always have names here")
	}
	dir := t.TempDir()
	f, err := atomicfile.Create(filepath.Join(dir, "model"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if temps, _ := filepath.Glob(filepath.Join(dir, ".w2v-*")); len(temps) > 0 {
		t.Skip("this file system has no files without a name")
	}
	only(t, dir)
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	only(t, dir, "model")
	if got := read(t, filepath.Join(dir, "model")); got != "new" {
		t.Errorf("the file is %q", got)
	}
}
