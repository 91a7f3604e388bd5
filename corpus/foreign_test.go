package corpus_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/w2v-go/w2v/corpus"
)

// wide is text in UTF-16.
func wide(text string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return b
}

// wider is text in UTF-32.
func wider(text string, order binary.AppendByteOrder) []byte {
	var b []byte
	for _, r := range text {
		b = order.AppendUint32(b, uint32(r))
	}
	return b
}

// floats are numbers as a matrix has them.
func floats(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b []byte
	for range n {
		b, _ = binary.Append(b, binary.LittleEndian, float32(r.NormFloat64()/10))
	}
	return b
}

func TestWhatIsNoTextIsRefused(t *testing.T) {
	prose := strings.Repeat("The café is closed on Sundays.\n", 30)
	tar := make([]byte, 1024)
	copy(tar, "corpus.txt")
	copy(tar[257:], "ustar\x0000")
	for _, test := range []struct {
		name    string
		content []byte
		file    string // what is said of a file
		stream  string // and of a stream
	}{
		{
			"lzip", []byte("LZIP\x01\x17"),
			"is compressed with lzip: make it plain text first, for example with lzip -dc FILE",
			"is compressed with lzip: make it plain text first, as lzip -dc does",
		},
		{
			"zip", []byte("PK\x03\x04\x14\x00"),
			"is a zip archive: make it plain text first, for example with unzip -p FILE",
			"is a zip archive: make it plain text first, as unzip -p does",
		},
		{
			"7z", []byte("7z\xbc\xaf\x27\x1c\x00\x04"),
			"is a 7z archive: make it plain text first, for example with 7z x -so FILE",
			"is a 7z archive: make it plain text first, as 7z x -so does",
		},
		{
			"tar", tar,
			"is a tar archive: make it plain text first, for example with tar -xOf FILE",
			"is a tar archive: make it plain text first, as tar -xOf does",
		},
		{
			"UTF-16 with a byte order mark", wide("\ufeff"+prose, binary.LittleEndian),
			"is in UTF-16, and text is read in UTF-8: make it plain text first, for example with iconv -f UTF-16 -t UTF-8 FILE",
			"is in UTF-16, and text is read in UTF-8: make it plain text first, as iconv -f UTF-16 -t UTF-8 does",
		},
		{"a word of UTF-16", wide("\ufeffa", binary.BigEndian), "is in UTF-16, and", "is in UTF-16, and"},
		{"UTF-16LE", wide(prose, binary.LittleEndian), "is in UTF-16LE, and", "is in UTF-16LE, and"},
		{"UTF-16BE", wide(prose, binary.BigEndian), "is in UTF-16BE, and", "is in UTF-16BE, and"},
		{"UTF-32 with a byte order mark", wider("\ufeff"+prose, binary.LittleEndian), "is in UTF-32, and", "is in UTF-32, and"},
		{"UTF-32LE", wider(prose, binary.LittleEndian), "is in UTF-32LE, and", "is in UTF-32LE, and"},
		{"UTF-32BE", wider(prose, binary.BigEndian), "is in UTF-32BE, and", "is in UTF-32BE, and"},
		{
			"old Macs", []byte("a b\rc\r"),
			`has carriage returns alone at the ends of lines, as old Macs wrote them: make it plain text first, for example with tr '\r' '\n' < FILE`,
			`has carriage returns alone at the ends of lines, as old Macs wrote them: make it plain text first, as tr '\r' '\n' does`,
		},
		{
			"safetensors", append(binary.LittleEndian.AppendUint64(nil, 0x280), `{"__metadata__":{}`...),
			"is a safetensors file, which is a model: give a corpus of text only",
			"is a safetensors file, which is a model: give a corpus of text only",
		},
		{"fastText", []byte("\xba\x16\x4f\x2f\x0c\x00\x00\x00"), "is a fastText model", "is a fastText model"},
		{"numpy", []byte("\x93NUMPY\x01\x00"), "is a numpy array", "is a numpy array"},
		{"PNG", []byte("\x89PNG\r\n\x1a\n\x00\x00"), "is a PNG image", "is a PNG image"},
		{"word2vec's binary", append([]byte("1000 100\nthe "), floats(4000)...), "is binary data and no text", "is binary data and no text"},
		{"zeros", make([]byte, 100), "is binary data and no text", "is binary data and no text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "it's text")
			if err := os.WriteFile(path, test.content, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := corpus.Files([]string{path}, nil, corpus.Options{})
			want := path + ": " + strings.ReplaceAll(test.file, "FILE", "'"+strings.ReplaceAll(path, "'", `'\''`)+"'")
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v\nwant  %s", err, want)
			}
			// The folder that it is in says the same of it.
			if _, folderErr := corpus.Files([]string{filepath.Dir(path)}, nil, corpus.Options{}); folderErr == nil || folderErr.Error() != err.Error() {
				t.Errorf("error %v\nwant  %v", folderErr, err)
			}
			for name, content := range map[string][]byte{"": test.content, "compressed": zipped(string(test.content))} {
				src, err := corpus.Files([]string{"-"}, strings.NewReader(string(content)), corpus.Options{})
				if err != nil {
					t.Fatal(err)
				}
				shards, err := src.Shards(1)
				if err != nil {
					t.Fatal(err)
				}
				_, err = shards[0].Open(t.Context())
				if want := "standard input: " + test.stream; err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s: error %v\nwant  %s", name, err, want)
				}
			}
		})
	}
}

// Whatever separates its tokens by ASCII's white space is text.
func TestOddTextIsRead(t *testing.T) {
	for name, text := range map[string]string{
		"Latin-1":                strings.Repeat("caf\xe9 \xfc\xdf ", 500),
		"zero bytes for spaces":  strings.Repeat("one\x00two\x00", 500),
		"an escape here, there":  strings.Repeat("\x1b[1mbold\x1b[0m ", 500),
		"records":                strings.Repeat("a\x1fb\x1e", 500),
		"Shift JIS":              strings.Repeat("\x93\xfa\x96\x7b ", 500),
		"ISO 2022":               strings.Repeat("\x1b$BF|K\\\x1b(B ", 500),
		"begins as bzip2 does":   "BZh9 is a name",
		"one control character":  "\x01",
		"begins as a PDF may":    "% PDF",
		"Cyrillic and Chinese":   strings.Repeat("Привет 日本 ", 500),
		"empty":                  "",
		"a zero byte":            "\x00",
		"zero bytes in a matrix": "1 2\nword \x00\x00\x00\x00",
	} {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path, "-"}, strings.NewReader(text), corpus.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		separators := func(r rune) bool { return strings.ContainsRune(" \n\r\t\v\f\x00", r) }
		var want []string
		for range 2 {
			for line := range strings.SplitSeq(text, "\n") {
				if tokens := strings.FieldsFunc(line, separators); len(tokens) > 0 {
					want = append(want, strings.Join(tokens, "|"))
				}
			}
		}
		if got := read(t, src, 3); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestByteOrderMarkIsDropped(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"plain": []byte("\ufeffone two\nthree\n"),
		"gzip":  zipped("\ufeffone \ufefftwo\nthree\n"),
		"alone": []byte("\ufeff"),
		"bytes": []byte("\xef\xbb"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	src, err := corpus.Files([]string{dir, "-"}, strings.NewReader("\ufeffone"), corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"\xef\xbb", "one|\ufefftwo", "three", "one|two", "three", "one"}
	if got := read(t, src, 2); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// One of several shards of a file begins behind the mark, and the others where they did.
func TestByteOrderMarkOfALargeFile(t *testing.T) {
	text, want := lines(60_000)
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("\ufeff"+"w0.0\n"+text), 0o666); err != nil {
		t.Fatal(err)
	}
	src, err := corpus.Files([]string{path}, nil, corpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, src, 5); !reflect.DeepEqual(got, append([]string{"w0.0"}, want...)) {
		t.Errorf("%d sentences, want %d", len(got), len(want)+1)
	}
}

// Where files were joined, marks begin lines. They are dropped of each, also of the one with which a shard or a
// rank's part begins, and of an empty file and the next.
func TestByteOrderMarksOfJoinedFiles(t *testing.T) {
	text := strings.Repeat("\ufeffone\n\ufeff\ufefftwo \ufeffthree\n", 40_000)
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"plain": []byte(text), "gzip": zipped(text)} {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := corpus.Files([]string{path}, nil, corpus.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, shards := range []int{1, 2, 5, 6} {
			for part := range 3 {
				for i, got := range read(t, src.Part(part, 3), shards) {
					if got != "one" && got != "two|\ufeffthree" {
						t.Fatalf("%s, part %d in %d shards: sentence %d is %q", name, part, shards, i, got)
					}
				}
			}
			if got := read(t, src, shards); len(got) != 80_000 || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "\ufeff") }) {
				t.Fatalf("%s in %d shards: %d sentences", name, shards, len(got))
			}
		}
	}
}
