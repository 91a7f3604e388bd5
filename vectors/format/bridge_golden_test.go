package format

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// What numpy saves is read as what it was.
func TestGoldenNumpy(t *testing.T) {
	want := openGolden(t, "fasttext/words.vec")
	for name, d := range map[string]vectors.DType{
		"f4": vectors.F32, "f2": vectors.F16, "f8": vectors.F32,
		"columns": vectors.F32, "columns8": vectors.F32, "big": vectors.F32, "big-columns": vectors.F16,
	} {
		for how, open := range map[string]func(string) (*vectors.Set, error){
			"mapped":   Open,
			"streamed": func(path string) (*vectors.Set, error) { return OpenStream(zipped(t, path), nil) },
			"zipped":   func(path string) (*vectors.Set, error) { return Open(zipped(t, path)) },
		} {
			s, err := open(golden("numpy/" + name + ".npy"))
			if err != nil {
				t.Fatal(err)
			}
			if Format(s.Format()) != Npy || s.Input().DType() != d {
				t.Errorf("%s, %s: read as %s of %s", name, how, s.Format(), s.Input().DType())
			}
			trial.SameSet(t, s, trial.Unchecked(vectors.Parts{Words: want.Words(), Input: transform.WithDType(want, d).Input()}))
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	}
	want4, got := readGolden(t, "numpy/f4.npy"), filesOf(t, want, Npy)
	if !bytes.Equal(got["m"], want4) {
		t.Errorf("wrote\n%q, numpy\n%q", got["m"][:130], want4[:130])
	}
}

// zipped compresses a .npy and puts its words beside it.
func zipped(t *testing.T, path string) string {
	t.Helper()
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	to := filepath.Join(t.TempDir(), "m.npy.gz")
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile(path + codec.WordsSuffix)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := encodeTo(t.Context(), &buf, to, bytesWriter(file)); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{to: buf.Bytes(), to + codec.WordsSuffix: words} {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// bytesWriter writes bytes.
func bytesWriter(file []byte) func(w *bufio.Writer) error {
	return func(w *bufio.Writer) error { return endian.Write(w, file) }
}

// What the tokenizers library saves names the rows.
func TestGoldenTokenizers(t *testing.T) {
	for name, want := range map[string]struct {
		tokens  []string
		unknown string
		read    int // code points of a text
	}{
		"wordlevel": {[]string{"[UNK]", "the", "日本"}, "drop", 3 * 512},
		"wordpiece": {[]string{"[PAD]", "[UNK]", "the", "##m", "[CLS]", "New York"}, "drop", 5 * 512},
		"bpe":       {[]string{"t", "h", "e", "th", "the"}, "row", 512},
		"unigram":   {[]string{"<unk>", "▁the", "▁"}, "row", 4 * 512},
	} {
		n := len(want.tokens)
		path := putFiles(t, t.TempDir(), Model2Vec, map[string][]byte{
			model2VecConfig: []byte(`{"model_type":"model2vec"}`),
			staticMatrix:    []byte(matrixFile(model2VecMatrix, "I8", fmt.Sprintf("[%d,1]", n), strings.Repeat("\x01", n))),
			staticTokenizer: readGolden(t, "tokenizers/"+name+".json"),
		})
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Words().Strings(); !slices.Equal(got, want.tokens) {
			t.Errorf("%s: %q, want %q", name, got, want.tokens)
		}
		facts := s.Training()
		if facts.Text("pooling") != "mean" || facts.Text("unknown") != want.unknown || facts.Int("text_limit") != 512 || facts.Int("text_characters") != want.read ||
			!bytes.Equal(facts.Attached(vectors.AttachedTokenizer), readGolden(t, "tokenizers/"+name+".json")) {
			t.Errorf("%s: training %v", name, slices.Collect(maps.Values(maps.Collect(facts.All()))))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What we write of the same tokens is what the library would.
func TestTokenizerLayout(t *testing.T) {
	s := trial.Unchecked(vectors.Parts{Words: vectors.NewWords("the", "New York", "日本<\"\\"), Input: vectors.NewMatrix(3, 1)})
	s, err := transform.WithSpecialTokens(s, "[PAD]")
	if err != nil {
		t.Fatal(err)
	}
	s = alter(s, func(p *vectors.Parts) { p.Training.Set("lowercase", true) })
	want := `{"version":"1.0","truncation":null,"padding":null,"added_tokens":[` +
		`{"id":0,"content":"[PAD]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},` +
		`{"id":2,"content":"New York","single_word":true,"lstrip":false,"rstrip":false,"normalized":false,"special":false},` +
		`{"id":4,"content":"[UNK]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],` +
		`"normalizer":{"normalizers":[{"content":"σ","pattern":{"String":"Σ"},"type":"Replace"},` +
		`{"content":"i","pattern":{"String":"İ"},"type":"Replace"},{"type":"Lowercase"}],"type":"Sequence"},` +
		`"pre_tokenizer":{"behavior":"Removed","invert":true,"pattern":{"Regex":"[^\\x00\\t-\\r ]+"},"type":"Split"},"post_processor":null,"decoder":null,` +
		`"model":{"type":"WordLevel","vocab":{"[PAD]":0,"the":1,"New York":2,"日本<\"\\":3,"[UNK]":4},"unk_token":"[UNK]"}}` + "\n"
	files := filesOf(t, s, SentenceTransformers)
	if got := string(files[staticTokenizer]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for name, want := range map[string]string{
		staticTokenizerConfig: `{"clean_up_tokenization_spaces":false,"model_max_length":1000000,"pad_token":"[PAD]",` +
			`"tokenizer_class":"PreTrainedTokenizerFast","unk_token":"[UNK]"}`,
		sentenceModules: `[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.StaticEmbedding"}]`,
		sentenceConfig:  `{"default_prompt_name":null,"model_type":"SentenceTransformer","prompts":{},"similarity_fn_name":"cosine"}`,
	} {
		if got := strings.Join(strings.Fields(string(files[name])), ""); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	header := string(headerOf(files[staticMatrix]))
	if want := `{"__metadata__":{"format":"pt"},"embedding.weight":{"data_offsets":[0,20],"dtype":"F32","shape":[5,1]}}`; strings.TrimRight(header, " ") != want ||
		(len(header)+safetensors.LengthSize)%8 != 0 {
		t.Errorf("got %q, want %q", header, want)
	}
	if x := trial.WordVector(s, 0)[0]; x != 0 || math.Signbit(float64(x)) {
		t.Errorf("[PAD] is %v", x)
	}
}
