package format

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/wordbreak"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/pooling"
	"github.com/w2v-go/w2v/vectors/transform"
)

// What cut the text is known again of the files that w2v writes.
func TestTokenizersThatAreOurs(t *testing.T) {
	facts := map[string][]any{
		"tokenizer": {"whitespace", "unicode"}, "normalize": {"", "nfc", "nfkc"}, "strip_accents": {false, true},
		"lowercase": {false, true}, "lowercase_language": {"", "tr"}, "digits": {"", "zero", "drop"}, "punctuation": {"", "drop"},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		p := vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 1)}
		for _, name := range slices.Sorted(maps.Keys(facts)) {
			p.Training.Set(name, facts[name][r.IntN(len(facts[name]))])
		}
		if !p.Training.Bool("lowercase") {
			p.Training.Set("lowercase_language", "")
		}
		for _, f := range []Format{Model2Vec, SentenceTransformers} {
			s, err := Open(putFiles(t, t.TempDir(), f, filesOf(t, trial.Unchecked(p), f)))
			if err != nil {
				t.Fatal(err)
			}
			for name := range facts {
				if is, was := valueOf(s.Training(), name), valueOf(p.Training, name); is != was {
					t.Errorf("%s: %s is %s, want %s", f, name, is, was)
				}
			}
			if s.Training().Attached(vectors.AttachedTokenizer) != nil || s.Len() != 2 {
				t.Errorf("%s: the file is attached, or the words are not the same: %q", f, s.Words())
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// All other files are attached, as they are.
func TestTokenizersAreAttached(t *testing.T) {
	split := func(expression string) string {
		b, err := json.Marshal(expression)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf(`{"type":"Split","pattern":{"Regex":%s},"behavior":"Removed","invert":true}`, b)
	}
	sequence := func(steps ...string) string {
		return `{"type":"Sequence","pretokenizers":[` + strings.Join(steps, ",") + `]}`
	}
	var steps, older []string
	for _, e := range wordbreak.Expressions() {
		steps = append(steps, split(e))
		older = append(older, split(strings.ReplaceAll(e, "0-9", "0-8")))
	}
	const unknown, lower = `,"unk_token":"[UNK]"`, `{"type":"Lowercase"}`
	for name, tt := range map[string]struct {
		normalizer, splitter, more string
		tokenizer                  string // if it is not attached
	}{
		"white space":              {"null", split(betweenSeparators), unknown, "whitespace"},
		"words of another Unicode": {"null", sequence(older...), unknown, "unicode"},
		"all white space":          {lower, `{"type":"WhitespaceSplit"}`, unknown, ""},
		"lower case alone":         {lower, split(betweenSeparators), unknown, ""},
		"another unknown token":    {"null", split(betweenSeparators), `,"unk_token":"b"`, ""},
		"an added token":           {"null", split(betweenSeparators), unknown + `},"added_tokens":[{"id":0,"content":"a"}],"x":{`, ""},
		"one step less":            {"null", sequence(steps[:2]...), unknown, ""},
		"one step more":            {"null", sequence(append(steps[:3:3], steps[0])...), unknown, ""},
		"an unfinished class":      {"null", sequence(steps[0], steps[1], split("[a")), unknown, ""},
		"BERT's":                   {`{"type":"BertNormalizer","lowercase":true}`, `{"type":"BertPreTokenizer"}`, unknown, ""},
	} {
		t.Run(name, func(t *testing.T) {
			text := `{"normalizer":` + tt.normalizer + `,"pre_tokenizer":` + tt.splitter + `,"model":{"type":"WordLevel","vocab":{"a":0}` + tt.more + `}}`
			files := map[string][]byte{
				model2VecConfig: []byte(`{"model_type":"model2vec"}`),
				staticMatrix:    []byte(matrixFile(model2VecMatrix, "I8", "[1,1]", "\x01")),
				staticTokenizer: []byte(text),
			}
			s, err := Open(putFiles(t, t.TempDir(), Model2Vec, files))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close() //nolint:errcheck // it was only read
			facts, want, attached := s.Training(), tt.tokenizer, ""
			if want == "" {
				want, attached = fmt.Sprintf("tokenizer.json sha256:%x", sha256.Sum256([]byte(text))), text
			}
			if facts.Text("tokenizer") != want || string(facts.Attached(vectors.AttachedTokenizer)) != attached || facts.Bool("lowercase") {
				t.Errorf("tokenizer %q, want %q; attached %.60q", facts.Text("tokenizer"), want, facts.Attached(vectors.AttachedTokenizer))
			}
		})
	}
}

// Words that the written tokenizer would not give back are added tokens; all others
// are not.
func TestWordsThatBecomeAddedTokens(t *testing.T) {
	const (
		no    = iota // not an added token
		lower        // is one, looked for in the text that was lower-cased
		raw          // is one, looked for in the text as it is
	)
	words := []struct {
		word string
		want [4]int // white space, lower-cased white space, unicode, lower-cased unicode
	}{
		{"the", [4]int{no, no, no, no}},
		{"UPPER", [4]int{no, raw, no, raw}},
		{"Élan", [4]int{no, raw, no, raw}},
		{"İ", [4]int{no, raw, no, raw}},
		{"straße", [4]int{no, no, no, no}},
		{"C++", [4]int{no, raw, lower, raw}},
		{"c++", [4]int{no, no, lower, lower}},
		{"new-york", [4]int{no, no, lower, lower}},
		{"don't", [4]int{no, no, no, no}},
		{"don’t", [4]int{no, no, no, no}},
		{"dogs'", [4]int{no, no, lower, lower}},
		{"'s", [4]int{no, no, lower, lower}},
		{"e.g", [4]int{no, no, no, no}},
		{"e.g.", [4]int{no, no, lower, lower}},
		{"a,b", [4]int{no, no, lower, lower}},
		{"1,000.5", [4]int{no, no, no, no}},
		{"1:2", [4]int{no, no, lower, lower}},
		{"a:b", [4]int{no, no, no, no}},
		{"col·lega", [4]int{no, no, no, no}},
		{"1.a", [4]int{no, no, lower, lower}},
		{"3d", [4]int{no, no, no, no}},
		{"_a", [4]int{no, no, no, no}},
		{"a_b__", [4]int{no, no, no, no}},
		{"__a", [4]int{no, no, no, no}},
		{"__init__", [4]int{no, no, no, no}},
		{"__", [4]int{no, no, lower, lower}},
		{"_", [4]int{no, no, lower, lower}},
		{".", [4]int{no, no, lower, lower}},
		{"</s>", [4]int{no, no, lower, lower}},
		{"$", [4]int{no, no, lower, lower}},
		{"\u0301", [4]int{no, no, lower, lower}}, // has nothing to stand on
		{"e\u0301a", [4]int{no, no, no, no}},
		{"日", [4]int{no, no, no, no}},
		{"日本", [4]int{no, no, lower, lower}}, // one by one
		{"a日", [4]int{no, no, lower, lower}},
		{"a.日", [4]int{no, no, lower, lower}},
		{"か\u3099", [4]int{no, no, no, no}},
		{"です", [4]int{no, no, lower, lower}},
		{"カタカナー", [4]int{no, no, no, no}},
		{"カa", [4]int{no, no, lower, lower}},
		{"Ελλάδα", [4]int{no, raw, no, raw}},
		{"한국어", [4]int{no, no, no, no}},
		{"🙂", [4]int{no, no, no, no}},
		{"☎\ufe0f", [4]int{no, no, no, no}},
		{"👍🏽", [4]int{no, no, no, no}},
		{"👩\u200d💻", [4]int{no, no, no, no}},
		{"👩\u200d", [4]int{no, no, no, no}},
		{"\u200d👩", [4]int{no, no, no, no}},
		{".\u200d👩", [4]int{no, no, no, no}},
		{"🙂🙃", [4]int{no, no, lower, lower}},
		{"1\ufe0f\u20e3", [4]int{no, no, no, no}},
		{"x y", [4]int{lower, lower, lower, lower}},
		{"x\ty", [4]int{lower, lower, lower, lower}},
		{"x\x00y", [4]int{lower, lower, lower, lower}},
		{"km²", [4]int{no, no, lower, lower}}, // two words
		{"²", [4]int{no, no, no, no}},
		{"①②", [4]int{no, no, lower, lower}},
		{"א'", [4]int{no, no, no, no}},
		{"i̇", [4]int{no, no, no, no}},
		{"X Y", [4]int{lower, raw, lower, raw}},
		{"x\u00a0y", [4]int{no, no, lower, lower}},
		{"x\u2028y", [4]int{no, no, lower, lower}},
		{"x\u3000y", [4]int{no, no, lower, lower}},
		{"x\u0085y", [4]int{no, no, lower, lower}},
		{" ", [4]int{lower, lower, lower, lower}},
		{"x\u200by", [4]int{no, no, lower, lower}}, // is not white space
		{"x[PAD]", [4]int{raw, raw, raw, raw}},     // of which the special token is cut
		{"[UNK]s", [4]int{raw, raw, raw, raw}},
	}
	list := []string{}
	for _, w := range words {
		list = append(list, w.word)
	}
	for i, training := range []vectors.Training{
		vectors.NewTraining("tokenizer", "whitespace"),
		vectors.NewTraining("tokenizer", "whitespace", "lowercase", true),
		vectors.NewTraining("tokenizer", "unicode"),
		vectors.NewTraining("tokenizer", "unicode", "lowercase", true),
	} {
		s, err := transform.WithSpecialTokens(trial.Unchecked(vectors.Parts{Words: vectors.NewWords(list...), Input: vectors.NewMatrix(len(list), 1)}), "[PAD]")
		if err != nil {
			t.Fatal(err)
		}
		s = alter(s, func(p *vectors.Parts) {
			p.Training.Set("tokenizer", training.Text("tokenizer"))
			p.Training.Set("lowercase", training.Bool("lowercase"))
		})
		var tokenizer struct {
			Added []addedToken `json:"added_tokens"`
			Model struct{ Vocab map[string]int }
		}
		if err := json.Unmarshal(filesOf(t, s, Model2Vec)[staticTokenizer], &tokenizer); err != nil {
			t.Fatal(err)
		}
		want := []addedToken{{ID: 0, Content: "[PAD]", Special: true}}
		for j, w := range words {
			if w.want[i] != no {
				want = append(want, addedToken{ID: j + 1, Content: w.word, SingleWord: true, Normalized: w.want[i] == lower})
			}
			if id := tokenizer.Model.Vocab[w.word]; id != j+1 {
				t.Errorf("%+v: %q has the number %d, want %d", training, w.word, id, j+1)
			}
		}
		want = append(want, addedToken{ID: len(words) + 1, Content: "[UNK]", Special: true})
		for _, a := range want {
			if !slices.Contains(tokenizer.Added, a) {
				t.Errorf("%s, lower-case %v: no added token %+v", training.Text("tokenizer"), training.Bool("lowercase"), a)
			}
		}
		for _, a := range tokenizer.Added {
			if !slices.Contains(want, a) {
				t.Errorf("%s, lower-case %v: added token %+v", training.Text("tokenizer"), training.Bool("lowercase"), a)
			}
		}
		if !slices.IsSortedFunc(tokenizer.Added, func(a, b addedToken) int { return a.ID - b.ID }) {
			t.Errorf("%s: added tokens are not in the order of their numbers", training.Text("tokenizer"))
		}
	}
}

// A tokenizer.json of words cannot cut text as these do, so that it is not written.
func TestTokenizerOfOtherCutting(t *testing.T) {
	for want, facts := range map[string][]any{
		`was cut by "characters"`:        {"tokenizer", "characters"},
		"which the model does not hold":  {"tokenizer", "tokenizer.json sha256:00"},
		"punctuation is a token":         {"tokenizer", "unicode", "punctuation", "keep"},
		"phrases were joined":            {"phrases", true},
		"the text was cut into k-mers":   {"kmers", 3},
		`words are items of a list (spl`: {"split", ","},
		`words are items of a list (gro`: {"group_by", "1"},
	} {
		s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 1), Training: vectors.NewTraining(facts...)})
		for _, f := range []Format{SentenceTransformers, Model2Vec} {
			if err := Write(t.Context(), filepath.Join(t.TempDir(), "m"), s, f); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", f, err, want)
			}
		}
	}
}

// valueOf returns a fact in JSON; empty if it is unknown.
func valueOf(t vectors.Training, name string) string {
	for known, value := range t.All() {
		if known == name {
			return value
		}
	}
	return ""
}

// A text has the same vector in a folder as in the set that was written, however its words are pooled.
func TestTextsInFolders(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for _, method := range pooling.Methods() {
		if method == pooling.DBOW { // it needs context vectors, which folders do not have, so no model records it
			continue
		}
		for _, unit := range []bool{false, true} {
			p := vectors.Parts{Words: vectors.NewWords("the", "cat", "sat", "[UNK]"), Counts: []uint64{5000, 70, 9, 300}, Input: vectors.NewMatrix(4, 3)}
			for i := range p.Input.Data {
				p.Input.Data[i] = float32(r.NormFloat64())
			}
			p.Training = vectors.NewTraining("pooling", string(method), "text_norm", unit, "smoothing", 1e-3, "text_limit", 3)
			s := trial.Unchecked(p)
			for _, f := range []Format{Model2Vec, SentenceTransformers} {
				got, err := Open(putFiles(t, t.TempDir(), f, filesOf(t, s, f)))
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range []string{"the cat sat", "cat", "the the sat cat", "sat sat cat cat cat", ""} {
					if f == Model2Vec && got.Training().Int("text_tokens") != 3 || f == SentenceTransformers && got.Training().Int("text_limit") != 3 {
						t.Fatalf("%s: %v", f, got.Training())
					}
					words := strings.Fields(text)
					words = words[:min(len(words), 3)] // by the pipeline
					trial.Near(t, fmt.Sprint(f, method, unit, text), textOf(t, got, words), textOf(t, s, words))
				}
				if err := got.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

func textOf(t *testing.T, s *vectors.Set, words []string) []float32 {
	t.Helper()
	p, err := pooling.New(s, pooling.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tokens []vectors.Token
	for _, word := range words {
		tokens = append(tokens, s.Token(word))
	}
	v := make([]float32, s.Dim())
	p.Text(v, tokens)
	return v
}
