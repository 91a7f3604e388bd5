package tokenizerfile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/tokenizerfile"
)

// What decoders make of tokens. interop.TestTrainedTokenizersCutAlike compares files with the library itself.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ decoder, tokens, want string }{
		{`null`, "a b", "a b"},
		{`{"type":"ByteLevel"}`, "Ġth e Ġ Ã © !", " the é!"},
		{`{"type":"ByteLevel"}`, "Ã a â Ĥ z ð Ł ĺ", "\ufffda\ufffdz\ufffd"},
		{`{"type":"ByteLevel"}`, "à a í ł Ģ", "\ufffda\ufffd\ufffd\ufffd"},
		{`{"type":"ByteLevel"}`, "a 中Ġ", "a中Ġ"},
		{`{"type":"Metaspace"}`, "▁a b ▁c", "ab c"},
		{`{"type":"Metaspace","prepend_scheme":"never"}`, "▁a b", " ab"},
		{`{"type":"Metaspace","add_prefix_space":false,"replacement":"_"}`, "_a b_", " ab "},
		{`{"type":"WordPiece"}`, "un ##able , do not ##s", "unable, do nots"},
		{`{"type":"WordPiece","prefix":"@@","cleanup":false}`, "un @@able ,", "unable ,"},
		{`{"type":"BPEDecoder"}`, "a b</w> c</w>", "ab c"},
		{`{"type":"Sequence","decoders":[{"type":"Replace","pattern":{"String":"▁"},"content":" "},{"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":1}]}`, "▁a <0xC3> <0xA9> <0xC3> b ▁", "a\ufffd\ufffd\ufffdb"},
		{`{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]}`, "<0xE4> <0xB8> <0xAD> x", "中x"},
		{`{"type":"Replace","pattern":{"Regex":"^#+(?=.)"},"content":""}`, "##a # ##", "a##"},
	} {
		var vocab strings.Builder
		var ids []uint32
		seen := map[string]uint32{}
		for _, token := range strings.Fields(c.tokens) {
			id, ok := seen[token]
			if !ok {
				id = uint32(len(seen))
				seen[token] = id
				fmt.Fprintf(&vocab, ",%q:%d", token, id)
			}
			ids = append(ids, id)
		}
		text := `{"model":{"type":"WordLevel","vocab":{` + vocab.String()[1:] + `}},"decoder":` + c.decoder + `}`
		tokenizer, err := tokenizerfile.Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", c.decoder, err)
		}
		if got, err := tokenizer.Decode(ids, false); err != nil || got != c.want {
			t.Errorf("%s: %q is %q, %v, want %q", c.decoder, c.tokens, got, err, c.want)
		}
		if _, err := tokenizer.Decode([]uint32{1000}, false); err == nil {
			t.Errorf("%s: an id without a token is decoded", c.decoder)
		}
	}
	for decoder, want := range map[string]string{
		`{"type":"CTC"}`: `decoder: "CTC" is not supported`,
		`{"type":"Strip","content":"","start":9000000000000000000}`: `decoder: Strip: expected a content of one character, found ""`,
		`{"type":"Metaspace","replacement":""}`:                     `decoder: Metaspace: expected a replacement of one character, found ""`,
	} {
		tokenizer, err := tokenizerfile.Parse([]byte(`{"model":{"type":"WordLevel","vocab":{"a":0}},"decoder":` + decoder + `}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tokenizer.Decode([]uint32{0}, false); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", decoder, err, want)
		}
	}
	tokenizer, err := tokenizerfile.Parse([]byte(`{"added_tokens":[{"id":1,"content":"<s>","special":true}],"model":{"type":"WordLevel","vocab":{"a":0}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := tokenizer.Decode([]uint32{1, 0, 1}, true); err != nil || got != "a" {
		t.Errorf("without special tokens: %q, %v", got, err)
	}
}
