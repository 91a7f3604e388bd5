package web_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/serve/web"
)

// contents returns all files below a folder by their names.
func contents(t *testing.T, files fs.FS) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all[name], err = fs.ReadFile(files, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestFiles(t *testing.T) {
	all := contents(t, web.Files())
	for _, name := range []string{"index.html", "export.html"} {
		if !bytes.HasPrefix(bytes.ToLower(all[name]), []byte("<!doctype html>")) {
			t.Errorf("%s is no page", name)
		}
	}
}

// The archive has what npm run build makes of the source. W2V_DIST=require, as .ci/run has it, says that
// the pages were built.
func TestThePagesAreThoseOfTheirSource(t *testing.T) {
	if _, err := os.Stat("dist"); errors.Is(err, fs.ErrNotExist) && os.Getenv("W2V_DIST") != "require" {
		t.Skip("there is no folder dist: npm ci && npm run build makes it")
	}
	built, packed := contents(t, os.DirFS("dist")), contents(t, web.Files())
	if got, want := slices.Sorted(maps.Keys(packed)), slices.Sorted(maps.Keys(built)); !slices.Equal(got, want) {
		t.Fatalf("the archive has %q, and dist has %q: run npm run pack", got, want)
	}
	for name, want := range built {
		if !bytes.Equal(packed[name], want) {
			t.Errorf("the archive has another %s than dist: run npm run pack", name)
		}
	}
}
