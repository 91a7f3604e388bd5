package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
