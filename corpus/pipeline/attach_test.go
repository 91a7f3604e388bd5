package pipeline

import (
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
)

// What a model's file cannot hold is an error, and no panic.
func TestAttach(t *testing.T) {
	var to vectors.Training
	for _, name := range vectors.Attachments() {
		if err := attach(&to, name, make([]byte, vectors.MaxAttached+1)); err == nil || !strings.Contains(err.Error(), "at most 268435456") {
			t.Errorf("%s: %v", name, err)
		}
		if err := attach(&to, name, make([]byte, vectors.MaxAttached)); err != nil || len(to.Attached(name)) != vectors.MaxAttached {
			t.Errorf("%s: %v", name, err)
		}
	}
}
