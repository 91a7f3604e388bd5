package terminal

import (
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

const debounce = 60 * time.Millisecond // how long nobody types before a text is asked for

// A Screen is everything that is shown. It is a tea.Model; messages alone change it.
type Screen struct {
	styles        styles
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
	s := &Screen{line: newLine(), width: 80, height: 24}
	for _, source := range sources {
		s.panes = append(s.panes, pane{source: source})
	}
	s.dress(true)
	return s
}

// Init asks the terminal whether it is dark.
func (s *Screen) Init() tea.Cmd { return tea.RequestBackgroundColor }

// Update changes the screen by a message, and returns what to do outside of the loop.
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

func (s *Screen) press(msg tea.KeyPressMsg) tea.Cmd {
	key, empty := msg.String(), s.line.Value() == ""
	switch {
	case key == "ctrl+c", key == "ctrl+d" && empty:
		return tea.Quit
	case key == "ctrl+z":
		return tea.Suspend
	case key == "ctrl+l":
		return tea.ClearScreen
	case s.help:
		return s.pressInHelp(msg)
	case (key == "?" || key == "f1") && (msg.Text == "" || s.inList || empty):
		s.help, s.helpTop = true, 0
		return nil
	case (key == "esc" || key == "alt+left") && len(s.trail) > 0:
		return s.goBack()
	case s.inList:
		return s.pressInList(msg)
	}
	return s.pressInLine(msg)
}

func (s *Screen) pressInHelp(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	by := scrolled(key, s.room()-1)
	s.help = by != 0
	s.helpTop = max(0, min(s.helpTop+by, len(s.helpLines())-s.room()))
	if by != 0 || slices.Contains([]string{"esc", "alt+left", "?", "f1", "enter"}, key) {
		return nil
	}
	return s.press(msg)
}

func scrolled(key string, page int) int {
	page = max(1, page)
	return map[string]int{"up": -1, "down": 1, "pgup": -page, "pgdown": page}[key]
}

func (s *Screen) pressInList(msg tea.KeyPressMsg) tea.Cmd {
	p := &s.panes[s.active]
	all := len(p.answer.Neighbors)
	switch key := msg.String(); key {
	case "up", "down", "pgup", "pgdown":
		s.inList = key != "up" || p.selected > 0
		p.move(scrolled(key, s.layout(s.room()).height-2))
	case "esc", "alt+left":
		s.inList = false
	case "home":
		p.move(-all)
	case "end":
		p.move(all)
	case "left":
		s.activate(0)
	case "right":
		s.activate(len(s.panes) - 1)
	case "enter":
		return s.follow()
	case "tab":
	default:
		s.inList = false
		return s.edit(msg)
	}
	return nil
}

func (s *Screen) activate(pane int) bool {
	if len(s.panes[pane].answer.Neighbors) == 0 {
		return false
	}
	s.active = pane
	return true
}

func (p *pane) move(by int) { p.selected = max(0, min(p.selected+by, len(p.answer.Neighbors)-1)) }

func (s *Screen) follow() tea.Cmd {
	n, _, ok := s.selection()
	if !ok {
		return nil
	}
	text := s.panes[s.active].answer.Text
	s.trail = append(s.trail, stop{text, s.active, n.Word})
	s.history.add(text)
	return s.ask(n.Word)
}

func (s *Screen) goBack() tea.Cmd {
	last := s.trail[len(s.trail)-1]
	s.trail = s.trail[:len(s.trail)-1]
	s.active, s.inList = last.active, true
	s.panes[s.active].wanted = last
	return s.ask(last.text)
}

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

func (s *Screen) footKeys() (keys [][2]string) {
	text := s.line.Value()
	esc := func(otherwise string) [2]string {
		return [2]string{"esc", either(len(s.trail) > 0, "back", otherwise)}
	}
	switch {
	case s.help:
		return [][2]string{{"↑↓", "scroll"}, {"esc", "close help"}, {"ctrl-c", "quit"}}
	case s.inList:
		keys = [][2]string{{"↑↓", "select"}, {"enter", "follow"}, esc("to the line")}
		if len(s.panes) > 1 {
			keys = append(keys, [2]string{"←→", "model"})
		}
	case text == "":
		keys = [][2]string{{"↑", "earlier"}}
		if s.pinned != "" {
			keys = append(keys, [2]string{"enter", "unpin"})
		}
		if len(s.trail) > 0 {
			keys = append(keys, esc(""))
		}
	default:
		pin := either(text == s.pinned, "unpin", "pin")
		keys = [][2]string{{"tab", "complete"}, {"enter", pin}, {"↑", "earlier"}, {"↓", "list"}, esc("clear")}
	}
	help := either(s.inList || text == "", "?", "f1")
	return append(keys, [2]string{help, "help"}, [2]string{"ctrl-c", "quit"})
}

type settled struct{ version int }

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

func (s *Screen) ask(text string) tea.Cmd {
	s.fill(text)
	s.forget()
	return s.askNow()
}

func (s *Screen) fill(text string) {
	s.line.SetValue(text)
	s.line.CursorEnd()
}

func (s *Screen) askNow() tea.Cmd {
	s.version++
	return s.settle(settled{s.version})
}

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

func (s *Screen) question() Question {
	return Question{Text: strings.Trim(s.line.Value(), " "), Pinned: s.pinned}
}

// run asks a pane's source the line. A source that is still busy is asked afterwards.
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

const offered = 50

type completing struct {
	completion Completion
	of         string // the line up to the cursor that the completion is of
	chosen     int    // completion that is in the line, from 1; 0 for none yet
	before     string // the line up to the cursor before one was chosen
}

type completed struct {
	line string
	Completion
}

func (s *Screen) beforeCursor() string { return string([]rune(s.line.Value())[:s.line.Position()]) }

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

func (s *Screen) forget() { s.completing = completing{} }

func (s *Screen) offer(msg completed) {
	if s.chosen == 0 && msg.line == s.beforeCursor() && (msg.Total > 0 || s.of != msg.line) {
		s.completion, s.of = msg.Completion, msg.line
	}
}

// offerInstead offers words for the missing word before the cursor, if no word begins with it.
func (s *Screen) offerInstead(a Answer) {
	line := s.beforeCursor()
	if s.chosen > 0 || a.Lacking == "" || !strings.HasSuffix(line, a.Lacking) || s.of == line && s.completion.Total > 0 {
		return
	}
	s.of = line
	s.completion = Completion{Start: len(line) - len(a.Lacking), Words: a.Suggestions, Total: len(a.Suggestions)}
}

// complete puts another completion in the place of the word before the cursor; behind the last one comes what was typed.
func (s *Screen) complete(by int) tea.Cmd {
	n := len(s.completion.Words)
	if n == 0 || s.chosen == 0 && s.of != s.beforeCursor() {
		return nil
	}
	if s.chosen == 0 {
		s.before = s.of
	}
	keep := s.completing
	keep.chosen = (s.chosen + by + n + 1) % (n + 1)
	begins := s.before
	if keep.chosen > 0 {
		begins = s.before[:s.completion.Start] + s.completion.Words[keep.chosen-1]
	}
	rest := strings.TrimPrefix(s.line.Value(), s.beforeCursor())
	s.line.SetValue(begins + rest)
	s.line.SetCursor(len([]rune(begins)))
	cmd := s.changed()
	s.completing = keep
	return cmd
}

// history is the list of earlier questions, the latest last. No file keeps them, because questions are private.
type history struct {
	texts []string
	at    int    // the one that is in the line; len(texts) for the draft
	draft string // what was typed before an earlier one was brought back
}

func (h *history) add(text string) {
	if n := len(h.texts); text != "" && (n == 0 || h.texts[n-1] != text) {
		h.texts = append(h.texts, text)
	}
	h.at, h.draft = len(h.texts), ""
}

// move returns the text before or behind the one in the line, at last the draft.
func (h *history) move(by int, line string) (string, bool) {
	at := h.at + by
	if at < 0 || at > len(h.texts) {
		return "", false
	}
	if h.at == len(h.texts) {
		h.draft = line
	}
	h.at = at
	return append(slices.Clip(h.texts), h.draft)[at], true
}

func (s *Screen) pressInLine(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "tab":
		return s.complete(1)
	case "shift+tab":
		return s.complete(-1)
	case "enter":
		return s.pin()
	case "up", "down":
		key := msg.String()
		if text, ok := s.history.move(scrolled(key, 1), s.line.Value()); ok {
			return s.write(text)
		}
		if key == "down" {
			s.enterList()
		}
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

func (s *Screen) enterList() {
	if s.activate(s.active) || s.activate(len(s.panes)-1-s.active) {
		s.inList = true
	}
}

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

func (s *Screen) write(text string) tea.Cmd {
	s.fill(text)
	return s.changed()
}

func (s *Screen) pin() tea.Cmd {
	text := s.question().Text
	s.history.add(text)
	if text == s.pinned && text == "" {
		return nil
	}
	s.pinned = either(text == s.pinned, "", text)
	return s.askNow()
}
