package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/lab/product"
)

// A binary computes the same as itself: otherwise no comparison would say anything.
func TestBinaryIsTheSameAsItself(t *testing.T) {
	if testing.Short() {
		t.Skip("trains many models")
	}
	program := filepath.Join(t.TempDir(), "w2v")
	if err := product.Build(t.Context(), program); err != nil {
		t.Fatal(err)
	}
	same, err := run(t.Context(), []string{"-old", program, "-new", program, "-only", "^(variant/cbow/ns/words|deterministic/n-grams|resume/words|vocab|query/rank)$"})
	if err != nil || !same {
		t.Errorf("same: %v, %v", same, err)
	}
}

func TestDifferentBinariesAreDifferent(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	folder := t.TempDir()
	program := filepath.Join(folder, "w2v")
	if err := product.Build(t.Context(), program); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other")
	script := "#!/bin/sh\nif [ \"$1\" = vocab ]; then shift; exec '" + program + "' vocab --min-count 2 \"$@\"; fi\nexec '" + program + "' \"$@\"\n"
	if err := os.WriteFile(other, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	for only, want := range map[string]bool{"^vocab$": false, "variant/skipgram/ns/words": true} {
		if same, err := run(t.Context(), []string{"-old", program, "-new", other, "-only", only}); err != nil || same != want {
			t.Errorf("%s: same %v, %v, want %v", only, same, err, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	native := func(metadata, data string) []byte {
		header := `{"__metadata__":{"lr":"` + metadata + `"},"input":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"output":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`
		return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+data...)
	}
	for _, tt := range []struct {
		before, after []byte
		want          []string // parts of what is said; none if nothing differs
	}{
		{[]byte("abc"), []byte("abc"), nil},
		{[]byte("abc"), []byte("abd"), []string{"from byte 2 on", "…abc…", "…abd…"}},
		{[]byte("abc"), []byte("ab"), []string{"from byte 2 on, of 3 before and 2 now"}},
		{native("0.1", "abc"), native("0.1", "abc"), nil},
		{native("0.1", "abc"), native("0.1", "axc"), []string{"input differs"}},
		{native("0.1", "abc"), native("0.2", "abd"), []string{"output differs", "metadata lr", "0.1", "0.2"}},
	} {
		got := describe(tt.before, tt.after)
		if (got == "") != (tt.want == nil) {
			t.Errorf("%q and %q: %q", tt.before, tt.after, got)
		}
		for _, part := range tt.want {
			if !strings.Contains(got, part) {
				t.Errorf("%q and %q: %q lacks %q", tt.before, tt.after, got, part)
			}
		}
	}
}

func TestUntimedKeepsTheScores(t *testing.T) {
	got := string(untimed([]byte(`{"score":0.5,"seconds":3,"trained":{"tokens_per_second":1,"loss":2}}` + "\n")))
	if got != `{"score":0.5,"trained":{"loss":2}}`+"\n" {
		t.Error(got)
	}
}
