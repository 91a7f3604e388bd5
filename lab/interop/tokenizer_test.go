package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	reading "github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// installed installs the npm packages of a folder of testdata, whose versions are pinned there, and
// returns the folder that they are in. The test is skipped without node and npm, or if npm cannot get
// the packages.
func installed(t *testing.T, name string) string {
	t.Helper()
	need(t, "node", "--version")
	need(t, "npm", "--version")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		if os.Getenv("W2V_PEERS") == "require" {
			t.Fatalf("npm ci: %v\n%s", err, out)
		}
		t.Skipf("npm cannot get the packages of %s: %v", name, err)
	}
	return dir
}

// An exported tokenizer.json cuts text as training does, in the engine of Rust, which
// Python has, and in that of JavaScript, and gives unknown words the number of [UNK].
func TestTokenizersCutAlike(t *testing.T) {
	npm := installed(t, "tokenizers")
	lines := settledLines(5000, 1)
	for i := range lines { // training drops marks of byte order where lines begin, and the engines do not
		lines[i] = strings.ReplaceAll(lines[i], "\ufeff", "")
	}
	text, err := json.Marshal(lines)
	if err != nil {
		t.Fatal(err)
	}
	linesFile := filepath.Join(npm, "lines.json")
	if err := os.WriteFile(linesFile, text, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, options := range []reading.Options{
		{Tokenizer: reading.Whitespace}, {Tokenizer: reading.Whitespace, Lowercase: true},
		{Tokenizer: reading.Unicode}, {Tokenizer: reading.Unicode, Lowercase: true},
		{Tokenizer: reading.Whitespace, Normalize: reading.NFC, Digits: reading.DropNumbers, Punctuation: reading.DropPunctuation},
		{Tokenizer: reading.Whitespace, Normalize: reading.NFKC, StripAccents: true, Lowercase: true, Digits: reading.ZeroDigits},
		{Tokenizer: reading.Unicode, Normalize: reading.NFKC, Lowercase: true, Digits: reading.ZeroDigits},
		{Tokenizer: reading.Unicode, StripAccents: true, Digits: reading.DropNumbers, Punctuation: reading.DropPunctuation},
	} {
		facts := vectors.NewTraining("tokenizer", options.Tokenizer.String(), "lowercase", options.Lowercase, "strip_accents", options.StripAccents)
		for name, value := range map[string]fmt.Stringer{"normalize": options.Normalize, "digits": options.Digits, "punctuation": options.Punctuation} {
			if text := value.String(); !slices.Contains([]string{"none", "keep", "auto"}, text) {
				facts.Set(name, text)
			}
		}
		ofUnicode := options.Normalize != reading.AsWritten || options.StripAccents || options.Digits != reading.KeepDigits
		name := ""
		for fact, value := range facts.All() {
			name += fact + " " + strings.Trim(value, `"`) + ", "
		}
		// The vocabulary has most of the tokens. The others are unknown words.
		tokens := make([][]string, len(lines))
		known := map[string]int{}
		seen := map[string]bool{}
		var words []string
		for i, line := range lines {
			tokens[i], _, _ = options.Tokens(line)
			for _, token := range tokens[i] {
				if !seen[token] && len(seen)%7 != 3 {
					known[token] = len(words)
					words = append(words, token)
				}
				seen[token] = true
			}
		}
		set := newSet(vectors.Parts{Words: vectors.NewWords(words...), Input: vectors.NewMatrix(len(words), 1)})
		set = set.WithTraining(facts)
		folder := filepath.Join(t.TempDir(), "exported")
		if err := format.Write(t.Context(), folder, set, format.SentenceTransformers); err != nil {
			t.Fatal(err)
		}
		for _, engine := range []string{"rust", "js"} {
			t.Run(strings.TrimSuffix(name, ", ")+"/"+engine, func(t *testing.T) {
				var got [][]int
				out := output(t, "", "node", filepath.Join(npm, "encode.js"), engine, folder, linesFile)
				if err := json.Unmarshal([]byte(out), &got); err != nil {
					t.Fatal(err)
				}
				different := 0
				for i, line := range lines {
					var want []int
					for _, token := range tokens[i] {
						id, ok := known[token]
						if !ok {
							id = len(words)
						}
						want = append(want, id)
					}
					if slices.Equal(got[i], want) {
						continue
					}
					if different++; different <= 5 {
						t.Logf("%+q:\ngot  %s\nwant %s", line, wordsOf(words, got[i]), wordsOf(words, want))
					}
				}
				// Each engine has normal forms and classes of characters of its own version of Unicode.
				if allowed := len(lines) / 300; different > allowed || different > 0 && !ofUnicode {
					t.Errorf("%d of %d lines are cut otherwise; %d different tokens", different, len(lines), len(seen))
				}
			})
		}
	}
}

// wordsOf prints the words of some numbers.
func wordsOf(words []string, ids []int) string {
	var b strings.Builder
	for _, id := range ids {
		switch {
		case id >= 0 && id < len(words):
			fmt.Fprintf(&b, "%+q ", words[id])
		default:
			fmt.Fprintf(&b, "%d ", id)
		}
	}
	return b.String()
}
