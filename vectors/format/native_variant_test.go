package format

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A native file gives back all of a model, from a stream, mapped, and row by row, with its
// numbers in any type; and what was read is written to the same bytes.
func TestNativeVariants(t *testing.T) {
	for name, full := range trial.Variants() {
		small, err := transform.Quantize(t.Context(), full, transform.QuantizeOptions{Method: transform.QuantizePQ, KeepOutput: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for kind, s := range map[string]*vectors.Set{"f32": full, "f16": transform.WithDType(full, vectors.F16), "bf16": transform.WithDType(full, vectors.BF16), "pq": small} {
			t.Run(name+", "+kind, func(t *testing.T) {
				file := encode(t, s, W2V)
				got, err := Read(bytes.NewReader(file))
				if err != nil {
					t.Fatal(err)
				}
				sameVariant(t, got, s)
				if again := encode(t, got, W2V); !bytes.Equal(again, file) {
					t.Error("writing what was read gives other bytes")
				}
				if got := EstimateSize("m.w2v", s.Shape(), W2V); got > uint64(len(file)) {
					t.Errorf("estimated %d bytes, written %d", got, len(file))
				}
				for _, ext := range []string{".w2v", ".w2v.gz"} {
					path := filepath.Join(t.TempDir(), "model"+ext)
					if err := Write(t.Context(), path, s, W2V); err != nil {
						t.Fatal(err)
					}
					for _, open := range []func() (*vectors.Set, error){
						func() (*vectors.Set, error) { return Open(path) },
						func() (*vectors.Set, error) { return OpenStream(path, nil) },
					} {
						got, err := open()
						if err != nil {
							t.Fatal(err)
						}
						sameVariant(t, got, s)
						if err := got.Close(); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
	}
}

func sameVariant(t *testing.T, got, want *vectors.Set) {
	t.Helper()
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, want)
	if !got.Training().Equal(want.Training()) || got.Composition() != want.Composition() {
		t.Errorf("%q, %+v, want %q, %+v", got.Composition(), got.Training(), want.Composition(), want.Training())
	}
	if _, _, factored := want.Input().Factors(); factored {
		if _, _, ok := got.Input().Factors(); !ok {
			t.Error("the factors are multiplied out")
		}
	}
	for _, word := range trial.Unknown() {
		v, ok := vector(got, word)
		w, also := vector(want, word)
		if ok != also {
			t.Fatalf("%q has a vector: %v", word, ok)
		}
		trial.Near(t, word, v, w)
	}
	tokens := strings.Fields("the theatre cat sat on the mat")
	v, w := make([]float32, got.Dim()), make([]float32, got.Dim())
	if got.Sentence(v, tokens) != want.Sentence(w, tokens) {
		t.Error("other tokens are used")
	}
	trial.Near(t, "sentence", v, w)
}

// Input and output of a tied model are in the file, and in memory, once.
func TestNativeTied(t *testing.T) {
	s := trial.Variants()["tied"]
	file := encode(t, s, W2V)
	if strings.Contains(string(file), `"output"`) || !strings.Contains(string(file), `"tied":"true"`) {
		t.Errorf("the header is %.600q", file)
	}
	got, err := Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if &got.Input().Data[0] != &got.Output().Data[0] {
		t.Error("there are two matrices")
	}
}

func TestNativeVariantErrors(t *testing.T) {
	replaced := func(of string, pairs ...string) string {
		return strings.NewReplacer(pairs...).Replace(string(encode(t, trial.Variants()[of], W2V)))
	}
	for _, tt := range []struct{ name, file, want string }{
		{"no projection", replaced("rank", `"projection"`, `"projectio_"`), `expected a tensor "projection" in a file of version "2", found none`},
		{"shape of the projection", replaced("rank", `"shape":[3,6]`, `"shape":[6,3]`), `tensor "projection": expected 3 rows of at least one number, as "input" has columns, found 6×3`},
		{"type of the projection", replaced("rank", `"dtype":"F32","shape":[3,6]`, `"dtype":"I32","shape":[3,6]`), `tensor "projection": expected dtype F32, found "I32"`},
		{"no weights", replaced("hash", `"importance"`, `"importanc_"`), "weights of pieces of 0×0, must be 50×2"},
		{"shape of weights", replaced("hash", `"shape":[50,2]`, `"shape":[2,50]`), "weights of pieces of 2×50, must be 50×2"},
		{"hashes", replaced("hash", `"hashes":"2"`, `"hashes":"9"`), "n-grams: hashes is 9, must be from 1 to 4"},
		{"composition", replaced("hash", `"composition":"weighted"`, `"composition":"pieces"  `), `composition "pieces" with hash n-grams`},
		{"tied n-grams", replaced("floret", `"composition":"pieces"`, `"tied":"true","x":"yz"`), `metadata "tied": expected only in a set of plain words, each with a row of its own`},
		{"type of nodes", replaced("tree", `"dtype":"F32","shape":[7,6]`, `"dtype":"I32","shape":[7,6]`), `tensor "nodes": expected dtype F32, F16, BF16, I8 or U8, found "I32"`},
		{"shape of nodes", replaced("tree", `"shape":[7,6]`, `"shape":[6,7]`), "nodes of 6×7 for 8 words, must be 7×6"},
		{"positions", replaced("structured", `"shape":[32,6]`, `"shape":[6,32]`), `tensor "position_output": expected rows for each of 8 words, found 6`},
	} {
		_, err := Read(strings.NewReader(tt.file))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got  %v\nwant %s", tt.name, err, tt.want)
		}
	}
}
