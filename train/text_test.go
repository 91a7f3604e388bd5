package train_test

import (
	"slices"
	"testing"

	"github.com/w2v-go/w2v/train"
	"github.com/w2v-go/w2v/vectors"
)

// Text becomes words as that did which vectors were trained on.
func TestTextOptions(t *testing.T) {
	for _, test := range []struct {
		training vectors.Training
		want     []string // nil if the tokenizer is not known
	}{
		{vectors.Training{}, []string{"A", "b,"}},
		{vectors.NewTraining("tokenizer", "unicode", "lowercase", true), []string{"a", "b"}},
		{vectors.NewTraining("group_by", "user"), []string{"A b,"}},
		{vectors.NewTraining("group_by", "user", "split", ","), []string{"A b"}},
		{vectors.NewTraining("tokenizer", "of tomorrow"), nil},
	} {
		o, err := train.TextOptions(test.training)
		if (err != nil) != (test.want == nil) {
			t.Fatalf("%v: %v", test.training, err)
		}
		if err != nil {
			continue
		}
		if tokens, _, _ := o.Tokens("A b,"); !slices.Equal(tokens, test.want) {
			t.Errorf("%v: %q, want %q", test.training, tokens, test.want)
		}
	}
}
