package format

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// unlistNorms returns a finalfusion file as programs of 2019 wrote it: norms follow
// the rows, but the list of chunks leaves them out.
func unlistNorms(t testing.TB, file []byte) []byte {
	t.Helper()
	n := binary.LittleEndian.Uint32(file[8:])
	last := 12 + 4*(n-1)
	if kind := binary.LittleEndian.Uint32(file[last:]); kind != chunkNorms {
		t.Fatalf("the last of %d chunks is of kind %d, want norms", n, kind)
	}
	unlisted := bytes.Clone(file[:last])
	binary.LittleEndian.PutUint32(unlisted[8:], n-1)
	return append(unlisted, file[last+4:]...) // 4 bytes less change no padding
}

// Norms that the list of chunks leaves out are found and used: the set is the same
// as that of the file which lists them, however either is read.
func TestFinalfusionUnlistedNorms(t *testing.T) {
	files := map[string][]byte{}
	for name, s := range ngramKinds(t) {
		if name != "floret" { // has no words, and no norms
			files[name] = encode(t, s, Finalfusion)
		}
	}
	for _, name := range []string{"simple", "fasttext", "fasttext-explicit", "buckets", "explicit", "quantised-opq"} {
		files["golden "+name] = readGolden(t, "finalfusion/"+name+".fifu")
	}
	for name, listed := range files {
		t.Run(name, func(t *testing.T) {
			want, err := Read(bytes.NewReader(listed))
			if err != nil {
				t.Fatal(err)
			}
			unlisted := unlistNorms(t, listed)
			path := filepath.Join(t.TempDir(), "old.fifu")
			if err := os.WriteFile(path, unlisted, 0o666); err != nil {
				t.Fatal(err)
			}
			for how, open := range map[string]func() (*vectors.Set, error){
				"mapped":      func() (*vectors.Set, error) { return Open(path) },
				"in the file": func() (*vectors.Set, error) { return OpenStream(path, nil) },
				"a stream":    func() (*vectors.Set, error) { return Read(bytes.NewReader(unlisted)) },
			} {
				got, err := open()
				if err != nil {
					t.Fatalf("%s: %v", how, err)
				}
				trial.SameSet(t, got, want)
				if again := encode(t, got, Finalfusion); !bytes.Equal(again, encode(t, want, Finalfusion)) {
					t.Errorf("%s: written again, it is another file", how)
				}
				if err := got.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// What follows the rows and is no norms is refused, and norms that are cut or of
// another number of words are too.
func TestFinalfusionUnlistedNormsErrors(t *testing.T) {
	plain := file("FiFu", uint32(0), uint32(2), uint32(1), uint32(2),
		uint32(1), uint64(0), uint64(1), uint32(1), "a",
		uint32(2), uint64(0), uint64(1), uint32(2), uint32(10), "\x00\x00\x00", []float32{0.6, 0.8})
	norms := func(n uint64, numbers ...float32) string {
		return file(uint32(6), uint64(0), n, uint32(10), "\x00\x00\x00\x00", numbers)
	}
	const end = `expected the end of the file or a chunk of norms (6), found more bytes, of kind `
	for _, tt := range []struct{ name, tail, want string }{
		{"norms", norms(1, 5), ""},
		{"none", "", ""},
		{"a byte", "\x06", "byte 84: expected the end of the file, found 1 bytes more"},
		{"another chunk", file(uint32(1), uint64(0)), "byte 84: " + end + "1 if they are a chunk"},
		{"zeros", "\x00\x00\x00\x00", "byte 84: " + end + "0 if they are a chunk"},
		{"a cut chunk", file(uint32(6)), "byte 88: the norms: expected a chunk, but the file ends: unexpected EOF"},
		{"more words", norms(2, 5, 5), "byte 96: the norms: expected norms of 1 words, found 2"},
		{"too few", norms(1), "byte 112: the norms: expected norms of 4 bytes, but 0 are left: unexpected EOF"},
		{"more behind norms", norms(1, 5) + "x", "byte 116: expected the end of the file, found 1 bytes more"},
		{"norms twice", norms(1, 5) + norms(1, 5), "byte 116: expected the end of the file, found 32 bytes more"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, err := read(bytes.NewReader([]byte(plain+tt.tail)), int64(len(plain+tt.tail)))
			if errorText(err) != tt.want {
				t.Fatalf("got  %v\nwant %s", err, tt.want)
			}
			if err != nil {
				return
			}
			length := float32(1)
			if tt.name == "norms" {
				length = 5
			}
			if v, _ := vector(s, "a"); v[0] != 0.6*length || v[1] != 0.8*length {
				t.Errorf("vector %v, want 0.6 and 0.8 times %v", v, length)
			}
		})
	}
}
