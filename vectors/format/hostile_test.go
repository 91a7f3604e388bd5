package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// file returns numbers and strings as bytes, little-endian.
func file(parts ...any) string {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			b = append(b, p...)
		default:
			b, _ = binary.Append(b, binary.LittleEndian, p)
		}
	}
	return string(b)
}

// safetensorsFileOf returns a file with that header and data.
func safetensorsFileOf(header, data string) string { return file(uint64(len(header)), header, data) }

const ours = `"__metadata__":{"format":"w2v","version":"1"}`

// fastTextFile returns a model of fastText with these settings and what follows
// the sizes of its dictionary.
func fastTextFile(args fastTextArgs, sizes fastTextSizes, rest ...any) string {
	return file(int32(fastTextMagic), int32(12), args, sizes) + file(rest...)
}

func TestErrors(t *testing.T) {
	args := fastTextArgs{Dim: 2, Loss: 2, Model: 2}
	one := fastTextSizes{Entries: 1, Words: 1, Pruned: -1}
	grams := fastTextArgs{Dim: 2, Loss: 2, Model: 2, MinN: 3, MaxN: 6, Buckets: 9}
	two := fastTextSizes{Entries: 1, Words: 1, Pruned: 2}
	count, kind := int64(3), int8(0)
	tests := []struct{ name, file, want string }{
		{"empty", "", `byte 0: expected a model, but the file is empty: unexpected EOF`},
		{"corpus", "the quick brown fox\njumps over the lazy dog\n", `line 1: not a model: expected a line "words dimensions", or a word and its numbers, found "the quick brown fox\njumps over the lazy "`},
		{"corpus with a number", "in the year 1984\nit was cold\n", `line 2: expected a word and 1 numbers, found "cold" for number 1`},
		{"one word", "word", `line 1: not a model: expected a line "words dimensions", or a word and its numbers, found "word"`},
		{"noise", "\x00\x01\x02", `byte 0: not a model: expected a w2v, fastText or word2vec file, found "\x00\x01\x02"`},
		{"zip", "PK\x03\x04....", `byte 0: this is a zip archive: unpack it first, and name the model in it`},
		{"pickle", "\x80\x04\x95abc", `byte 0: this is a Python pickle, which is not executed here: save vectors of gensim in Python with save_word2vec_format, and matrices as .npy or .safetensors files`},

		{"text: too few rows", "3 2\na 1 2\nb 3 4\n", `line 4: expected 3 rows, as the header says, but the file ends after 2: unexpected EOF`},
		{"text: too many rows", "1 2\na 1 2\nb 3 4\n", `line 3: expected the end of the file after the 1 rows of the header, found "b 3 4"`},
		{"text: short row", "2 3\na 1 2 3\nb 1 2\n", `line 3: expected a word and 3 numbers, found 3 fields`},
		{"text: long row", "2 2\na 1 2\nb x 1 2 3\n", ""}, // the word is "b x 1"
		{"text: no number", "2 2\na 1 2\nb 1 two\n", `line 3: expected a word and 2 numbers, found "two" for number 2`},
		{"text: too large", "1 2\na 1e39 1\n", `line 2: expected a word and 2 numbers, found "1e39" for number 1`},
		{"text: empty line", "2 1\na 1\n\nb 2\n", `line 3: expected a word and 1 numbers, found an empty line`},
		{"text: huge claim", "2000000000 2000000000\na 1 2\n", `line 2: expected a word and 2000000000 numbers, found 3 fields`},
		{"text: long word", "2 1\na 1\n" + strings.Repeat("b", vectors.MaxWord+1) + " 2\n", `line 3: expected a word of at most 16384 bytes, found one of 16385`},
		{"glove: long word", "a 1 2\n" + strings.Repeat("b", vectors.MaxWord+1) + " 2 3\n", `line 2: expected a word of at most 16384 bytes, found one of 16385`},
		{"glove: short row", "a 1 2\nb 1\n", `line 2: expected a word and 2 numbers, found 2 fields`},

		{"word2vec: cut in a vector", "2 2\na " + file(float32(1), float32(2)) + "\nb " + file(float32(1)), `: row 2 of 2, "b": expected a vector`},
		{"word2vec: cut before a row", "2 2\na " + file(float32(1), float32(2)) + "\n", `byte 15: row 2 of 2: expected a word that ends with a byte 0x20, but the file ends: unexpected EOF`},
		{"word2vec: too many rows", "1 2\na " + file(float32(1), float32(2)) + "\nb", `byte 15: after 1 rows, as the header says: expected the end of the file, found`},
		{"word2vec: huge claim", "2000000000 2000000000\na " + file(float32(1), float32(2)), `byte 24: row 1 of 2000000000, "a": expected a vector`},
		{"word2vec: no space", "1 2\n" + strings.Repeat("\x01", 2*vectors.MaxWord), fmt.Sprintf(`byte 4: row 1 of 1: expected a word of at most %d bytes that ends with a byte 0x20`, vectors.MaxWord)},

		{"fasttext: version", file(int32(fastTextMagic), int32(13)), `byte 4: expected version 11 or 12, found 13`},
		{"fasttext: dimensions", fastTextFile(fastTextArgs{Loss: 2, Model: 2}, one), `byte 8: settings: expected at least 1 dimension, found 0`},
		{"fasttext: model", fastTextFile(fastTextArgs{Dim: 1, Loss: 2, Model: 4}, one), `byte 8: settings: expected a model from 1 to 3, found 4`},
		{"fasttext: buckets", fastTextFile(fastTextArgs{Dim: 1, Loss: 2, Model: 2, MinN: 3, MaxN: 6}, one), `byte 8: settings: subword: buckets is 0, must be from 1 to 2147483647`},
		{"fasttext: sizes", fastTextFile(args, fastTextSizes{Entries: 3, Words: 1, Labels: 1, Pruned: -1}), `byte 64: dictionary: expected as many entries as words and labels, found 3, 1 and 1`},
		{"fasttext: too many n-grams kept", fastTextFile(grams, fastTextSizes{Entries: 1, Words: 1, Pruned: 10}, "a\x00", count, kind), `byte 103: expected at most 9 n-grams that are kept, found 10`},
		{"fasttext: huge claim of n-grams kept", fastTextFile(grams, fastTextSizes{Entries: 1, Words: 1, Pruned: 9}, "a\x00", count, kind), `byte 103: expected the n-grams that are kept of 72 bytes, but 0 are left: unexpected EOF`},
		{"fasttext: row of an n-gram", fastTextFile(grams, two, "a\x00", count, kind, [4]int32{3, 0, 4, 2}), `byte 111: n-grams that are kept: expected a row of its own below 2, found 2`},
		{"fasttext: row of two n-grams", fastTextFile(grams, two, "a\x00", count, kind, [4]int32{3, 1, 4, 1}), `byte 111: n-grams that are kept: expected a row of its own below 2, found 1`},
		{"fasttext: bucket of an n-gram", fastTextFile(grams, two, "a\x00", count, kind, [4]int32{9, 0, 4, 1}), `byte 103: n-grams that are kept: expected a bucket from 0 to 8, found 9`},
		{"fasttext: n-gram twice", fastTextFile(grams, two, "a\x00", count, kind, [4]int32{4, 0, 4, 1}), `byte 103: n-grams that are kept: subword: bucket 4 has two rows`},
		{"fasttext: kept and not quantised", fastTextFile(grams, two, "a\x00", count, kind, [4]int32{3, 0, 4, 1}, uint8(0)), `byte 119: the input matrix: expected a quantised matrix, as only quantising leaves n-grams out; quantise the model again with a newer fastText`},
		{"fasttext: huge dictionary", fastTextFile(args, fastTextSizes{Entries: 1 << 30, Words: 1 << 30, Pruned: -1}, "a\x00"), `byte 94: entry 1 of 1073741824 of the dictionary: expected a count and a kind, but the file ends: unexpected EOF`},
		{"fasttext: no end of word", fastTextFile(args, one, strings.Repeat("a", 2*vectors.MaxWord)), fmt.Sprintf(`byte 92: entry 1 of 1 of the dictionary: expected a word of at most %d bytes that ends with a byte 0x00, found a longer one, which begins with "aaaaaaaaaaaaaaaaaaaaaaaa"`, vectors.MaxWord)},
		{"fasttext: label among words", fastTextFile(args, one, "a\x00", count, int8(1)), `byte 92: entry 1 of 1 of the dictionary: expected kind 0, found 1`},
		{"fasttext: negative count", fastTextFile(args, one, "a\x00", int64(-1), kind), `byte 92: entry 1 of 1 of the dictionary: expected a count, found -1`},
		{"fasttext: quantised: rows", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(2), int64(2), int32(4)), `byte 103: the input matrix: expected 1 rows of 2, found 2 of 2`},
		{"fasttext: quantised: negative", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(1), int64(2), int32(-1)), `byte 103: the input matrix: expected its number of codes, found -1`},
		{"fasttext: quantised: huge claim", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(1), int64(2), int32(1<<30)), `byte 125: expected the codes of the input matrix of 1073741824 bytes, but 0 are left`},
		{"fasttext: quantised: codes", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(1), int64(2), int32(3), "abc", [4]int32{2, 2, 1, 1}, [512]float32{}), `byte 103: the input matrix: expected 2 codes for 1 rows of 2, found 3`},
		{"fasttext: quantised: parts", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(1), int64(2), int32(2), "ab", [4]int32{2, 3, 1, 1}), `byte 127: the codebook of the input matrix: expected the size of parts of 2 numbers, found 2 in 3 parts of 1 and 1`},
		{"fasttext: quantised: part of 0", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(0), int64(1), int64(2), int32(2), "ab", [4]int32{2, 0, 0, 0}), `byte 127: the codebook of the input matrix: expected the size of parts of 2 numbers, found 2 in 0 parts of 0 and 0`},
		{"fasttext: quantised: norms", fastTextFile(args, one, "a\x00", count, kind, uint8(1), uint8(1), int64(1), int64(2), int32(1), "a", [4]int32{2, 1, 2, 2}, [512]float32{}, "n", [4]int32{2, 1, 2, 2}), `byte 2191: the codebook of the norms of the input matrix: expected the size of parts of 1 numbers, found 2 in 1 parts of 2 and 2`},
		{"fasttext: matrix size", fastTextFile(args, one, "a\x00", count, kind, uint8(0), int64(2), int64(2)), `byte 103: the input matrix: expected 1 rows of 2, found 2 of 2`},
		{"fasttext: huge matrix", fastTextFile(fastTextArgs{Dim: 1 << 28, Loss: 2, Model: 2}, one, "a\x00", count, kind, uint8(0), int64(1), int64(1<<28)), `byte 120: expected the input matrix`},
		{"fasttext: trailing bytes", fastTextFile(args, one, "a\x00", count, kind, uint8(0), int64(1), int64(2), int64(0), uint8(0), int64(1), int64(2), int64(0), "!"), `byte 153: expected the end of the file, found`},

		{"w2v: foreign", safetensorsFileOf(`{"model.bias":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "...."), `byte 8: expected a tensor "embedding.weight", found "model.bias"`},
		{"w2v: version", safetensorsFileOf(`{"__metadata__":{"format":"w2v","version":"3"}}`, ""), `byte 8: expected version "1" or "2" of the w2v format, found "3"`},
		{"w2v: no tensors", safetensorsFileOf(`{`+ours+`}`, ""), `byte 8: expected a tensor "word_offsets", found none`},
		{"w2v: twice", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[0,1],"data_offsets":[0,0]},"input":{}}`, ""), `byte 8: header: "input" stands there twice`},
		{"w2v: hole", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}}`, "........"), `byte 8: header: tensor "input" begins at byte 4 of the data, expected 0`},
		{"w2v: overlap", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[1,1],"data_offsets":[0,4]},"output":{"dtype":"F32","shape":[1,1],"data_offsets":[2,6]}}`, "......"), `byte 8: header: tensor "output" begins at byte 2 of the data, expected 4`},
		{"w2v: size", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[2,1],"data_offsets":[0,4]}}`, "...."), `byte 8: header: tensor "input": F32 of shape [2 1] takes 8 bytes, data_offsets give it 4`},
		{"w2v: overflow", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, ""), `byte 8: header: tensor "input": the shape [4611686018427387904 4] is too large`},
		{"w2v: dtype", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"I16","shape":[2,1],"data_offsets":[0,4]}}`, "...."), `byte 8: tensor "input": expected dtype F32, F16, BF16, I8 or U8, found "I16"`},
		{"w2v: huge claim", safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F32","shape":[1000000000000,1],"data_offsets":[0,4000000000000]}}`, "...."), `: expected `},
		{"w2v: huge header", file(uint64(99_999_999), "{}"), `: expected the header of 99999999 bytes, but 2 are left: unexpected EOF`},
		{"w2v: bad JSON", safetensorsFileOf(`{"input":`, ""), `byte 8: header: tensor "input": `},
		{"w2v: text after the header", safetensorsFileOf(`{}x`, ""), `byte 8: header: expected spaces after the JSON object, found "x"`},
	}
	dir := t.TempDir()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, "model")
			if err := os.WriteFile(path, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			for how, err := range map[string]error{
				"file":   openErr(path),
				"stream": readErr(tt.file),
			} {
				if tt.want == "" {
					if err != nil {
						t.Errorf("%s: %v", how, err)
					}
					continue
				}
				if err == nil {
					t.Errorf("%s: no error", how)
					continue
				}
				got, named := strings.CutPrefix(err.Error(), path+": ")
				if named != (how == "file") {
					t.Errorf("%s: %q names its path: %v", how, err, named)
				}
				// Where the size is not known, some errors come later.
				if how == "stream" && strings.Contains(tt.name, "huge") {
					continue
				}
				if !strings.Contains(got, tt.want) || strings.Contains(got, "\n") {
					t.Errorf("%s: got  %s\nwant %s", how, got, tt.want)
				}
			}
		})
	}
}

func openErr(path string) error {
	s, err := Open(path)
	if err == nil {
		_ = s.Close()
	}
	return err
}

func readErr(file string) error {
	_, err := Read(strings.NewReader(file))
	return err
}

// Sets in files of ours with a number changed.
func TestNativeRanges(t *testing.T) {
	tests := []struct {
		name   string
		change func(*vectors.Set)
		want   string
	}{
		{"word row", func(s *vectors.Set) { s.WordRows()[1] = 4 }, "word 1 has input row 4 of 4"},
		{"bucket row", func(s *vectors.Set) { s.BucketRows()[4] = 4 }, "bucket 4 has input row 4 of 4"},
		{"negative bucket row", func(s *vectors.Set) { s.BucketRows()[0] = -2 }, "bucket 0 has input row -2 of 4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := trial.Shared()
			tt.change(s)
			if err := Encode(&bytes.Buffer{}, s, W2V); err == nil || err.Error() != "not a valid set: "+tt.want {
				t.Errorf("Encode: got %v, want %s", err, tt.want)
			}
			// Make the file all the same.
			good, bad := trial.Shared(), s
			var buf bytes.Buffer
			if err := Encode(&buf, good, W2V); err != nil {
				t.Fatal(err)
			}
			b := bytes.Replace(buf.Bytes(), endian.Bytes(good.BucketRows()), endian.Bytes(bad.BucketRows()), 1)
			b = bytes.Replace(b, endian.Bytes(good.WordRows()), endian.Bytes(bad.WordRows()), 1)
			if _, err := Read(bytes.NewReader(b)); err == nil || err.Error() != "byte 8: "+tt.want {
				t.Errorf("Read: got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestNativeOffsets(t *testing.T) {
	var buf bytes.Buffer
	if err := Encode(&buf, trial.Shared(), W2V); err != nil {
		t.Fatal(err)
	}
	for _, offsets := range [][]uint64{{1, 3, 12, 16}, {0, 3, 12, 15}, {0, 12, 3, 16}, {0, 3, 1 << 60, 16}} {
		b := bytes.Replace(buf.Bytes(), endian.Bytes([]uint64{0, 3, 12, 16}), endian.Bytes(offsets), 1)
		if _, err := Read(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), `tensor "word_offsets": `) {
			t.Errorf("%v: got %v", offsets, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file or directory",
		dir:                        "is a folder, want a model file or a folder that a model was written to",
	} {
		if _, err := Open(path); err == nil || err.Error() != path+": "+want {
			t.Errorf("got %v, want %s: %s", err, path, want)
		}
	}
}

// Words that a format cannot hold are refused by name, and the file that was
// there stays.
func TestUnwritableWords(t *testing.T) {
	tests := []struct {
		format Format
		word   string
		want   string
	}{
		{Word2Vec, "", `word 1, "", is empty, which the word2vec binary cannot hold`},
		{Word2Vec, "New York", `word 1, "New York", contains a space or a newline, which the word2vec binary cannot hold`},
		{Word2Vec, "a\nb", `word 1, "a\nb", contains a space or a newline, which the word2vec binary cannot hold`},
		{Text, "", `word 1, "", is empty, which text cannot hold`},
		{Text, "a\nb", `word 1, "a\nb", contains a newline, which text cannot hold`},
		{GloVe, " a", `word 1, " a", begins or ends with a space, which text cannot hold`},
		{FastText, "", `word 1, "", is empty, which fastText cannot hold`},
		{FastText, "a\x00b", `word 1, "a\x00b", contains a zero byte, which fastText cannot hold`},
		{FastText, "the", `word 1, "the", stands there twice, first as word 0, which fastText cannot hold`},
	}
	path := filepath.Join(t.TempDir(), "model")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", tt.word), Input: vectors.NewMatrix(2, 3)})
		if err := Write(t.Context(), path, s, tt.format); err == nil || err.Error() != path+": "+tt.want {
			t.Errorf("%s: got %v, want %s", tt.format, err, tt.want)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
			t.Fatalf("%s: the file became %q, %v", tt.format, b, err)
		}
	}
}

// A text without a header whose first line would be read as something else is
// refused.
func TestGloVeAmbiguity(t *testing.T) {
	for word, want := range map[string]string{
		"2000":  `the first row, "2000 3", would be read as the beginning of a file in another format; write it as text`,
		"the 7": `the first word, "the 7", ends in a number after a space, which would be read as part of its vector`,
	} {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords(word), Input: vectors.NewMatrix(1, 1)})
		s.Input().Data[0] = 3
		if err := Encode(&bytes.Buffer{}, s, GloVe); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	empty := trial.Unchecked(vectors.Parts{Input: vectors.NewMatrix(0, 3)})
	if err := Encode(&bytes.Buffer{}, empty, GloVe); err == nil {
		t.Error("a set without words: no error")
	}
}

// A full disk is one line, and a compressed one too.
func TestWriteFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	if err := Write(t.Context(), "/dev/full", trial.Shared(), W2V); err == nil || err.Error() != "/dev/full: no space left on device" {
		t.Errorf("got %v", err)
	}
}
