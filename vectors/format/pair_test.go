package format

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/internal/trial"
)

// pairSet returns a set whose words and numbers tell which one it is, of equal size.
func pairSet(n int) *vectors.Set {
	const words = 50
	var list []string
	m := vectors.NewMatrix(words, 3)
	for i := range words {
		list = append(list, fmt.Sprintf("%c%02d", 'a'+n, i))
		for k := range m.Row(i) {
			m.Row(i)[k] = float32(n)
		}
	}
	return trial.Unchecked(vectors.Parts{Words: vectors.NewWords(list...), Input: m})
}

// pairOf returns which pairSet is at path, or that its words are not those of its numbers.
func pairOf(path string) (int, error) {
	s, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	n := int(s.Words().At(0)[0] - 'a')
	if got := s.Input().Row(s.Len() - 1)[0]; got != float32(n) {
		return 0, fmt.Errorf("the words are those of set %d, and the numbers those of %v", n, got)
	}
	return n, nil
}

// A torch file knows by a checksum which words are its own.
func TestWordsOfAnotherMatrixAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := func(n int) string { return filepath.Join(dir, fmt.Sprintf("m%d", n)) }
	for n := range 2 {
		if err := Write(t.Context(), path(n), pairSet(n), Torch); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(path(1)+codec.WordsSuffix, path(0)+codec.WordsSuffix); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path(0))
	if err == nil || !strings.HasPrefix(err.Error(), path(0)+": byte 8: the words in "+path(0)+codec.WordsSuffix+" are not those that this file was written with: ") {
		t.Errorf("got %v", err)
	}
	// Carriage returns are not part of words.
	lines := strings.Join(pairSet(0).Words().Strings(), "\r\n") + "\r\n"
	if err := os.WriteFile(path(0)+codec.WordsSuffix, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := pairOf(path(0)); err != nil || n != 0 {
		t.Errorf("got %d, %v", n, err)
	}
}

// Writers of the same two files take turns, and readers never see the words of one with
// the numbers of another.
func TestPairsAreNeverMixed(t *testing.T) {
	for _, f := range []Format{Npy, Torch, Projector} {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			const writers = 2
			times := reduced(15, 4)
			path := filepath.Join(t.TempDir(), "m")
			if err := Write(t.Context(), path, pairSet(0), f); err != nil {
				t.Fatal(err)
			}
			reading, stop := context.WithCancel(t.Context())
			var wait, readers sync.WaitGroup
			for n := range writers {
				if f == Projector && n > 0 {
					break // folders have one writer at a time
				}
				wait.Go(func() {
					for i := range times {
						if err := Write(t.Context(), path, pairSet(1+n+writers*(i%2)), f); err != nil {
							t.Error(err)
						}
					}
				})
			}
			seen := 0
			readers.Go(func() {
				for reading.Err() == nil {
					switch _, err := pairOf(path); {
					case err == nil:
						seen++
					case !errors.Is(err, vectors.ErrChanged):
						t.Error(err)
					}
				}
			})
			wait.Wait()
			stop()
			readers.Wait()
			n, err := pairOf(path)
			if err != nil || n == 0 {
				t.Errorf("at the end: %d, %v", n, err)
			}
			if seen == 0 {
				t.Error("no reader has seen anything")
			}
		})
	}
}

// A file that is replaced by a single one leaves nothing of a pair that was cut short, and a
// file of somebody else that has the name is not touched.
func TestPendingFiles(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.npy")
	pending := path + ".pending-w2v"
	if err := os.WriteFile(pending, []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Write(t.Context(), path, pairSet(1), Npy)
	if want := path + ": " + pending + " is in the way, and w2v has not made it: move it away"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := Write(t.Context(), path, pairSet(1), Text); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(pending); err != nil || string(b) != "mine\n" {
		t.Errorf("somebody's file is %q, %v", b, err)
	}
	unfinished := fmt.Sprintf("w2v pending: crc32c %08x of %019d bytes; then %019d bytes to stand beside\n", 0, 0, 0)
	if err := os.WriteFile(pending, []byte(unfinished), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(t.Context(), path, pairSet(1), Text); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(pending); err == nil {
		t.Error("what a killed process left is still there")
	}
}
