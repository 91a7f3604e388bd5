package terminal

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/w2v-go/w2v/subword"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/query"
)

var update = flag.Bool("update", false, "write the frames of testdata")

// A trial is somebody who looks at a screen. Time passes, and answers come, when the trial says so.
type trial struct {
	t *testing.T
	*Screen
	waiting []tea.Cmd // questions that were asked and not answered yet
	quits   bool
}

func newTrial(t *testing.T, width, height int, sources ...Source) *trial {
	t.Helper()
	s := &trial{t: t, Screen: NewScreen(sources...)}
	s.send(tea.WindowSizeMsg{Width: width, Height: height})
	return s
}

// send gives the screen a message. What a text asks for waits until it is settled.
func (s *trial) send(msg tea.Msg) {
	version, asked := s.version, s.settled
	_, cmd := s.Update(msg)
	if s.version == version || s.settled > asked {
		s.queue(cmd)
	} // else it is a timer, for which pause stands
}

func (s *trial) queue(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	s.waiting = append(s.waiting, cmd)
}

// answerAll lets all questions be answered, and those that follow from them.
func (s *trial) answerAll() {
	for len(s.waiting) > 0 {
		cmd := s.waiting[0]
		s.waiting = s.waiting[1:]
		s.answer(cmd())
	}
}

func (s *trial) answer(msg tea.Msg) {
	switch msg := msg.(type) {
	case nil:
	case tea.QuitMsg:
		s.quits = true
	case tea.BatchMsg:
		for _, cmd := range msg {
			s.queue(cmd)
		}
	default:
		s.send(msg)
	}
}

// pause is nobody typing for a while.
func (s *trial) pause() {
	s.send(settled{s.version})
	s.answerAll()
}

// types types a text, quickly.
func (s *trial) types(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

// asks types a text and waits for the answer.
func (s *trial) asks(text string) {
	s.types(text)
	s.pause()
}

// presses presses keys, each named as in the help, and waits for what they ask for.
func (s *trial) presses(keys ...string) {
	codes := map[string]tea.KeyPressMsg{
		"enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab}, "shift-tab": {Code: tea.KeyTab, Mod: tea.ModShift},
		"esc": {Code: tea.KeyEscape}, "alt-left": {Code: tea.KeyLeft, Mod: tea.ModAlt},
		"up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
		"pgup": {Code: tea.KeyPgUp}, "pgdn": {Code: tea.KeyPgDown}, "home": {Code: tea.KeyHome}, "end": {Code: tea.KeyEnd},
		"backspace": {Code: tea.KeyBackspace}, "f1": {Code: tea.KeyF1},
		"ctrl-c": {Code: 'c', Mod: tea.ModCtrl}, "ctrl-d": {Code: 'd', Mod: tea.ModCtrl}, "ctrl-u": {Code: 'u', Mod: tea.ModCtrl},
	}
	for _, name := range keys {
		msg, ok := codes[name]
		if !ok {
			s.t.Fatalf("there is no key %q", name)
		}
		s.send(msg)
		s.answerAll()
	}
}

// frame is what the screen shows, without styles.
func (s *trial) frame() string {
	var lines []string
	for _, line := range s.draw() {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

// shows checks that a text is on the screen.
func (s *trial) shows(text string) {
	s.t.Helper()
	if !strings.Contains(s.frame(), text) {
		s.t.Errorf("%q is not on the screen:\n%s", text, s.frame())
	}
}

// hides checks that a text is not on the screen.
func (s *trial) hides(text string) {
	s.t.Helper()
	if strings.Contains(s.frame(), text) {
		s.t.Errorf("%q is on the screen:\n%s", text, s.frame())
	}
}

// is checks the whole screen against a file of testdata.
func (s *trial) is(name string) {
	s.t.Helper()
	path := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(path, []byte(s.frame()), 0o666); err != nil {
			s.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatal(err)
	}
	if got := s.frame(); got != string(want) {
		s.t.Errorf("the screen shows\n%s\nand not %s, which is\n%s", got, path, want)
	}
}

// A silent source has words, and answers what a test says.
type silent struct {
	name string
	say  func(Question) (Answer, error)
}

func (s silent) Label() string                            { return s.name }
func (s silent) Size() (words, dim int)                   { return 1, 2 }
func (s silent) Answer(q Question) (Answer, error)        { return s.say(q) }
func (s silent) Complete(string, int) (Completion, error) { return Completion{}, nil }
func echo(q Question) (Answer, error)                     { return one(q, "of "+q.Text), nil }
func one(q Question, words ...string) (a Answer) {
	a = Answer{Question: q, Kind: Word}
	for i, word := range words {
		a.Neighbors = append(a.Neighbors, Neighbor{Word: word, Similarity: 1 - float64(i)/100})
	}
	return a
}

var errGone = errors.New("model.w2v: the file was changed while it was read")

// words are those of the models of these tests, with their counts and vectors.
var words = []struct {
	word   string
	count  uint64
	vector [3]float32
}{
	{"king", 5158, [3]float32{1, 0.2, 0}},
	{"queen", 1797, [3]float32{0.9, 0.3, 0.4}},
	{"man", 12034, [3]float32{0.1, 1, 0}},
	{"woman", 3309, [3]float32{0.1, 1, 0.5}},
	{"prince", 1696, [3]float32{0.95, 0.3, 0.1}},
	{"kingdom", 2020, [3]float32{0.8, 0, -0.2}},
	{"kings", 900, [3]float32{0.9, 0.1, -0.1}},
	{"שלום", 77, [3]float32{0.5, 0.5, 0.1}},
	{"سلام", 76, [3]float32{0.4, 0.5, 0.1}},
	{"日本語", 75, [3]float32{0.3, 0.5, 0.1}},
	{"\u0301x", 7, [3]float32{0.2, 0.4, 0.6}},
	{"a\x1b[31mred\u202e", 6, [3]float32{0.2, 0.3, 0.6}},
	{"a word that is too long for any list of neighbours", 5, [3]float32{0.3, 0.3, 0.6}},
	{"new york", 4, [3]float32{-0.3, 0.3, 0.6}},
	{"a:b", 3, [3]float32{-0.4, 0.3, 0.6}},
	{"nothing", 2, [3]float32{}},
}

// model returns a source of these words; with composes, n-grams compose words.
func model(t *testing.T, name string, composes bool, scale float32) *Set {
	t.Helper()
	var list []string
	p := vectors.Parts{}
	extra := 0
	if composes {
		indexer := subword.FastText{MinN: 3, MaxN: 3, Buckets: 7}
		p.Subword, extra = indexer, 7
	}
	p.Input = vectors.NewMatrix(len(words)+extra, 3)
	for i, w := range words {
		list = append(list, w.word)
		p.Counts = append(p.Counts, w.count)
		copy(p.Input.Row(i), w.vector[:])
		p.Input.Row(i)[2] *= scale
	}
	for b := range extra {
		copy(p.Input.Row(len(words)+b), []float32{float32(b) / 7, 0.3, 0.1})
	}
	p.Words = vectors.NewWords(list...)
	set, err := vectors.New(p)
	if err != nil {
		t.Fatal(err)
	}
	finder, err := query.New(set, vectors.CaseAuto)
	if err != nil {
		t.Fatal(err)
	}
	return &Set{Name: name, Finder: finder, From: set, K: 12}
}
