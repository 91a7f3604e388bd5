package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/synthetic"
)

func TestCases(t *testing.T) {
	got, err := parseCases("1e7:1e5,2000000:0,1e8:1e6:2e7", 4)
	want := []synthetic.Options{{Tokens: 10_000_000, Words: 100_000, Seed: 4}, {Tokens: 2_000_000, Seed: 4}, {Tokens: 100_000_000, Words: 1_000_000, First: 20_000_000, Seed: 4}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("cases %v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"", "1e7", "1e7:", ":5", "1e7:x", "1.5:2", "-1:2", "1e13:1", "NaN:1", "1e8:1e6:", "1e8:1e6:0", "1e8:0:1e7"} {
		if _, err := parseCases(text, 1); err == nil {
			t.Errorf("%q are cases", text)
		}
	}
}

func TestMake(t *testing.T) {
	file := filepath.Join(t.TempDir(), "text.txt")
	var stdout bytes.Buffer
	for _, to := range []string{file, "-"} {
		if err := run(t.Context(), []string{"-make", to, "-cases", "1000:100"}, &stdout); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || len(bytes.Fields(text)) != 1000 || !bytes.Equal(text, stdout.Bytes()) {
		t.Errorf("made %d tokens as a file and %d on standard output, %v", len(bytes.Fields(text)), len(bytes.Fields(stdout.Bytes())), err)
	}
}

// The whole way: a text is made up, the program trains on it, and every column has a figure.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	var out bytes.Buffer
	folder := t.TempDir()
	if err := run(t.Context(), []string{"-cases", "100000:2000:50000", "-folder", folder, "-train", "--epochs 1 --dim 8 --threads 1"}, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	cells := strings.Split(strings.Trim(lines[len(lines)-1], "| "), "|")
	if len(cells) != len(head()) {
		t.Fatalf("the table ends with %q, want %d cells", lines[len(lines)-1], len(head()))
	}
	for i, cell := range cells {
		name := head()[i]
		if strings.HasPrefix(strings.TrimSpace(cell), "0 ") && !slices.Contains([]string{"text", "model", "closing"}, name) {
			t.Errorf("%s is %q", name, cell)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
