package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

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
