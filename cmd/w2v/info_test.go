package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// A checkpoint says that it is one, and what other formats leave out of it.
func TestInfoOfCheckpoint(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.w2v")
	set := newSet(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 2)})
	for _, state := range [][]byte{nil, []byte("{}")} {
		set := with(set, func(p *vectors.Parts) { p.State = state })
		if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
			t.Fatal(err)
		}
		opened, err := format.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		i, err := describe(path, opened)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if err := i.print(&text); err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Contains(text.String(), "checkpoint   yes\n"), state != nil; got != want || i.Checkpoint != want {
			t.Errorf("state %q: checkpoint %v, printed:\n%s", state, i.Checkpoint, &text)
		}
		want := ""
		if state != nil {
			want = "the state of the training"
		}
		if got := format.LeavesOut(opened, format.Text).String(); got != want {
			t.Errorf("state %q: text leaves out %q, want %q", state, got, want)
		}
		if got := format.LeavesOut(opened, format.W2V).String(); got != "" {
			t.Errorf("state %q: the native format leaves out %q", state, got)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	}
}
