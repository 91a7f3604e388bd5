package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What the page of commands and the man pages have besides the help of each command.
var (
	exitCodes = [][2]string{
		{"0", "The command did what it was asked for."},
		{"1", "The command failed, or an answer is incomplete: a word has no vector, say. The last line of standard error says why."},
		{"2", "The command line makes no sense. Nothing was read or written."},
		{"130", "The command was interrupted, after it saved what it was asked to save."},
	}
	environment = [][2]string{
		{"W2V_SIMD", "The kernels to compute with, for tests and measurements: avx512, avx2, neon or portable. The command version prints which ones this machine has."},
		{"GOMAXPROCS", "The number of threads, unless --threads says otherwise. The default is the number of processors that the process may use."},
		{"GOMEMLIMIT, GOGC", "How often the Go runtime collects garbage. w2v chooses values that suit its models if GOGC is not set."},
		{"TMPDIR", "The folder of temporary files, such as the tokenised corpus."},
	}
)

// A passage is a part of a help text.
type passage struct {
	kind passageKind
	text string      // of a paragraph, on one line; of code, without its indent
	rows [][2]string // of a table
}

type passageKind int

const (
	paragraph passageKind = iota
	table                 // two columns: a term and what it means
	code
)

// passages cuts a help text as reflow does: into paragraphs and what is indented.
func passages(text string) []passage {
	var all []passage
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := 0; i < len(lines); {
		switch line := lines[i]; {
		case strings.TrimSpace(line) == "":
			i++
		case line[0] != ' ':
			start := i
			for i < len(lines) && lines[i] != "" && lines[i][0] != ' ' {
				i++
			}
			all = append(all, passage{kind: paragraph, text: strings.Join(lines[start:i], " ")})
		default:
			start := i
			for i < len(lines) && (lines[i] == "" || lines[i][0] == ' ') {
				i++
			}
			all = append(all, indented(strings.TrimRight(strings.Join(lines[start:i], "\n"), "\n")))
		}
	}
	return all
}

// indented tells a table, all of whose lines are rows or go on in the second column, from code.
func indented(text string) passage {
	verbatim := passage{kind: code, text: dedent(text)}
	p := passage{kind: table}
	column := -1
	for line := range strings.SplitSeq(text, "\n") {
		row := tableRow.FindStringSubmatch(line)
		switch {
		case row != nil && !strings.Contains(line, "="):
			column = len([]rune(row[1]))
			p.rows = append(p.rows, [2]string{strings.TrimSpace(row[1]), row[2]})
		case column > 0 && indent(line) == column:
			p.rows[len(p.rows)-1][1] += " " + strings.TrimSpace(line)
		default:
			return verbatim
		}
	}
	return p
}

// dedent takes the indent of the first line from all lines.
func dedent(text string) string {
	before := text[:indent(text)]
	return strings.ReplaceAll(strings.TrimPrefix(text, before), "\n"+before, "\n")
}

// examples are the example command lines of a command.
func examples(c *cobra.Command) string { return dedent(strings.Trim(c.Example, "\n")) }

// ownFlags are the flags of a command but for --help, which all commands have.
func ownFlags(c *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	own.SortFlags = c.Flags().SortFlags
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != "help" {
			own.AddFlag(f)
		}
	})
	return own
}

// textsOf are all texts of the help of a command.
func textsOf(c *cobra.Command) []string {
	texts := []string{c.Long, c.Example, usageLine(c)}
	for _, group := range groupsOfFlags(ownFlags(c)) {
		if group.title != withoutGroup {
			texts = append(texts, group.title)
		}
		for _, f := range group.flags {
			name, value, text := flagName(f)
			texts = append(texts, name, value, text, flagDefault(f))
		}
	}
	return texts
}

// below returns c and all commands below it that users see, each before those below it.
func below(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, group := range commandGroups(c) {
		for _, sub := range group.commands {
			all = append(all, below(sub)...)
		}
	}
	return all
}

// documented is the program as its reference describes it.
func documented() *cobra.Command {
	root := newRoot(streams{})
	root.InitDefaultHelpCmd()
	return root
}
