package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := Write(path, func(w io.Writer) error { _, err := w.Write([]byte(content)); return err }); err != nil {
		t.Fatal(err)
	}
}

// has fails the test unless a folder has these files: a name and a content each.
func has(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Name(), string(b))
	}
	if !slices.Equal(got, want) {
		t.Errorf("files are %q, want %q", got, want)
	}
}

func TestSlot(t *testing.T) {
	noLinks := func(string, string) error { return errors.ErrUnsupported }
	for name, link := range map[string]func(string, string) error{"links": os.Link, "copies": noLinks} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "f")
			begin := func(taken func(string) bool) *Slot {
				s := NewSlot(path, taken)
				s.link = link
				return s
			}
			keep := func(s *Slot, want string) {
				t.Helper()
				if want != "" {
					want = filepath.Join(dir, want)
				}
				if got, err := s.Keep(); err != nil || got != want {
					t.Errorf("kept as %q, %v, want %q", got, err, want)
				}
			}
			// Its own it replaces, and keeps what others have made, each under a name of its own.
			first := begin(nil)
			keep(first, "")
			put(t, path, "one")
			first.Own()
			keep(first, "")
			put(t, path, "two")
			first.Own()
			second := begin(nil)
			if !second.Foreign() || first.Foreign() {
				t.Error("whose it is")
			}
			keep(second, "f.before")
			put(t, path, "three")
			second.Own()
			has(t, dir, "f", "three", "f.before", "two")
			third := begin(func(path string) bool { return strings.HasSuffix(path, "-2") })
			keep(third, "f.before-3")
			keep(third, "f.before-3") // tried again
			put(t, path, "four")
			third.Own()
			has(t, dir, "f", "four", "f.before", "two", "f.before-3", "three")

			// One that another has replaced is not replaced in turn.
			if _, err := second.Keep(); err == nil || !strings.Contains(err.Error(), "another run writes it too") {
				t.Errorf("replaced: %v", err)
			}
			has(t, dir, "f", "four", "f.before", "two", "f.before-3", "three")

			// What is not written after all leaves what was there.
			fourth := begin(nil)
			keep(fourth, "f.before-2")
			if err := fourth.Undo(); err != nil {
				t.Error(err)
			}
			has(t, dir, "f", "four", "f.before", "two", "f.before-3", "three")
			keep(fourth, "f.before-2")
			put(t, path, "five, of somebody else") // what was there before has no other name now
			if err := fourth.Undo(); err != nil {
				t.Error(err)
			}
			has(t, dir, "f", "five, of somebody else", "f.before", "two", "f.before-2", "four", "f.before-3", "three")
		})
	}
}

// What a link leads to is kept, and not the link; what is empty is nobody's.
func TestSlotOfALink(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	path, target := filepath.Join(dir, "link"), filepath.Join(elsewhere, "file")
	if err := os.Symlink(target, path); err != nil {
		t.Skip(err)
	}
	s := NewSlot(path, nil)
	if name, err := s.Keep(); name != "" || err != nil {
		t.Errorf("a link to nothing: %q, %v", name, err)
	}
	put(t, target, "")
	if name, err := s.Keep(); name != "" || err != nil {
		t.Errorf("an empty file: %q, %v", name, err)
	}
	put(t, target, "text")
	if name, err := s.Keep(); name != target+".before" || err != nil {
		t.Errorf("kept as %q, %v", name, err)
	}
	put(t, path, "new")
	has(t, elsewhere, "file", "new", "file.before", "text")
	if NewSlot(os.DevNull, nil).Foreign() {
		t.Error("a device is somebody's")
	}
}
