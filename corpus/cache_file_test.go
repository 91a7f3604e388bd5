package corpus

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"
)

// The cache of a corpus is as private as the corpus: its owner alone can read it, and
// its name, as long as it has one, has more than 64 random bits.
func TestTemporaryFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	seen := map[string]bool{}
	for range 3 {
		r, err := NewRecorder(dir)
		if err != nil {
			t.Fatal(err)
		}
		info, err := r.file.Stat()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("the cache has mode %v, want %v", mode, fs.FileMode(0o600))
		}
		name := filepath.Base(r.file.Name())
		if !regexp.MustCompile(`^w2v-ids-[A-Z2-7]{26}$`).MatchString(name) || seen[name] { // 5 bits a character
			t.Errorf("the cache is called %s", name)
		}
		seen[name] = true
		if names, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(names) > 0 && runtime.GOOS != "windows" {
			t.Errorf("the folder has %q, %v", names, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
}
