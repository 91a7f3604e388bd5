package docs

import (
	"fmt"
	"regexp"
	"strings"
)

// ellipsis stands for any characters of a line, and alone on a line for any lines.
const ellipsis = "…"

// Compare returns an error if a program printed something else than a page shows. White space at
// the ends of lines and of the text does not count.
func Compare(shown, printed string) error {
	shown, printed = trim(shown), trim(printed)
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for line := range strings.SplitSeq(shown, "\n") {
		if strings.TrimSpace(line) == ellipsis {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		for i, part := range strings.Split(line, ellipsis) {
			if i > 0 {
				pattern.WriteString(`.*?`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteString(`\n`)
	}
	pattern.WriteString(`\z`)
	if !regexp.MustCompile(pattern.String()).MatchString(printed + "\n") {
		return fmt.Errorf("the page shows\n%s\nand the program printed\n%s", indent(shown), indent(printed))
	}
	return nil
}

// trim removes white space from the ends of lines, and empty lines from the end.
func trim(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func indent(text string) string { return "\t" + strings.ReplaceAll(text, "\n", "\n\t") }

// A Command is a command of a console block with the output that is shown below it.
type Command struct {
	Line int // of the page
	Text string
	Want string
}

// Console returns the commands of a console block. Lines of a command begin with "$ ", and its
// further lines with "> ".
func Console(b Block) (commands []Command, err error) {
	for i, line := range strings.Split(strings.TrimRight(b.Text, "\n"), "\n") {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			commands = append(commands, Command{Line: b.Line + i, Text: command + "\n"})
			continue
		}
		if len(commands) == 0 {
			return nil, fmt.Errorf("line %d: a console block begins with a command behind \"$ \"", b.Line+i)
		}
		last := &commands[len(commands)-1]
		if more, ok := strings.CutPrefix(line, "> "); ok && last.Want == "" && strings.HasSuffix(last.Text, "\\\n") {
			last.Text += more + "\n"
			continue
		}
		last.Want += line + "\n"
	}
	return commands, nil
}
