package capability_test

import (
	"testing"

	"github.com/w2v-go/w2v/sgns/internal/capability"
)

func TestCheck(t *testing.T) {
	tied := capability.Part{Needs: map[capability.Capability]string{
		capability.OneRow:      "tied vectors are one row a word",
		capability.OutputWords: "tied outputs are words",
	}}
	tree := capability.Part{Lacks: map[capability.Capability]string{capability.OutputWords: "a tree has nodes"}}
	ngrams := capability.Part{Lacks: map[capability.Capability]string{capability.OneRow: "a word with n-grams is several rows"}}
	for _, test := range []struct {
		parts []capability.Part
		want  string
	}{
		{nil, ""},
		{[]capability.Part{tied}, ""},
		{[]capability.Part{tree, ngrams}, ""},
		{[]capability.Part{tree, tied}, "tied outputs are words, and a tree has nodes"},
		{[]capability.Part{tree, tied, ngrams}, "tied vectors are one row a word, and a word with n-grams is several rows"},
	} {
		got := ""
		if err := capability.Check(test.parts...); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("Check(%v): %q, want %q", test.parts, got, test.want)
		}
	}
}
