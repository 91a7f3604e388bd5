package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/w2v-go/w2v/sgns"
	"github.com/w2v-go/w2v/sweep"
	"github.com/w2v-go/w2v/train"
)

// helpOf is the help of a command, on a terminal of that width.
func helpOf(t *testing.T, width int, path ...string) string {
	t.Helper()
	var out bytes.Buffer
	root := newRoot(streams{out: &out, outWidth: width}, "")
	root.SetArgs(append(path, "--help"))
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// printedHelp is helpOf for a command that is there already.
func printedHelp(t *testing.T, c *cobra.Command, width int) string {
	t.Helper()
	var out bytes.Buffer
	if err := printHelp(c, &out, columns(width)); err != nil {
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
		whole := printedHelp(t, c, 120)
		for _, width := range []int{0, 60, 80, 120, 500} {
			room := width
			switch width {
			case 0:
				room = 80 // no terminal
			case 500:
				room = 120 // wider than anybody reads
			}
			help := printedHelp(t, c, width)
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
		for _, name := range regexp.MustCompile(`(?m)^  ([a-z-]+)  |^ .{5}(--[a-z0-9-]+)`).FindAllStringSubmatch(whole[strings.Index(whole, "\nUsage:"):], -1) {
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
		help := printedHelp(t, c, 0)
		for _, text := range foreign {
			if strings.Contains(help, text) {
				t.Errorf("%s --help has %q", c.CommandPath(), text)
			}
		}
	})
}

// Flags stand in the group in which they were added first. Flags without a group come first.
func TestGroupsOfFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SortFlags = false
	grouped(flags, "Text", func() {
		flags.Bool("lowercase", false, "")
		grouped(flags, "Phrase", func() { flags.Bool("phrases", false, "") })
		flags.Bool("digits", false, "")
	})
	flags.Bool("json", false, "")
	grouped(flags, "Text", func() { flags.Bool("header", false, "") })
	flags.Bool("secret", false, "")
	flags.Lookup("secret").Hidden = true
	want := []string{"Flags: json", "Text flags: lowercase digits header", "Phrase flags: phrases"}
	groups := groupsOfFlags(flags)
	for i, g := range groups {
		got := g.title + ":"
		for _, f := range g.flags {
			got += " " + f.Name
		}
		if i >= len(want) || got != want[i] {
			t.Errorf("group %d is %q, want %q", i, got, strings.Join(want, "; "))
		}
	}
	if len(groups) != len(want) {
		t.Errorf("%d groups, want %d", len(groups), len(want))
	}
}

// A flag of a setting sets it, says what is wrong in plain words, and has in its help what
// is usual.
func TestSettingFlags(t *testing.T) {
	s := train.Defaults()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	addSettings(flags, &s, sgns.GroupModel, train.GroupSubwords)
	addSetting(flags, &s, "min-count")
	for flag, want := range map[string]string{
		"dim": "100", "arch": "skipgram", "word-buckets": "500000", "subwords": "none", "minn": "3", "seed": "1", "sample": "0.0003", "min-count": "5", "tied": "false",
	} {
		if got := flags.Lookup(flag).DefValue; got != want {
			t.Errorf("--%s: the default is %q, want %q", flag, got, want)
		}
	}
	if err := flags.Parse(strings.Fields("--tied --dim=0x10 --arch cbow --nested 8,16 --subwords hash --append-weights --min-count 3")); err != nil {
		t.Fatal(err)
	}
	if s.Model.Arch != sgns.CBOW || !s.Model.Tied || s.Model.Dim != 16 || s.Value("append-weights") != "true" || s.MinCount != 3 || !s.Given("nested") || s.Given("seed") {
		t.Errorf("%+v", s)
	}
	for line, want := range map[string]string{
		"--dim many":                   `--dim: "many" is not a whole number`,
		"--tied=so":                    `--tied: "so" is neither true nor false`,
		"--arch cbov":                  `--arch: "cbov" is not skipgram, cbow or structured; did you mean cbow?`,
		"--nested 3,2":                 `--nested: "3,2" is not a rising list of numbers of dimensions, as 32,64,128 is`,
		"--lr low":                     `--lr: "low" is not a number`,
		"--buckets 1e99":               `--buckets: "1e99" is not a whole number`,
		"--seed 999999999999999999999": `--seed: "999999999999999999999" is too large a number`,
	} {
		err := flags.Parse(strings.Fields(line))
		if err == nil || explainFlag(flags, err).Error() != want {
			t.Errorf("%s: %v, want %q", line, explainFlag(flags, err), want)
		}
	}
}

// What a library says of settings is said of flags.
func TestErrorsNameFlags(t *testing.T) {
	s := train.Defaults()
	if err := errors.Join(s.Set("loss", "hs"), s.Set("negatives", "3")); err != nil {
		t.Fatal(err)
	}
	if err := asFlags(s.Complete()); err == nil || !strings.HasPrefix(err.Error(), "--negatives needs --loss ns") {
		t.Error(err)
	}
}

// An advice can be pasted into a shell, and a switch takes its value from no other word.
func TestAsFlag(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"split", ";", "--split ';'"}, {"split", "|", "--split '|'"}, {"split", `\t`, `--split '\t'`}, {"split", ",", "--split ,"},
		{"json-field", "item name", "--json-field 'item name'"}, {"group-by", "user's id", `--group-by 'user'\''s id'`},
		{"tokenizer", "my file.json", "--tokenizer 'my file.json'"}, {"factorize", "8", "w2v factorize --rank 8"},
		{"lowercase", "true", "--lowercase"}, {"lowercase", "tr", "--lowercase=tr"}, {"deterministic", "false", "--deterministic=false"},
		{"header", "", "--header"}, {"validate", "FILE", "--validate FILE"}, {"no-cache", "true", "--no-cache"},
	} {
		if got := asFlag(c.name, c.value); got != c.want {
			t.Errorf("%s %q: %s, want %s", c.name, c.value, got, c.want)
		}
	}
}

// The Python package knows the flags of w2v train, classify train, classify tune, pairs, distill and tune, and has their types
// for type checkers. The flag -update writes both.
func TestPythonKnowsTheFlags(t *testing.T) {
	train, classifier, tuning := newTrain(streams{}).Flags(), newClassifyTrain(streams{}).Flags(), newClassifyTune(streams{}).Flags()
	pairs, distill, search := newPairs(streams{}).Flags(), newDistill(streams{}).Flags(), newTune(streams{}).Flags()
	sources := filepath.Join("..", "..", "python", "src", "w2v")
	checkWritten(t, filepath.Join(sources, "_flags.py"), pythonFlags(train, classifier, tuning, pairs, distill, search))
	checkWritten(t, filepath.Join(sources, "_settings.py"), pythonSettings(
		pythonClass{"TrainFlags", train, "output init validate progress sentences phrases vocab bootstrap bootstrap-words bootstrap-neighbors epoch-models plan plan-ranks json log-json"},
		pythonClass{"LayoutFlags", those(classifier, pythonLayout), ""},
		pythonClass{"ClassifierFlags", classifier, "output format init validate deterministic progress json log-json " + pythonLayout},
		pythonClass{"TuningFlags", those(tuning, "validate metric number budget model-size trials"), ""},
		pythonClass{"PairsFlags", pairs, "output init validate progress json log-json"},
		pythonClass{"DistillFlags", distill, "output init validate texts vectors progress json log-json"},
	))
}

// pythonLayout are the flags of classify train that say where a file has its texts and labels.
const pythonLayout = "label-prefix text-column label-column header json-field label-field label-split"

func those(flags *pflag.FlagSet, names string) *pflag.FlagSet {
	some := pflag.NewFlagSet("", pflag.ContinueOnError)
	for name := range strings.FieldsSeq(names) {
		some.AddFlag(flags.Lookup(name))
	}
	return some
}

// A pythonClass is a TypedDict of flags, but for those that the arguments of a function replace.
type pythonClass struct {
	name    string
	flags   *pflag.FlagSet
	without string
}

func pythonSettings(classes ...pythonClass) string {
	var b strings.Builder
	b.WriteString(`"""The flags of the program that are settings, with their types. A test of cmd/w2v writes this file."""

from __future__ import annotations

import datetime
import os
from typing import Any, Iterable, Literal, Mapping, Optional, Sequence, TypedDict, Union

Path = Union[str, "os.PathLike[str]"]
`)
	for _, class := range classes {
		fmt.Fprintf(&b, "\n\nclass %s(TypedDict, total=False):\n", class.name)
		without := strings.Fields(class.without)
		class.flags.VisitAll(func(f *pflag.Flag) {
			if !slices.Contains(without, f.Name) {
				fmt.Fprintf(&b, "    %s: Optional[%s]\n", strings.ReplaceAll(f.Name, "-", "_"), pythonType(f))
			}
		})
	}
	return b.String()
}

func pythonType(f *pflag.Flag) string {
	if e, ok := f.Value.(*enum); ok {
		var literals []string
		for _, value := range e.values() {
			literals = append(literals, strconv.Quote(value))
		}
		of := "Literal[" + strings.Join(literals, ", ") + "]"
		switch {
		case slices.Contains(e.values(), "true"):
			return "Union[bool, " + of + "]"
		case e.further != nil: // such as the path of a tokenizer.json
			return "Union[" + of + ", Path]"
		}
		return of
	}
	value, _ := pflag.UnquoteUsage(f)
	switch of := f.Value.Type(); of {
	case "bool":
		return "bool"
	case "int", "uint64":
		if f.DefValue == "auto" {
			return `Union[int, Literal["auto"]]`
		}
		return "int"
	case "float64":
		return "float"
	case "name", "size", "tokens":
		return "Union[int, str]"
	case "duration":
		return "Union[float, str, datetime.timedelta]"
	case "numbers", "intSlice":
		return "Union[str, Sequence[int]]"
	case "words":
		return "Union[str, Iterable[str]]"
	case "string":
		switch {
		case namesFiles.MatchString(value):
			return "Path"
		case strings.HasPrefix(value, "COLUMN"):
			return "Union[int, str]"
		}
		return "str"
	case "stringSlice":
		return "Union[Path, Iterable[Path]]"
	case "stringArray":
		return "Union[str, Iterable[str], Mapping[Any, float]]"
	default:
		panic("Python has no type for " + of)
	}
}

// pythonFlags is the Python module that describes flags.
func pythonFlags(train, classifier, tuning, pairs, distill, search *pflag.FlagSet) string {
	var b strings.Builder
	b.WriteString(`"""The flags of w2v train, classify train, classify tune, pairs, distill and tune, as the program has them. A test of cmd/w2v writes this file."""

from __future__ import annotations

from typing import Dict, NamedTuple, Tuple


class Flag(NamedTuple):
    """A flag: its type as its help names it, its default, its choices, and what it is."""

    type: str
    default: str
    choices: Tuple[str, ...]
    help: str
`)
	pythonTable(&b, "FLAGS", train)
	pythonTable(&b, "CLASSIFIER_FLAGS", classifier)
	pythonTable(&b, "TUNING_FLAGS", tuning)
	pythonTable(&b, "PAIRS_FLAGS", pairs)
	pythonTable(&b, "DISTILL_FLAGS", distill)
	pythonTable(&b, "SEARCH_FLAGS", search)
	return b.String()
}

func pythonTable(b *strings.Builder, name string, flags *pflag.FlagSet) {
	fmt.Fprintf(b, "\n\n%s: Dict[str, Flag] = {\n", name)
	flags.VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		choices := ""
		if e, ok := f.Value.(*enum); ok {
			for _, value := range e.values() {
				choices += strconv.Quote(value) + ", "
			}
		}
		fmt.Fprintf(b, "    %q: Flag(\n        %q,\n        %q,\n        (%s),\n        %q,\n    ),\n", strings.ReplaceAll(f.Name, "-", "_"), f.Value.Type(), f.DefValue, strings.TrimSuffix(choices, " "), usage)
	})
	b.WriteString("}\n")
}

// On a terminal with colours, help has the same text, headings and names in colour.
func TestHelpInColours(t *testing.T) {
	help := func(colours bool) string {
		var shown bytes.Buffer
		if code := run(t.Context(), []string{"nn", "--help"}, streams{in: strings.NewReader(""), out: &shown, err: io.Discard, outTerminal: true, colours: colours}); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		return shown.String()
	}
	plain, coloured := help(false), help(true)
	if strings.Contains(plain, "\x1b") {
		t.Errorf("without colours: %q", plain)
	}
	if got := regexp.MustCompile("\x1b\\[(0|1|36)m").ReplaceAllString(coloured, ""); got != plain {
		t.Errorf("without its colours the text is %q, want %q", got, plain)
	}
	for _, want := range []string{"\n\x1b[1mUsage:\x1b[0m\n", "\n\x1b[1mExamples:\x1b[0m\n", "\x1b[36m--explain\x1b[0m", "\x1b[36m-k"} {
		if !strings.Contains(coloured, want) {
			t.Errorf("help has no %q: %q", want, coloured)
		}
	}
}
