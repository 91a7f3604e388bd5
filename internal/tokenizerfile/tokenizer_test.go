package tokenizerfile_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/internal/tokenizerfile"
)

const (
	wordPiece = `{"type":"WordPiece","unk_token":"[UNK]","vocab":{"[UNK]":0,"un":1,"##aff":2,"##able":3,"a":4,",":5,"cafe":6}}`
	bytes     = `{"type":"BPE","vocab":{"t":0,"h":1,"e":2,"Ġ":3,"th":4,"the":5,"Ġthe":6,"Ã":7,"©":8,"!":9},"merges":["t h","th e","Ġ the"]}`
	fallback  = `{"type":"BPE","unk_token":"<unk>","byte_fallback":true,"fuse_unk":true,"vocab":{"<unk>":0,"▁":1,"a":2,"▁a":3,"<0xC3>":4,"<0xA9>":5},"merges":[["▁","a"]]}`
	unigram   = `{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["▁",-3],["a",-2],["b",-2],["ab",-3],["▁ab",-3.5]]}`
)

// What files make of texts. interop.TestTokenizerFilesCutAlike compares thousands of lines with the
// library itself.
func TestAppend(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"words", `"model":` + wordPiece + `,"pre_tokenizer":{"type":"BertPreTokenizer"},"normalizer":{"type":"BertNormalizer"}`, "Unaffable, Café xyz", "un ##aff ##able , cafe [UNK]"},
		{"bytes", `"model":` + bytes + `,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false}`, "the the é!", "the Ġthe Ġ Ã © !"},
		{"a space before", `"model":` + bytes + `,"pre_tokenizer":{"type":"ByteLevel"}`, "the", "Ġthe"},
		{"invalid UTF-8 is U+FFFD", `"model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"a` + "\ufffd\ufffd" + `":1}}`, "a\xff\xfe", "a\ufffd\ufffd"},
		{"bytes of unknown characters", `"model":` + fallback + `,"normalizer":{"type":"Sequence","normalizers":[{"type":"Prepend","prepend":"▁"},{"type":"Replace","pattern":{"String":" "},"content":"▁"}]}`, "a é€", "▁a ▁ <0xC3> <0xA9> <unk>"},
		{"probable", `"model":` + unigram + `,"pre_tokenizer":{"type":"Metaspace"}`, "ab abb cc", "▁ab ▁ab b ▁ <unk>"},
		{"added", `"model":` + wordPiece + `,"added_tokens":[{"id":7,"content":"<s>","special":true}],"pre_tokenizer":{"type":"WhitespaceSplit"}`, "a<s>a <s>", "a <s> a <s>"},
		{"added, words alone", `"model":` + wordPiece + `,"added_tokens":[{"id":7,"content":"b","single_word":true}],"pre_tokenizer":{"type":"WhitespaceSplit"}`, "a b ab", "a b [UNK]"},
		{"added, not for the model", `"model":` + wordPiece + `,"added_tokens":[{"id":7,"content":"b","single_word":true}],"pre_tokenizer":{"type":"WhitespaceSplit"}`, "b baff", "b [UNK]"},
		{"stripped text does not begin the text", `"model":` + unigram + `,"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"first"},"normalizer":{"type":"Strip","strip_left":true}`, " ab", "ab"},
		{"the first word", `"model":` + unigram + `,"pre_tokenizer":{"type":"Metaspace","prepend_scheme":"first"},"normalizer":{"type":"Strip","strip_left":true}`, "ab a", "▁ab ▁ a"},
		{"the line that a merges.txt begins with", `"model":{"type":"BPE","vocab":{"t":0,"h":1,"th":2},"merges":["#version: 0.2","t h"]}`, "tht", "th t"},
		{"the longest of added tokens", `"model":` + wordPiece + `,"added_tokens":[{"id":7,"content":"<s"},{"id":8,"content":"<s>"},{"id":9,"content":"<s><"}],"pre_tokenizer":{"type":"WhitespaceSplit"}`, "<s><s> <s", "<s>< [UNK] <s"},
		{"added, with a first character of several bytes", `"model":` + wordPiece + `,"added_tokens":[{"id":7,"content":"▁x"}],"pre_tokenizer":{"type":"WhitespaceSplit"}`, "a▁x un", "a ▁x un"},
		{"an unk_token without use", `"model":{"type":"BPE","unk_token":"u","vocab":{"a":0},"merges":[]}`, "aa", "a a"},
		{"nothing", `"model":` + wordPiece, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tokenizer, err := tokenizerfile.Parse([]byte("{" + c.file + "}"))
			if err != nil {
				t.Fatal(err)
			}
			ids, err := tokenizer.NewEncoder().Append(t.Context(), nil, c.text)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, id := range ids {
				got = append(got, tokenizer.Tokens()[id])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What cannot be read is refused by name.
func TestParseRefuses(t *testing.T) {
	model := `"model":` + wordPiece
	for _, c := range []struct{ file, want string }{
		{``, "expected the JSON of a tokenizer: unexpected end of JSON input"},
		{`{}`, "expected a tokenizer with a model, found none"},
		{`{"model":{"type":"Char","vocab":{}}}`, `model: expected one of BPE, WordPiece, Unigram or WordLevel, found "Char"`},
		{`{"model":{"type":"WordLevel","vocab":{}}}`, "model WordLevel: expected a vocabulary, found none"},
		{`{"model":{"type":"WordLevel","vocab":{"a":1,"b":1}}}`, "both have the id 1"},
		{`{"model":{"type":"WordLevel","vocab":{"a":4000000000}}}`, "model WordLevel: its 1 tokens have ids up to 4000000000"},
		{`{"model":{"type":"BPE","dropout":0.1,"vocab":{"a":0},"merges":[]}}`, "model BPE: its dropout is 0.1, with which each text is cut at random: make it null"},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`, `model BPE: merge 0: token "b" is not in the vocabulary`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["ab"]}}`, `model BPE: merge 0: expected two tokens with a space between them, found "ab"`},
		{`{"model":{"type":"Unigram","unk_id":7,"vocab":[["a",0]]}}`, "model Unigram: its unk_id is 7, and it has 1 tokens"},
		{`{"model":{"type":"Unigram","vocab":[["a"]]}}`, "model Unigram: token 0: expected a token and its score, found 1 values"},
		{`{` + model + `,"added_tokens":[{"id":16000000,"content":"<s>"}]}`, "added_tokens: its 8 tokens have ids up to 16000000"},
		{`{` + model + `,"normalizer":` + strings.Repeat(`{"type":"Sequence","normalizers":[`, 20) + strings.Repeat("]}", 20) + `}`, "normalizer: expected sequences of at most 16 levels"},
		{`{` + model + `,"pre_tokenizer":` + strings.Repeat(`{"type":"Sequence","pretokenizers":[`, 20) + strings.Repeat("]}", 20) + `}`, "pre_tokenizer: expected sequences of at most 16 levels"},
		{`{` + model + `,"normalizer":{"type":"Sequence","normalizers":[` + strings.Repeat(`{"type":"NFC"},`, 300) + `{"type":"NFC"}]}}`, "normalizer: expected at most 256 steps"},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"` + strings.Repeat("(", 20000) + `"},"behavior":"Isolated"}}`, "has 20000 bytes, at most 16384 are possible"},
		{`{"model":{"type":"BPE","continuing_subword_prefix":"` + strings.Repeat("x", 300) + `","vocab":{"a":0},"merges":[]}}`, "has 300 bytes, at most 256 are possible"},
		{`{` + model + `,"normalizer":{"type":"ByteLevel"}}`, `normalizer: "ByteLevel" is not supported`},
		{`{` + model + `,"normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="}}`, "normalizer: Precompiled: precompiled_charsmap: the size of its trie is wrong"},
		{`{` + model + `,"pre_tokenizer":{"type":"UnicodeScripts"}}`, `pre_tokenizer: "UnicodeScripts" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"a++"},"behavior":"Isolated"}}`, `pre_tokenizer: Split: the regular expression "a++" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\h"},"behavior":"Isolated"}}`, `pre_tokenizer: Split: the regular expression "\\h" is not supported: it has \h`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"String":"a"},"behavior":"Merged"}}`, `pre_tokenizer: Split: behavior "Merged" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"Metaspace","replacement":"__"}}`, `pre_tokenizer: Metaspace: expected a replacement of one character, found "__"`},
	} {
		_, err := tokenizerfile.Parse([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}

// A text that has no tokens is an error, and the next text is cut.
func TestAppendFails(t *testing.T) {
	for _, c := range []struct{ model, want string }{
		{`{"type":"BPE","unk_token":"u","vocab":{"a":0},"merges":[]}`, `a text has a character that the tokenizer has no token for, and its unk_token "u" is not in its vocabulary`},
		{`{"type":"WordPiece","vocab":{"a":0}}`, "a text has a character that the tokenizer has no token for, and it has no token for unknown ones"},
		{`{"type":"WordLevel","vocab":{"a":0}}`, "a text has a character that the tokenizer has no token for, and it has no token for unknown ones"},
		{`{"type":"Unigram","vocab":[["a",-1]]}`, "a text has a character that the tokenizer has no token for, and it has no token for unknown ones"},
	} {
		tokenizer, err := tokenizerfile.Parse([]byte(`{"model":` + c.model + `}`))
		if err != nil {
			t.Fatal(err)
		}
		encoder := tokenizer.NewEncoder()
		if _, err := encoder.Append(t.Context(), nil, "ab"); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.model, err, c.want)
		}
		if ids, err := encoder.Append(t.Context(), nil, "a"); err != nil || !slices.Equal(ids, []uint32{0}) {
			t.Errorf("%s: afterwards %v, %v", c.model, ids, err)
		}
	}
}

// Steps of a few bytes that make a text longer and longer are refused where they go too far, and take
// little memory and time until then.
func TestNoTextExplodes(t *testing.T) {
	steps := func(part, list, step string, n int) string {
		return `,"` + part + `":{"type":"Sequence","` + list + `":[` + strings.Repeat(step+",", n-1) + step + `]}`
	}
	model := `"model":` + wordPiece
	long := strings.Repeat("a", 20_000)
	for name, c := range map[string]struct{ file, text, want string }{
		"Replace": {
			model + steps("normalizer", "normalizers", `{"type":"Replace","pattern":{"String":"a"},"content":"`+strings.Repeat("a", 32)+`"}`, 7),
			"a", "step 2 of 7 of the tokenizer's normalizer makes a text too long: more than 272 bytes",
		},
		"Replace by much": {
			model + `,"normalizer":{"type":"Replace","pattern":{"Regex":"."},"content":"` + strings.Repeat("b", 1_000_000) + `"}`,
			long, "step 1 of 1 of the tokenizer's normalizer makes a text too long: more than 320256 bytes",
		},
		"Prepend": {
			model + steps("normalizer", "normalizers", `{"type":"Prepend","prepend":"`+strings.Repeat("a", 99)+`"}`, 200),
			"a", "step 3 of 200 of the tokenizer's normalizer makes a text too long: more than 272 bytes",
		},
		"ByteLevel": {
			model + steps("pre_tokenizer", "pretokenizers", `{"type":"ByteLevel"}`, 60),
			strings.Repeat("é", 1000), "of the tokenizer's pre_tokenizer makes a text too long: more than 32256 bytes",
		},
		"Metaspace": {
			model + steps("pre_tokenizer", "pretokenizers", `{"type":"Split","pattern":{"Regex":"."},"behavior":"Isolated"},{"type":"Metaspace"}`, 30),
			strings.Repeat("a", 1000), "of the tokenizer's pre_tokenizer makes a text too long: more than 16256 bytes",
		},
		"Unigram": {
			`"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1],["` + strings.Repeat("a", 19_000) + `b",-2]]}`,
			long, "a piece of text of 20000 bytes takes too long to cut: the tokenizer's vocabulary has very long tokens that the text nearly has",
		},
		"WordPiece": {
			`"model":{"type":"WordPiece","max_input_chars_per_word":1000000,"vocab":{"[UNK]":0,"a":1,"##a":2,"##` + long + `b":3}}`,
			long, "a piece of text of 20000 bytes takes too long to cut: the tokenizer's vocabulary has very long tokens that the text nearly has",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tokenizer, err := tokenizerfile.Parse([]byte("{" + c.file + "}"))
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = tokenizer.NewEncoder().Append(t.Context(), nil, c.text)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
}

// slow is a tokenizer with so many steps, each of which takes long for "aaa…ab".
func slow(t *testing.T, steps int) *tokenizerfile.Encoder {
	t.Helper()
	step := `,{"type":"Split","pattern":{"Regex":"(?:a|aa)+$"},"behavior":"Removed"}`
	tokenizer, err := tokenizerfile.Parse([]byte(`{"model":` + wordPiece + `,"pre_tokenizer":{"type":"Sequence","pretokenizers":[` + strings.Repeat(step, steps)[1:] + `]}}`))
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer.NewEncoder()
}

// Hundreds of slow steps end soon after their context.
func TestCancelledSearch(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := slow(t, 256).Append(ctx, nil, strings.Repeat("a", 20)+"b")
	if d := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || d > 5*time.Second {
		t.Errorf("%v after %v", err, d)
	}
}

// All steps together take no longer than one may.
func TestSlowSearch(t *testing.T) {
	encoder := slow(t, 256) // seconds
	encoder.SetLimit(20 * time.Millisecond)
	_, err := encoder.Append(t.Context(), nil, strings.Repeat("a", 20)+"b")
	want := "the regular expressions of the tokenizer take longer than 20ms for a text, of which one searches 21 bytes"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// Many added tokens that begin alike are read, and found, in a moment.
func TestManyAddedTokens(t *testing.T) {
	var file strings.Builder
	file.WriteString(`{"model":` + wordPiece + `,"added_tokens":[`)
	const tokens = 100_000
	for i := range tokens {
		fmt.Fprintf(&file, `{"id":%d,"content":"<%d>"},`, 7+i, i)
	}
	file.WriteString(`{"id":100007,"content":"<end>"}]}`)
	began := time.Now()
	tokenizer, err := tokenizerfile.Parse([]byte(file.String()))
	if err != nil {
		t.Fatal(err)
	}
	ids, err := tokenizer.NewEncoder().Append(t.Context(), nil, strings.Repeat("<", 1<<20)+"<99999>")
	if err != nil || ids[len(ids)-1] != 7+99999 {
		t.Errorf("%v, %v", ids, err)
	}
	if d := time.Since(began); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
}

// A file of any bytes is read or refused, and cuts any text into tokens that it has.
func FuzzParse(f *testing.F) {
	seeds, err := filepath.Glob("../../testdata/tokenizers/*.json")
	if err != nil || len(seeds) == 0 {
		f.Fatal("there are no files", err)
	}
	for _, seed := range seeds {
		text, err := os.ReadFile(seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, "the cat\xff é")
	}
	for _, model := range []string{wordPiece, bytes, fallback, unigram} {
		f.Add([]byte(`{"model":`+model+`,"pre_tokenizer":{"type":"ByteLevel"},"normalizer":{"type":"NFKC"},"added_tokens":[{"id":9,"content":"<s>","rstrip":true}]}`), "a  <s> b")
	}
	f.Add([]byte(`{"model":`+unigram+`,"normalizer":{"type":"Precompiled","precompiled_charsmap":"CAAAAAAEAAAAAAAAYQA="}}`), "ab")
	f.Add([]byte(`{"model":`+unigram+`,"normalizer":{"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"String":"a"},"content":"aaaaaaaaaaaaaaaa"},{"type":"Replace","pattern":{"Regex":"."},"content":"aaaaaaaaaaaaaaaa"}]}}`), "ab")
	f.Add([]byte(`{"model":`+bytes+`,"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Metaspace"},{"type":"ByteLevel"}]}}`), "é é")
	f.Fuzz(func(t *testing.T, file []byte, text string) {
		if len(text) > 200 {
			return
		}
		tokenizer, err := tokenizerfile.Parse(file)
		if err != nil {
			return
		}
		encoder := tokenizer.NewEncoder()
		ids, err := encoder.Append(t.Context(), nil, text)
		if err != nil {
			return
		}
		for _, id := range ids {
			if int(id) >= tokenizer.Len() || tokenizer.Tokens()[id] == "" {
				t.Fatalf("%q has the id %d, of %d", text, id, tokenizer.Len())
			}
		}
		if again, err := encoder.Append(t.Context(), nil, text); err != nil || !slices.Equal(again, ids) {
			t.Fatalf("%q: %v, then %v, %v", text, ids, again, err)
		}
	})
}

// Many merges in one piece take the way of the queue, and come out as those of a short one.
func TestLongPieces(t *testing.T) {
	tokenizer, err := tokenizerfile.Parse([]byte(`{"model":` + bytes + `}`))
	if err != nil {
		t.Fatal(err)
	}
	ids, err := tokenizer.NewEncoder().Append(t.Context(), nil, strings.Repeat("the", 20_000)+"th")
	if err != nil || len(ids) != 20_001 || ids[0] != 5 || ids[20_000] != 4 {
		t.Errorf("%d ids, %v", len(ids), err)
	}
}

func BenchmarkAppend(b *testing.B) {
	text := strings.Repeat("the quick, the é the! ", 1000)
	tokenizer, err := tokenizerfile.Parse([]byte(`{"model":` + bytes + `,"pre_tokenizer":{"type":"ByteLevel"}}`))
	if err != nil {
		b.Fatal(err)
	}
	encoder := tokenizer.NewEncoder()
	var ids []uint32
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if ids, err = encoder.Append(context.Background(), ids[:0], text); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(ids))*float64(b.N)/b.Elapsed().Seconds(), "tokens/s")
}
