package scratch_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/internal/scratch"
)

func TestFileIsGoneWhenClosed(t *testing.T) {
	dir := t.TempDir()
	f, err := scratch.Create(dir, "w2v-test-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("text"); err != nil || f.Folder != dir {
		t.Errorf("folder %s, error %v", f.Folder, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}

func TestErrorsDoNotHaveTheRandomName(t *testing.T) {
	_, err := scratch.Create(filepath.Join(t.TempDir(), "none"), "w2v-test-")
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "no such file or directory" && filepath.Separator == '/' {
		t.Errorf("error %v", err)
	}
}
