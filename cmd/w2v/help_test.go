package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/sweep"
)

// helpOf is the help of a command, on a terminal of that width.
func helpOf(t *testing.T, width int, path ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(streams{out: &out, outWidth: width})
	root.SetArgs(append(path, "--help"))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Help fits into the terminal, says the same at any width, and names each command and flag once.
func TestHelpFits(t *testing.T) {
	words := func(help string) []string {
		help = strings.ReplaceAll(help, "\\\n", "") // of commands
		return strings.Fields(strings.ReplaceAll(help, "# ", ""))
	}
	eachCommand(func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		whole := helpOf(t, 120, path...)
		for _, width := range []int{0, 60, 80, 120, 500} {
			room := width
			switch width {
			case 0:
				room = 80 // no terminal
			case 500:
				room = 120 // wider than anybody reads
			}
			help := helpOf(t, width, path...)
			if !slices.Equal(words(help), words(whole)) {
				t.Errorf("%s: other words at width %d", c.CommandPath(), width)
			}
			for line := range strings.SplitSeq(help, "\n") {
				if utf8.RuneCountInString(line) > room {
					t.Errorf("%s at width %d: %q", c.CommandPath(), width, line)
				}
			}
		}
		seen := make(map[string]int)
		for _, name := range regexp.MustCompile(`(?m)^  ([a-z-]+)  |^ .{5}(--[a-z-]+)`).FindAllStringSubmatch(whole[strings.Index(whole, "\nUsage:"):], -1) {
			seen[name[1]+name[2]]++
		}
		for name, n := range seen {
			if n > 1 {
				t.Errorf("%s: %s is there %d times", c.CommandPath(), name, n)
			}
		}
	})
}

// The example of a sweep can be read as TOML at any width.
func TestSweepExampleIsTOML(t *testing.T) {
	for _, width := range []int{40, 60, 80, 120} {
		_, text, _ := strings.Cut(helpOf(t, width, "sweep"), "TOML:\n\n")
		text, _, _ = strings.Cut(text, "\n\nThe folder")
		text = strings.Replace(text, `"grid"`, "\"random\"\ntrials = 20", 1) // which ranges need
		config, err := sweep.Parse("sweep.toml", []byte(text), nil)
		if err != nil || len(config.Variants) != 2 {
			t.Errorf("width %d: %v\n%s", width, err, text)
		}
	}
}

func TestReflow(t *testing.T) {
	for _, test := range []struct {
		width      int
		text, want string
	}{
		{20, "one two three four\nfive six", "one two three four\nfive six"},
		{12, "one two three four\nfive six", "one two\nthree four\nfive six"},
		{40, "one\ntwo:\n  a   b\n  code only\nthree", "one two:\n  a   b\n  code only\nthree"},
		{36, "  name  what it is, in many words, and\n        more of them", "  name  what it is, in many words,\n        and more of them"},
		{36, "  x = 1  # what it is, in many words, of course", "  x = 1  # what it is, in many\n         # words, of course"},
		{30, "  a long name of a row  what it is", "  a long name of a row\n      what it is"},
		{10, "äöüäö äöü x\n\ny", "äöüäö äöü\nx\n\ny"},
	} {
		if got := reflow(test.text, test.width); got != test.want {
			t.Errorf("%q at %d:\n%q\n%q", test.text, test.width, got, test.want)
		}
	}
}

func TestWrapCommands(t *testing.T) {
	for _, test := range []struct {
		width      int
		text, want string
	}{
		{20, "  w2v demo", "  w2v demo"},
		{20, "  w2v train a b --one", "  w2v train a \\\n      b --one"},
		{20, "  w2v x 'a b c d'", "  w2v x 'a b c d'"},
		{16, "  w2v x 'a b c d'", "  w2v x \\\n      'a b c d'"},
		{24, "  w2v convert a b # so it is", "  w2v convert a b \\\n      # so it is"},
	} {
		if got := wrapCommands(test.text, test.width); got != test.want {
			t.Errorf("%q at %d:\n%q\n%q", test.text, test.width, got, test.want)
		}
	}
}

// What is wrong with a command line is said in words of the program's own, with what was
// probably meant.
func TestUsageErrors(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"nnn m.w2v --k 3", "unknown command: nnn; did you mean nn? (see w2v --help)"},
		{"trian --dim 3", "unknown command: trian; did you mean train? (see w2v --help)"},
		{"anything", "unknown command: anything (see w2v --help)"},
		{"eval similarty m s", "unknown command: eval similarty; did you mean eval similarity? (see w2v eval --help)"},
		{"help evl", "unknown command: evl; did you mean eval? (see w2v --help)"},
		{"help eval x", "unknown command: eval x (see w2v eval --help)"},
		{"nn", "expected MODEL [WORD...], but there are no arguments (see w2v nn --help)"},
		{"analogy m a", "expected MODEL [A B C], but there are 2 arguments (see w2v analogy --help)"},
		{"info", "expected FILE, but there are no arguments (see w2v info --help)"},
		{"convert m", `expected IN OUT, but there is only "m" (see w2v convert --help)`},
		{"demo x", `w2v demo takes no arguments: what is "x"? (see w2v demo --help)`},
		{"train x -q", "unknown flag: -q (see w2v train --help)"},
		{"train x --dmi 3", "unknown flag: --dmi; did you mean --dim? (see w2v train --help)"},
		{"train x --dim", "--dim needs a value (see w2v train --help)"},
		{"nn m w -k", "--neighbors needs a value (see w2v nn --help)"},
		{"train x ---dim 3", `"---dim" is not a flag (see w2v train --help)`},
		{"train x --arch cbwo", `--arch: "cbwo" is not skipgram, cbow or structured; did you mean cbow? (see w2v train --help)`},
		{"vocab x --tokenizer Unicode", `--tokenizer: "Unicode" is not whitespace, unicode or characters; did you mean unicode? (see w2v vocab --help)`},
		{"train x --progress sometimes", `--progress: "sometimes" is not auto, always or never (see w2v train --help)`},
		{`convert a b --special-tokens "x`, `--special-tokens: "\"x" is not a list with commas: a quotation mark begins or ends nothing (see w2v convert --help)`},
		{"completion oil", `"oil" is not bash, zsh, fish or powershell (see w2v completion --help)`},
	} {
		var out, err bytes.Buffer
		code := run(t.Context(), strings.Fields(test.line), streams{in: strings.NewReader(""), out: &out, err: &err})
		if want := fmt.Sprintf("w2v: %s\n", test.want); code != exitUsage || err.String() != want || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q; want %q", test.line, code, out.String(), err.String(), want)
		}
	}
}

// None of cobra's own sentences is left, whatever is asked.
func TestNoForeignSentences(t *testing.T) {
	foreign := []string{"help for ", "for more information", "for the specified shell", "Available Commands", "arg(s)", "version for ", "Help about any command", "Additional help", "Global Flags"}
	eachCommand(func(c *cobra.Command) {
		path := strings.Fields(c.CommandPath())[1:]
		help := helpOf(t, 0, path...)
		for _, text := range foreign {
			if strings.Contains(help, text) {
				t.Errorf("%s --help has %q", c.CommandPath(), text)
			}
		}
	})
}
