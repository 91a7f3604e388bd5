package terminal

import (
	"time"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// debounce is how long nobody types before a text is asked for.
const debounce = 60 * time.Millisecond

// A Screen is everything that is shown. It is a tea.Model; messages alone change it.
type Screen struct {
	keys          keyMap
	styles        styles
	keyHelp       help.Model
	measure       ansi.Method // how wide the terminal takes texts to be
	width, height int         // of the terminal
	line          textinput.Model
	panes         []pane
	active        int  // the pane with the selection
	inList        bool // keys are for the list of neighbours and not for the line
	help          bool // shown in place of the lists
	helpTop       int  // line of the help that is shown first

	pinned  string // what answers are compared with; empty for nothing
	version int    // of the question: each change of text or pin makes another one
	settled int    // the last version that was to be asked
	trail   []stop // where esc leads back to
	history history
	completing
}

// A pane is a source and its last answer.
type pane struct {
	source   Source
	running  bool // a question is being answered
	answer   Answer
	answered int // version of the answer; 0 for none
	err      error
	selected int  // neighbour
	top      int  // neighbour in the first line of the list
	wanted   stop // to select when its answer comes
}

// A stop is a question that somebody followed a neighbour of.
type stop struct {
	text   string
	active int
	word   string // the neighbour that was followed
}

// NewScreen returns a screen that asks these sources, of which there is at least one.
func NewScreen(sources ...Source) *Screen {
	s := &Screen{keys: newKeyMap(), keyHelp: help.New(), line: newLine(), width: 80, height: 24}
	for _, source := range sources {
		s.panes = append(s.panes, pane{source: source})
	}
	s.dress(true)
	return s
}

// Init asks the terminal whether it is dark.
func (s *Screen) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update changes what is shown by a message, and returns what is to be done outside of the loop.
func (s *Screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		s.dress(msg.IsDark())
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized && msg.Value != ansi.ModePermanentlyReset {
			s.measure = ansi.GraphemeWidth // as what draws the cells does
		}
	case settled:
		return s, s.settle(msg)
	case answered:
		return s, s.take(msg)
	case completed:
		s.offer(msg)
	case tea.KeyPressMsg:
		return s, s.press(msg)
	case tea.PasteMsg:
		s.inList, s.help = false, false
		return s, s.edit(msg)
	}
	return s, nil
}

// press does what a key asks for.
func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	k := s.keys
	switch {
	case key.Matches(msg, k.quit), key.Matches(msg, k.leave) && s.line.Value() == "":
		return tea.Quit
	case key.Matches(msg, k.suspend):
		return tea.Suspend
	case key.Matches(msg, k.redraw):
		return tea.ClearScreen
	case s.help:
		return s.pressInHelp(msg)
	case key.Matches(msg, k.help) && (msg.Text == "" || s.inList || s.line.Value() == ""):
		s.help, s.helpTop = true, 0
		return nil
	case key.Matches(msg, k.back) && len(s.trail) > 0:
		return s.goBack()
	case s.inList:
		return s.pressInList(msg)
	}
	return s.pressInLine(msg)
}

// pressInHelp does what a key asks for while the help is shown: what moves nothing closes it.
func (s *Screen) pressInHelp(msg tea.KeyPressMsg) tea.Cmd {
	k := s.keys
	page := max(1, s.room()-1)
	switch {
	case key.Matches(msg, k.up):
		s.helpTop--
	case key.Matches(msg, k.down):
		s.helpTop++
	case key.Matches(msg, k.pageUp):
		s.helpTop -= page
	case key.Matches(msg, k.pageDown):
		s.helpTop += page
	case key.Matches(msg, k.back, k.help, k.follow):
		s.help = false
	default:
		s.help = false
		return s.press(msg)
	}
	s.helpTop = max(0, min(s.helpTop, len(s.helpLines())-s.room()))
	return nil
}

// pressInList does what a key asks for in the list.
func (s *Screen) pressInList(msg tea.KeyPressMsg) tea.Cmd {
	k := s.keys
	p := &s.panes[s.active]
	switch {
	case key.Matches(msg, k.up) && p.selected == 0, key.Matches(msg, k.back):
		s.inList = false
	case key.Matches(msg, k.up):
		p.move(-1)
	case key.Matches(msg, k.down):
		p.move(1)
	case key.Matches(msg, k.pageUp):
		p.move(-max(1, s.listHeight()-1))
	case key.Matches(msg, k.pageDown):
		p.move(max(1, s.listHeight()-1))
	case key.Matches(msg, k.first):
		p.move(-len(p.answer.Neighbors))
	case key.Matches(msg, k.last):
		p.move(len(p.answer.Neighbors))
	case key.Matches(msg, k.left, k.right):
		pane := 0
		if key.Matches(msg, k.right) {
			pane = len(s.panes) - 1
		}
		if len(s.panes[pane].answer.Neighbors) > 0 {
			s.active = pane
		}
	case key.Matches(msg, k.follow):
		return s.follow()
	case key.Matches(msg, k.complete):
	default:
		s.inList = false
		return s.edit(msg)
	}
	return nil
}

// move selects another neighbour.
func (p *pane) move(by int) {
	p.selected = max(0, min(p.selected+by, len(p.answer.Neighbors)-1))
}

// follow asks for the neighbour that is selected.
func (s *Screen) follow() tea.Cmd {
	p := &s.panes[s.active]
	if p.selected >= len(p.answer.Neighbors) {
		return nil
	}
	word := p.answer.Neighbors[p.selected].Word
	s.trail = append(s.trail, stop{p.answer.Text, s.active, word})
	s.history.add(p.answer.Text)
	return s.ask(word)
}

// goBack asks for what a neighbour was followed of, and selects it again.
func (s *Screen) goBack() tea.Cmd {
	last := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	s.active, s.inList = last.active, true
	s.panes[s.active].wanted = last
	return s.ask(last.text)
}
