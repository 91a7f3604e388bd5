package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/terminal"
	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format"
)

// hostile are words that change a terminal, or fill it.
var hostile = []string{"\x1b]0;pwned\x07", "\x1b[31mred", "\u009b31m", "\u202eevil", "\u2066x", "bell\x07\b\x7f", "\xff\xfe", strings.Repeat("long", 750)}

// writeHostile writes a model with such words among others, and a text with them.
func writeHostile(t *testing.T) {
	t.Helper()
	words := append([]string{"cat", "dog", "bird"}, hostile...)
	m := vectors.NewMatrix(len(words), 4)
	for i := range words {
		for j := range 4 {
			m.Row(i)[j] = float32((i*7+j*5)%11) - 4.5
		}
	}
	set, err := vectors.New(vectors.Parts{Words: vectors.NewWords(words...), Input: m})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"m.w2v", "n.w2v"} {
		if err := format.Write(t.Context(), path, set, format.W2V); err != nil {
			t.Fatal(err)
		}
	}
	files := map[string]string{"text": strings.Repeat(strings.Join(words, " ")+"\n", 20), "pairs.tsv": "cat\tdog\t5\n", "questions.txt": ": s\n"}
	for i, word := range hostile {
		files["pairs.tsv"] += "cat\t" + word + "\t" + string(rune('1'+i)) + "\n"
		files["questions.txt"] += "cat dog bird " + word + "\n"
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Words come from anywhere. On a terminal they move no cursor and change no colour, in results, notes and errors,
// and a long word widens no column. To other programs they go as they are.
func TestHostileWordsOnATerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	writeHostile(t)
	evil := hostile[0]
	for _, test := range []struct {
		args    []string
		narrow  bool // no line is long
		escapes bool // there is something to escape
	}{
		{[]string{"nn", "m.w2v", "cat", "-k", "20"}, true, true},
		{[]string{"nn", "m.w2v", evil, "dog"}, true, true},
		{[]string{"nn", "m.w2v", evil + "x"}, true, false},
		{[]string{"analogy", "m.w2v", "cat", "dog", evil}, true, false},
		{[]string{"analogy", "m.w2v", "cat", "dog", "bird", "-k", "20"}, true, true},
		{[]string{"similarity", "m.w2v", "cat", evil}, true, false},
		{[]string{"similarity", "m.w2v", "--from", "cat", evil, hostile[3]}, true, true},
		{[]string{"doesnt-match", "m.w2v", "cat", "dog", evil}, true, false},
		{[]string{"vector", "m.w2v", evil}, true, true},
		{[]string{"ngrams", "m.w2v", evil}, true, false},
		{[]string{"info", "m.w2v"}, true, false},
		{[]string{"info", "m.w2v", "--stats"}, true, true},
		{[]string{"diff", "m.w2v", "n.w2v", "--min-count", "0"}, false, false},
		{[]string{"diff", "m.w2v", "n.w2v", evil, "--min-count", "0"}, false, false},
		{[]string{"align", "m.w2v", "n.w2v"}, false, false},
		{[]string{"eval", "m.w2v", "pairs.tsv", "questions.txt"}, false, false},
		{[]string{"eval", "similarity", "m.w2v", "pairs.tsv"}, false, false},
		{[]string{"eval", "analogy", "m.w2v", "questions.txt"}, false, false},
		{[]string{"vocab", "text", "--min-count", "1"}, false, true},
		{[]string{"phrases", "text", "--threshold", "0"}, false, false},
		{[]string{"convert", "m.w2v", "-", "--to", "glove"}, false, true},
		{[]string{"convert", "m.w2v", "out.w2v", "--words", "text"}, false, false},
		{[]string{"plot", "heatmap", "m.w2v", evil, "cat", "--json"}, false, false},
		{[]string{"plot", "heatmap", "m.w2v", evil, hostile[2] + "?", "-o", "x.svg"}, false, false},
		{[]string{"fasttext", "print-ngrams", "m.w2v", evil}, false, true},
		{[]string{evil}, true, true},
	} {
		var shown, said, piped bytes.Buffer
		run(t.Context(), test.args, streams{in: strings.NewReader(""), out: &shown, err: &said, outTerminal: true, errTerminal: true})
		run(t.Context(), test.args, streams{in: strings.NewReader(""), out: &piped, err: &piped})
		unsafe := func(r rune) bool {
			return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", r)
		}
		name := strings.Join(test.args, " ")
		text := shown.String() + strings.ReplaceAll(said.String(), "\r", "\n") // which bars end with
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unsafe) {
			t.Errorf("w2v %q on a terminal: %.2000q", name, text)
		}
		if raw := strings.ContainsFunc(piped.String(), unsafe) || !utf8.Valid(piped.Bytes()); test.escapes && !raw {
			t.Errorf("w2v %q to a program has no such word: %.2000q", name, piped.String())
		}
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(line); test.narrow && n > 220 {
				t.Errorf("w2v %q on a terminal: a line has %d characters: %.300q", name, n, line)
			}
		}
	}
}

// A long cell does not widen its column, and is whole where no person reads it.
func TestCellTable(t *testing.T) {
	long := strings.Repeat("x", 3000)
	print := func(out *output) {
		t := newTable(out)
		for _, line := range []string{"word\tscore\n", long + "\t1\n", "a\t2\n"} {
			_, _ = t.Write([]byte(line))
		}
		t.Flush()
	}
	var piped, shown bytes.Buffer
	print(&output{w: &piped})
	s := &output{w: &shown}
	s.shown = terminal.NewWriter(&shown, false)
	print(s)
	pad := strings.Repeat(" ", 59)
	if want := "word" + pad[:58] + "score\n" + long + "  1\na" + pad + "  2\n"; piped.String() != want {
		t.Errorf("%q", piped.String())
	}
	if want := "word" + pad[:58] + "score\n" + long[:59] + "…  1\na" + pad + "  2\n"; shown.String() != want {
		t.Errorf("%q", shown.String())
	}
}

// A bar and the text beside it fit into what a terminal is now, which is narrower than it was.
func TestBarFollowsTheTerminal(t *testing.T) {
	var drawn bytes.Buffer
	columns := 120
	r := newReporter(streams{err: &drawn, errTerminal: true, errWidth: columns, errColumns: func() int { return columns }}, progressAlways)
	for _, columns = range []int{120, 99, 60, 40, 30, 120} {
		drawn.Reset()
		for tokens := range uint64(5) {
			r.trained(sgns.Progress{Tokens: (1 + tokens) * 1e9, Total: 10e9, Loss: 1.5, LearningRate: 0.05, Recent: 1234567, Remaining: 12345678 * time.Second})
			time.Sleep(20 * time.Millisecond)
		}
		if !strings.Contains(drawn.String(), "|") {
			t.Errorf("%d columns: there is no bar: %q", columns, drawn.String())
		}
		for _, line := range strings.FieldsFunc(strings.NewReplacer("\x1b[2K", "", "\x1b[0K", "").Replace(drawn.String()), func(c rune) bool { return c == '\r' || c == '\n' }) {
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("%d columns: a line has %d: %q", columns, n, line)
			}
		}
	}
}
