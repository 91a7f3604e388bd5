package terminal

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// recorder returns a source that answers by echo, and what it was asked.
func recorder() (Source, *[]Question) {
	asked := &[]Question{}
	return silent{"model", func(q Question) (Answer, error) {
		*asked = append(*asked, q)
		return echo(q)
	}}, asked
}

// texts are what questions ask.
func texts(asked []Question) (texts []string) {
	for _, q := range asked {
		texts = append(texts, q.Text)
	}
	return texts
}

func TestATextIsAskedWhenNobodyTypesForAWhile(t *testing.T) {
	source, asked := recorder()
	s := newTrial(t, 80, 24, source)
	s.types("ki")
	old := settled{s.version}
	s.types("ng")
	s.send(old) // the timer behind the i
	s.answerAll()
	if len(*asked) > 0 {
		t.Errorf("asked %q while somebody typed", texts(*asked))
	}
	s.pause()
	if want := []string{"king"}; !reflect.DeepEqual(texts(*asked), want) {
		t.Errorf("asked %q, want %q", texts(*asked), want)
	}
	s.shows("of king")
}

// One question is asked at a time; what was typed meanwhile is asked next, and what was typed in
// between is not.
func TestOneQuestionAtATime(t *testing.T) {
	source, asked := recorder()
	s := newTrial(t, 80, 24, source)
	s.types("a")
	s.send(settled{s.version})
	for _, letter := range "bcd" {
		s.types(string(letter))
		s.send(settled{s.version})
	}
	s.answerAll()
	if want := []string{"a", "abcd"}; !reflect.DeepEqual(texts(*asked), want) {
		t.Errorf("asked %q, want %q", texts(*asked), want)
	}
	s.shows("of abcd")
}

func TestAnOlderAnswerNeverOverwritesANewerOne(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.asks("new")
	newer := s.version
	for version := range newer {
		s.send(answered{version: version, answer: one(Question{Text: "old"}, "of old")})
		s.hides("of old")
		s.shows("of new")
	}
	s.send(answered{version: newer + 1, answer: one(Question{Text: "newest"}, "of newest")})
	s.shows("of newest")
}

// A text that is taken away leaves no answer that comes later.
func TestAnswersToATextThatIsGone(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.types("a")
	s.send(settled{s.version})
	s.types("x")
	s.send(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	s.send(settled{s.version})
	s.answerAll()
	s.hides("of a")
	s.shows("man king woman")
	if s.panes[0].answered != s.version {
		t.Errorf("shown is version %d of %d", s.panes[0].answered, s.version)
	}
}

// A model that can no longer be read is one line, and the other model goes on.
func TestErrorsOfAModel(t *testing.T) {
	fails := silent{"first", func(q Question) (Answer, error) { return Answer{}, errGone }}
	s := newTrial(t, 80, 24, fails)
	s.asks("king")
	s.shows("> king\n" + errGone.Error() + "\n")
	s.asks("s") // and again
	s.shows("> kings\n" + errGone.Error() + "\n")

	s = newTrial(t, 100, 24, fails, silent{"second", echo})
	s.asks("king")
	s.shows(errGone.Error())
	s.shows("of king")
	s.presses("down", "enter")
	s.shows("> of king")
	s.shows("of of king")
}

func TestFollowAndGoBack(t *testing.T) {
	many := func(q Question) (Answer, error) {
		return one(q, q.Text+"1", q.Text+"2", q.Text+"3"), nil
	}
	for _, back := range []string{"esc", "alt-left"} {
		s := newTrial(t, 80, 24, silent{"model", many})
		s.asks("a")
		s.presses("down", "down", "down", "enter")
		s.shows("> a3\n")
		s.shows("› 1 a31")
		s.presses("down", "enter")
		s.shows("> a32\n")
		s.presses(back)
		s.shows("> a3\n")
		s.shows("› 2 a32")
		s.presses(back)
		s.shows("> a\n")
		s.shows("› 3 a3")
		s.presses("esc") // there is nothing to go back to
		s.types("b")
		s.shows("> ab\n")
	}
}

// Going back while an answer is being waited for selects the neighbour that was followed, too.
func TestGoBackBeforeTheAnswer(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", func(q Question) (Answer, error) { return one(q, q.Text+"1", q.Text+"2"), nil }})
	s.asks("a")
	s.presses("down", "down")
	s.send(tea.KeyPressMsg{Code: tea.KeyEnter})
	s.send(tea.KeyPressMsg{Code: tea.KeyEscape})
	s.answerAll()
	s.shows("> a\n")
	s.shows("› 2 a2")
}

func TestPin(t *testing.T) {
	source, asked := recorder()
	s := newTrial(t, 80, 24, source)
	s.asks("king")
	s.presses("enter")
	s.shows("pinned")
	s.asks("s")
	want := []Question{{Text: "king"}, {Text: "king", Pinned: "king"}, {Text: "kings", Pinned: "king"}}
	if !reflect.DeepEqual(*asked, want) {
		t.Errorf("asked %q, want %q", *asked, want)
	}
	s.presses("backspace")
	s.pause()
	s.presses("enter")
	s.hides("pinned")
	s.presses("enter", "ctrl-u", "enter") // an empty text takes the pin away, too
	if s.pinned != "" {
		t.Errorf("%q is pinned", s.pinned)
	}
}

func TestHistory(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.presses("up")
	for _, text := range []string{"one", "two", "two", "three"} {
		s.types(text)
		s.presses("enter", "ctrl-u")
	}
	s.types("draft")
	var seen []string
	for _, key := range []string{"up", "up", "up", "up", "down", "down", "down"} {
		s.presses(key)
		seen = append(seen, s.line.Value())
	}
	if want := []string{"three", "two", "one", "one", "two", "three", "draft"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("brought back %q, want %q", seen, want)
	}
}

func TestCompletion(t *testing.T) {
	s := newTrial(t, 80, 24, model(t, "model", false, 1))
	s.asks("k")
	s.shows("tab: king  kingdom  kings\n")
	var seen []string
	for _, key := range []string{"tab", "tab", "tab", "tab", "tab", "shift-tab", "shift-tab"} {
		s.presses(key)
		s.pause()
		seen = append(seen, s.line.Value())
	}
	if want := []string{"king", "kingdom", "kings", "k", "king", "k", "kings"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("completed to %q, want %q", seen, want)
	}
	s.asks(" - 0.5*wo")
	s.presses("tab")
	s.shows("> kings - 0.5*woman\n")
	s.pause()
	s.asks(" + quen") // no word begins so, but some are near
	s.shows("tab: queen\n")
	s.presses("tab")
	s.shows("> kings - 0.5*woman + queen\n")
	s.pause()
	s.shows("kings − 0.5·woman + queen\n")
}

// A completion in the middle leaves what stands behind the cursor.
func TestCompletionWithinALine(t *testing.T) {
	s := newTrial(t, 80, 24, model(t, "model", false, 1))
	s.types("prin - man")
	s.presses("home", "right", "right", "right", "right")
	s.pause()
	s.presses("tab")
	s.shows("> prince - man\n")
}

func TestQuit(t *testing.T) {
	for _, test := range []struct {
		text string
		keys []string
		want bool
	}{
		{"", []string{"ctrl-c"}, true},
		{"king", []string{"ctrl-c"}, true},
		{"king", []string{"down", "ctrl-c"}, true},
		{"", []string{"f1", "ctrl-c"}, true},
		{"", []string{"ctrl-d"}, true},
		{"king", []string{"home", "ctrl-d"}, false}, // deletes the k
		{"", []string{"esc", "enter", "tab", "down"}, false},
	} {
		s := newTrial(t, 80, 24, silent{"model", echo})
		s.asks(test.text)
		s.presses(test.keys...)
		if s.quits != test.want {
			t.Errorf("%q and %q quit: %t, want %t", test.text, test.keys, s.quits, test.want)
		}
	}
}

// A question mark asks for help where it is not a part of a text.
func TestHelp(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.types("?")
	s.shows("keys in the line")
	s.presses("esc")
	s.hides("keys in the line")
	s.types("a:b::c:?")
	s.pause()
	s.shows("> a:b::c:?\n")
	s.hides("keys in the line")
	s.presses("f1")
	s.shows("keys in the line")
	s.types("x") // goes on typing
	s.shows("> a:b::c:?x\n")
	s.hides("keys in the line")
	s.pause()
	s.presses("down")
	s.types("?")
	s.shows("keys in the line")
}

func TestPasteIsTyped(t *testing.T) {
	source, asked := recorder()
	s := newTrial(t, 80, 24, source)
	s.send(tea.PasteMsg{Content: "new\nyork\x1b[31m"})
	s.pause()
	if want := []string{"new york[31m"}; !reflect.DeepEqual(texts(*asked), want) {
		t.Errorf("asked %q, want %q", texts(*asked), want)
	}
}

// Whatever is shown fits the screen, in its lines and its columns, however wide characters are taken
// to be.
func TestFitsEverySize(t *testing.T) {
	for _, measure := range []ansi.Method{ansi.WcWidth, ansi.GraphemeWidth} {
		for _, models := range []int{1, 2} {
			sources := []Source{model(t, "first\x1b.w2v", true, 1), model(t, "日本.w2v", true, 0.5)}
			s := newTrial(t, 80, 24, sources[:models]...)
			s.measure = measure
			fits := func(what string) {
				for _, width := range []int{1, 2, 7, 25, 33, 34, 55, 56, 69, 70, 119, 120, 200} {
					for _, height := range []int{1, 2, 3, 4, 5, 11, 12, 16, 60} {
						s.send(tea.WindowSizeMsg{Width: width, Height: height})
						content := s.View().Content
						lines := strings.Split(content, "\n")
						if len(lines) != height {
							t.Fatalf("%s: %d lines at %d×%d", what, len(lines), width, height)
						}
						for _, line := range lines {
							if n := measure.StringWidth(line); n > width {
								t.Fatalf("%s: %d columns at %d×%d: %q", what, n, width, height, line)
							}
						}
						if strings.Contains(ansi.Strip(content), "\x1b") || strings.Contains(content, "\u202e") {
							t.Fatalf("%s: a word reached the terminal as it is: %q", what, content)
						}
					}
				}
			}
			fits("welcome")
			s.asks("סוס ארוך")
			fits("a word in Hebrew")
			s.presses("enter", "down", "end")
			fits("the last neighbour")
			s.presses("up", "right")
			fits("a neighbour")
			s.types("?")
			fits("help")
			s.types("x - ")
			s.pause()
			fits("what is not an expression")
		}
	}
}

// A list scrolls with the selection.
func TestScroll(t *testing.T) {
	var all []string
	for i := range 100 {
		all = append(all, fmt.Sprintf("word%d", i))
	}
	s := newTrial(t, 80, 24, silent{"model", func(q Question) (Answer, error) { return one(q, all...), nil }})
	s.asks("x")
	s.shows("›   1 word0 ")
	s.presses("pgdn")
	s.shows("›  18 word17 ")
	s.presses("end")
	s.shows("› 100 word99 ")
	s.presses("up", "pgup")
	s.shows("›  82 word81 ")
	s.presses("home")
	s.shows("›   1 word0 ")
	s.send(tea.WindowSizeMsg{Width: 80, Height: 8})
	s.presses("pgdn")
	s.shows("›   3 word2 ")
}

// The terminal's answer to what it takes characters' widths to be is heeded.
func TestWidthsOfTheTerminal(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeNotRecognized})
	if s.measure != ansi.WcWidth {
		t.Error("graphemes are measured, which the terminal does not know")
	}
	s.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	if s.measure != ansi.GraphemeWidth {
		t.Error("code points are measured, although the terminal knows graphemes")
	}
}

// The selection is seen without colours, and dark and light terminals have others.
func TestStyles(t *testing.T) {
	s := newTrial(t, 80, 24, silent{"model", echo})
	s.asks("king")
	s.presses("down")
	dark := s.View().Content
	if !strings.Contains(dark, "› \x1b[2m1\x1b[m \x1b[7mof king\x1b[m") {
		t.Errorf("the selection is not reversed: %q", dark)
	}
	s.dress(false)
	if light := s.View().Content; light == dark || ansi.Strip(light) != ansi.Strip(dark) {
		t.Errorf("light and dark terminals differ in more than colours, or not at all: %q", light)
	}
}
