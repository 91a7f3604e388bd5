package fasttext

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/format"
)

// golden is the folder of what the real program wrote: see its README.md.
const golden = "../testdata/fasttext"

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(golden, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// blocks returns what stands behind each line "# word".
func blocks(text string) map[string]string {
	all := make(map[string]string)
	for block := range strings.SplitSeq(text, "# ") {
		word, lines, _ := strings.Cut(block, "\n")
		all[word] = lines
	}
	return all
}

// All that fastText prints of a file is printed byte by byte.
func TestAnswersAreFastTexts(t *testing.T) {
	toy, err := os.ReadFile("../testdata/toy.txt")
	if err != nil {
		t.Fatal(err)
	}
	queries := read(t, "queries.txt")
	sentences := strings.Join(strings.SplitAfter(string(toy), "\n")[:12], "") + queries
	for _, test := range []struct {
		golden, model, stdin string
		print                func(m *Model, w io.Writer, r io.Reader) error
	}{
		{"vectors", "skipgram.bin cbow.bin tree.bin supervised.bin wordngrams.bin quantised.ftz pruned.ftz labels.ftz", queries, (*Model).WordVectors},
		{"sentences", "skipgram.bin words.bin tree.bin", sentences, func(m *Model, w io.Writer, r io.Reader) error {
			return m.SentenceVectors(t.Context(), w, r)
		}},
		{"nn", "skipgram.bin words.bin tree.bin pruned.ftz", queries, func(m *Model, w io.Writer, r io.Reader) error { return m.Nearest(w, r, 3) }},
		{"analogies", "skipgram.bin words.bin tree.bin pruned.ftz", read(t, "triples.txt"), func(m *Model, w io.Writer, r io.Reader) error {
			return m.Analogies(w, r, "fasttext/MODEL", 3)
		}},
	} {
		for model := range strings.FieldsSeq(test.model) {
			set, err := format.Open(filepath.Join(golden, model))
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(model, filepath.Ext(model)) + "." + test.golden + ".txt"
			want := strings.Replace(read(t, name), "fasttext/"+model, "fasttext/MODEL", 1)
			var out bytes.Buffer
			if err := test.print(NewModel(set), &out, strings.NewReader(test.stdin)); err != nil || out.String() != want {
				t.Errorf("%s: %v, printed\n%s\nwant\n%s", name, err, out.String(), want)
			}
			if err := set.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestNgramsAreFastTexts(t *testing.T) {
	for _, name := range []string{"skipgram", "cbow"} {
		set, err := format.Open(filepath.Join(golden, name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		want := blocks(read(t, name+".ngrams.txt"))
		for word := range strings.Lines(read(t, "queries.txt")) {
			word = strings.TrimSuffix(word, "\n")
			var out bytes.Buffer
			if err := NewModel(set).Ngrams(&out, word); err != nil || out.String() != want[word] {
				t.Errorf("%s, %q: %v, printed\n%s\nwant\n%s", name, word, err, out.String(), want[word])
			}
		}
		if err := set.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDumpsAreFastTexts(t *testing.T) {
	for _, name := range []string{"skipgram", "tree", "supervised", "wordngrams"} {
		var out bytes.Buffer
		for _, part := range Parts() {
			if err := Dump(&out, filepath.Join(golden, name+".bin"), part); err != nil {
				t.Fatal(err)
			}
		}
		if want := read(t, name+".dump.txt"); out.String() != want {
			t.Errorf("%s: printed\n%s\nwant\n%s", name, out.String(), want)
		}
	}
	for _, part := range []Part{DumpInput, DumpOutput} {
		if err := Dump(io.Discard, filepath.Join(golden, "pruned.ftz"), part); !errors.Is(err, ErrQuantised) {
			t.Errorf("%s of a quantised file: %v", part, err)
		}
	}
	if err := Dump(io.Discard, filepath.Join(golden, "words.vec"), DumpArgs); err == nil || !strings.Contains(err.Error(), "expected the magic number") {
		t.Errorf("a text: %v", err)
	}
	for _, size := range []int{3, 30, 70, 120, 3000, 7000} {
		cut := filepath.Join(t.TempDir(), "cut.bin")
		if err := os.WriteFile(cut, []byte(read(t, "skipgram.bin")[:size]), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := Dump(io.Discard, cut, DumpOutput); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), cut) {
			t.Errorf("the first %d bytes: %v", size, err)
		}
	}
}

// A damaged file is an error or another model, and takes no more memory than the file has bytes.
func TestDumpsOfDamagedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "damaged.bin")
	for _, name := range []string{"supervised.bin", "pruned.ftz"} {
		sound := read(t, name)
		for at := range min(200, len(sound)) {
			damaged := []byte(sound)
			damaged[at] = 0x7f
			if err := os.WriteFile(path, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			for _, part := range Parts() {
				if err := Dump(io.Discard, path, part); err != nil && !strings.HasPrefix(err.Error(), path+": ") {
					t.Errorf("%s, byte %d, %s: %v", name, at, part, err)
				}
			}
		}
	}
}
