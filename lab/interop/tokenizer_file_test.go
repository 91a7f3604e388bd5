package interop

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/tokenizerfile"
)

// The reader of tokenizer.json files cuts odd lines into the same ids as the tokenizers library. The
// files are made here, of every kind of model and with the steps that files of usual models have.
func TestTokenizerFilesCutAlike(t *testing.T) {
	npm := installed(t, "tokenizers")
	lines := append(settledLines(2000, 2), addedLines...)
	text, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	linesFile := filepath.Join(npm, "lines.json")
	if err := os.WriteFile(linesFile, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, file := range tokenizerFiles(settledLines(1500, 3)) {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			text, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "tokenizer.json"), text, 0o666); err != nil {
				t.Fatal(err)
			}
			var want [][]uint32
			out := output(t, "", "node", filepath.Join(npm, "encode.js"), "rust", folder, linesFile)
			if err := json.Unmarshal([]byte(out), &want); err != nil {
				t.Fatal(err)
			}
			tokenizer, err := tokenizerfile.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			encoder := tokenizer.NewEncoder()
			different, ids := 0, 0
			for i, line := range lines {
				got, err := encoder.Append(t.Context(), nil, line)
				if err != nil {
					t.Fatalf("%+q: %v", line, err)
				}
				ids += len(got)
				if slices.Equal(got, want[i]) {
					continue
				}
				if different++; different <= 4 {
					t.Errorf("%+q:\ngot  %s\nwant %s", line, tokensOf(tokenizer, got), tokensOf(tokenizer, want[i]))
				}
			}
			if len(lines) < 2000 {
				t.Errorf("only %d lines", len(lines))
			}
			t.Logf("%d of %d lines are cut otherwise; %d ids", different, len(lines), ids)
		})
	}
}

// settledLines returns odd lines without characters that are unsettled.
func settledLines(n int, seed uint64) (lines []string) {
	for _, line := range oddLines(3*n, seed) {
		if len(lines) == n {
			break
		}
		if !strings.ContainsFunc(line, func(r rune) bool {
			return slices.ContainsFunc(unsettled, func(of [2]rune) bool { return of[0] <= r && r <= of[1] })
		}) {
			lines = append(lines, line)
		}
	}
	return lines
}

// addedLines have added tokens in them, and contractions.
var addedLines = []string{
	"<|end|>", "a<|end|>b", "a  <|end|>  b", "<|end|><|end|>", "x <mask> y", "x<mask>y", "<mask>  <mask>", "the word Word words", "word", "Éclair éclair ÉCLAIR",
	"I'M he'S we'LL 'ſ 'tis it's 've're'd", "a\r\n\r\n  b\n \n c   \n", "   leading", "trailing   ", "12345678 1234 ٣٤٥٦", "  ", "a   b", "▁a ▁ b▁", "<0x41> <unk> [UNK]",
}

func tokensOf(t *tokenizerfile.Tokenizer, ids []uint32) string {
	var b strings.Builder
	for _, id := range ids {
		if int(id) < t.Len() {
			fmt.Fprintf(&b, "%d=%+q ", id, t.Tokens()[id])
		} else {
			fmt.Fprintf(&b, "%d ", id)
		}
	}
	return b.String()
}

type object = map[string]any

// tokenizerFiles returns tokenizer.json files, trained on some lines.
func tokenizerFiles(lines []string) map[string]object {
	gpt2, llama3, qwen2 := `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`,
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`,
		`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	o200k := `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	bytes := trainBPE(lines, byteAlphabet, true)
	letters := trainBPE(lines, nil, false)
	sequence := func(key string, steps ...any) object { return object{"type": "Sequence", key: steps} }
	byteLevel := func(prefix, regex bool) object {
		return object{"type": "ByteLevel", "add_prefix_space": prefix, "trim_offsets": true, "use_regex": regex}
	}
	split := func(expression, behavior string) object {
		return object{"type": "Split", "pattern": object{"Regex": expression}, "behavior": behavior, "invert": false}
	}
	metaspace := func(scheme string, cuts bool) object {
		return object{"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": cuts}
	}
	bert := func(lower bool, accents any) object {
		return object{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": accents, "lowercase": lower}
	}
	only := func(kind string) object { return object{"type": kind} }
	charsmap := object{"type": "Precompiled", "precompiled_charsmap": madeCharsmap()}
	unigram := func(bytes bool) object { return unigramOf(lines, bytes) }
	return map[string]object{
		"gpt2":             tokenizerOf(nil, byteLevel(false, true), bytes()),
		"roberta":          tokenizerOf(nil, byteLevel(true, true), bytes()),
		"gpt2 by Split":    tokenizerOf(nil, sequence("pretokenizers", split(gpt2, "Isolated"), byteLevel(false, false)), bytes()),
		"llama 3":          tokenizerOf(nil, sequence("pretokenizers", split(llama3, "Isolated"), byteLevel(false, false)), with1(bytes(), "ignore_merges", true)),
		"qwen 2":           tokenizerOf(only("NFC"), sequence("pretokenizers", split(qwen2, "Isolated"), byteLevel(false, false)), bytes()),
		"gpt-4o":           tokenizerOf(nil, sequence("pretokenizers", split(o200k, "Isolated"), byteLevel(false, false)), bytes()),
		"llama 2":          tokenizerOf(sequence("normalizers", object{"type": "Prepend", "prepend": "▁"}, object{"type": "Replace", "pattern": object{"String": " "}, "content": "▁"}), nil, with1(with1(letters(), "byte_fallback", true), "fuse_unk", true)),
		"bpe with suffix":  tokenizerOf(only("Lowercase"), only("Whitespace"), trainBPE(lines, nil, false, "</w>")()),
		"bpe, unknown":     tokenizerOf(nil, only("WhitespaceSplit"), letters()),
		"bpe, fused":       tokenizerOf(nil, object{"type": "Punctuation", "behavior": "MergedWithPrevious"}, with1(letters(), "fuse_unk", true)),
		"bert uncased":     tokenizerOf(bert(true, nil), only("BertPreTokenizer"), wordPieceOf(lines)),
		"bert cased":       tokenizerOf(bert(false, nil), only("BertPreTokenizer"), wordPieceOf(lines)),
		"bert, accents":    tokenizerOf(bert(true, false), only("BertPreTokenizer"), wordPieceOf(lines)),
		"wordpiece, steps": tokenizerOf(sequence("normalizers", only("NFD"), only("StripAccents"), only("Lowercase"), object{"type": "Strip", "strip_left": true, "strip_right": true}), sequence("pretokenizers", only("Whitespace"), object{"type": "Digits", "individual_digits": true}), wordPieceOf(lines)),
		"wordlevel":        tokenizerOf(only("NFKC"), only("Whitespace"), wordLevelOf(lines)),
		"t5":               tokenizerOf(charsmap, sequence("pretokenizers", only("WhitespaceSplit"), metaspace("always", true)), unigram(false)),
		"xlm-r":            tokenizerOf(sequence("normalizers", charsmap, object{"type": "Replace", "pattern": object{"Regex": " {2,}"}, "content": " "}), metaspace("first", true), unigram(false)),
		"unigram, bytes":   tokenizerOf(sequence("normalizers", only("Nmt"), only("NFKD")), metaspace("never", false), unigram(true)),
		"unigram, digits":  tokenizerOf(nil, sequence("pretokenizers", object{"type": "Digits", "individual_digits": false}, object{"type": "CharDelimiterSplit", "delimiter": "a"}, split(`\w+`, "MergedWithNext"), metaspace("always", true)), unigram(false)),
		"contiguous":       tokenizerOf(nil, sequence("pretokenizers", split(`\p{P}`, "Contiguous"), object{"type": "Split", "pattern": object{"String": "a"}, "behavior": "Removed", "invert": false}), letters()),
		"inverted":         tokenizerOf(nil, object{"type": "Split", "pattern": object{"Regex": `\p{L}+|\d`}, "behavior": "Removed", "invert": true}, letters()),
	}
}

func with1(o object, key string, value any) object { o[key] = value; return o }

// tokenizerOf returns a file of these parts, with added tokens.
func tokenizerOf(normalizer, splitter any, model object) object {
	if n, ok := normalizer.(object); ok && n == nil {
		normalizer = nil
	}
	next := 0
	switch v := model["vocab"].(type) {
	case map[string]int:
		next = len(v)
	case [][]any:
		next = len(v)
	}
	known := map[string]int{}
	switch v := model["vocab"].(type) {
	case map[string]int:
		known = v
	case [][]any:
		for id, pair := range v {
			known[pair[0].(string)] = id
		}
	}
	add := func(content string, special, normalized, single, left, right bool) object {
		id, ok := known[content]
		if !ok {
			id = next
			next++
		}
		return object{"id": id, "content": content, "special": special, "normalized": normalized, "single_word": single, "lstrip": left, "rstrip": right}
	}
	return object{
		"version": "1.0", "truncation": nil, "padding": nil, "normalizer": normalizer, "pre_tokenizer": splitter, "post_processor": nil, "decoder": nil, "model": model,
		"added_tokens": []object{
			add("<|end|>", true, false, false, false, false), add("<mask>", true, false, false, true, false),
			add("word", false, false, true, false, true), add("Éclair", false, true, false, false, false), add("<|end|><|end|>x", false, false, false, false, false),
		},
	}
}

// byteAlphabet are the characters that stand for bytes, in the order of the bytes.
var byteAlphabet = func() (all []string) {
	next := rune(256)
	for b := range rune(256) {
		if '!' <= b && b <= '~' || 0xa1 <= b && b <= 0xac || 0xae <= b {
			all = append(all, string(b))
		} else {
			all = append(all, string(next))
			next++
		}
	}
	return all
}()

// trainBPE trains byte-pair encoding on words, over bytes, or over characters of which the rare ones
// are unknown.
func trainBPE(lines []string, alphabet []string, overBytes bool, suffix ...string) func() object {
	vocab := map[string]int{}
	add := func(token string) {
		if _, ok := vocab[token]; !ok {
			vocab[token] = len(vocab)
		}
	}
	if !overBytes {
		add("<unk>")
		for b := range 200 { // not all bytes: some characters stay unknown
			add(fmt.Sprintf("<0x%02X>", b))
		}
	}
	for _, a := range alphabet {
		add(a)
	}
	end := strings.Join(suffix, "")
	counts := map[string]int{}
	var words [][]string
	for _, line := range lines {
		for i, word := range strings.Split(line, " ") {
			var symbols []string
			if overBytes {
				if i > 0 {
					word = " " + word
				}
				for _, b := range []byte(word) {
					symbols = append(symbols, byteAlphabet[b])
				}
			} else {
				for _, r := range "▁" + word {
					symbols = append(symbols, string(r))
				}
				if n := len(symbols); end != "" {
					symbols[n-1] += end
				}
			}
			for _, s := range symbols {
				if counts[s]++; counts[s] == 3 {
					add(s)
				}
			}
			words = append(words, symbols)
		}
	}
	var merges []any
	for len(merges) < 600 {
		pairs := map[[2]string]int{}
		var best [2]string
		for _, w := range words {
			for i := range len(w) - 1 {
				p := [2]string{w[i], w[i+1]}
				_, left := vocab[p[0]]
				_, right := vocab[p[1]]
				if !left || !right {
					continue
				}
				pairs[p]++
			}
		}
		for p, n := range pairs {
			if n > pairs[best] || n == pairs[best] && p[0]+"\x00"+p[1] < best[0]+"\x00"+best[1] {
				best = p
			}
		}
		if pairs[best] < 2 {
			break
		}
		if len(merges)%2 == 0 && !strings.Contains(best[0]+best[1], " ") {
			merges = append(merges, best[0]+" "+best[1])
		} else {
			merges = append(merges, []string{best[0], best[1]})
		}
		add(best[0] + best[1])
		for i, w := range words {
			var merged []string
			for j := 0; j < len(w); j++ {
				if j+1 < len(w) && w[j] == best[0] && w[j+1] == best[1] {
					merged = append(merged, w[j]+w[j+1])
					j++
				} else {
					merged = append(merged, w[j])
				}
			}
			words[i] = merged
		}
	}
	for i, m := range merges { // one form in a file
		if text, ok := m.(string); ok {
			left, right, _ := strings.Cut(text, " ")
			merges[i] = []string{left, right}
		}
	}
	return func() object {
		o := object{"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": nil, "end_of_word_suffix": nil, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false, "vocab": vocab, "merges": merges}
		if !overBytes {
			o["unk_token"] = "<unk>"
		}
		if end != "" {
			o["end_of_word_suffix"] = end
		}
		return o
	}
}

// wordPieceOf returns a model of frequent beginnings and ends of words.
func wordPieceOf(lines []string) object {
	vocab := map[string]int{"[PAD]": 0, "[UNK]": 1}
	counts := map[string]int{}
	for _, line := range lines {
		for _, form := range []string{line, strings.ToLower(line)} {
			for _, word := range strings.Fields(form) {
				r := []rune(word)
				for i := range r {
					for n := 1; n <= 4 && i+n <= len(r); n++ {
						piece := string(r[i : i+n])
						if i > 0 {
							piece = "##" + piece
						}
						if counts[piece]++; counts[piece] == 2 {
							vocab[piece] = len(vocab)
						}
					}
				}
			}
		}
	}
	return object{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 20, "vocab": vocab}
}

func wordLevelOf(lines []string) object {
	vocab := map[string]int{"[UNK]": 0}
	for i, word := range strings.Fields(strings.Join(lines, " ")) {
		if _, ok := vocab[word]; !ok && i%3 > 0 {
			vocab[word] = len(vocab)
		}
	}
	return object{"type": "WordLevel", "unk_token": "[UNK]", "vocab": vocab}
}

// unigramOf returns a model of frequent pieces, with scores of their frequencies.
func unigramOf(lines []string, bytes bool) object {
	vocab := [][]any{{"<pad>", 0.0}, {"<unk>", 0.0}}
	if bytes {
		for b := range 256 {
			vocab = append(vocab, []any{fmt.Sprintf("<0x%02X>", b), 0.0})
		}
	}
	counts := map[string]int{}
	var order []string
	for _, line := range lines {
		for _, word := range strings.Fields(line) {
			r := []rune("▁" + word)
			for i := range r {
				for n := 1; n <= 5 && i+n <= len(r); n++ {
					piece := string(r[i : i+n])
					if counts[piece]++; counts[piece] == 4 {
						order = append(order, piece)
					}
				}
			}
		}
	}
	for i, piece := range order {
		vocab = append(vocab, []any{piece, math.Log(float64(counts[piece])/float64(len(order))) - float64(i)*1e-9})
	}
	return object{"type": "Unigram", "unk_id": 1, "byte_fallback": bytes, "vocab": vocab}
}

// madeCharsmap returns a precompiled_charsmap: a double array of some texts, laid out by first fit.
func madeCharsmap() string {
	type entry struct{ from, to string }
	entries := []entry{{"\t", " "}, {"\u00a0", " "}, {"\u3000", " "}, {"\u200b", ""}, {"ﬁ", "fi"}, {"²", "2"}, {"Ａ", "A"}, {"e\u0301", "é"}, {"\u0301", ""}, {"①", "1"}, {"…", "..."}, {"ﾞ", "\u3099"}, {"カ\u3099", "ガ"}}
	var texts []byte
	type state struct {
		next  map[byte]*state
		value int
	}
	root := &state{value: -1}
	for _, e := range entries {
		at := root
		for _, c := range []byte(e.from) {
			if at.next == nil {
				at.next = map[byte]*state{}
			}
			if at.next[c] == nil {
				at.next[c] = &state{value: -1}
			}
			at = at.next[c]
		}
		at.value = len(texts)
		texts = append(append(texts, e.to...), 0)
	}
	const size = 1 << 14
	units := make([]uint32, size)
	used, bases := make([]bool, size), map[uint32]bool{}
	used[0] = true
	var place func(at uint32, s *state)
	place = func(at uint32, s *state) {
		base := uint32(1)
		for ; ; base++ {
			if base^at >= 1<<21 {
				panic("no room")
			}
			free := !bases[base] && (s.value < 0 || !used[base])
			for c := range s.next {
				free = free && base^uint32(c) < size && !used[base^uint32(c)]
			}
			if free {
				break
			}
		}
		bases[base] = true
		offset := base ^ at
		units[at] |= offset << 10
		if s.value >= 0 {
			units[at] |= 1 << 8
			used[base], units[base] = true, 1<<31|uint32(s.value)
		}
		for c := range s.next {
			used[base^uint32(c)] = true
			units[base^uint32(c)] = uint32(c)
		}
		for _, c := range slices.Sorted(maps.Keys(s.next)) {
			place(base^uint32(c), s.next[c])
		}
	}
	place(0, root)
	blob := binary.LittleEndian.AppendUint32(nil, 4*size)
	for _, u := range units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	return base64.StdEncoding.EncodeToString(append(blob, texts...))
}
