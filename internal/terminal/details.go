package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"github.com/w2v-go/w2v/internal/wording"
)

// selection returns the neighbour that is selected.
func (s *Screen) selection() (n Neighbor, rank int, ok bool) {
	p := &s.panes[s.active]
	if p.selected >= len(p.answer.Neighbors) {
		return n, 0, false
	}
	return p.answer.Neighbors[p.selected], p.selected + 1, true
}

// details are what there is to say of the neighbour that is selected, as names and values.
func (s *Screen) details() (details [][2]string) {
	n, rank, ok := s.selection()
	if !ok {
		return nil
	}
	p := &s.panes[s.active]
	add := func(name, value string) { details = append(details, [2]string{name, value}) }
	add("rank", fmt.Sprintf("%d of %d", rank, len(p.answer.Neighbors)))
	name := "cosine"
	if p.answer.Kind == Analogy {
		name = "score"
	}
	add(name, fmt.Sprintf("%.6f", n.Similarity))
	if n.ToPinned.Known {
		add("to pinned", fmt.Sprintf("%.6f", n.ToPinned.Value))
	}
	words, _ := p.source.Size()
	if n.Entry.Place > 0 {
		add("word", fmt.Sprintf("%s of %s", wording.Thousands(n.Entry.Place), wording.Thousands(words)))
	} else {
		add("word", "not in the vocabulary")
	}
	if n.Entry.Count > 0 {
		add("count", wording.Thousands(n.Entry.Count))
	}
	if len(s.panes) > 1 {
		add("other", s.elsewhere(n.Word))
	}
	add("spelling", spelling(n.Word))
	return details
}

// elsewhere says where the other of two panes has a word.
func (s *Screen) elsewhere(word string) string {
	other := &s.panes[1-s.active].answer
	for i, n := range other.Neighbors {
		if n.Word == word {
			return fmt.Sprintf("rank %d, %.4f", i+1, n.Similarity)
		}
	}
	return "not among its neighbours"
}

// spelling tells words apart that look the same: it is in ASCII.
func spelling(word string) string {
	text := strconv.QuoteToASCII(word)
	if bytes, points := len(word), utf8.RuneCountInString(word); bytes != points {
		text += fmt.Sprintf(", %s, %s", wording.Count(points, "code point", "code points"), wording.Count(bytes, "byte", "bytes"))
	}
	return text
}

// side draws the panes beside the lists: the neighbour that is selected, what is pinned, and what the word is
// composed of.
func (s *Screen) side(width, height int) (lines []string) {
	if n, _, ok := s.selection(); ok {
		lines = append(lines, s.heading("selected", "", width), s.styles.title.Render(s.cut(shown(n.Word), width)))
		for _, d := range s.details() {
			lines = append(lines, s.field(d, width)...)
		}
		lines = append(lines, "")
	}
	if text := s.pinnedText(); len(text) > 0 {
		lines = append(lines, s.heading("pinned", "", width))
		for _, d := range text {
			lines = append(lines, s.field(d, width)...)
		}
		lines = append(lines, "")
	}
	if parts := s.panes[s.active].answer.Parts; len(parts) > 0 && height-len(lines) > 1 {
		lines = append(lines, s.heading(s.composed(), "share", width))
		lines = append(lines, s.parts(parts, width, height-len(lines))...)
	}
	return lines[:min(len(lines), height)]
}

// nameWidth is the columns of the names of details.
const nameWidth = 10

// field draws a name and a value, in as many lines as it takes.
func (s *Screen) field(d [2]string, width int) (lines []string) {
	name := s.fit(d[0], nameWidth)
	for _, part := range s.wrap(d[1], width-nameWidth) {
		lines = append(lines, s.styles.faint.Render(name)+part)
		name = strings.Repeat(" ", nameWidth)
	}
	return lines
}

// pinnedText says what is pinned, and how similar the text is to it.
func (s *Screen) pinnedText() (text [][2]string) {
	a := &s.panes[s.active].answer
	switch {
	case s.pinned == "":
		return nil
	case a.Pinned != s.pinned:
		return [][2]string{{"text", shown(s.pinned)}}
	case a.NoPinned != "":
		return [][2]string{{"text", shown(s.pinned)}, {"problem", shown(a.NoPinned)}}
	}
	text = append(text, [2]string{"text", shown(s.pinned)})
	if a.ToPinned.Known {
		text = append(text, [2]string{"cosine", fmt.Sprintf("%.6f", a.ToPinned.Value)})
	}
	return text
}

// composed says which word the parts are of.
func (s *Screen) composed() string {
	return shown(s.panes[s.active].answer.Text) + " is composed of"
}

// parts draws what a word is composed of, in so many lines.
func (s *Screen) parts(parts []Part, width, room int) (lines []string) {
	const share = 7
	longest := 0
	for _, p := range parts[:min(len(parts), max(0, room))] {
		longest = max(longest, s.measure.StringWidth(partText(p)))
	}
	longest = min(longest, width/2)
	for i, p := range parts {
		if i == room-1 && len(parts) > room {
			return append(lines, s.styles.faint.Render(fmt.Sprintf("%s and %s", ellipsis, wording.Count(len(parts)-i, "other", "others"))))
		}
		if i == room {
			break
		}
		line := s.fit(partText(p), longest) + " "
		drawn := width - longest - 1 - share
		line += s.fit(s.styles.bar.Render(bar(p.Share, drawn)), drawn)
		lines = append(lines, line+s.fitRight(fmt.Sprintf("%.1f %%", 100*p.Share), share))
	}
	return lines
}

// partText names a part: that of a whole word stands in square brackets, as in w2v nn --explain.
func partText(p Part) string {
	if p.Whole {
		return "[" + shown(p.Text) + "]"
	}
	return shown(p.Text)
}

// strip draws the details below the lists, in so many lines.
func (s *Screen) strip(room int) []string {
	n, _, ok := s.selection()
	var texts []string
	title := "selected"
	if ok {
		title = s.cut(shown(n.Word), s.width/2)
		for _, d := range s.details() {
			texts = append(texts, s.styles.faint.Render(d[0])+" "+d[1])
		}
	}
	for i, d := range s.pinnedText() {
		if i == 0 {
			d[0] = "pinned"
		}
		texts = append(texts, s.styles.faint.Render(d[0])+" "+d[1])
	}
	for i, p := range s.panes[s.active].answer.Parts {
		if i == 0 {
			texts = append(texts, s.styles.faint.Render(s.composed()))
		}
		texts[len(texts)-1] += fmt.Sprintf(" %s %.0f %%", partText(p), 100*p.Share)
		if i == 5 {
			break
		}
	}
	lines := append([]string{s.heading(title, "", s.width)}, s.wrap(strings.Join(texts, s.styles.faint.Render(" · ")), s.width)...)
	lines = lines[:min(len(lines), room)]
	for len(lines) < room {
		lines = append(lines, "")
	}
	return lines
}

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

// styles are how parts of the screen look. Colours are the terminal's own sixteen, with which its user can read on
// its background; where there are no colours, bold, faint and reversed text tell the same.
type styles struct {
	title, heading, faint, bar, mark, problem, selected, selectedAway lipgloss.Style
}

// dress chooses the styles for a dark or a light terminal.
func (s *Screen) dress(dark bool) {
	choose := lipgloss.LightDark(dark)
	accent := choose(lipgloss.Blue, lipgloss.BrightCyan)
	plain := lipgloss.NewStyle()
	s.styles = styles{
		title:        plain.Bold(true),
		heading:      plain.Bold(true).Foreground(accent),
		faint:        plain.Faint(true),
		bar:          plain.Foreground(choose(lipgloss.Blue, lipgloss.Cyan)),
		mark:         plain.Bold(true).Foreground(choose(lipgloss.Magenta, lipgloss.BrightYellow)),
		problem:      plain.Bold(true).Foreground(choose(lipgloss.Red, lipgloss.BrightRed)),
		selected:     plain.Reverse(true),
		selectedAway: plain.Bold(true),
	}
	line := s.line.Styles()
	line.Focused.Prompt, line.Focused.Text, line.Focused.Placeholder = s.styles.heading, plain, s.styles.faint
	line.Blurred = line.Focused
	s.line.SetStyles(line)
	s.keyHelp.ShortSeparator = "  "
	h := &s.keyHelp.Styles
	h.ShortKey, h.FullKey = s.styles.heading, s.styles.heading
	h.ShortDesc, h.FullDesc = plain, plain
	h.ShortSeparator, h.FullSeparator, h.Ellipsis = s.styles.faint, s.styles.faint, s.styles.faint
}
