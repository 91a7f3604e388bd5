package terminal

import (
	"fmt"
	"strings"
)

// The least columns of a list for what it need not show.
const (
	roomForBar    = 34
	roomForPinned = 26
	leastWord     = 8
)

// heading draws a title with a rule behind it.
func (s *Screen) heading(title, right string, width int) string {
	title = s.cut(title, max(1, width-s.measure.StringWidth(right)-2))
	rule := width - s.measure.StringWidth(title) - s.measure.StringWidth(right) - 2
	if right != "" {
		right = " " + right
		rule--
	}
	return s.styles.heading.Render(title) + " " + s.styles.faint.Render(strings.Repeat("─", max(0, rule))+right)
}

// list draws the neighbours of a pane.
func (s *Screen) list(i, width, height int) []string {
	p := &s.panes[i]
	title := "neighbours"
	if p.answer.Kind == Analogy {
		title = "answers"
	}
	common := s.common()
	if len(s.panes) > 1 {
		title = shown(p.source.Label())
		if n := len(p.answer.Neighbors); n > 0 && common != nil {
			title += fmt.Sprintf(": %d of %d in both", len(common), n)
		}
	}
	pinned := ""
	if s.pinned != "" && width >= roomForPinned {
		pinned = "pinned"
	}
	lines := []string{s.heading(title, pinned, width)}
	switch {
	case p.err != nil && len(s.panes) == 1:
		return lines // the status line says it
	case p.err != nil:
		for _, line := range s.wrap(shown(p.err.Error()), width) {
			lines = append(lines, s.styles.problem.Render(line))
		}
		return lines
	case p.answer.Problem != "":
		return append(lines, s.instead(p, width)...)
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

// scroll moves the list so that the selection is among so many lines.
func (p *pane) scroll(room int) {
	p.top = min(p.top, p.selected)
	p.top = max(0, p.top, p.selected-room+1)
	p.top = min(p.top, max(0, len(p.answer.Neighbors)-room))
}

// instead says what is wrong with a text, and which words may have been meant.
func (s *Screen) instead(p *pane, width int) (lines []string) {
	if len(s.panes) > 1 { // else the status line says it
		for _, line := range s.wrap(shown(p.answer.Problem), width) {
			lines = append(lines, s.styles.faint.Render(line))
		}
	}
	if len(p.answer.Suggestions) > 0 {
		lines = append(lines, "Did you mean")
		for _, word := range p.answer.Suggestions {
			lines = append(lines, "  "+s.cut(shown(word), width-2))
		}
	}
	return lines
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

// rows are the widths of a list's columns.
type rows struct {
	rank, word, bar, width int
	pinned                 bool
	common                 map[string]bool
	most                   float64 // the similarity of a full bar
}

// measureRows finds the widths of the columns of a list.
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

// row draws a neighbour.
func (s *Screen) row(p *pane, at int, r rows, active bool) string {
	n := p.answer.Neighbors[at]
	mark, style := "  ", s.styles.title.UnsetBold()
	switch {
	case at == p.selected && active && s.inList:
		mark, style = "› ", s.styles.selected
	case at == p.selected && active:
		mark, style = "› ", s.styles.selectedAway
	}
	line := mark + s.styles.faint.Render(s.fitRight(fmt.Sprint(at+1), r.rank)) + " "
	if r.common != nil {
		both := "  "
		if r.common[n.Word] {
			both = s.styles.mark.Render("=") + " "
		}
		line += both
	}
	word := s.cut(shown(n.Word), r.word)
	line += style.Render(word) + strings.Repeat(" ", max(0, r.word-s.measure.StringWidth(word))+1)
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
func (c Cosine) String() string {
	if !c.Known {
		return "–"
	}
	return fmt.Sprintf("%.4f", c.Value)
}
