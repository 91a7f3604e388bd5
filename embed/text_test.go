package embed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/query"
	"github.com/w2v-go/w2v/vectors/transform"
)

// words of the sets of tests. The last has no finite vector.
var words = []string{"the", "cat", "end.", "it's", "well-known", "3.5", "a", "é", "straße", "u.s", "It", "new_york", "bad", "x", "1,000", "foo:bar", "#", "İ"}

// setOf returns a set of words, with counts and n-grams if that is wanted.
func setOf(t *testing.T, counts bool, grams subword.Indexer, training ...any) *vectors.Set {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	rows := len(words)
	if grams != nil {
		rows += int(grams.Rows())
	}
	m := vectors.NewMatrix(rows, 37)
	for r := range rows {
		for k := range m.Row(r) {
			m.Row(r)[k] = float32(random.NormFloat64())
		}
	}
	m.Row(slices.Index(words, "bad"))[3] = float32(math.NaN())
	m.Row(slices.Index(words, "#"))[3] = math.MaxFloat32
	parts := vectors.Parts{Words: vectors.NewWords(words...), Input: m, Subword: grams, Training: vectors.NewTraining(training...)}
	if counts {
		for i := range words {
			parts.Counts = append(parts.Counts, uint64(1000/(i+1)))
		}
	}
	s, err := vectors.New(parts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// alphabet has what is cut in every way.
var alphabet = []string{
	"[MASK]", "the cat", "ﾞ", "؀", "¨",
	"the", "The", "cat", "CAT", "end", "it's", "3", "1,000", "a", "é", "É", "straße", "u.s", "bad", "x", "foo", "#", "İ", "日本", "s", "7",
	".", ",", "'", "’", "-", "_", ":", ";", "(", ")", "\"", "!", "/", "*", "+", "@", "$", "\u0301", "\u200d", "\u200e", "\ufeff", "\u00a0", "\u0600", "👩", "🇩", "\x01", "\xff", "\x7f", "µ", "ﬁ",
}

func randomText(random *rand.Rand) string {
	var text strings.Builder
	for range random.IntN(12) {
		for range 1 + random.IntN(4) {
			text.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		text.WriteString([]string{" ", " ", " ", "  ", "\t", "\r", "\n", "\v", "\x00", " \u0301"}[random.IntN(10)])
	}
	return text.String()
}

// Vectors are those of query.Finder.Tokens and pooling.Pooler.Text to the bit, whatever the model and the text.
func TestEncode(t *testing.T) {
	grams := subword.FastText{MinN: 3, MaxN: 4, Buckets: 50}
	sets := map[string]*vectors.Set{
		"words":            setOf(t, false, nil),
		"counts":           setOf(t, true, nil),
		"n-grams":          setOf(t, false, grams, "lowercase", true),
		"n-grams, counts":  setOf(t, true, grams, "tokenizer", "unicode", "lowercase", true),
		"unit":             setOf(t, false, grams, "tokenizer", "unicode", "lowercase", true, "pooling", "mean", "text_norm", true),
		"limit":            setOf(t, true, nil, "text_limit", 3),
		"sif":              setOf(t, true, nil, "pooling", "sif"),
		"punctuation":      setOf(t, true, nil, "tokenizer", "unicode", "punctuation", "keep"),
		"dropped":          setOf(t, true, nil, "punctuation", "drop", "digits", "zero"),
		"Turkish":          setOf(t, true, nil, "lowercase", true, "lowercase_language", "tr"),
		"normal":           setOf(t, true, nil, "normalize", "nfkc", "strip_accents", true, "tokenizer", "unicode", "lowercase", true),
		"characters":       setOf(t, true, nil, "tokenizer", "characters"),
		"first characters": setOf(t, true, nil, "text_characters", 9, "text_tokens", 2),
		"sentences":        setOf(t, true, nil, "sentences", "unicode"),
		"items":            setOf(t, true, nil, "split", ","),
	}
	sets["halves"] = transform.WithDType(sets["n-grams"], vectors.F16)
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			for _, rule := range []vectors.Case{vectors.CaseAuto, vectors.CaseKept, vectors.CaseIgnored} {
				finder, err := query.New(set, rule)
				if err != nil {
					t.Fatal(err)
				}
				pooler, err := pooling.New(set, pooling.Options{})
				if err != nil {
					t.Fatal(err)
				}
				for _, memory := range []int64{1 << 20, 600} { // of many parts, and of three
					checkEncode(t, finder, pooler, memory, fmt.Sprint(rule, memory))
				}
			}
		})
	}
}

// Texts that a tokenizer.json cuts have the same vectors too, whether it cuts between blanks or not.
func TestEncodeTokenizer(t *testing.T) {
	const added = `"added_tokens": [{"id": 0, "content": "[UNK]", "special": true}, {"id": 1, "content": "[MASK]", "lstrip": true, "rstrip": true}],`
	const pieces = `"model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "the": 2, "cat": 3, "##s": 4, "c": 5, "##at": 6, "'": 7, "s": 8, ".": 9, "é": 10, "日": 11, "bad": 12, "3": 13, "##3": 14, "#": 15, "y": 16}}`
	const unigram = `"model": {"type": "Unigram", "unk_id": 0, "vocab": [["[UNK]", 0], ["▁", -2], ["▁the", -3], ["▁cat", -4], ["s", -5], ["the", -4], ["é", -6], ["end", -4], ["bad", -4]]}`
	for _, c := range []struct {
		name, file string
		apart      bool
	}{
		{"BERT", `{` + added + `"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"}, ` + pieces + `}`, true},
		{"words", `{"normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}, {"type": "Replace", "pattern": {"String": "foo"}, "content": "the cat"}, {"type": "Strip", "strip_left": true}]},
			"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Whitespace"}, {"type": "Digits", "individual_digits": true}]}, ` + pieces + `}`, true},
		{"Unigram", `{"normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace"}]}, ` + unigram + `}`, true},
		{"the first piece", `{"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Metaspace", "prepend_scheme": "first"}]}, ` + unigram + `}`, false},
		{"before the text", `{"normalizer": {"type": "Prepend", "prepend": "the"}, "pre_tokenizer": {"type": "WhitespaceSplit"}, ` + pieces + `}`, false},
		{"a token with a blank", `{"added_tokens": [{"id": 1, "content": "the cat"}], "pre_tokenizer": {"type": "WhitespaceSplit"}, ` + pieces + `}`, false},
		{"an expression", `{"normalizer": {"type": "Replace", "pattern": {"Regex": "t \\w"}, "content": "s"}, "pre_tokenizer": {"type": "WhitespaceSplit"}, ` + pieces + `}`, false},
		{"blanks as characters", `{"pre_tokenizer": {"type": "Metaspace"}, ` + unigram + `}`, false},
		{"whole texts", `{` + pieces + `}`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "tokenizer.json")
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, limits := range [][]any{{}, {"text_limit", 3}, {"text_characters", 9, "text_tokens", 4}} {
				set, err := query.WithTokenizer(setOf(t, true, nil, limits...), path)
				if err != nil {
					t.Fatal(err)
				}
				finder, err := query.New(set, vectors.CaseKept)
				if err != nil {
					t.Fatal(err)
				}
				pooler, err := pooling.New(set, pooling.Options{})
				if err != nil {
					t.Fatal(err)
				}
				e, err := newEncoder(finder, pooler, 1<<20, 1)
				if err != nil || (e.parts != nil) != c.apart {
					t.Fatalf("%v, cut between blanks: %t, want %t", err, e.parts != nil, c.apart)
				}
				checkEncode(t, finder, pooler, 1<<20, fmt.Sprint(limits))
			}
		})
	}
}

func checkEncode(t *testing.T, finder *query.Finder, pooler *pooling.Pooler, memory int64, name string) {
	t.Helper()
	e, err := newEncoder(finder, pooler, memory, 2)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	dim := finder.Set().Dim()
	got, want := make([]float32, dim), make([]float32, dim)
	workers := []*worker{e.worker(), e.worker()}
	texts := []string{"", " ", "the", "unknown", "the bad cat", "# #", strings.Repeat("the cat ", 2000), strings.Repeat("x", 300), strings.Repeat("new words ", 3)}
	for range 12 {
		var text strings.Builder // with more unknown words than a worker has rows for
		for range 80 {
			fmt.Fprintf(&text, "w%d ", random.IntN(100000))
		}
		texts = append(texts, text.String(), randomText(random), randomText(random), randomText(random), randomText(random), randomText(random))
	}
	if memory > 1<<16 {
		texts = append(texts, strings.Repeat("y", 20000)+" the")
	}
	for i, text := range texts {
		tokens, left, err := finder.Tokens(text)
		if err != nil {
			t.Fatal(err)
		}
		used := pooler.Text(want, tokens)
		c, err := workers[i%2].encode(got, []byte(text))
		if err != nil || c.tokens != len(tokens) || c.used != used || c.left.Tokens != left.Tokens || !slices.Equal(got, want) {
			t.Fatalf("%s, %.200q: %+v %v, want %d of %v, %+v\n%v\n%v", name, text, c, err, used, tokens, left, got, want)
		}
	}
}

// Pieces of ASCII are cut by rules of their own, as the pipeline cuts them.
func TestPiecesOfASCII(t *testing.T) {
	for _, training := range [][]any{{}, {"lowercase", true}, {"tokenizer", "unicode"}, {"tokenizer", "unicode", "lowercase", true}} {
		finder, err := query.New(setOf(t, true, nil, training...), vectors.CaseAuto)
		if err != nil {
			t.Fatal(err)
		}
		pooler, err := pooling.New(finder.Set(), pooling.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := newEncoder(finder, pooler, 1<<20, 1)
		if err != nil {
			t.Fatal(err)
		}
		w := e.worker()
		random := rand.New(rand.NewPCG(5, 6))
		v := make([]float32, 37)
		n := 0
		for range 20000 {
			piece := make([]byte, 1+random.IntN(6))
			for i := range piece {
				piece[i] = "aB1'.,;:-!\"#x@*"[random.IntN(15)]
			}
			tokens, _, err := finder.Tokens(string(piece))
			if err != nil {
				t.Fatal(err)
			}
			c, err := w.encode(v, piece)
			if err != nil || c.tokens != len(tokens) {
				t.Fatalf("%v, %q: %d tokens, want %v", training, piece, c.tokens, tokens)
			}
			if ok, _ := w.isASCII(piece); ok {
				n++
			}
		}
		if n < 10000 {
			t.Errorf("only %d pieces are cut quickly", n)
		}
	}
}
