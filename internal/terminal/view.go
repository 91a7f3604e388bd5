package terminal

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/w2v-go/w2v/internal/wording"
)

// View draws the screen.
func (s *Screen) View() tea.View {
	lines := s.draw()
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.WindowTitle = "w2v query"
	if !s.inList && !s.help {
		if c := s.line.Cursor(); c != nil {
			c.Position.Y += s.lineAt()
			c.Position.X = min(c.Position.X, max(0, s.width-1))
			v.Cursor = c
		}
	}
	return v
}

// lineAt is the line of the screen in which questions are typed: the second one, below the title, where
// there is room for a title.
func (s *Screen) lineAt() int {
	if s.height < 5 {
		return 0
	}
	return 1
}

// Lines of the screen besides those of the lists.
const (
	roomForOffers = 12 // lines of the screen from which completions have a line of their own
	roomForKeys   = 4  // lines of the screen from which the keys are shown
)

// draw returns the lines of the screen, each no wider than it and no more than it has.
func (s *Screen) draw() []string {
	var lines []string
	if s.lineAt() > 0 {
		lines = append(lines, s.title())
	}
	s.line.SetWidth(max(1, s.width-s.measure.StringWidth(s.line.Prompt)-1))
	lines = append(lines, s.line.View())
	if s.height > 2 {
		lines = append(lines, s.status())
	}
	if s.height >= roomForOffers {
		lines = append(lines, s.offers())
	}
	var foot []string
	if s.height >= roomForKeys {
		s.keyHelp.SetWidth(s.width)
		foot = append(foot, s.keyHelp.ShortHelpView(s.footKeys()))
	}
	if room := s.height - len(lines) - len(foot); room > 0 {
		body := s.body(room)
		body = body[:min(len(body), room)]
		for len(body) < room {
			body = append(body, "")
		}
		lines = append(lines, body...)
	}
	lines = append(lines, foot...)
	lines = lines[:min(len(lines), max(1, s.height))]
	for i := range lines {
		lines[i] = s.cut(lines[i], s.width)
	}
	return lines
}

// title names the program and the models.
func (s *Screen) title() string {
	var names []string
	for _, p := range s.panes {
		words, dim := p.source.Size()
		names = append(names, fmt.Sprintf("%s (%s × %s)", shown(p.source.Label()), wording.Count(words, "word", "words"), wording.Thousands(dim)))
	}
	return s.styles.title.Render("w2v query") + "  " + s.styles.faint.Render(strings.Join(names, " and "))
}

// status says what the text was read as or what is wrong with it, and whether an answer is being waited for.
func (s *Screen) status() string {
	p := &s.panes[s.active]
	busy := ""
	for _, p := range s.panes {
		if p.running || p.err == nil && p.answered != s.version {
			busy = " " + ellipsis
		}
	}
	text, style := p.answer.Reading, s.styles.faint
	switch {
	case p.err != nil:
		text, style = p.err.Error(), s.styles.problem
	case p.answer.Problem != "":
		text, style = p.answer.Problem, s.styles.problem
	case text == "" && p.answer.Word.Place > 0:
		text = s.entry(p.answer.Word)
	}
	return s.fit(style.Render(s.cut(shown(text), s.width-2)), s.width-2) + busy
}

// entry says where a word stands in the vocabulary.
func (s *Screen) entry(e Entry) string {
	words, _ := s.panes[s.active].source.Size()
	if e.Place == 0 {
		return "not in the vocabulary"
	}
	text := fmt.Sprintf("word %s of %s", wording.Thousands(e.Place), wording.Thousands(words))
	if e.Count > 0 {
		text += fmt.Sprintf(", seen %s", wording.Count(e.Count, "time", "times"))
	}
	return text
}

// offers are completions of the word before the cursor, the chosen one marked, as many as there is room for.
func (s *Screen) offers() string {
	c := s.completion
	if len(c.Words) == 0 || s.inList || s.chosen == 0 && (s.of != s.beforeCursor() || c.Total == 1 && s.of[c.Start:] == c.Words[0]) {
		return ""
	}
	line := s.styles.faint.Render("tab: ")
	width := s.measure.StringWidth(line)
	first := max(0, s.chosen-1)
	if first < 4 {
		first = 0
	}
	for i := first; i < len(c.Words); i++ {
		word := shown(c.Words[i])
		more := ""
		if left := c.Total - i; left > 0 {
			more = fmt.Sprintf("%s %s more", ellipsis, wording.Thousands(left))
		}
		if width+s.measure.StringWidth(word)+2+s.measure.StringWidth(more) > s.width && i > first {
			return line + s.styles.faint.Render(more)
		}
		width += s.measure.StringWidth(word) + 2
		if i+1 == s.chosen {
			word = s.styles.selected.Render(word)
		}
		line += word + "  "
	}
	if more := c.Total - len(c.Words); more > 0 {
		line += s.styles.faint.Render(fmt.Sprintf("%s %s more", ellipsis, wording.Thousands(more)))
	}
	return line
}
