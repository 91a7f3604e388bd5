package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"github.com/w2v-go/w2v/internal/wording"
)

func (s *Screen) selection() (n Neighbor, rank int, ok bool) {
	p := &s.panes[s.active]
	if p.selected >= len(p.answer.Neighbors) {
		return n, 0, false
	}
	return p.answer.Neighbors[p.selected], p.selected + 1, true
}

func (s *Screen) details() (details [][2]string) {
	n, rank, ok := s.selection()
	if !ok {
		return nil
	}
	p := &s.panes[s.active]
	add := func(name, format string, values ...any) {
		details = append(details, [2]string{name, fmt.Sprintf(format, values...)})
	}
	add("rank", "%d of %d", rank, len(p.answer.Neighbors))
	name := either(p.answer.Kind == Analogy, "score", "cosine")
	add(name, "%.6f", n.Similarity)
	if n.ToPinned.Known {
		add("to pinned", "%.6f", n.ToPinned.Value)
	}
	if words, _ := p.source.Size(); n.Entry.Place > 0 {
		add("word", "%s of %s", wording.Thousands(n.Entry.Place), wording.Thousands(words))
	} else {
		add("word", notInVocabulary)
	}
	if n.Entry.Count > 0 {
		add("count", "%s", wording.Thousands(n.Entry.Count))
	}
	if len(s.panes) > 1 {
		add("other", "%s", s.elsewhere(n.Word))
	}
	add("spelling", "%s", spelling(n.Word))
	return details
}

const notInVocabulary = "not in the vocabulary"

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

func (s *Screen) side(width, height int) (lines []string) {
	const nameWidth = 10
	section := func(heading string, details [][2]string, first ...string) {
		if len(details) > 0 {
			lines = append(append(lines, s.heading(heading, "", width)), first...)
			lines = append(append(lines, s.table(s.styles.faint, details, nameWidth, width)...), "")
		}
	}
	n, _, _ := s.selection()
	section("selected", s.details(), s.styles.title.Render(s.cut(shown(n.Word), width)))
	section("pinned", s.pinnedText())
	if parts := s.panes[s.active].answer.Parts; len(parts) > 0 && height-len(lines) > 1 {
		lines = append(lines, s.heading(s.composed(), "share", width))
		lines = append(lines, s.parts(parts, width, height-len(lines))...)
	}
	return lines[:min(len(lines), height)]
}

func (s *Screen) pinnedText() (text [][2]string) {
	if s.pinned == "" {
		return nil
	}
	text = [][2]string{{"text", shown(s.pinned)}}
	switch a := &s.panes[s.active].answer; {
	case a.Pinned != s.pinned:
	case a.NoPinned != "":
		text = append(text, [2]string{"problem", shown(a.NoPinned)})
	case a.ToPinned.Known:
		text = append(text, [2]string{"cosine", fmt.Sprintf("%.6f", a.ToPinned.Value)})
	}
	return text
}

func (s *Screen) composed() string { return shown(s.panes[s.active].answer.Text) + " is composed of" }

func (s *Screen) parts(parts []Part, width, room int) (lines []string) {
	const share = 7
	fitting := parts[:min(len(parts), max(0, room))]
	longest := 0
	for _, p := range fitting {
		longest = max(longest, s.measure.StringWidth(partText(p)))
	}
	longest = min(longest, width/2)
	drawn := width - longest - 1 - share
	for _, p := range fitting {
		line := s.fit(partText(p), longest) + " " + s.fit(s.styles.bar.Render(bar(p.Share, drawn)), drawn)
		lines = append(lines, line+s.fitRight(fmt.Sprintf("%.1f %%", 100*p.Share), share))
	}
	if left := len(parts) - len(fitting); left > 0 && len(lines) > 0 {
		lines[len(lines)-1] = s.styles.faint.Render(fmt.Sprintf("%s and %s", ellipsis, wording.Count(left+1, "other", "others")))
	}
	return lines
}

func partText(p Part) string { return either(p.Whole, "["+shown(p.Text)+"]", shown(p.Text)) }

func (s *Screen) strip(room int) []string {
	faint := s.styles.faint.Render
	title := "selected"
	if n, _, ok := s.selection(); ok {
		title = s.cut(shown(n.Word), s.width/2)
	}
	pinned := s.pinnedText()
	if len(pinned) > 0 {
		pinned[0][0] = "pinned"
	}
	var texts []string
	for _, d := range append(s.details(), pinned...) {
		texts = append(texts, faint(d[0])+" "+d[1])
	}
	const most = 6
	if parts := s.panes[s.active].answer.Parts; len(parts) > 0 {
		text := faint(s.composed())
		for _, p := range parts[:min(most, len(parts))] {
			text += fmt.Sprintf(" %s %.0f %%", partText(p), 100*p.Share)
		}
		texts = append(texts, text)
	}
	lines := append([]string{s.heading(title, "", s.width)}, s.wrap(strings.Join(texts, faint(" · ")), s.width)...)
	return append(lines, make([]string, room)...)[:room]
}

var forms = [][2]string{
	{"king", "the nearest words; n-grams compose unknown words"},
	{"king - man + woman", "a sum of words, with spaces around + and -"},
	{"0.5*king + queen", "with factors"},
	{"man king woman", "an analogy: man is to king as woman is to …"},
	{"man:king::woman:?", "the same, for words with spaces, too"},
}

func (s *Screen) welcome(room int) []string {
	lines := append([]string{"", s.heading("type", "", s.width)}, s.table(s.styles.title, forms, 20, s.width)...)
	if s.pinned != "" {
		lines = append(lines, "", s.styles.faint.Render("pinned ")+shown(s.pinned))
	}
	return lines[:min(len(lines), room)]
}

func (s *Screen) helpPage(room int) []string {
	lines := s.helpLines()
	top := max(0, min(s.helpTop, len(lines)-room))
	return lines[top:min(len(lines), top+room)]
}

func (s *Screen) helpLines() (lines []string) {
	section := func(title string, first int, rows ...[2]string) {
		lines = append(lines, s.heading(title, "", s.width))
		lines = append(lines, s.table(s.styles.title, rows, first, s.width)...)
	}
	section("keys in the line", 10,
		[2]string{"tab", "complete the word; again: the next one (shift-tab: the one before)"},
		[2]string{"enter", "pin: compare all answers with this text; again: unpin"},
		[2]string{"↑ ↓", "earlier texts of this session; ↓ below the last one: to the list"},
		[2]string{"esc", "back to what was followed, or clear the line"})
	list := [][2]string{
		{"↑ ↓", "select a neighbour (pgup, pgdn, home, end, too)"},
		{"enter", "follow it: its own neighbours"},
		{"esc", "back (or alt-left); where nothing was followed, to the line"},
	}
	if len(s.panes) > 1 {
		list = append(list, [2]string{"← →", "the list of the other model; = marks words of both"})
	}
	section("keys in the list", 10, append(list, [2]string{"letters", "go on typing"})...)
	section("everywhere", 10,
		[2]string{"? f1", "help (? where it is not a part of the text)"},
		[2]string{"ctrl-l", "draw the screen again"},
		[2]string{"ctrl-c", "quit (ctrl-d in an empty line, too); ctrl-z suspends"})
	section("texts", 20, forms...)
	return lines
}

func (s *Screen) table(style lipgloss.Style, rows [][2]string, first, width int) (lines []string) {
	first = min(first, width/2)
	for _, row := range rows {
		name := s.fit(row[0], first)
		for _, text := range s.wrap(row[1], width-first) {
			lines = append(lines, style.Render(name)+text)
			name = s.fit("", first)
		}
	}
	return lines
}

// Colours are the terminal's own sixteen; where there are none, bold, faint and reversed text tell the same.
type styles struct {
	title, heading, faint, bar, mark, problem, selected, selectedAway lipgloss.Style
}

func (s *Screen) dress(dark bool) {
	choose := lipgloss.LightDark(dark)
	plain := lipgloss.NewStyle()
	bold := plain.Bold(true)
	s.styles = styles{
		title: bold, faint: plain.Faint(true), selected: plain.Reverse(true), selectedAway: bold,
		heading: bold.Foreground(choose(lipgloss.Blue, lipgloss.BrightCyan)),
		bar:     plain.Foreground(choose(lipgloss.Blue, lipgloss.Cyan)),
		mark:    bold.Foreground(choose(lipgloss.Magenta, lipgloss.BrightYellow)),
		problem: bold.Foreground(choose(lipgloss.Red, lipgloss.BrightRed)),
	}
	line := s.line.Styles()
	line.Focused.Prompt, line.Focused.Text, line.Focused.Placeholder = s.styles.heading, plain, s.styles.faint
	line.Blurred = line.Focused
	s.line.SetStyles(line)
}
