package terminal

import (
	tea "charm.land/bubbletea/v2"
)

// A history is the list of earlier questions, the latest last. It ends with the program and is never written
// to a file, because questions are private.
type history struct {
	texts []string
	at    int    // the one that is in the line; len(texts) for the draft
	draft string // what was typed before an earlier one was brought back
}

// add makes a text the last one.
func (h *history) add(text string) {
	if n := len(h.texts); text != "" && (n == 0 || h.texts[n-1] != text) {
		h.texts = append(h.texts, text)
	}
	h.at, h.draft = len(h.texts), ""
}

// older returns the text before the one in the line.
func (h *history) older(line string) (string, bool) {
	if h.at == 0 {
		return "", false
	}
	if h.at == len(h.texts) {
		h.draft = line
	}
	h.at--
	return h.texts[h.at], true
}

// newer returns the text behind the one in the line, at last the draft.
func (h *history) newer() (string, bool) {
	if h.at >= len(h.texts) {
		return "", false
	}
	if h.at++; h.at == len(h.texts) {
		return h.draft, true
	}
	return h.texts[h.at], true
}

// pressInLine does what a key asks for in the line.
func (s *Screen) pressInLine(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "tab":
		return s.complete(1)
	case "shift+tab":
		return s.complete(-1)
	case "enter":
		return s.pin()
	case "up":
		if text, ok := s.history.older(s.line.Value()); ok {
			return s.write(text)
		}
	case "down":
		if text, ok := s.history.newer(); ok {
			return s.write(text)
		}
		s.enterList()
	case "pgdown", "pgup":
		if s.enterList(); s.inList {
			return s.pressInList(msg)
		}
	case "esc":
		return s.write("")
	default:
		return s.edit(msg)
	}
	return nil
}

// enterList makes keys go to a list that has neighbours, if there is one.
func (s *Screen) enterList() {
	if s.activate(s.active) || s.activate(len(s.panes)-1-s.active) {
		s.inList = true
	}
}

// edit lets a key or a paste change the line.
func (s *Screen) edit(msg tea.Msg) tea.Cmd {
	before, at := s.line.Value(), s.line.Position()
	var cmd tea.Cmd
	s.line, cmd = s.line.Update(msg)
	if s.line.Value() == before {
		if s.line.Position() != at {
			s.forget()
		}
		return cmd
	}
	s.history.at = len(s.history.texts)
	return tea.Batch(cmd, s.changed())
}

// write puts a text into the line.
func (s *Screen) write(text string) tea.Cmd {
	s.line.SetValue(text)
	s.line.CursorEnd()
	return s.changed()
}

// pin compares answers with the text of the line from now on. It stops comparing if that text is pinned, or
// if the line is empty.
func (s *Screen) pin() tea.Cmd {
	text := s.question().Text
	s.history.add(text)
	switch {
	case text != s.pinned:
		s.pinned = text
	case text == "":
		return nil
	default:
		s.pinned = ""
	}
	return s.askNow()
}
