package web_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"
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

var update = flag.Bool("update", false, "pack the files of dist")

// pack puts files into the archive that the program embeds. The zip does not compress, so that Zstandard
// finds what the files have in common: the page of the server and the one for export have the same script.
func pack(t *testing.T, files map[string][]byte) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = w.Write(files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err := errors.Join(z.Close(), err); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("pages.zip.zst", encoder.EncodeAll(archive.Bytes(), nil), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The archive has what npm run build makes of the source, and npm run pack packs it. W2V_DIST=require, as .ci/run has it, says that
// the pages were built.
func TestThePagesAreThoseOfTheirSource(t *testing.T) {
	if _, err := os.Stat("dist"); errors.Is(err, fs.ErrNotExist) && os.Getenv("W2V_DIST") != "require" {
		t.Skip("there is no folder dist: npm ci && npm run build makes it")
	}
	built, packed := contents(t, os.DirFS("dist")), contents(t, web.Files())
	if *update {
		pack(t, built)
		return
	}
	if got, want := slices.Sorted(maps.Keys(packed)), slices.Sorted(maps.Keys(built)); !slices.Equal(got, want) {
		t.Fatalf("the archive has %q, and dist has %q: run npm run pack", got, want)
	}
	for name, want := range built {
		if !bytes.Equal(packed[name], want) {
			t.Errorf("the archive has another %s than dist: run npm run pack", name)
		}
	}
}
