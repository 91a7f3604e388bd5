package tokenizer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/tokenizer"
	"github.com/w2v-go/w2v/vocab"
)

func Example() {
	ctx := context.Background()
	text := strings.Repeat("low lower lowest new newer newest\n", 10)
	file, result, err := tokenizer.Train(ctx, corpus.Stream("text", strings.NewReader(text), corpus.Options{}), tokenizer.Options{VocabSize: 265})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Tokens, "tokens,", result.Merges, "merges")
	t, err := tokenizer.Parse(file)
	if err != nil {
		panic(err)
	}
	ids, err := t.Encode(ctx, "lower news")
	if err != nil {
		panic(err)
	}
	for _, id := range ids {
		fmt.Print(t.Tokens()[id], " ")
	}
	decoded, err := t.Decode(ids, false)
	fmt.Println(decoded, err)
	// Output:
	// 265 tokens, 9 merges
	// Ġlo wer Ġne w s lower news <nil>
}

func text(t *testing.T, lines ...string) *corpus.Source {
	t.Helper()
	return corpus.Stream("text", strings.NewReader(strings.Join(lines, "\n")), corpus.Options{})
}

// made returns lines of made words, some of them with other scripts, and odd ones.
func made(n int) []string {
	random := rand.New(rand.NewPCG(1, 2))
	roots := []string{"walk", "talk", "jump", "light", "house", "über", "naïve", "дом", "книга", "中国", "人民", "日本語", "نور", "😀", "don't", "3.14", "x##y", "##!"}
	ends := []string{"", "s", "ed", "ing", "er", "ers", "ами", "的"}
	lines := []string{"", "  two  spaces\t\ttab ", "\u200d\u0301", strings.Repeat("無間", 3000)}
	for range n {
		var words []string
		for range 3 + random.IntN(9) {
			words = append(words, roots[int(random.ExpFloat64()*4)%len(roots)]+ends[random.IntN(len(ends))])
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

type file struct {
	Added []struct {
		Content string
		ID      int
	} `json:"added_tokens"`
	Model struct {
		Vocab  json.RawMessage
		Merges [][2]string
	}
}

// Merges are the most frequent pairs, and of equally frequent ones that with the smaller ids.
func TestMerges(t *testing.T) {
	for _, c := range []struct {
		name string
		text []string
		o    tokenizer.Options
		want string
	}{
		{"most frequent first", []string{"ab ab ab cd cd"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, VocabSize: 7}, "a+b c+d"},
		{"ties by ids", []string{"cd ab cd ab"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, VocabSize: 7}, "a+b c+d"},
		{"longer and longer", []string{"abcd abcd abc"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace}, "a+b ab+c abc+d"},
		{"repeats", []string{"aaaaaaaa aaaa"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace}, "a+a aa+aa"},
		{"rare pairs are not merged", []string{"ab ab cd"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace}, "a+b"},
		{"of any frequency", []string{"ab ab cd"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, MinFrequency: 1}, "a+b c+d"},
		{"at most so long", []string{"abcd abcd abcd"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, MaxTokenLength: 3}, "a+b c+d"},
		{"a token of two ways", []string{"abc abc abc bc bc bc bc ab ab ab ab ab"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace}, "a+b b+c ab+c"},
		{"over bytes", []string{"é é é"}, tokenizer.Options{}, "Ã+© Ġ+Ã©"},
		{"lower case", []string{"AB ab"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, Lowercase: true}, "a+b"},
		{"without accents", []string{"éa ea"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, StripAccents: true}, "e+a"},
		{"normal form", []string{"e\u0301a éa"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, Normalize: corpus.NFC}, "é+a"},
		{"special tokens are not cut", []string{"ab<s>ab<s>"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, SpecialTokens: []string{"<s>"}}, "a+b"},
		{"a small alphabet", []string{"ab ab ab xb xb cb"}, tokenizer.Options{PreTokenizer: tokenizer.Whitespace, LimitAlphabet: 3}, "a+b x+b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, _, err := tokenizer.Train(t.Context(), text(t, c.text...), c.o)
			if err != nil {
				t.Fatal(err)
			}
			var f file
			if err := json.Unmarshal(text, &f); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range f.Model.Merges {
				got = append(got, m[0]+"+"+m[1])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("merges %q, want %q", got, c.want)
			}
		})
	}
}

// The bytes of a file depend neither on the number of threads nor on memory, and what it encodes it decodes.
func TestEveryKind(t *testing.T) {
	lines := made(3000)
	for _, model := range tokenizer.Models() {
		for _, pre := range tokenizer.PreTokenizers() {
			t.Run(string(model)+"/"+string(pre), func(t *testing.T) {
				o := tokenizer.Options{Model: model, PreTokenizer: pre, VocabSize: 700, SpecialTokens: []string{"<s>", "[MASK]"}, Threads: 1}
				want, r, err := tokenizer.Train(t.Context(), text(t, lines...), o)
				if err != nil {
					t.Fatal(err)
				}
				o.Threads, o.Memory = 7, vocab.LeastMemory
				again, _, err := tokenizer.Train(t.Context(), corpus.Stream("text", strings.NewReader(strings.Join(lines, "\n")), corpus.Options{}), o)
				if err != nil || !bytes.Equal(want, again) {
					t.Fatalf("another file with seven threads: %v", err)
				}
				tok, err := tokenizer.Parse(want)
				if err != nil {
					t.Fatal(err)
				}
				d := tok.Describe()
				if d.Tokens != r.Tokens || r.Tokens > 700 || r.Tokens < 150 || len(tok.Tokens()) != r.Tokens {
					t.Errorf("%d tokens, described as %d", r.Tokens, d.Tokens)
				}
				if id, ok := tok.ID("[MASK]"); !ok || int(id) >= r.Specials {
					t.Errorf("[MASK] has the id %d", id)
				}
				for _, line := range lines {
					ids, err := tok.Encode(t.Context(), line)
					if err != nil {
						t.Fatalf("%q: %v", line, err)
					}
					back, err := tok.Decode(ids, false)
					if err != nil {
						t.Fatalf("%q: %v", line, err)
					}
					if pre != tokenizer.ByteLevel {
						continue
					}
					if want := strings.TrimPrefix(line, " "); back != want {
						t.Fatalf("%q is decoded as %q", line, back)
					}
				}
				c, err := tok.Cover(t.Context(), text(t, lines...), vocab.Options{})
				if err != nil || c.Unknown != 0 && pre == tokenizer.ByteLevel || c.Tokens < c.Pieces || c.Whole == 0 || c.Used < 120 {
					t.Errorf("coverage %+v, %v", c, err)
				}
			})
		}
	}
}

// With bytes, texts of characters that the training text does not have are cut and decoded, too.
func TestNothingIsUnknown(t *testing.T) {
	for _, model := range tokenizer.Models() {
		file, _, err := tokenizer.Train(t.Context(), text(t, "a few words of text", "a few words more"), tokenizer.Options{Model: model})
		if err != nil {
			t.Fatal(err)
		}
		tok, err := tokenizer.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"中文😀", "\x00\x01", "##! ## #", "<0x41>", strings.Repeat("é", 5000), "[UNK]", "a\xffb"} {
			ids, err := tok.Encode(t.Context(), line)
			if err != nil {
				t.Fatalf("%s: %q: %v", model, line, err)
			}
			back, err := tok.Decode(ids, false)
			want := strings.ToValidUTF8(line, "\ufffd")
			if err != nil || strings.TrimPrefix(back, " ") != want { // a special token has no space before it
				t.Errorf("%s: %.80q is decoded as %.80q, %v", model, want, back, err)
			}
		}
	}
}

// The likelihood of a text under a unigram model is better than under one of the characters alone, and scores fall.
func TestUnigramScores(t *testing.T) {
	text, _, err := tokenizer.Train(t.Context(), text(t, made(2000)...), tokenizer.Options{Model: tokenizer.Unigram, PreTokenizer: tokenizer.Metaspace, VocabSize: 300})
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Model struct {
			Vocab [][2]any
			UnkID int `json:"unk_id"`
		}
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Model.Vocab) < 120 || f.Model.UnkID != 0 || f.Model.Vocab[0][0] != "<unk>" {
		t.Fatalf("%d tokens, unk_id %d, the first is %v", len(f.Model.Vocab), f.Model.UnkID, f.Model.Vocab[0])
	}
	long := 0
	for i, entry := range f.Model.Vocab[1:] {
		token, score := entry[0].(string), entry[1].(float64)
		if score >= 0 || i > 0 && score > f.Model.Vocab[i][1].(float64) {
			t.Fatalf("token %d, %q, has the score %v", i+1, token, score)
		}
		n := utf8.RuneCountInString(token)
		if n > 16 {
			t.Errorf("%q has %d characters", token, n)
		}
		if n > 3 {
			long++
		}
	}
	if long < 50 {
		t.Errorf("only %d long tokens", long)
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		o    tokenizer.Options
		want string
	}{
		{tokenizer.Options{VocabSize: -1}, "tokenizer: VocabSize is -1, must be 0 or more"},
		{tokenizer.Options{Model: "x"}, `tokenizer: the Model "x" is not one of [bpe unigram wordpiece]`},
		{tokenizer.Options{PreTokenizer: "x"}, `tokenizer: the PreTokenizer "x" is not one of [byte-level metaspace whitespace bert]`},
		{tokenizer.Options{LimitAlphabet: 5}, "tokenizer: LimitAlphabet is for characters, and the PreTokenizer byte-level has the alphabet of the 256 bytes"},
		{tokenizer.Options{NoPrefixSpace: true, PreTokenizer: tokenizer.Bert}, "tokenizer: NoPrefixSpace is for byte-level and metaspace: the PreTokenizer bert keeps no spaces"},
		{tokenizer.Options{ContinuingSubwordPrefix: "##"}, "tokenizer: ContinuingSubwordPrefix is for wordpiece, and the Model is bpe"},
		{tokenizer.Options{Model: tokenizer.WordPiece, ContinuingSubwordPrefix: "#"}, `tokenizer: ContinuingSubwordPrefix is "#", must be two characters or more: a byte may have the only one`},
		{tokenizer.Options{SpecialTokens: []string{"a", "a"}}, `tokenizer: the special token "a" is empty, not valid UTF-8, or given twice`},
		{tokenizer.Options{Memory: 1}, "tokenizer: Memory is 1 bytes, must be 16777216 or more, or 0"},
		{tokenizer.Options{VocabSize: 255}, "tokenizer: VocabSize is 255, and the alphabet and the special tokens need 256: allow more, or set LimitAlphabet for a smaller alphabet"},
		{tokenizer.Options{Model: tokenizer.WordPiece, VocabSize: 512}, "tokenizer: VocabSize is 512, and the alphabet and the special tokens need 513: allow more, or set LimitAlphabet for a smaller alphabet"},
	} {
		if _, _, err := tokenizer.Train(t.Context(), text(t, "a text"), c.o); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, model := range tokenizer.Models() {
		if _, _, err := tokenizer.Train(ctx, text(t, made(100)...), tokenizer.Options{Model: model}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", model, err)
		}
	}
	if _, _, err := tokenizer.Train(t.Context(), text(t, "", ""), tokenizer.Options{}); err == nil {
		t.Error("a text without text has a tokenizer")
	}
}

// What does not fit into memory is left out, and said.
func TestLeavesOut(t *testing.T) {
	var lines []string
	random := rand.New(rand.NewPCG(3, 4))
	for range 60000 {
		lines = append(lines, fmt.Sprintf("%x%x common", random.Uint64(), random.Uint64()))
	}
	var notes []string
	o := tokenizer.Options{PreTokenizer: tokenizer.Metaspace, VocabSize: 400, Memory: vocab.LeastMemory, Note: func(text string) { notes = append(notes, text) }}
	_, r, err := tokenizer.Train(t.Context(), text(t, lines...), o)
	if err != nil || r.LeftOut == 0 || r.Pieces != 120000 || len(notes) != 1 || !strings.Contains(notes[0], "rarest of 60001 different pieces") {
		t.Errorf("%+v, %q, %v", r, notes, err)
	}
}

// Arbitrary text has a tokenizer of each kind, which cuts it again.
// The largest length is no limit, and nothing overflows.
func TestLongestTokens(t *testing.T) {
	for _, model := range []tokenizer.Model{tokenizer.BPE, tokenizer.Unigram} {
		var files []string
		for _, most := range []int{corpus.LongestPiece, math.MaxInt/2 + 1, math.MaxInt} {
			file, _, err := tokenizer.Train(t.Context(), text(t, made(100)...), tokenizer.Options{Model: model, VocabSize: 300, MaxTokenLength: most})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, string(file))
		}
		if files[0] != files[1] || files[0] != files[2] {
			t.Errorf("%s: the largest lengths make other tokens", model)
		}
	}
}

func FuzzTrain(f *testing.F) {
	f.Add([]byte("ab ab\n##! ##a\n"), uint8(0), uint8(0))
	f.Add([]byte("中文 😀 \x00\xff<s>"), uint8(1), uint8(1))
	f.Add([]byte("e\u0301\u0301 ﬁ İ"), uint8(2), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, model, pre uint8) {
		o := tokenizer.Options{
			Model: tokenizer.Models()[int(model)%3], PreTokenizer: tokenizer.PreTokenizers()[int(pre)%4], VocabSize: 2000, MinFrequency: 1 + int(model)/3%2,
			SpecialTokens: []string{"<s>"}, Lowercase: pre/4%2 == 0, StripAccents: pre/8%2 == 0, Threads: 1,
		}
		file, _, err := tokenizer.Train(t.Context(), corpus.Stream("text", bytes.NewReader(text), corpus.Options{}), o)
		if err != nil {
			return // binary data and text without pieces
		}
		tok, err := tokenizer.Parse(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			ids, err := tok.Encode(t.Context(), string(line))
			if err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if _, err := tok.Decode(ids, true); err != nil {
				t.Fatal(err)
			}
			if d := tok.Describe(); o.PreTokenizer == tokenizer.ByteLevel {
				for _, id := range ids {
					if tok.Tokens()[id] == d.Unknown && !bytes.Contains(line, []byte(d.Unknown)) {
						t.Fatalf("%q has the unknown token", line)
					}
				}
			}
		}
	})
}
