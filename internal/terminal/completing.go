package terminal

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// offered is how many completions are kept of all there are.
const offered = 50

// completing is what the word before the cursor may go on with.
type completing struct {
	completion Completion
	of         string // the line up to the cursor that the completion is of
	chosen     int    // completion that is in the line, from 1; 0 for none yet
	before     string // the line up to the cursor before one was chosen
}

// A completed is a completion of the line.
type completed struct {
	line string
	Completion
}

// beforeCursor returns the line up to the cursor.
func (s *Screen) beforeCursor() string {
	return string([]rune(s.line.Value())[:s.line.Position()])
}

// lookUp looks for completions of the line, in the vocabulary of the active pane.
func (s *Screen) lookUp() tea.Cmd {
	source, line := s.panes[s.active].source, s.beforeCursor()
	if line == "" {
		return nil
	}
	return func() tea.Msg {
		c, err := source.Complete(line, offered)
		if err != nil {
			return nil // the answer to the question says so, too
		}
		return completed{line, c}
	}
}

// forget drops completions that the line has left.
func (s *Screen) forget() { s.completing = completing{} }

// offer shows completions if they are of the line as it is now.
func (s *Screen) offer(msg completed) {
	if s.chosen == 0 && msg.line == s.beforeCursor() && (msg.Total > 0 || s.of != msg.line) {
		s.completion, s.of = msg.Completion, msg.line
	}
}

// offerInstead offers words in the place of one that is missing before the cursor, if no word begins with it.
func (s *Screen) offerInstead(a Answer) {
	line := s.beforeCursor()
	if s.chosen > 0 || a.Lacking == "" || !strings.HasSuffix(line, a.Lacking) || s.of == line && s.completion.Total > 0 {
		return
	}
	s.of = line
	s.completion = Completion{Start: len(line) - len(a.Lacking), Words: a.Suggestions, Total: len(a.Suggestions)}
}

// complete puts the next completion in the place of the word before the cursor, or the one before; behind the last
// one comes what was typed.
func (s *Screen) complete(by int) tea.Cmd {
	n := len(s.completion.Words)
	if n == 0 || s.chosen == 0 && s.of != s.beforeCursor() {
		return nil
	}
	if s.chosen == 0 {
		s.before = s.of
	}
	chosen := (s.chosen + by + n + 1) % (n + 1)
	begins := s.before
	if chosen > 0 {
		begins = s.before[:s.completion.Start] + s.completion.Words[chosen-1]
	}
	rest := strings.TrimPrefix(s.line.Value(), s.beforeCursor())
	keep := s.completing
	s.line.SetValue(begins + rest)
	s.line.SetCursor(len([]rune(begins)))
	cmd := s.changed()
	s.completing = keep
	s.chosen = chosen
	return cmd
}
