package terminal

import "charm.land/lipgloss/v2"

// styles are how parts of the screen look. Colours are the terminal's own sixteen, with which its user can read on
// its background; where there are no colours, bold, faint and reversed text tell the same.
type styles struct {
	title, heading, faint, bar, mark, problem, selected, selectedAway lipgloss.Style
}

// dress chooses the styles for a dark or a light terminal.
func (s *Screen) dress(dark bool) {
	choose := lipgloss.LightDark(dark)
	accent := choose(lipgloss.Blue, lipgloss.BrightCyan)
	plain := lipgloss.NewStyle()
	s.styles = styles{
		title:        plain.Bold(true),
		heading:      plain.Bold(true).Foreground(accent),
		faint:        plain.Faint(true),
		bar:          plain.Foreground(choose(lipgloss.Blue, lipgloss.Cyan)),
		mark:         plain.Bold(true).Foreground(choose(lipgloss.Magenta, lipgloss.BrightYellow)),
		problem:      plain.Bold(true).Foreground(choose(lipgloss.Red, lipgloss.BrightRed)),
		selected:     plain.Reverse(true),
		selectedAway: plain.Bold(true),
	}
	line := s.line.Styles()
	line.Focused.Prompt, line.Focused.Text, line.Focused.Placeholder = s.styles.heading, plain, s.styles.faint
	line.Blurred = line.Focused
	s.line.SetStyles(line)
	s.keyHelp.ShortSeparator = "  "
	h := &s.keyHelp.Styles
	h.ShortKey, h.FullKey = s.styles.heading, s.styles.heading
	h.ShortDesc, h.FullDesc = plain, plain
	h.ShortSeparator, h.FullSeparator, h.Ellipsis = s.styles.faint, s.styles.faint, s.styles.faint
}
