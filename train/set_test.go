package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/compression"
)

// A set may be compressed, as a corpus may, and is the same set.
func TestSetFileCompressed(t *testing.T) {
	const pairs = "cat\tdog\t9\ncat\tbread\t1\n"
	want, err := ReadSet("pairs.tsv", strings.NewReader(pairs))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pairs.tsv", "pairs.tsv.gz", "pairs.tsv.zst"} {
		path := filepath.Join(t.TempDir(), name)
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := compression.NewWriter(file, path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Write([]byte(pairs))
		if err != nil || w.Close() != nil || file.Close() != nil {
			t.Fatal(err)
		}
		got, err := SetFile(path).read()
		if err != nil || got.Name() != "pairs" || got.sum != want.sum || len(got.pairs.Pairs) != 2 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if _, err := SetFile("nowhere/pairs.tsv").read(); err == nil || !strings.HasPrefix(err.Error(), "nowhere/pairs.tsv: no such file") {
		t.Errorf("no file: %v", err)
	}
}
