package terminal

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
)

// A settled says that nobody has typed for a while since a version.
type settled struct{ version int }

// An answered is the answer of a pane's source to a version of the question.
type answered struct {
	pane    int
	version int
	answer  Answer
	err     error
}

// changed makes the line another question, which is asked when nobody has typed for a while.
func (s *Screen) changed() tea.Cmd {
	s.forget()
	s.version++
	version := s.version
	return tea.Tick(debounce, func(time.Time) tea.Msg { return settled{version} })
}

// ask puts a text into the line and asks it at once.
func (s *Screen) ask(text string) tea.Cmd {
	s.line.SetValue(text)
	s.line.CursorEnd()
	s.forget()
	return s.askNow()
}

// askNow asks what is in the line at once.
func (s *Screen) askNow() tea.Cmd {
	s.version++
	return s.settle(settled{s.version})
}

// settle asks the question if it is still the last one.
func (s *Screen) settle(msg settled) tea.Cmd {
	if msg.version != s.version {
		return nil
	}
	s.settled = s.version
	var cmds []tea.Cmd
	if s.chosen == 0 {
		cmds = append(cmds, s.lookUp())
	}
	for i := range s.panes {
		cmds = append(cmds, s.run(i))
	}
	return tea.Batch(cmds...)
}

// question returns what is asked now.
func (s *Screen) question() Question {
	return Question{Text: strings.Trim(s.line.Value(), " "), Pinned: s.pinned}
}

// run asks a pane's source what is in the line, unless it still works: then that is asked afterwards.
func (s *Screen) run(i int) tea.Cmd {
	p := &s.panes[i]
	if p.running || p.err != nil {
		return nil
	}
	q, version, source := s.question(), s.settled, p.source
	if q.Text == "" {
		p.answer, p.answered, p.selected, p.top = Answer{}, version, 0, 0
		s.inList = false
		return nil
	}
	p.running = true
	return func() tea.Msg {
		answer, err := source.Answer(q)
		return answered{i, version, answer, err}
	}
}

// take shows an answer, unless a newer one is shown already, and asks what was typed meanwhile.
func (s *Screen) take(msg answered) tea.Cmd {
	p := &s.panes[msg.pane]
	p.running = false
	switch {
	case msg.err != nil:
		p.err, p.answer = msg.err, Answer{}
		s.inList = s.inList && s.active != msg.pane
	case msg.version > p.answered:
		p.show(msg.answer, msg.version)
		s.inList = s.inList && len(s.panes[s.active].answer.Neighbors) > 0
		s.offerInstead(msg.answer)
	}
	if s.settled > msg.version {
		return s.run(msg.pane)
	}
	return nil
}

// show shows an answer. The selection stays if the text is the same, as when something was pinned.
func (p *pane) show(a Answer, version int) {
	if p.answer.Text != a.Text {
		p.selected, p.top = 0, 0
	}
	p.answer, p.answered = a, version
	if p.wanted.text == a.Text {
		p.selected = slices.IndexFunc(a.Neighbors, func(n Neighbor) bool { return n.Word == p.wanted.word })
		p.wanted = stop{}
	}
	p.move(0)
}
