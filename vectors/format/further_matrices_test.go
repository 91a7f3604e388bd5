package format_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vectors/internal/trial"
	"github.com/w2v-go/w2v/vectors/transform"
)

// A matrix of a name that no package knows is kept by native files and by what is made of a set,
// and other formats say that they leave it out.
func TestFurtherMatrices(t *testing.T) {
	s := trial.With(trial.Plain(20, 4), func(p *vectors.Parts) { p.Put("position_in_word", trial.Plain(3, 4).Input()) })
	var file bytes.Buffer
	if err := format.Encode(&file, transform.Top(s, 10), format.W2V); err != nil {
		t.Fatal(err)
	}
	got, err := format.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	trial.SameSet(t, got, transform.Top(s, 10))
	if got.Matrix("position_in_word").Rows != 3 {
		t.Error("the matrix is not there")
	}
	if left := format.LeavesOut(s, format.Text); !slices.Contains(left.Parts, "position in word") {
		t.Errorf("a text leaves out %q", left.Parts)
	}
}
