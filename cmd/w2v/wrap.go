package main

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// columns returns how wide help is written where the terminal has so many columns; 0 if
// there is no terminal.
func columns(terminal int) int {
	const usual, least, most = 80, 40, 120
	if terminal <= 0 {
		return usual
	}
	return min(max(terminal, least), most)
}

// tableRow is an indented line of two columns.
var tableRow = regexp.MustCompile(`^( +\S.*?  +)(\S.*)$`)

// reflow breaks the lines of text anew, for so many columns. Lines without an indent are
// paragraphs, which an empty or indented line ends. An indented line is kept; where it is
// a row of a table, its second column is broken to stay in place.
func reflow(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, wrapWords(strings.Fields(strings.Join(paragraph, " ")), width)...)
			paragraph = nil
		}
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch row := tableRow.FindStringSubmatch(line); {
		case strings.TrimSpace(line) == "":
			end()
			out = append(out, "")
		case line[0] != ' ':
			paragraph = append(paragraph, line)
		case row == nil:
			end()
			out = append(out, line)
		default:
			end()
			rest := []string{row[2]}
			for i+1 < len(lines) && indent(lines[i+1]) == utf8.RuneCountInString(row[1]) {
				i++
				rest = append(rest, strings.TrimSpace(lines[i]))
			}
			out = append(out, wrapRow(row[1], strings.Join(rest, " "), width)...)
		}
	}
	end()
	return strings.Join(out, "\n")
}

// indent returns how many spaces a line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// wrapRow breaks the second column of a row, which stays in place if there is room for it
// and else goes below the first. Each line of a comment has its mark.
func wrapRow(first, second string, width int) []string {
	const least = 24
	mark := ""
	if strings.HasPrefix(second, "# ") {
		mark, second = "# ", strings.TrimPrefix(second, "# ")
	}
	at := utf8.RuneCountInString(first)
	if at+len(mark)+utf8.RuneCountInString(second) <= width {
		return []string{first + mark + second}
	}
	var out []string
	if width-at < least {
		out = append(out, strings.TrimRight(first, " "))
		at = indent(first) + 4
		first = strings.Repeat(" ", at)
	}
	for _, line := range wrapWords(strings.Fields(second), width-at-len(mark)) {
		out = append(out, first+mark+line)
		first = strings.Repeat(" ", at)
	}
	return out
}

// wrapWords puts as many words into each line as there is room for.
func wrapWords(words []string, width int) []string {
	var lines []string
	line := ""
	for _, word := range words {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// wrapCommands breaks command lines that are too long where a shell lets them go on: at
// spaces between their words.
func wrapCommands(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) <= width {
			out = append(out, line)
			continue
		}
		before := strings.Repeat(" ", indent(line))
		for i, part := range wrapWords(commandWords(line), width-len(before)-len("    ")-len(` \`)) {
			if i > 0 {
				out[len(out)-1] += ` \`
				part = "    " + part
			}
			out = append(out, before+part)
		}
	}
	return strings.Join(out, "\n")
}

// commandWords cuts a command line into what must stay on one line: words, what is in
// quotation marks, and a comment.
func commandWords(line string) []string {
	var words []string
	quote, word := rune(0), ""
	for i, r := range line {
		switch {
		case quote == 0 && word == "" && r == '#':
			return append(words, line[i:])
		case quote == 0 && r == ' ':
			if word != "" {
				words, word = append(words, word), ""
			}
			continue
		case quote == 0 && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = 0
		}
		word += string(r)
	}
	if word != "" {
		words = append(words, word)
	}
	return words
}
