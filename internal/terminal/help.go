package terminal

import (
	"charm.land/bubbles/v2/key"
)

// forms are what may be typed, with what it asks for.
var forms = [][2]string{
	{"king", "the nearest words; n-grams compose unknown words"},
	{"king - man + woman", "a sum of words, with spaces around + and -"},
	{"0.5*king + queen", "with factors"},
	{"man king woman", "an analogy: man is to king as woman is to …"},
	{"man:king::woman:?", "the same, for words with spaces, too"},
}

// welcome is what is shown before anything is typed.
func (s *Screen) welcome(room int) []string {
	lines := []string{"", s.heading("type", "", s.width)}
	lines = append(lines, s.table(forms, 20)...)
	if len(s.pinned) > 0 {
		lines = append(lines, "", s.styles.faint.Render("pinned ")+shown(s.pinned))
	}
	return lines[:min(len(lines), room)]
}

// helpPage is what so many lines have room for of the help.
func (s *Screen) helpPage(room int) []string {
	lines := s.helpLines()
	top := max(0, min(s.helpTop, len(lines)-room))
	return lines[top:min(len(lines), top+room)]
}

// helpLines explain the keys and what may be typed.
func (s *Screen) helpLines() []string {
	k := s.keys
	lines := []string{s.heading("keys in the line", "", s.width)}
	lines = append(lines, s.table(keyTable(
		renamed(k.complete, "tab", "complete the word; again: the next one (shift-tab: the one before)"),
		renamed(k.pin, "enter", "pin: compare all answers with this text; again: unpin"),
		renamed(k.older, "↑ ↓", "earlier texts of this session; ↓ below the last one: to the list"),
		renamed(k.clear, "esc", "back to what was followed, or clear the line"),
	), 10)...)
	lines = append(lines, s.heading("keys in the list", "", s.width))
	list := []key.Binding{
		renamed(k.scroll, "↑ ↓", "select a neighbour (pgup, pgdn, home, end, too)"),
		renamed(k.follow, "enter", "follow it: its own neighbours"),
		renamed(k.back, "esc", "back (or alt-left); where nothing was followed, to the line"),
	}
	if len(s.panes) > 1 {
		list = append(list, renamed(k.left, "← →", "the list of the other model; = marks words of both"))
	}
	lines = append(lines, s.table(keyTable(append(list, renamed(k.line, "letters", "go on typing"))...), 10)...)
	lines = append(lines, s.heading("everywhere", "", s.width))
	lines = append(lines, s.table(keyTable(
		renamed(k.help, "? f1", "help (? where it is no part of the text)"),
		renamed(k.redraw, "ctrl-l", "draw the screen again"),
		renamed(k.quit, "ctrl-c", "quit (ctrl-d in an empty line, too); ctrl-z suspends"),
	), 10)...)
	lines = append(lines, s.heading("texts", "", s.width))
	return append(lines, s.table(forms, 20)...)
}

// keyTable has a row for each binding.
func keyTable(bindings ...key.Binding) (rows [][2]string) {
	for _, b := range bindings {
		rows = append(rows, [2]string{b.Help().Key, b.Help().Desc})
	}
	return rows
}

// table draws rows of two columns, the second one broken into lines.
func (s *Screen) table(rows [][2]string, first int) (lines []string) {
	first = min(first, s.width/2)
	for _, row := range rows {
		name := s.fit(row[0], first)
		for _, text := range s.wrap(row[1], s.width-first) {
			lines = append(lines, s.styles.title.Render(name)+text)
			name = s.fit("", first)
		}
	}
	return lines
}
