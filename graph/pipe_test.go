//go:build unix

package graph_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/w2v-go/w2v/graph"
)

// A pipe is read from its first byte on, because whoever asks whether it is a graph takes none.
func TestEdgesFromPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	go func() {
		_ = os.WriteFile(pipe, []byte("first second\nsecond third\n"), 0)
	}()
	g, err := graph.Load(t.Context(), []string{pipe}, nil, graph.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if g.Nodes() != 3 || g.Edges() != 2 {
		t.Errorf("%d nodes and %d edges, want 3 and 2", g.Nodes(), g.Edges())
	}
}
