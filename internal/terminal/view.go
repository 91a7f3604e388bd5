package terminal

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

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

// lineAt is the line of the screen in which questions are typed: below the title, where there is room for one.
func (s *Screen) lineAt() int { return either(s.height >= roomForTitle, 1, 0) }

// Lines of the screen from which there is room for what it can do without.
const (
	roomForStatus = 3
	roomForKeys   = 4
	roomForTitle  = 5
	roomForOffers = 12
)

func (s *Screen) room() int {
	room := s.height - len(s.above())
	if s.height >= roomForKeys {
		room--
	}
	return max(0, room)
}

func (s *Screen) above() (lines []string) {
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
	return lines
}

func (s *Screen) draw() []string {
	lines := s.above()
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

func (s *Screen) foot() string {
	keys := s.footKeys()
	for {
		var shown []string
		for _, k := range keys {
			shown = append(shown, s.styles.heading.Render(k[0])+" "+k[1])
		}
		line := strings.Join(shown, s.styles.faint.Render("  "))
		if len(keys) <= 2 || s.measure.StringWidth(line) <= s.width {
			return line
		}
		keys = slices.Delete(keys, len(keys)-3, len(keys)-2)
	}
}

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
	style := either(problem, s.styles.problem, s.styles.faint)
	busy := ""
	for _, p := range s.panes {
		if p.err == nil && (p.running || p.answered != s.version) {
			busy = " " + ellipsis
		}
	}
	return s.fit(style.Render(s.cut(shown(text), s.width-2)), s.width-2) + busy
}

func (s *Screen) reading() (text string, problem bool) {
	p := &s.panes[s.active]
	for i := range s.panes {
		if other := &s.panes[i]; (p.err != nil || p.answer.Problem != "") && other.err == nil && other.answer.Problem == "" {
			p = other // the list of the first one says what is wrong there
		}
	}
	a := &p.answer
	switch {
	case p.err != nil:
		return p.err.Error(), true
	case s.question().Text == "":
		return "", false
	case a.Problem != "":
		return a.Problem, true
	case a.Reading != "" || a.Word.Place == 0:
		return a.Reading, false
	}
	words, _ := s.panes[s.active].source.Size()
	text = fmt.Sprintf("word %s of %s", wording.Thousands(a.Word.Place), wording.Thousands(words))
	if a.Word.Count > 0 {
		text += fmt.Sprintf(", seen %s", wording.Count(a.Word.Count, "time", "times"))
	}
	return text, false
}

func (s *Screen) offers() string {
	c := s.completion
	if len(c.Words) == 0 || s.inList || s.chosen == 0 && (s.of != s.beforeCursor() || c.Total == 1 && s.of[c.Start:] == c.Words[0]) {
		return ""
	}
	more := func(left int) string {
		if left <= 0 {
			return ""
		}
		return fmt.Sprintf("%s %s more", ellipsis, wording.Thousands(left))
	}
	line := s.styles.faint.Render("tab: ")
	width := s.measure.StringWidth(line)
	first := either(s.chosen > 4, s.chosen-1, 0)
	for i := first; i < len(c.Words); i++ {
		word := shown(c.Words[i])
		columns := s.measure.StringWidth(word) + 2
		if i > first && width+columns+s.measure.StringWidth(more(c.Total-i)) > s.width {
			return line + s.styles.faint.Render(more(c.Total-i))
		}
		width += columns
		if i+1 == s.chosen {
			word = s.styles.selected.Render(word)
		}
		line += word + "  "
	}
	return line + s.styles.faint.Render(more(c.Total-len(c.Words)))
}

const (
	sideWidth   = 30 // columns of the panes beside the lists
	roomForSide = 70 // columns of the screen from which there are such panes with one model
	roomForTwo  = 56 // columns from which two lists stand side by side
	roomForBoth = 120
	below       = 4 // lines of the details where there is no room beside the lists
	roomBelow   = 9 // lines of lists and details from which there are such lines
	gap         = 2 // columns between panes
)

type layout struct {
	lists  []int // panes whose lists are shown
	width  int   // of each list
	height int   // of each list, with its heading
	side   int   // columns of the details beside the lists; 0 for none
	below  int   // lines of the details below the lists; 0 for none
}

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

func (s *Screen) body(room int) []string {
	switch {
	case s.help:
		return s.helpPage(room)
	case s.question().Text == "" && s.panes[s.active].err == nil:
		return s.welcome(room)
	}
	l := s.layout(room)
	lines := make([]string, l.height)
	beside := func(column []string, width int, space string) {
		for i := range lines {
			text := ""
			if i < len(column) {
				text = column[i]
			}
			lines[i] += space + s.fit(text, width)
		}
	}
	space := ""
	for _, i := range l.lists {
		beside(s.list(i, l.width, l.height), l.width, space)
		space = strings.Repeat(" ", gap)
	}
	if l.side > 0 {
		beside(s.side(l.side, l.height), l.side, space)
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	if l.below > 0 {
		lines = append(lines, s.strip(l.below)...)
	}
	return lines
}

// The least columns of a list for what it need not show.
const (
	roomForBar    = 34
	roomForPinned = 26
	leastWord     = 8
)

func (s *Screen) heading(title, right string, width int) string {
	title = s.cut(title, max(1, width-s.measure.StringWidth(right)-2))
	rule := width - s.measure.StringWidth(title) - s.measure.StringWidth(right) - 2
	if right != "" {
		right = " " + right
		rule--
	}
	return s.styles.heading.Render(title) + " " + s.styles.faint.Render(strings.Repeat("─", max(0, rule))+right)
}

func (s *Screen) list(i, width, height int) []string {
	p := &s.panes[i]
	title := either(p.answer.Kind == Analogy, "answers", "neighbours")
	common := s.common()
	if len(s.panes) > 1 {
		title = shown(p.source.Label())
		if n := len(p.answer.Neighbors); n > 0 && common != nil {
			title += fmt.Sprintf(": %d of %d in both", len(common), n)
		}
	}
	pinned := either(s.pinned != "" && width >= roomForPinned, "pinned", "")
	lines := []string{s.heading(title, pinned, width)}
	say := func(text string, style lipgloss.Style) {
		if len(s.panes) > 1 { // else the status line says it
			for _, line := range s.wrap(shown(text), width) {
				lines = append(lines, style.Render(line))
			}
		}
	}
	switch {
	case p.err != nil:
		say(p.err.Error(), s.styles.problem)
		return lines
	case p.answer.Problem != "":
		say(p.answer.Problem, s.styles.faint)
		if len(p.answer.Suggestions) > 0 {
			lines = append(lines, "Did you mean")
		}
		for _, word := range p.answer.Suggestions {
			lines = append(lines, "  "+s.cut(shown(word), width-2))
		}
		return lines
	case len(p.answer.Neighbors) == 0 && p.answered > 0 && p.answer.Text != "":
		return append(lines, s.styles.faint.Render("no word is near enough"))
	}
	room := height - 1
	p.scroll(room)
	r := s.measureRows(p, width, pinned != "", common)
	for at := p.top; at < min(len(p.answer.Neighbors), p.top+room); at++ {
		lines = append(lines, s.row(p, at, r, i == s.active))
	}
	return lines
}

func (p *pane) scroll(room int) {
	p.top = min(p.top, p.selected)
	p.top = max(0, p.top, p.selected-room+1)
	p.top = min(p.top, max(0, len(p.answer.Neighbors)-room))
}

// common are the neighbours that both of two panes have; nil where there is nothing to compare.
func (s *Screen) common() map[string]bool {
	if len(s.panes) < 2 || s.panes[0].answer.Text != s.panes[1].answer.Text || len(s.panes[0].answer.Neighbors) == 0 {
		return nil
	}
	first, both := map[string]bool{}, map[string]bool{}
	for _, n := range s.panes[0].answer.Neighbors {
		first[n.Word] = true
	}
	for _, n := range s.panes[1].answer.Neighbors {
		if first[n.Word] {
			both[n.Word] = true
		}
	}
	return both
}

type rows struct {
	rank, word, bar, width int
	pinned                 bool
	common                 map[string]bool
	most                   float64 // the similarity of a full bar
}

func (s *Screen) measureRows(p *pane, width int, pinned bool, common map[string]bool) rows {
	r := rows{rank: len(fmt.Sprint(len(p.answer.Neighbors))), width: width, pinned: pinned, common: common, most: 1}
	rest := width - 2 - r.rank - 1 - 1 - 7 // mark, rank, a space behind it and behind the word, cosine
	if common != nil {
		rest -= 2
	}
	if pinned {
		rest -= 8
	}
	longest := 0
	for _, n := range p.answer.Neighbors {
		r.most = max(r.most, n.Similarity)
		longest = max(longest, s.measure.StringWidth(shown(n.Word)))
	}
	r.word = max(1, min(rest, max(longest, leastWord)))
	if width >= roomForBar {
		r.word = min(r.word, max(leastWord, rest*6/10))
		r.bar = rest - r.word - 1
	}
	return r
}

func (s *Screen) row(p *pane, at int, r rows, active bool) string {
	n := p.answer.Neighbors[at]
	mark, style := "  ", lipgloss.NewStyle()
	if at == p.selected && active {
		mark, style = "› ", either(s.inList, s.styles.selected, s.styles.selectedAway)
	}
	line := mark + s.styles.faint.Render(s.fitRight(fmt.Sprint(at+1), r.rank)) + " "
	if r.common != nil {
		line += either(r.common[n.Word], s.styles.mark.Render("="), " ") + " "
	}
	word := s.cut(shown(n.Word), r.word)
	line += style.Render(word) + s.spaces(word, r.word) + " "
	line += s.fitRight(fmt.Sprintf("%.4f", n.Similarity), 7)
	if r.bar > 0 {
		line += " " + s.fit(s.styles.bar.Render(bar(n.Similarity/r.most, r.bar)), r.bar)
	}
	if r.pinned {
		line += " " + s.fitRight(n.ToPinned.String(), 7)
	}
	return line
}

// String is the cosine as it is shown.
func (c Cosine) String() string { return either(c.Known, fmt.Sprintf("%.4f", c.Value), "–") }
