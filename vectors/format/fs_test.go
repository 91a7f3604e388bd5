package format

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// What is written to a file or a folder is read from a file system as from there, and its
// format is detected.
func TestOpenFSAndDetect(t *testing.T) {
	for _, f := range All() {
		t.Run(string(f), func(t *testing.T) {
			s := trial.Plain(20, 3)
			if CheckSubword(nil, "", f) != nil {
				s = trial.Table(20)
			}
			dir := t.TempDir()
			path := filepath.Join(dir, "sub", "model")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := Write(t.Context(), path, s, f); err != nil {
				t.Fatal(err)
			}
			if found, err := Detect(path); err != nil || found != f {
				t.Errorf("detected as %q, %v", found, err)
			}
			want, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer want.Close() //nolint:errcheck // it was only read
			got, err := OpenFS(os.DirFS(dir), "sub/model")
			if err != nil {
				t.Fatal(err)
			}
			trial.SameSet(t, got, want)
			if Format(got.Format()) != f || got.InFile() {
				t.Errorf("format %s, in the file: %v", got.Format(), got.InFile())
			}
		})
	}
}

// Errors of file systems are one line that begins with the name.
func TestOpenFSErrors(t *testing.T) {
	files := fstest.MapFS{
		"empty.vec":      {},
		"m.npy":          {Data: []byte(npyMatrix("<f4", "(1, 1)", "\x00\x00\x80\x3f"))},
		"folder/a.txt":   {Data: []byte("a")},
		"broken/x.vec":   {Data: []byte("2 1\na 1\nb x\n")},
		"m2/config.json": {Data: []byte("{}")},
	}
	for name, want := range map[string]string{
		"none":         "none: file does not exist",
		"empty.vec":    "empty.vec: byte 0: expected a model, but the file is empty: unexpected EOF",
		"m.npy":        "m.npy: the words, one a line, are expected in m.npy.vocab.txt: file does not exist",
		"folder":       "folder: is a folder, want a model file or a folder that a model was written to",
		"broken/x.vec": "broken/x.vec: line 3: expected a word and 1 numbers, found \"x\" for number 1",
		"m2":           "m2: the vectors are expected in m2/model.safetensors: file does not exist",
	} {
		if _, err := OpenFS(files, name); err == nil || err.Error() != want {
			t.Errorf("%s: got  %v\nwant %s", name, err, want)
		}
	}
	var none fs.FS
	if _, err := OpenFS(none, "a"); err == nil || !strings.Contains(err.Error(), "no file system") {
		t.Errorf("without a file system: %v", err)
	}
	for path, want := range map[string]string{"": "no such file", t.TempDir(): "is a folder, want a model file"} {
		if _, err := Detect(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Detect(%q): %v", path, err)
		}
	}
}
