package format

import (
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

func TestFormatOf(t *testing.T) {
	tests := []struct {
		path        string
		plain, subs Format
	}{
		{"m.w2v", W2V, W2V},
		{"m.safetensors", W2V, W2V},
		{"m.bin", Word2Vec, FastText},
		{"m.w2vbin", Word2Vec, Word2Vec},
		{"m.vec", Text, Text},
		{"m.txt", Text, Text},
		{"m.glove", GloVe, GloVe},
		{"dir.d/M.VEC", Text, Text},
		{"m.bin.gz", Word2Vec, FastText},
		{"m.vec.zst", Text, Text},
		{"m.fifu", Finalfusion, Finalfusion},
		{"m.floret", Floret, Floret},
	}
	for _, tt := range tests {
		for subwords, want := range map[bool]Format{false: tt.plain, true: tt.subs} {
			if got, err := ForPath(tt.path, subwords); got != want || err != nil {
				t.Errorf("ForPath(%q, %v) = %q, %v; want %q", tt.path, subwords, got, err, want)
			}
		}
	}
	for path, want := range map[string]string{
		"m.model":   `m.model: the extension ".model" is not known; known are .bin .fifu .floret .glove .npy .safetensors .txt .vec .w2v .w2vbin, each with .gz or .zst after it if wanted`,
		"dir.bin/m": `dir.bin/m: there is no extension to tell the format by; known are `,
		"m.gz":      `m.gz: there is no extension to tell the format by; known are `,
		"m.bin.gz2": `m.bin.gz2: the extension ".gz2" is not known; known are `,
	} {
		if f, err := ForPath(path, false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("ForPath(%q) = %q, %v; want %s", path, f, err, want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range All() {
		if got, err := Parse(string(f)); got != f || err != nil {
			t.Errorf("Parse(%q) = %q, %v", f, got, err)
		}
	}
	if !slices.Contains(All(), FastText) || len(All()) != len(codecs()) {
		t.Errorf("All() = %v", All())
	}
	const want = `the format "word2vecc" is not known; known are fasttext, finalfusion, floret, glove, model2vec, npy, projector, sentence-transformers, text, torch, w2v, word2vec`
	if _, err := Parse("word2vecc"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSniff(t *testing.T) {
	tests := []struct {
		name, head string
		want       Format
	}{
		{"header and text", "2 3\nthe 1 2 3\ncat 4 5 6\n", Text},
		{"header with tabs and a carriage return", "2\t3 \r\nthe\t1\t2\t3\r\n", Text},
		{"header alone", "0 5\n", Text},
		{"words with spaces", "2 2\nNew York 1 2\n", Text},
		{"broken text is text", "2 2\nthe 1 x\n", Text},
		{"zeros", "1 1\nthe \x00\x00\x00\x00\n", Word2Vec},
		{"newline before the first word", "1 2\n\nthe \x00\x00\x80\x3f\x00\x00\x00\x3f\n", Word2Vec},
		{"letters by chance", "1 1\nthe abcd\n", Word2Vec},
		{"no header", "the 0.1 -2e-5 nan\n", GloVe},
		{"no header, a number as word", "2000 0.1 0.2\n", GloVe},
		{"no header, a number as word, one dimension", "the 5\n", GloVe},
		{"no final newline", "the 0.1", GloVe},
		{"a long row", "the" + strings.Repeat(" 0.25", source.SniffLen), GloVe},
		{"a long row after a header", "1 65536\nthe" + strings.Repeat(" 0.25", source.SniffLen), Text},
		{"finalfusion", "FiFu\x00\x00\x00\x00", Finalfusion},
		{"floret", "50 5 2 3 2 2166136261 < >\n0 1 2 3 4 5 \n", Floret},
		{"floret with carriage returns", "50 5 2 3 2 2166136261 < >\r\n0 1 2 3 4 5\r\n", Floret},
		{"floret, numbers as marks", "50 7 2 3 2 2166136261 1 2\n0 1 2 3 4 5 6 7\n", Floret},
		{"floret, the first line alone", "50 5 2 3 2 2166136261 < >", Floret},
		{"floret, a broken row", "50 5 2 3 2 2166136261 < >\n0 1 x", Floret},
		{"seven dimensions of small integers", "50 7 2 3 2 21 1 2\nthe 1 2 3 4 5 6 7\n", GloVe},
		{"as many of another sort", "50 7 2 3 9 21 1 2\n0 1 2 3 4 5 6 7\n", GloVe},
		{"a long binary row", "1 65536\nthe " + strings.Repeat("\x00\x00\x80\x3f", source.SniffLen), Word2Vec},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := sniff([]byte(tt.head[:min(len(tt.head), source.SniffLen)]))
			if Format(c.Name) != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", Format(c.Name), err, tt.want)
			}
		})
	}
}
