package transform

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

func TestWithDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 3)})
	copy(s.Input().Row(0), []float32{1 + 1.0/2048, 70000, 1e-8})
	for d, want := range map[vectors.DType][]float32{
		vectors.F32:  {1 + 1.0/2048, 70000, 1e-8},
		vectors.F16:  {1, float32(math.Inf(1)), 0},
		vectors.BF16: {1, 70144, 1.00117177e-08},
	} {
		got := WithDType(s, d)
		if fmt.Sprint(got.Input().Row(0)) != fmt.Sprint(want) || got.Input().DType() != d {
			t.Errorf("%s: %v of type %s, want %v", d, got.Input().Row(0), got.Input().DType(), want)
		}
		if back := WithDType(got, vectors.F32); back.Input().DType() != vectors.F32 || fmt.Sprint(back.Input().Row(0)) != fmt.Sprint(want) {
			t.Errorf("%s and back: %v of type %s", d, back.Input().Row(0), back.Input().DType())
		}
		if err := got.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestTooLargeForDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b"), Input: vectors.NewMatrix(2, 2)})
	s.Input().Row(1)[1] = -70000
	s.Input().Row(0)[0] = float32(math.Inf(1)) // was so before
	err := format.Encode(&bytes.Buffer{}, WithDType(s, vectors.F16), format.W2V)
	want := "row 1: -70000 is more than the type f16 can hold: choose another type, or scale the vectors"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := format.Encode(&bytes.Buffer{}, WithDType(s, vectors.BF16), format.W2V); err != nil {
		t.Error(err)
	}
}

// Some of the words have numbers of the type that all have.
func TestPickKeepsDType(t *testing.T) {
	s := trial.New(vectors.Parts{Words: vectors.NewWords("a", "b", "c"), Input: vectors.NewMatrix(3, 2)})
	s.Input().Row(1)[1] = -70000
	path := filepath.Join(t.TempDir(), "m.w2v")
	if err := format.Write(t.Context(), path, WithDType(s, vectors.BF16), format.W2V); err != nil {
		t.Fatal(err)
	}
	read, err := format.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	for name, some := range map[string]*vectors.Set{"a set": Top(WithDType(s, vectors.BF16), 2), "a file": Top(read, 2)} {
		if d := some.Input().DType(); d != vectors.BF16 || trial.WordVector(some, 1)[1] != -70144 {
			t.Errorf("of %s: %s, %v", name, d, trial.WordVector(some, 1))
		}
	}
	err = format.Encode(&bytes.Buffer{}, Top(WithDType(s, vectors.F16), 2), format.W2V)
	if err == nil || !strings.Contains(err.Error(), "-70000 is more than the type f16 can hold") {
		t.Errorf("got %v", err)
	}
}
