package terminal

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// A Writer escapes what could move the cursor, change the terminal or rearrange other text: words of a model may come
// from anywhere. Newlines and tabs stay. Several goroutines may write.
type Writer struct {
	w     io.Writer
	marks [paints]string // what stands for the beginning of each style in text that is written; empty for no colours

	mu   sync.Mutex
	rest []byte // the beginning of a character or a mark
}

// A Style is how a part of a text looks on a terminal with colours.
type Style int

// The styles, which have enough contrast on light and dark grounds.
const (
	Plain   Style = iota // also ends other styles
	Heading              // bold
	Name                 // cyan: a command, a flag, a number
	paints  = iota
)

// codes are those of ECMA-48, which all terminals with colours know.
var codes = [paints]string{"\x1b[0m", "\x1b[1m", "\x1b[36m"}

// NewWriter returns a Writer before w. Without colours, Paint leaves texts as they are.
func NewWriter(w io.Writer, colours bool) *Writer {
	s := &Writer{w: w}
	if colours {
		secret := rand.Text() // that no word can have
		for i := range s.marks {
			s.marks[i] = fmt.Sprintf("\x1b%s%d;", secret, i)
		}
	}
	return s
}

// Colours reports whether people want colours on a terminal of this environment, which os.Environ has: see no-color.org.
func Colours(environment []string) bool {
	value := func(name string) (last string) {
		for _, variable := range environment {
			if v, ok := strings.CutPrefix(variable, name+"="); ok {
				last = v
			}
		}
		return last
	}
	return value("NO_COLOR") == "" && value("TERM") != "dumb"
}

// Paint returns a text that is shown in a style if this Writer writes it.
func (w *Writer) Paint(style Style, text string) string {
	if w == nil || text == "" || style == Plain {
		return text
	}
	return w.marks[style] + text + w.marks[Plain]
}

// Write writes text.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := append(w.rest, text...)
	whole := len(all)
	for i := max(0, len(all)-utf8.UTFMax+1); i < len(all); i++ {
		if utf8.RuneStart(all[i]) && !utf8.FullRune(all[i:]) {
			whole = i
			break
		}
	}
	if i := bytes.LastIndexByte(all[:whole], '\x1b'); i >= 0 && w.begins(all[i:whole]) {
		whole = i
	}
	w.rest = bytes.Clone(all[whole:])
	if _, err := io.WriteString(w.w, w.styled(string(all[:whole]))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// begins reports whether a text may be the beginning of a mark.
func (w *Writer) begins(text []byte) bool {
	return slices.ContainsFunc(w.marks[:], func(mark string) bool { return len(text) < len(mark) && strings.HasPrefix(mark, string(text)) })
}

// styled returns a safe text, with codes in place of marks.
func (w *Writer) styled(text string) string {
	var b strings.Builder
	for {
		first, style := len(text), -1
		for i, mark := range w.marks {
			if at := strings.Index(text, mark); mark != "" && at >= 0 && at < first {
				first, style = at, i
			}
		}
		b.WriteString(safe(text[:first], "\n\t"))
		if style < 0 {
			return b.String()
		}
		b.WriteString(codes[style])
		text = text[first+len(w.marks[style]):]
	}
}

// Flush writes the bytes of an incomplete character.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	rest := string(w.rest)
	w.rest = nil
	_, err := io.WriteString(w.w, safe(rest, ""))
	return err
}

// Escape returns a text as a Writer writes it.
func Escape(text string) string { return safe(text, "\n\t") }

// safe returns a text with escapes for invalid UTF-8 and for characters that are unsafe, except some.
func safe(text, except string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !unsafe(r) || strings.ContainsRune(except, r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// unsafe reports whether a character is invisible. Joiners are part of letters.
func unsafe(r rune) bool {
	return r != '\u200c' && r != '\u200d' &&
		(unicode.Is(unicode.C, r) && !unicode.Is(unicode.Co, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r))
}

// Cut returns a text of at most so many characters, with an ellipsis in place of the rest.
func Cut(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	at := 0
	for range most - 1 {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at] + ellipsis
}

const ellipsis = "…"

// Without this mark, a terminal would take what is behind a text of a right-to-left script to its other side.
const leftToRight = "\u200e"

// shown makes a text of a model safe to show. A mark that would combine with the character before it gets a circle.
func shown(text string) string {
	text = safe(text, "")
	if r, _ := utf8.DecodeRuneInString(text); unicode.Is(unicode.M, r) {
		text = "◌" + text
	}
	rightToLeft := strings.ContainsFunc(text, func(r rune) bool {
		p, _ := bidi.LookupRune(r)
		return slices.Contains([]bidi.Class{bidi.R, bidi.AL, bidi.AN}, p.Class())
	})
	return text + either(rightToLeft, leftToRight, "")
}

func (s *Screen) fit(text string, width int) string {
	text = s.cut(text, width)
	return text + s.spaces(text, width)
}

func (s *Screen) fitRight(text string, width int) string {
	text = s.cut(text, width)
	return s.spaces(text, width) + text
}

func (s *Screen) spaces(text string, width int) string {
	return strings.Repeat(" ", max(0, width-s.measure.StringWidth(text)))
}

func (s *Screen) cut(text string, width int) string {
	if width <= 0 {
		return ""
	}
	if s.measure.StringWidth(text) <= width {
		return text
	}
	cut := s.measure.Truncate(text, width, ellipsis)
	if strings.Contains(text, leftToRight) && !strings.HasSuffix(cut, leftToRight) {
		cut += leftToRight
	}
	return cut
}

func (s *Screen) wrap(text string, width int) []string {
	return strings.Split(s.measure.Wrap(text, max(1, width), ""), "\n")
}

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

func bar(share float64, width int) string {
	if !(share > 0) || width <= 0 { // NaN, too
		return ""
	}
	n := int(min(share, 1)*float64(width)*8 + 0.5)
	return strings.Repeat("█", n/8) + eighths[n%8]
}

func either[T any](cond bool, a, b T) T {
	if cond {
		return a
	}
	return b
}
