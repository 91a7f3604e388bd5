package terminal

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestWriter(t *testing.T) {
	for text, want := range map[string]string{
		"plain\tand\nnew":                "plain\tand\nnew",
		"\x1b]0;title\x07":               `\x1b]0;title\x07`,
		"a\rb\x7f\x00\b":                 `a\x0db\x7f\x00\x08`,
		"\u0085\u009b31m":                `\x85\x9b31m`,
		"\u202eabc\u2066\u200f":          `\u202eabc\u2066\u200f`,
		"\u2028\ufeff\U000e0041":         `\u2028\ufeff\U000e0041`,
		"\xff\xfe\xc3":                   `\xff\xfe\xc3`,
		"日本 é e\u0301 👩\u200d🚀 ه\u200cم": "日本 é e\u0301 👩\u200d🚀 ه\u200cم",
	} {
		for _, size := range []int{1, 2, 3, 100} { // characters may come in parts
			var shown bytes.Buffer
			w := NewWriter(&shown, size%2 == 0)
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				if written, err := io.WriteString(w, rest[:n]); written != n || err != nil {
					t.Fatalf("%d of %d bytes, %v", written, n, err)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil || shown.String() != want {
				t.Errorf("%q in parts of %d: %q, %v, want %q", text, size, shown.String(), err, want)
			}
		}
		if got := Escape(text); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Painted texts have the codes of their style, and texts that look like codes have none.
func TestPaint(t *testing.T) {
	for _, test := range []struct {
		colours bool
		want    string
	}{
		{false, `Usage: \x1b[31mred 0.5` + "\n"},
		{true, "\x1b[1mUsage:\x1b[0m \x1b[36m" + `\x1b[31mred` + "\x1b[0m 0.5\n"},
	} {
		for size := range 12 {
			var shown bytes.Buffer
			w := NewWriter(&shown, test.colours)
			text := w.Paint(Heading, "Usage:") + " " + w.Paint(Name, "\x1b[31mred") + w.Paint(Name, "") + w.Paint(Plain, " 0.5\n")
			for rest := text; rest != ""; {
				n := min(size+1, len(rest))
				_, _ = io.WriteString(w, rest[:n])
				rest = rest[n:]
			}
			if _ = w.Flush(); shown.String() != test.want {
				t.Errorf("in parts of %d: %q, want %q", size+1, shown.String(), test.want)
			}
		}
	}
	if got := (*Writer)(nil).Paint(Name, "a"); got != "a" {
		t.Errorf("without a terminal: %q", got)
	}
}

func TestColours(t *testing.T) {
	for _, test := range []struct {
		environment []string
		want        bool
	}{
		{[]string{"TERM=xterm"}, true}, {nil, true}, {[]string{"NO_COLOR="}, true},
		{[]string{"NO_COLOR=1"}, false}, {[]string{"TERM=xterm", "TERM=dumb"}, false},
	} {
		if got := Colours(test.environment); got != test.want {
			t.Errorf("%q: %v", test.environment, got)
		}
	}
}

func TestCut(t *testing.T) {
	for _, text := range []string{"", "abc", "äöü日本"} {
		if got := Cut(text, 5); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := Cut("äöü日本x", 5); got != "äöü日…" {
		t.Error(got)
	}
	if got := Cut(strings.Repeat("x", 3000), 1); got != "…" {
		t.Error(got)
	}
}

// Lines of several goroutines stay whole.
func TestWriterOfSeveral(t *testing.T) {
	var inside atomic.Int32
	w := NewWriter(writerFunc(func(text []byte) (int, error) {
		if inside.Add(1) > 1 {
			t.Error("two write at once")
		}
		time.Sleep(time.Millisecond)
		inside.Add(-1)
		return len(text), nil
	}), true)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 4 {
				_, _ = io.WriteString(w, "a line\n")
			}
		})
	}
	all.Wait()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(text []byte) (int, error) { return f(text) }
