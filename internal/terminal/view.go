package terminal

import (
	"fmt"
	"slices"
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
	if s.height >= roomForTitle {
		return 1
	}
	return 0
}

// Lines of the screen from which there is room for what it can do without.
const (
	roomForStatus = 3
	roomForKeys   = 4
	roomForTitle  = 5
	roomForOffers = 12
)

// room is how many lines there are for the lists, or for the help.
func (s *Screen) room() int {
	room := s.height - 1 // the line
	for _, least := range []int{roomForTitle, roomForKeys} {
		if s.height >= least {
			room--
		}
	}
	for _, least := range []int{roomForStatus, roomForOffers} {
		if s.height >= least && !s.help {
			room--
		}
	}
	return max(0, room)
}

// draw returns the lines of the screen, each no wider than it and no more than it has.
func (s *Screen) draw() []string {
	var lines []string
	if s.lineAt() > 0 {
		lines = append(lines, s.title())
	}
	s.line.SetWidth(max(1, s.width-s.measure.StringWidth(s.line.Prompt)-1))
	lines = append(lines, s.line.View())
	if s.height >= roomForStatus && !s.help {
		lines = append(lines, s.status())
	}
	if s.height >= roomForOffers && !s.help {
		lines = append(lines, s.offers())
	}
	if room := s.room(); room > 0 {
		body := s.body(room)
		body = body[:min(len(body), room)]
		lines = append(lines, body...)
		lines = append(lines, make([]string, room-len(body))...)
	}
	if s.height >= roomForKeys {
		lines = append(lines, s.foot())
	}
	for i := range lines {
		lines[i] = s.cut(lines[i], s.width)
	}
	return lines
}

// foot shows keys: as many as there is room for, and always how to get help and how to quit.
func (s *Screen) foot() string {
	keys := s.footKeys()
	for {
		line := s.keyHelp.ShortHelpView(keys)
		if len(keys) <= 2 || s.measure.StringWidth(line) <= s.width {
			return line
		}
		keys = slices.Delete(keys, len(keys)-3, len(keys)-2)
	}
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
	text, problem := s.reading()
	style := s.styles.faint
	if problem {
		style = s.styles.problem
	}
	busy := ""
	for _, p := range s.panes {
		if p.err == nil && (p.running || p.answered != s.version) {
			busy = " " + ellipsis
		}
	}
	return s.fit(style.Render(s.cut(shown(text), s.width-2)), s.width-2) + busy
}

// reading says what the text was read as, or else what is wrong with it.
func (s *Screen) reading() (text string, problem bool) {
	p := &s.panes[s.active]
	for i := range s.panes {
		if other := &s.panes[i]; (p.err != nil || p.answer.Problem != "") && other.err == nil && other.answer.Problem == "" {
			p = other // the list of the first one says what is wrong there
		}
	}
	switch {
	case p.err != nil:
		return p.err.Error(), true
	case strings.Trim(s.line.Value(), " ") == "":
		return "", false
	case p.answer.Problem != "":
		return p.answer.Problem, true
	case p.answer.Reading == "" && p.answer.Word.Place > 0:
		return s.entry(p.answer.Word), false
	}
	return p.answer.Reading, false
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
