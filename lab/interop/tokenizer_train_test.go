package interop

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	reading "github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/corpus/tokenizer"
)

// The tokenizers library reads every kind of file that is trained here, cuts odd lines into the same ids, and joins the
// ids to the same texts.
func TestTrainedTokenizersCutAlike(t *testing.T) {
	npm := installed(t, "tokenizers")
	lines := append(settledLines(3000, 5), addedLines...)
	linesFile := writeJSON(t, filepath.Join(npm, "lines.json"), lines)
	text := strings.Join(settledLines(2000, 6), "\n")
	for _, model := range tokenizer.Models() {
		for _, o := range []tokenizer.Options{
			{PreTokenizer: tokenizer.ByteLevel},
			{PreTokenizer: tokenizer.ByteLevel, NoPrefixSpace: true, Lowercase: true, Normalize: reading.NFKC},
			{PreTokenizer: tokenizer.Metaspace, StripAccents: true, LimitAlphabet: 200},
			{PreTokenizer: tokenizer.Whitespace, MaxTokenLength: 4, LimitAlphabet: 150},
			{PreTokenizer: tokenizer.Bert, Lowercase: true, StripAccents: true, LimitAlphabet: 200},
		} {
			o.Model, o.VocabSize, o.SpecialTokens = model, 2000, []string{"<mask>", "<|end|>"}
			t.Run(string(o.Model)+"/"+string(o.PreTokenizer), func(t *testing.T) {
				file, result, err := tokenizer.Train(t.Context(), reading.Stream("text", strings.NewReader(text), reading.Options{}), o)
				if err != nil {
					t.Fatal(err)
				}
				folder := t.TempDir()
				path := filepath.Join(folder, "tokenizer.json")
				if err := os.WriteFile(path, file, 0o666); err != nil {
					t.Fatal(err)
				}
				var want [][]uint32
				read(t, output(t, "", "node", filepath.Join(npm, "encode.js"), "rust", folder, linesFile), &want)
				tok, err := tokenizer.Parse(file)
				if err != nil {
					t.Fatal(err)
				}
				var all [][]uint32
				var texts []string
				different, ids := 0, 0
				for i, line := range lines {
					got, err := tok.Encode(t.Context(), line)
					if err != nil {
						t.Fatalf("%+q: %v", line, err)
					}
					if ids += len(got); !slices.Equal(got, want[i]) {
						if different++; different <= 4 {
							t.Errorf("%+q:\ngot  %v\nwant %v", line, got, want[i])
						}
					}
					if got == nil {
						got = []uint32{}
					}
					decoded, err := tok.Decode(got, false)
					if err != nil {
						t.Fatalf("%+q: %v", line, err)
					}
					all, texts = append(all, got), append(texts, decoded)
				}
				t.Logf("%d of %d lines are cut otherwise; %d ids, %d tokens", different, len(lines), ids, result.Tokens)
				var joined []string
				read(t, output(t, "", "node", filepath.Join(npm, "train.js"), "decode", path, writeJSON(t, filepath.Join(folder, "ids.json"), all)), &joined)
				for i := range joined {
					if joined[i] != texts[i] {
						t.Errorf("%v:\ngot  %+q\nwant %+q", all[i], texts[i], joined[i])
						break
					}
				}
			})
		}
	}
}

// Byte-pair encoding learns the merges that the tokenizers library learns from the same text, with its defaults.
// WordPiece learns nearly the same frequent tokens: the library numbers characters within words in a random order, and so
// breaks ties otherwise each time.
func TestTrainedTokenizersLearnAlike(t *testing.T) {
	npm := installed(t, "tokenizers")
	var odd, plain strings.Builder
	for _, line := range settledLines(6000, 7) {
		// The library trains on ends of lines, too, which no piece has here.
		if words := strings.Fields(strings.ReplaceAll(line, "\ufeff", "")); len(words) > 0 {
			odd.WriteString(strings.Join(words, " ") + "\n")
			plain.WriteString(strings.Map(func(r rune) rune {
				if r < utf8.RuneSelf {
					return r
				}
				return 'a' + r%26
			}, strings.Join(words, " ")) + "\n")
		}
	}
	type model struct {
		Model struct {
			Vocab  json.RawMessage
			Merges [][2]string
		}
	}
	train := func(t *testing.T, text string, o tokenizer.Options) (ours, theirs model) {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		src, err := reading.Files([]string{path}, nil, reading.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.MinFrequency = 1
		file, _, err := tokenizer.Train(t.Context(), src, o)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "tokenizer.json")
		output(t, "", "node", filepath.Join(npm, "train.js"), "train", string(o.Model), string(o.PreTokenizer), out, path)
		written, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		read(t, string(file), &ours)
		read(t, string(written), &theirs)
		return ours, theirs
	}
	t.Run("bpe", func(t *testing.T) {
		ours, theirs := train(t, odd.String(), tokenizer.Options{Model: tokenizer.BPE, PreTokenizer: tokenizer.ByteLevel})
		got, want := ours.Model.Merges, theirs.Model.Merges
		n := min(len(got), len(want)) // the alphabet here also has the bytes that UTF-8 lacks
		if n < 5000 || len(want)-len(got) > 256 {
			t.Fatalf("%d merges, and %d of the library", len(got), len(want))
		}
		for i := range n {
			if got[i] != want[i] {
				t.Fatalf("merge %d of %d is %q, and %q in the library", i, n, got[i], want[i])
			}
		}
	})
	t.Run("wordpiece", func(t *testing.T) {
		ours, theirs := train(t, plain.String(), tokenizer.Options{Model: tokenizer.WordPiece, PreTokenizer: tokenizer.Whitespace, VocabSize: 4000})
		got, want := map[string]int{}, map[string]int{}
		read(t, string(ours.Model.Vocab), &got)
		read(t, string(theirs.Model.Vocab), &want)
		common, merged := 0, 0
		for token := range got {
			if utf8.RuneCountInString(strings.TrimPrefix(token, "##")) < 2 {
				continue
			}
			merged++
			if _, ok := want[token]; ok {
				common++
			}
		}
		if t.Logf("%d of %d tokens are in the library's %d", common, merged, len(want)); merged < 1000 || common < merged*95/100 {
			t.Errorf("only %d of %d tokens are in the library's %d", common, merged, len(want))
		}
	})
}

func writeJSON(t *testing.T, path string, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(path, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}
