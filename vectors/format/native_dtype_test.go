package format

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// tame replaces what 16 bits cannot hold.
func tame(s *vectors.Set) *vectors.Set {
	for _, m := range []vectors.Matrix{s.Input(), s.Output()} {
		for r := range m.Rows {
			for j, x := range m.Row(r) {
				if math.Abs(float64(x)) > 60000 && !math.IsInf(float64(x), 0) {
					m.Row(r)[j] = float32(r) / 3
				}
			}
		}
	}
	return s
}

func TestParseDType(t *testing.T) {
	for _, name := range []string{"f32", "f16", "bf16"} {
		if d, err := vectors.ParseDType(name); err != nil || string(d) != name {
			t.Errorf("%s: %q, %v", name, d, err)
		}
	}
	if _, err := vectors.ParseDType("f64"); err == nil || err.Error() != `the type "f64" is not known; known are f32, f16, bf16` {
		t.Errorf("got %v", err)
	}
}

// A set of 16-bit numbers comes back as it is from a native file that is mapped,
// read as a stream, or left in the file.
func TestNativeHalves(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []vectors.DType{vectors.F16, vectors.BF16} {
		for seed := range uint64(40) {
			s := transform.WithDType(tame(dice{rand.New(rand.NewPCG(seed, 0))}.set(anyPieces, true)), d)
			var once bytes.Buffer
			if err := Encode(&once, s, W2V); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "model.w2v")
			if err := os.WriteFile(path, once.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			zipped := filepath.Join(dir, "model.w2v.gz")
			if err := Write(t.Context(), zipped, s, W2V); err != nil {
				t.Fatal(err)
			}
			for name, open := range map[string]func() (*vectors.Set, error){
				"stream": func() (*vectors.Set, error) { return Read(bytes.NewReader(once.Bytes())) },
				"mapped": func() (*vectors.Set, error) { return Open(path) },
				"zipped": func() (*vectors.Set, error) { return OpenStream(zipped, nil) },
			} {
				got, err := open()
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				trial.SameSet(t, got, s)
				if got.Input().DType() != d || got.Output().Rows > 0 && got.Output().DType() != d {
					t.Fatalf("%s: of type %s and %s", name, got.Input().DType(), got.Output().DType())
				}
				var again bytes.Buffer
				if err := Encode(&again, got, W2V); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(again.Bytes(), once.Bytes()) {
					t.Fatalf("%s: writing what was read gives other bytes", name)
				}
				if err := got.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// Everything begins at a multiple of the size of its numbers, whatever there is.
func TestNativeAlignment(t *testing.T) {
	sizes := map[string]int{"U64": 8, "U32": 4, "I32": 4, "F32": 4, "F16": 2, "BF16": 2, "U8": 1}
	for seed := range uint64(60) {
		s := tame(dice{rand.New(rand.NewPCG(seed, 1))}.set(anyPieces, true))
		s = transform.WithDType(s, []vectors.DType{vectors.F32, vectors.F16, vectors.BF16}[seed%3])
		if s.Output().Rows > 0 && seed%4 == 0 {
			s = alter(s, func(p *vectors.Parts) { p.Output = withDType(s.Output(), vectors.F32) }) // of another type than the input
		}
		var buf bytes.Buffer
		if err := Encode(&buf, s, W2V); err != nil {
			t.Fatal(err)
		}
		tensors, _, err := safetensors.Parse(headerOf(buf.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tensors {
			if at := safetensors.LengthSize + len(headerOf(buf.Bytes())) + int(x.Begin); at%sizes[x.DType] != 0 {
				t.Errorf("seed %d: %s of %s begins at byte %d", seed, x.Name, x.DType, at)
			}
		}
	}
}

// headerOf returns the header of a safetensors file.
func headerOf(file []byte) []byte {
	var n uint64
	for i := range safetensors.LengthSize {
		n |= uint64(file[i]) << (8 * i)
	}
	header := file[safetensors.LengthSize:][:n]
	if !json.Valid(header) {
		panic("no JSON")
	}
	return header
}

func TestNativeForeignType(t *testing.T) {
	file := safetensorsFileOf(`{`+ours+`,"input":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}}`, "........")
	if _, err := Read(strings.NewReader(file)); err == nil ||
		err.Error() != `byte 8: tensor "input": expected dtype F32, F16, BF16, I8 or U8, found "F64"` {
		t.Errorf("got %v", err)
	}
}
