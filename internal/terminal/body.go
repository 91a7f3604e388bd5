package terminal

import (
	"strings"
)

const (
	sideWidth   = 30 // columns of the panes beside the lists
	roomForSide = 70 // columns of the screen from which there are such panes with one model
	roomForTwo  = 56 // columns from which two lists stand side by side
	roomForBoth = 120
	below       = 4 // lines of the details where there is no room beside the lists
	roomBelow   = 9 // lines of lists and details from which there are such lines
	gap         = 2 // columns between panes
)

// A layout says where the panes are.
type layout struct {
	lists  []int // panes whose lists are shown
	width  int   // of each list
	height int   // of each list, with its heading
	side   int   // columns of the details beside the lists; 0 for none
	below  int   // lines of the details below the lists; 0 for none
}

// layout arranges the panes in so many lines.
func (s *Screen) layout(room int) layout {
	l := layout{lists: []int{s.active}, height: room}
	if len(s.panes) > 1 && s.width >= roomForTwo {
		l.lists = []int{0, 1}
	}
	switch {
	case len(s.panes) == 1 && s.width >= roomForSide, s.width >= roomForBoth:
		l.side = min(2*sideWidth, max(sideWidth, s.width/3))
	case room >= roomBelow:
		l.below = below
		l.height -= below
	}
	l.width = s.width
	if l.side > 0 {
		l.width -= l.side + gap
	}
	if len(l.lists) > 1 {
		l.width = (l.width - gap) / 2
	}
	return l
}

// listHeight is how many neighbours are shown at a time.
func (s *Screen) listHeight() int {
	return max(1, s.layout(s.room()).height-1)
}

// body returns the lists and what stands beside and below them.
func (s *Screen) body(room int) []string {
	switch {
	case s.help:
		return s.helpPage(room)
	case strings.Trim(s.line.Value(), " ") == "" && s.panes[s.active].err == nil:
		return s.welcome(room)
	}
	l := s.layout(room)
	columns := make([][]string, 0, 3)
	for _, i := range l.lists {
		columns = append(columns, s.list(i, l.width, l.height))
	}
	if l.side > 0 {
		columns = append(columns, s.side(l.side, l.height))
	}
	lines := make([]string, l.height)
	for i := range lines {
		var line strings.Builder
		for c, column := range columns {
			width := l.width
			if l.side > 0 && c == len(columns)-1 {
				width = l.side
			}
			text := ""
			if i < len(column) {
				text = column[i]
			}
			if c > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			line.WriteString(s.fit(text, width))
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	if l.below > 0 {
		lines = append(lines, s.strip(l.below)...)
	}
	return lines
}
