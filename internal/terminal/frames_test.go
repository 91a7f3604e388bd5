package terminal

import (
	"testing"
)

// What is drawn at several sizes, to the letter.
func TestFrames(t *testing.T) {
	for _, test := range []struct {
		name          string
		width, height int
		models        int
		do            func(*trial)
	}{
		{"welcome_80x24", 80, 24, 1, func(*trial) {}},
		{"word_80x24", 80, 24, 1, func(s *trial) { s.asks("king") }},
		{"word_120x16", 120, 16, 1, func(s *trial) { s.asks("king") }},
		{"word_200x60", 200, 60, 1, func(s *trial) { s.asks("king"); s.presses("enter"); s.asks("s") }},
		{"word_50x18", 50, 18, 1, func(s *trial) { s.asks("king") }},
		{"word_30x9", 30, 9, 1, func(s *trial) { s.asks("king") }},
		{"word_12x4", 12, 4, 1, func(s *trial) { s.asks("king") }},
		{"pinned_80x24", 80, 24, 1, func(s *trial) { s.asks("king"); s.presses("enter"); s.asks(" - man + woman") }},
		{"analogy_80x24", 80, 24, 1, func(s *trial) { s.asks("man:king::woman:?"); s.presses("down", "down") }},
		{"missing_80x24", 80, 24, 1, func(s *trial) { s.asks("kingg") }},
		{"composed_80x24", 80, 24, 2, func(s *trial) { s.asks("kingship"); s.presses("down", "right") }},
		{"two_100x20", 100, 20, 2, func(s *trial) { s.asks("king") }},
		{"two_160x20", 160, 20, 2, func(s *trial) { s.asks("king"); s.presses("enter", "down", "right") }},
		{"two_50x14", 50, 14, 2, func(s *trial) { s.asks("king"); s.presses("down", "right") }},
		{"help_80x24", 80, 24, 1, func(s *trial) { s.types("?") }},
		{"help_40x12", 40, 12, 2, func(s *trial) { s.types("?"); s.presses("down", "pgdn") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			sources := []Source{model(t, "first.w2v", false, 1), model(t, "second.w2v", true, -0.5)}
			s := newTrial(t, test.width, test.height, sources[:test.models]...)
			test.do(s)
			s.is(test.name)
		})
	}
}
