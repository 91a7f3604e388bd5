package figures

import (
	"strings"
	"unicode/utf8"
)

// A Table is rows of cells; the first row is its head.
type Table [][]string

// Markdown writes the table so that it can be read as it is, too.
func (t Table) Markdown() string {
	if len(t) == 0 {
		return ""
	}
	widths := make([]int, len(t[0]))
	for _, cells := range t {
		for i, cell := range cells {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	write := func(cells []string, pad string) {
		for i, cell := range cells {
			text.WriteString("| " + cell + strings.Repeat(pad, widths[i]-utf8.RuneCountInString(cell)) + " ")
		}
		text.WriteString("|\n")
	}
	write(t[0], " ")
	write(make([]string, len(t[0])), "-")
	for _, cells := range t[1:] {
		write(cells, " ")
	}
	return text.String()
}
