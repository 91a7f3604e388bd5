package interop

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// However the text comes in, one worker and one seed give the same model.
func TestStdinGzipAndFileTrainTheSameModel(t *testing.T) {
	dir := t.TempDir()
	path := corpus(t, dir)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	if _, err := z.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	gz := filepath.Join(dir, "corpus.gz")
	if err := os.WriteFile(gz, zipped.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var want []byte
	for name, test := range map[string]struct{ stdin, arg string }{
		"file": {"", path}, "stdin": {string(text), "-"}, "gzip": {"", gz}, "gzip on stdin": {zipped.String(), "-"},
	} {
		model := filepath.Join(dir, "model.w2v")
		output(t, test.stdin, w2v, "train", test.arg, "-o", model, "--threads", "1", "--seed", "7", "--dim", "20", "--subwords", "fasttext")
		got, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: another model", name)
		}
	}
}
