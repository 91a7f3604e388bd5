package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The page of commands is what the program says of itself.
func TestCommandsAreDocumented(t *testing.T) {
	checkWritten(t, filepath.Join("..", "..", "docs", "commands.md"), commandsPage(documented()))
}

// checkWritten compares a file of the repository with what the program makes. The flag -update writes it.
func checkWritten(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(got), "\r\n", "\n") != want {
		t.Errorf("%s is not what the program says: go test ./cmd/w2v -run %s -update writes it", path, t.Name())
	}
}

// Every word of the help of a command is in its section.
func TestPageOfCommandsLosesNothing(t *testing.T) {
	sections := map[string]string{}
	for section := range strings.SplitSeq(commandsPage(documented()), "\n## ") {
		title, text, _ := strings.Cut(section, "\n")
		sections[title] = unmarked(text)
	}
	for _, c := range below(documented()) {
		for _, text := range textsOf(c) {
			for word := range strings.FieldsSeq(unmarked(text)) {
				if !strings.Contains(sections[c.CommandPath()], word) {
					t.Errorf("%s: %q is not on the page", c.CommandPath(), word)
				}
			}
		}
	}
}

// unmarked is text without the marks that Markdown and the texts of flags have around words.
func unmarked(text string) string { return strings.NewReplacer("`", "", `\`, "").Replace(text) }

func commandsPage(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(`# Commands

All commands of the program and all of their flags. ` + "`w2v COMMAND --help`" + ` prints the same, and so do the man pages of a
[release](releases.md). Results go to standard output, everything else to standard error.

The tests of the program write this page: ` + "`go test ./cmd/w2v -run CommandsAreDocumented -update`" + `.

`)
	for _, group := range commandGroups(root) {
		fmt.Fprintf(&b, "**%s**\n\n| command | what it does |\n|---|---|\n", group.title)
		for _, top := range group.commands {
			for _, c := range below(top) {
				fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", strings.TrimPrefix(c.CommandPath(), "w2v "), strings.ReplaceAll(c.CommandPath(), " ", "-"), markdown(c.Short))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("## Exit codes\n\n" + markdownTable("code", "meaning", exitCodes))
	b.WriteString("\n## Environment\n\n" + markdownTable("variable", "meaning", environment))
	for _, c := range below(root) {
		commandSection(&b, c)
	}
	return b.String()
}

// commandSection writes the section of a command.
func commandSection(b *strings.Builder, c *cobra.Command) {
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n\n", c.CommandPath(), strings.ReplaceAll(usageLine(c), "\n  ", "\n"))
	for i, p := range passages(c.Long) {
		if i > 0 {
			b.WriteString("\n")
		}
		switch p.kind {
		case paragraph:
			fmt.Fprintf(b, "%s\n", markdown(p.text))
		case table:
			b.WriteString(markdownTable("", "", p.rows))
		case code:
			fmt.Fprintf(b, "```text\n%s\n```\n", p.text)
		}
	}
	if c.HasExample() {
		fmt.Fprintf(b, "\n**Examples**\n\n```sh\n%s\n```\n", examples(c))
	}
	for _, group := range groupsOfFlags(ownFlags(c)) {
		fmt.Fprintf(b, "\n**%s**\n\n| flag | default | what it does |\n|---|---|---|\n", group.title)
		for _, f := range group.flags {
			name, value, text := flagName(f)
			standard := flagDefault(f)
			if standard != "" {
				standard = inCode(standard)
			}
			fmt.Fprintf(b, "| %s | %s | %s |\n", inCode(strings.TrimSpace(name+" "+value)), standard, markdown(text))
		}
	}
}

// markdownTable is a table whose first column is code.
func markdownTable(first, second string, rows [][2]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n|---|---|\n", first, second)
	for _, row := range rows {
		fmt.Fprintf(&b, "| %s | %s |\n", inCode(row[0]), markdown(row[1]))
	}
	return b.String()
}

// inCode is text as code in a table.
func inCode(text string) string { return "`" + strings.ReplaceAll(text, "|", `\|`) + "`" }

// asCode are the parts of a sentence that are code: flags, without a stop behind them.
var asCode = regexp.MustCompile(`--[a-z][a-z0-9-]*`)

// markdown is a sentence of the help as Markdown: flags are code, and all other signs are themselves.
func markdown(text string) string {
	plain := strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, "[", `\[`, "`", "\\`", "|", `\|`)
	var b strings.Builder
	last := 0
	for _, at := range asCode.FindAllStringIndex(text, -1) {
		b.WriteString(plain.Replace(text[last:at[0]]) + "`" + text[at[0]:at[1]] + "`")
		last = at[1]
	}
	return b.String() + plain.Replace(text[last:])
}

// Package main has no importers, so a test makes the files of a release. The libraries that turn
// Markdown into man pages write "-" where "\-" must be for flags that can be copied, and they know no
// groups of flags.
var (
	manFolder  = flag.String("man", "", "write the man pages to this folder")
	manVersion = flag.String("man-version", "", "the version that man pages name")
)

// There is a man page for each command. It says all that the help says, and mandoc has nothing to
// criticise.
func TestManPages(t *testing.T) {
	folder := *manFolder
	if folder == "" {
		folder = t.TempDir()
	} else if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	date := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		date = time.Unix(seconds, 0).UTC()
	}
	mandoc, _ := exec.LookPath("mandoc")
	root := documented()
	for _, c := range below(root) {
		path := filepath.Join(folder, manName(c)+".1")
		page := manPage(c, strings.TrimSpace("w2v "+*manVersion), date)
		if err := os.WriteFile(path, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		said := plainRoff(page)
		for _, text := range textsOf(c) {
			for word := range strings.FieldsSeq(strings.ReplaceAll(text, "`", "")) {
				if !strings.Contains(said, word) && !strings.Contains(said, strings.ToUpper(word)) {
					t.Errorf("%s: %q is not on the man page", c.CommandPath(), word)
				}
			}
		}
		if mandoc != "" {
			if out, err := exec.Command(mandoc, "-T", "lint", "-W", "warning", path).CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		}
	}
	if mandoc == "" && os.Getenv("W2V_MANDOC") == "require" {
		t.Error("there is no mandoc")
	}
}

func TestRoff(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a well-known word", "a well-known word"},
		{"use --dim 100 or -o", `use \fB\-\-dim\fP 100 or \-o`},
		{".gz or .zst", `\&.gz or .zst`},
		{"'quoted'", `\&'quoted'`},
		{`a\b`, `a\eb`},
		{"as C is to …", `as C is to \[u2026]`},
	} {
		if got := roff(test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// manName is the name of the page of a command, as "w2v-eval-similarity".
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is the man page of a command, in the macros of man(7).
func manPage(c *cobra.Command, source string, date time.Time) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`.TH %s 1 %s "%s" "w2v manual"`+"\n.ad l", roffCode(strings.ToUpper(manName(c))), date.Format(time.DateOnly), roff(source))
	line(".SH NAME\n%s \\- %s", roffCode(manName(c)), roff(lowerFirst(c.Short)))
	line(".SH SYNOPSIS")
	for i, usage := range strings.Split(usageLine(c), "\n  ") {
		if i > 0 {
			line(".br")
		}
		name, rest := c.CommandPath(), strings.TrimPrefix(usage, c.CommandPath())
		line(`\fB%s\fP%s`, roffCode(name), roffCode(rest))
	}
	line(".SH DESCRIPTION")
	for i, p := range passages(c.Long) {
		switch {
		case p.kind == table:
			line("%s", strings.TrimSuffix(manTable(p.rows), "\n"))
		case p.kind == code:
			line(".PP\n.RS 4\n.EX\n%s\n.EE\n.RE", roffCode(p.text))
		case i > 0:
			line(".PP\n%s", roff(p.text))
		default:
			line("%s", roff(p.text))
		}
	}
	manCommands(&b, c)
	for i, group := range groupsOfFlags(ownFlags(c)) {
		if i == 0 {
			line(".SH OPTIONS")
		}
		if group.title != withoutGroup {
			line(".SS %s", group.title)
		}
		for _, f := range group.flags {
			name, value, text := flagName(f)
			if standard := flagDefault(f); standard != "" {
				text += fmt.Sprintf(" (default %s)", standard)
			}
			head := `\fB` + strings.ReplaceAll(roffCode(name), ", ", `\fP, \fB`) + `\fP`
			if value != "" {
				head += ` \fI` + roffCode(value) + `\fP`
			}
			line(".TP\n%s\n%s", head, roff(text))
		}
	}
	if c.HasExample() {
		line(".SH EXAMPLES\n.EX\n%s\n.EE", roffCode(wrapCommands(examples(c), 72)))
	}
	line(".SH EXIT STATUS\n%s", strings.TrimSuffix(manTable(exitCodes), "\n"))
	line(".SH ENVIRONMENT\n%s", strings.TrimSuffix(manTable(environment), "\n"))
	if c.HasParent() {
		line(".SH SEE ALSO\n\\fB%s\\fP(1)", roffCode(manName(c.Parent())))
	}
	return b.String()
}

// manCommands lists the commands below c, each with the name of its page.
func manCommands(b *strings.Builder, c *cobra.Command) {
	for i, group := range commandGroups(c) {
		if i == 0 {
			b.WriteString(".SH COMMANDS\n")
		}
		if len(c.Groups()) > 0 {
			fmt.Fprintf(b, ".SS %s\n", roff(group.title))
		}
		for _, sub := range group.commands {
			fmt.Fprintf(b, ".TP\n\\fB%s\\fP(1)\n%s\n", roffCode(manName(sub)), roff(sub.Short))
		}
	}
}

// manTable is a list of terms and what they mean.
func manTable(rows [][2]string) string {
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fP\n%s\n", roffCode(row[0]), roff(row[1]))
	}
	return b.String()
}

// lowerFirst is a text for the middle of a sentence.
func lowerFirst(text string) string { return strings.ToLower(text[:1]) + text[1:] }

// roffMinus are the minus signs that users type: those before flags.
var roffMinus = regexp.MustCompile(`(^|[^\w\\-])(-+\w)`)

// roff is a sentence as roff: flags are bold.
func roff(text string) string {
	text = roffSigns(text)
	text = roffMinus.ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, "-", `\-`) })
	return roffLine(regexp.MustCompile(`\\-\\-[a-z][a-z0-9-]*`).ReplaceAllStringFunc(text, func(s string) string {
		return `\fB\-\-` + strings.ReplaceAll(s[len(`\-\-`):], "-", `\-`) + `\fP`
	}))
}

// roffCode is text that users type, as roff: all of its minus signs are such.
func roffCode(text string) string {
	lines := strings.Split(strings.ReplaceAll(roffSigns(text), "-", `\-`), "\n")
	for i := range lines {
		lines[i] = roffLine(lines[i])
	}
	return strings.Join(lines, "\n")
}

// roffSigns writes signs that mean something to roff, or are not ASCII, as roff wants them.
func roffSigns(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// roffLine keeps a line from being read as a request.
func roffLine(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// plainRoff is what a page says, without requests and escapes.
func plainRoff(page string) string {
	page = regexp.MustCompile(`\\\[u([0-9A-F]+)\]`).ReplaceAllStringFunc(page, func(s string) string {
		sign, _ := strconv.ParseInt(s[len(`\[u`):len(s)-1], 16, 32)
		return string(rune(sign))
	})
	return strings.NewReplacer(`\fB`, "", `\fP`, "", `\fI`, "", `\-`, "-", `\&`, "", `\e`, `\`).Replace(page)
}

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
	root := newRoot(streams{}, "")
	root.InitDefaultHelpCmd()
	return root
}
