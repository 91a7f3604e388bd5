package terminal

import (
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
)

// keyMap are the keys, with what they do. Letters are always typed; ? asks for help where it is no part of a
// text.
type keyMap struct {
	quit, leave, help, suspend, redraw             key.Binding // everywhere
	complete, completeBack, pin, older, newer      key.Binding // in the line
	up, down, pageUp, pageDown, first, last        key.Binding // in the list
	follow, back, line, left, right, scroll, clear key.Binding
}

func newKeyMap() keyMap {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return keyMap{
		quit:    bind("ctrl-c", "quit", "ctrl+c"),
		leave:   bind("ctrl-d", "quit, if the line is empty", "ctrl+d"),
		help:    bind("?", "help", "?", "f1"),
		suspend: bind("ctrl-z", "suspend", "ctrl+z"),
		redraw:  bind("ctrl-l", "draw again", "ctrl+l"),

		complete:     bind("tab", "complete", "tab"),
		completeBack: bind("shift-tab", "the completion before", "shift+tab"),
		pin:          bind("enter", "pin", "enter"),
		older:        bind("↑", "earlier", "up"),
		newer:        bind("↓", "list", "down"),

		up:       bind("↑", "up", "up"),
		down:     bind("↓", "down", "down"),
		pageUp:   bind("pgup", "page up", "pgup"),
		pageDown: bind("pgdn", "page down", "pgdown"),
		first:    bind("home", "first", "home"),
		last:     bind("end", "last", "end"),
		scroll:   bind("↑↓", "select", "up", "down"),
		follow:   bind("enter", "follow", "enter"),
		back:     bind("esc", "back", "esc", "alt+left"),
		line:     bind("a letter", "types"),
		left:     bind("←", "first model", "left"),
		right:    bind("→", "second model", "right"),
		clear:    bind("esc", "clear", "esc"),
	}
}

// newLine returns the line that questions are typed in.
func newLine() textinput.Model {
	line := textinput.New()
	line.Prompt = "> "
	line.Placeholder = "a word"
	line.CharLimit = 2000 // code points; no text that somebody types is longer
	line.SetVirtualCursor(false)
	none := key.NewBinding(key.WithDisabled())
	line.KeyMap.Paste = none // terminals paste themselves, and this would run programs
	line.KeyMap.AcceptSuggestion, line.KeyMap.NextSuggestion, line.KeyMap.PrevSuggestion = none, none, none
	line.KeyMap.WordBackward = key.NewBinding(key.WithKeys("ctrl+left", "alt+b")) // alt-left goes back
	line.Focus()
	return line
}

// footKeys are the keys that the last line of the screen shows, the most useful ones first.
func (s *Screen) footKeys() []key.Binding {
	k := s.keys
	var keys []key.Binding
	switch {
	case s.help:
		return []key.Binding{renamed(k.scroll, "↑↓", "scroll"), renamed(k.back, "esc", "close help"), k.quit}
	case s.inList:
		keys = []key.Binding{k.scroll, k.follow, renamed(k.back, "esc", s.backTo())}
		if len(s.panes) > 1 {
			keys = append(keys, renamed(k.left, "←→", "model"))
		}
	case s.line.Value() == "":
		keys = []key.Binding{k.older}
		if s.pinned != "" {
			keys = append(keys, renamed(k.pin, "enter", "unpin"))
		}
		if len(s.trail) > 0 {
			keys = append(keys, k.back)
		}
	default:
		what := "pin"
		if s.line.Value() == s.pinned {
			what = "unpin"
		}
		esc := k.clear
		if len(s.trail) > 0 {
			esc = k.back
		}
		keys = []key.Binding{k.complete, renamed(k.pin, "enter", what), k.older, k.newer, esc}
	}
	if s.inList || s.line.Value() == "" {
		keys = append(keys, k.help)
	} else {
		keys = append(keys, renamed(k.help, "f1", "help"))
	}
	return append(keys, k.quit)
}

// backTo says where esc leads in the list.
func (s *Screen) backTo() string {
	if len(s.trail) > 0 {
		return "back"
	}
	return "to the line"
}

// renamed is a binding with another help.
func renamed(b key.Binding, keys, what string) key.Binding {
	b.SetHelp(keys, what)
	return b
}
