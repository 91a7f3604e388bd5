package terminal

import (
	"strings"

	"charm.land/bubbles/v2/key"
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
	k := s.keys
	switch {
	case key.Matches(msg, k.complete):
		return s.complete(1)
	case key.Matches(msg, k.completeBack):
		return s.complete(-1)
	case key.Matches(msg, k.pin):
		return s.pin()
	case key.Matches(msg, k.older):
		if text, ok := s.history.older(s.line.Value()); ok {
			return s.write(text)
		}
	case key.Matches(msg, k.newer):
		if text, ok := s.history.newer(); ok {
			return s.write(text)
		}
		s.enterList()
	case key.Matches(msg, k.pageDown, k.pageUp):
		if s.enterList(); s.inList {
			return s.pressInList(msg)
		}
	case key.Matches(msg, k.clear):
		return s.write("")
	default:
		return s.edit(msg)
	}
	return nil
}

// enterList makes keys go to a list that has neighbours, if there is one.
func (s *Screen) enterList() {
	for _, pane := range []int{s.active, len(s.panes) - 1 - s.active} {
		if len(s.panes[pane].answer.Neighbors) > 0 {
			s.active, s.inList = pane, true
			return
		}
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
	text := strings.Trim(s.line.Value(), " ")
	s.history.add(text)
	if text == s.pinned {
		text = ""
	}
	if text == s.pinned {
		return nil
	}
	s.pinned = text
	return s.askNow()
}
