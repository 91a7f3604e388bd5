package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// A state of an earlier version has no identities of files, and is that of no corpus.
func TestStatesWithoutIdentities(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("a b c"), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := Files([]string{path}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	now, ok := src.State()
	if !ok || now.Files[0].Identity == "" || now.Differs(now) != "" {
		t.Fatalf("%+v, %v", now, ok)
	}
	old := now
	old.Files = []fileState{now.Files[0]}
	old.Files[0].Identity = ""
	if now.Differs(old) == "" || old.Differs(old) == "" {
		t.Error("a file without an identity is the same")
	}
}

// Where the file system does not tell files apart, parts of their content do: all of a small file, and the
// beginning and the end of a large one among others.
func TestSampleSum(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	sum := func(size int, changed ...int) string {
		t.Helper()
		text := make([]byte, size)
		for _, at := range changed {
			text[at] = 1
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		sum, err := sampleSum(path, 64)
		if err != nil {
			t.Fatal(err)
		}
		return string(sum)
	}
	for _, size := range []int{1, 65_536, 100_001, 64 << 16, 10_000_000} {
		same := sum(size)
		if same == "" || same != sum(size) || same == sum(size+1) {
			t.Errorf("%d bytes: %q", size, same)
		}
		for _, at := range []int{0, size / 100, size - 1} {
			if size < 64<<16 || at != size/100 {
				if same == sum(size, at) {
					t.Errorf("%d bytes: byte %d is not in the checksum", size, at)
				}
			}
		}
	}
	if sum, err := sampleSum(path+" that is not there", 64); sum != nil || err == nil {
		t.Errorf("a missing file: %q", sum)
	}
}
