package train

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors/format"
	"github.com/w2v-go/w2v/vocab"
)

// What a model takes on the disk is known before it is trained, whatever is in it.
func TestShapeIsThatOfTheModel(t *testing.T) {
	text := strings.Repeat("the cat sat on the mat\nthe dog sat on a log\n", 20)
	v, ids, err := vocab.Index(t.Context(), corpus.Stream("text", strings.NewReader(text), corpus.Options{}), vocab.Options{MinCount: 1}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ids.Close() }()
	for _, line := range []string{
		"",
		", subwords fasttext, buckets 50",
		", subwords floret, buckets 50",
		", subwords hash, buckets 50",
		", subwords hash, buckets 50, append-weights true",
		", rank 3",
		", rank 3, subwords floret, buckets 50",
		", subwords fasttext, buckets 50, precision f16",
		", rank 3, subwords fasttext, buckets 50, precision f16",
		", arch cbow, position-weights true, word-ngrams 2, word-buckets 30",
		", arch cbow, position-weights true, word-ngrams 2, word-buckets 30, rank 3, subwords hash, buckets 50",
		", arch structured",
		", loss hs",
		", arch structured, rank 3",
		", loss hs, rank 3",
		", tied true",
		", nested 4,8",
	} {
		s := Defaults()
		for setting := range strings.SplitSeq("window 2, sample 0, epochs 1, dim 8"+line, ", ") {
			option, text, _ := strings.Cut(setting, " ")
			if err := s.Set(option, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Complete(); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		var plan sgns.Plan
		hooks := sgns.Hooks{Start: func(p sgns.Plan) error { plan = p; return nil }}
		model, err := sgns.Train(t.Context(), sgns.Data{IDs: ids, Vocab: v}, s.Model, hooks)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		planned := shapeOf(s.Model, v, plan)
		got, want := format.EstimateSize("m.w2v", planned, format.W2V), format.EstimateSize("m.w2v", model.Vectors.Shape(), format.W2V)
		if s.Model.Precision == sgns.F16 { // of rows in 16 bits it need not be listed which buckets are untrained
			shape := model.Vectors.Shape()
			want += uint64(4 * (planned.Listed - shape.Listed))
			if planned.RowBytes != shape.RowBytes {
				t.Errorf("%s: planned rows of %d bytes, are %d", line, planned.RowBytes, shape.RowBytes)
			}
		}
		if got != want {
			t.Errorf("%s: planned %d bytes, are %d:\n%+v\n%+v", line, got, want, planned, model.Vectors.Shape())
		}
		total := model.Vectors.Parameters().Total()
		if got := uint64(parameterBytes(plan)); got != 4*total {
			t.Errorf("%s: planned parameters of %d bytes, are %d numbers", line, got, total)
		}
	}
}
