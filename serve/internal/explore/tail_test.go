package explore

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// all returns what next returns until there is no more for now.
func (t *tail) all() (events []string, again bool) {
	for {
		lines, restarted := t.next()
		again = again || restarted
		for _, line := range lines {
			events = append(events, string(line))
		}
		if len(lines) == 0 {
			return events, again
		}
	}
}

// A log is followed whatever happens to its file.
func TestTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	appended := func(text string) func() error {
		return func() error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			if _, err := f.WriteString(text); err != nil {
				return err
			}
			return f.Close()
		}
	}
	written := func(text string) func() error { return func() error { return os.WriteFile(path, []byte(text), 0o600) } }
	replaced := func(text string) func() error {
		return func() error {
			if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		}
	}
	log := tail{path: path}
	defer log.close()
	for _, step := range []struct {
		what  string
		do    func() error
		want  []string
		again bool
	}{
		{"no file yet", func() error { return nil }, nil, false},
		{"a file", appended("{\"event\":\"a\"}\n{\"event\":\"b\"}\n"), []string{`{"event":"a"}`, `{"event":"b"}`}, false},
		{"nothing new", func() error { return nil }, nil, false},
		{"half a line", appended(`{"event":"c","x`), nil, false},
		{"the other half", appended("\":1}\n"), []string{`{"event":"c","x":1}`}, false},
		{"a line that lacks its end", appended(`{"event":"d"}`), []string{`{"event":"d"}`}, false},
		{"its end, and carriage returns", appended("\r\n{\r\"event\":\"e\"}\r\n"), []string{`{"event":"e"}`}, false},
		{"lines that are not events", appended("text\n[1]\n{\"x\":1}\n\n{\"event\":1}\n{\"event\":\"f\"}\n"), []string{`{"event":"f"}`}, false},
		{"a line that is too long", appended(`{"event":"` + strings.Repeat("g", maxEvent) + "\"}\n{\"event\":\"h\"}\n"), []string{`{"event":"h"}`}, false},
		{"truncated", written("{\"event\":\"i\"}\n"), []string{`{"event":"i"}`}, true},
		{"written anew, and longer", written("{\"event\":\"j\"}\n{\"event\":\"k\"}\n"), []string{`{"event":"j"}`, `{"event":"k"}`}, true},
		{"replaced", replaced("{\"event\":\"l\"}\n"), []string{`{"event":"l"}`}, true},
		{"removed", func() error { return os.Remove(path) }, nil, false},
		{"there again", appended("{\"event\":\"m\"}\n"), []string{`{"event":"m"}`}, true},
		{"a folder in its place", func() error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		}, nil, false},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		if events, again := log.all(); !slices.Equal(events, step.want) || again != step.again {
			t.Errorf("%s: got %d events %.200q, again %t; want %q, %t", step.what, len(events), events, again, step.want, step.again)
		}
	}
}

// It makes no difference in which pieces a log is written, and an event is one line of JSON.
func FuzzTail(f *testing.F) {
	f.Add([]byte("{\"event\":\"a\"}\n{\"event\":\"b\"}\nx\n{\"ev"), 5)
	f.Add([]byte("{\"event\":\"a\"}{\"event\":\"b\"}\n"), 13)
	f.Fuzz(func(t *testing.T, log []byte, cut int) {
		cut = max(0, min(cut, len(log)))
		var whole, pieces tail
		want := whole.lines(log)
		got := append(pieces.lines(log[:cut]), pieces.lines(log[cut:])...)
		// A piece may end where an object ends, before it turns out that the line goes on.
		if atObject := cut > 0 && log[cut-1] == '}'; !atObject && !slices.EqualFunc(got, want, bytes.Equal) {
			t.Errorf("%q, in pieces %q", want, got)
		}
		for _, e := range want {
			if eventOf(e) == "" || bytes.ContainsAny(e, "\r\n") {
				t.Errorf("%q is not an event", e)
			}
		}
	})
}

// Files of folders and several files of one name are runs, links are none.
func TestRunNames(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(a, "one.jsonl"), filepath.Join(a, "notes.txt"), filepath.Join(b, "one.jsonl"), filepath.Join(b, "two.log")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(a, "notes.txt"), filepath.Join(a, "secret.log")); err != nil {
		t.Skip("no links here:", err)
	}
	var names []string
	for _, run := range (&Explorer{options: Options{Logs: []string{a, b, filepath.Join(a, "later")}}}).runs() {
		names = append(names, run.Name)
	}
	if want := []string{"one", "one (2)", "two", "later"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}
