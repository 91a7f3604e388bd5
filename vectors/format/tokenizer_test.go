package format

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// Files are known by the expressions that cut text, those of earlier versions and of
// other versions of Unicode too.
func TestTokenizersThatAreOurs(t *testing.T) {
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
	const lower = `{"type":"Lowercase"}`
	for name, tt := range map[string]struct {
		normalizer, splitter string
		lowercase            bool
		tokenizer            string
	}{
		"white space":                    {"null", split(betweenSeparators), false, "whitespace"},
		"white space, as it was":         {lower, `{"type":"WhitespaceSplit"}`, true, "whitespace"},
		"words":                          {`{"type":"Sequence","normalizers":[` + lower + `]}`, sequence(steps...), true, "unicode"},
		"words, as they were":            {"null", split(firstUnicodeWord), false, "unicode"},
		"words of another Unicode":       {"null", sequence(older...), false, "unicode"},
		"one step less":                  {"null", sequence(steps[:2]...), false, ""},
		"one step more":                  {"null", sequence(append(steps[:3:3], steps[0])...), false, ""},
		"another step":                   {"null", sequence(steps[0], steps[1], split("[a]+")), false, ""},
		"an unfinished class":            {"null", sequence(steps[0], steps[1], split("[a")), false, ""},
		"another normaliser":             {`{"type":"Sequence","normalizers":[{"type":"NFC"}]}`, split("a"), false, ""},
		"BERT's":                         {`{"type":"BertNormalizer","lowercase":true}`, `{"type":"BertPreTokenizer"}`, true, ""},
		"a normaliser within a sequence": {`{"type":"Sequence","normalizers":[{"type":"Sequence","normalizers":[` + lower + `]}]}`, "null", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := putFiles(t, t.TempDir(), Model2Vec, map[string][]byte{
				model2VecConfig: []byte(`{"model_type":"model2vec"}`),
				staticMatrix:    []byte(matrixFile(model2VecMatrix, "I8", "[1,1]", "\x01")),
				staticTokenizer: []byte(`{"normalizer":` + tt.normalizer + `,"pre_tokenizer":` + tt.splitter + `,"model":{"type":"WordLevel","vocab":{"a":0}}}`),
			})
			s, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close() //nolint:errcheck // it was only read
			if s.Training().Bool("lowercase") != tt.lowercase || s.Training().Text("tokenizer") != tt.tokenizer {
				t.Errorf("lower case %v, tokenizer %q; want %v, %q", s.Training().Bool("lowercase"), s.Training().Text("tokenizer"), tt.lowercase, tt.tokenizer)
			}
		})
	}
}
