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
)

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
