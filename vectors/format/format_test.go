package vectors

import (
	"slices"
	"strings"
	"testing"
)

func TestFormatOf(t *testing.T) {
	tests := []struct {
		path        string
		plain, subs Format
	}{
		{"m.w2v", FormatW2V, FormatW2V},
		{"m.safetensors", FormatW2V, FormatW2V},
		{"m.bin", FormatWord2Vec, FormatFastText},
		{"m.w2vbin", FormatWord2Vec, FormatWord2Vec},
		{"m.vec", FormatText, FormatText},
		{"m.txt", FormatText, FormatText},
		{"m.glove", FormatGloVe, FormatGloVe},
		{"dir.d/M.VEC", FormatText, FormatText},
		{"m.bin.gz", FormatWord2Vec, FormatFastText},
		{"m.vec.zst", FormatText, FormatText},
		{"m.fifu", FormatFinalfusion, FormatFinalfusion},
		{"m.floret", FormatFloret, FormatFloret},
	}
	for _, tt := range tests {
		for subwords, want := range map[bool]Format{false: tt.plain, true: tt.subs} {
			if got, err := FormatOf(tt.path, subwords); got != want || err != nil {
				t.Errorf("FormatOf(%q, %v) = %q, %v; want %q", tt.path, subwords, got, err, want)
			}
		}
	}
	for path, want := range map[string]string{
		"m.model":   `m.model: the extension ".model" is not known; known are .bin .fifu .floret .glove .npy .safetensors .txt .vec .w2v .w2vbin, each with .gz or .zst after it if wanted`,
		"dir.bin/m": `dir.bin/m: there is no extension to tell the format by; known are `,
		"m.gz":      `m.gz: there is no extension to tell the format by; known are `,
		"m.bin.gz2": `m.bin.gz2: the extension ".gz2" is not known; known are `,
	} {
		if f, err := FormatOf(path, false); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("FormatOf(%q) = %q, %v; want %s", path, f, err, want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range Formats() {
		if got, err := ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	if !slices.Contains(Formats(), FormatFastText) || len(Formats()) != len(codecs()) {
		t.Errorf("Formats() = %v", Formats())
	}
	const want = `the format "word2vecc" is not known; known are fasttext, finalfusion, floret, glove, model2vec, npy, projector, sentence-transformers, text, torch, w2v, word2vec`
	if _, err := ParseFormat("word2vecc"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSniff(t *testing.T) {
	tests := []struct {
		name, head string
		want       Format
	}{
		{"header and text", "2 3\nthe 1 2 3\ncat 4 5 6\n", FormatText},
		{"header with tabs and a carriage return", "2\t3 \r\nthe\t1\t2\t3\r\n", FormatText},
		{"header alone", "0 5\n", FormatText},
		{"words with spaces", "2 2\nNew York 1 2\n", FormatText},
		{"broken text is text", "2 2\nthe 1 x\n", FormatText},
		{"zeros", "1 1\nthe \x00\x00\x00\x00\n", FormatWord2Vec},
		{"newline before the first word", "1 2\n\nthe \x00\x00\x80\x3f\x00\x00\x00\x3f\n", FormatWord2Vec},
		{"letters by chance", "1 1\nthe abcd\n", FormatWord2Vec},
		{"no header", "the 0.1 -2e-5 nan\n", FormatGloVe},
		{"no header, a number as word", "2000 0.1 0.2\n", FormatGloVe},
		{"no header, a number as word, one dimension", "the 5\n", FormatGloVe},
		{"no final newline", "the 0.1", FormatGloVe},
		{"a long row", "the" + strings.Repeat(" 0.25", sniffLen), FormatGloVe},
		{"a long row after a header", "1 65536\nthe" + strings.Repeat(" 0.25", sniffLen), FormatText},
		{"finalfusion", "FiFu\x00\x00\x00\x00", FormatFinalfusion},
		{"floret", "50 5 2 3 2 2166136261 < >\n0 1 2 3 4 5 \n", FormatFloret},
		{"floret with carriage returns", "50 5 2 3 2 2166136261 < >\r\n0 1 2 3 4 5\r\n", FormatFloret},
		{"floret, numbers as marks", "50 7 2 3 2 2166136261 1 2\n0 1 2 3 4 5 6 7\n", FormatFloret},
		{"floret, the first line alone", "50 5 2 3 2 2166136261 < >", FormatFloret},
		{"floret, a broken row", "50 5 2 3 2 2166136261 < >\n0 1 x", FormatFloret},
		{"seven dimensions of small integers", "50 7 2 3 2 21 1 2\nthe 1 2 3 4 5 6 7\n", FormatGloVe},
		{"as many of another sort", "50 7 2 3 9 21 1 2\n0 1 2 3 4 5 6 7\n", FormatGloVe},
		{"a long binary row", "1 65536\nthe " + strings.Repeat("\x00\x00\x80\x3f", sniffLen), FormatWord2Vec},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := sniff([]byte(tt.head[:min(len(tt.head), sniffLen)]))
			if c.format != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", c.format, err, tt.want)
			}
		})
	}
}
