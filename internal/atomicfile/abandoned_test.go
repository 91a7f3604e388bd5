package atomicfile_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/atomicfile"
)

// What a killed process left is removed by the next writer; what is in use, or young, or
// not of w2v's making, stays.
func TestAbandonedFilesAreRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("what is in use cannot be told there from what was left")
	}
	dir := t.TempDir()
	long := time.Now().Add(-2 * atomicfile.AbandonedAfter)
	age := func(name string) {
		t.Helper()
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	const (
		left    = ".w2v-00000000000000000000000000000001.tmp"
		young   = ".w2v-00000000000000000000000000000002.tmp"
		folder  = ".w2v-00000000000000000000000000000003.tmp"
		foreign = ".w2v-00000000000000000000000000000004.tmp"
		link    = ".w2v-00000000000000000000000000000005.tmp"
		other   = ".w2v-00000000000000000000000000000006.tmp.old"
	)
	for _, name := range []string{left, young, other, "mine"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{filepath.Join(folder, "a"), filepath.Join(foreign, "a"), filepath.Join(foreign, "theirs")} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("mine", filepath.Join(dir, link)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{left, folder, foreign, other, "mine"} {
		age(filepath.Join(dir, name))
	}
	used, err := atomicfile.CreateNamed(filepath.Join(dir, "model"))
	if err != nil {
		t.Fatal(err)
	}
	temps, err := filepath.Glob(filepath.Join(dir, ".w2v-*.tmp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, temp := range temps {
		if name := filepath.Base(temp); name != young && name != folder && name != foreign && name != link {
			age(temp) // the one that is in use
		}
	}
	err = atomicfile.WriteFolder(filepath.Join(dir, "folder"), func(create func(string, func(io.Writer) error) error) error {
		return create("a", func(w io.Writer) error {
			temps, err := filepath.Glob(filepath.Join(dir, ".w2v-*.tmp", "a"))
			if err != nil {
				return err
			}
			for _, temp := range temps {
				age(filepath.Dir(temp)) // the one that is in use, too
			}
			return atomicfile.Write(filepath.Join(dir, "second"), writeText("second"))
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := used.Commit(); err != nil {
		t.Fatal(err)
	}
	only(t, dir, young, foreign, link, other, "folder", "mine", "model", "second")
	only(t, filepath.Join(dir, foreign), "theirs")
}
