package terminal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// A Writer passes text to a terminal. It escapes everything that could move the cursor, change the terminal
// or rearrange other text: control characters except newlines and tabs, direction marks, and invalid UTF-8.
// Words of a model may come from anywhere. Several goroutines may write.
type Writer struct {
	w io.Writer

	mu   sync.Mutex
	rest []byte // the beginning of a character
}

// NewWriter returns a Writer before w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes text.
func (w *Writer) Write(text []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(text)
	if len(w.rest) > 0 {
		text = append(w.rest, text...)
		w.rest = nil
	}
	var shown bytes.Buffer
	for len(text) > 0 {
		if !utf8.FullRune(text) {
			w.rest = bytes.Clone(text)
			break
		}
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, text[0])
		case r != '\n' && r != '\t' && unsafe(r):
			shown.WriteString(escape(r))
		default:
			shown.Write(text[:size])
		}
		text = text[size:]
	}
	if _, err := w.w.Write(shown.Bytes()); err != nil {
		return 0, err
	}
	return n, nil
}

// Flush writes the bytes of an incomplete character.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var shown strings.Builder
	for _, b := range w.rest {
		fmt.Fprintf(&shown, `\x%02x`, b)
	}
	w.rest = nil
	_, err := io.WriteString(w.w, shown.String())
	return err
}

// Escape returns a text as a Writer writes it.
func Escape(text string) string {
	var shown bytes.Buffer
	w := NewWriter(&shown)
	_, _ = io.WriteString(w, text) // a buffer takes all
	_ = w.Flush()
	return shown.String()
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

// leftToRight is the mark behind a text of a right-to-left script. It has no width. Without it, a terminal
// that arranges such texts would take numbers and rules behind the text along to its other side.
const leftToRight = "\u200e"

// shown makes a text of a model safe to show. Invalid bytes, and characters that move the cursor or other
// characters, become escapes. A mark that would combine with the character before it gets a circle.
func shown(text string) string {
	var b strings.Builder
	rightToLeft := false
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case unsafe(r):
			fmt.Fprint(&b, escape(r))
		default:
			if i == 0 && unicode.Is(unicode.M, r) {
				b.WriteRune('◌')
			}
			b.WriteRune(r)
			switch p, _ := bidi.LookupRune(r); p.Class() {
			case bidi.R, bidi.AL, bidi.AN:
				rightToLeft = true
			}
		}
	}
	if rightToLeft {
		b.WriteString(leftToRight)
	}
	return b.String()
}

// escape is how Go writes a code point in ASCII.
func escape(r rune) string {
	switch {
	case r < 0x100:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}

// fit returns a text that takes exactly so many columns: cut, or with spaces behind it.
func (s *Screen) fit(text string, width int) string {
	text = s.cut(text, width)
	return text + strings.Repeat(" ", max(0, width-s.measure.StringWidth(text)))
}

// fitRight is fit with spaces before the text.
func (s *Screen) fitRight(text string, width int) string {
	text = s.cut(text, width)
	return strings.Repeat(" ", max(0, width-s.measure.StringWidth(text))) + text
}

// cut returns as much of a text as so many columns have room for.
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

// wrap breaks a text at spaces into lines of at most so many columns.
func (s *Screen) wrap(text string, width int) []string {
	return strings.Split(s.measure.Wrap(text, max(1, width), ""), "\n")
}

var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar draws a share from 0 to 1 of so many columns.
func bar(share float64, width int) string {
	if !(share > 0) || width <= 0 { // NaN, too
		return ""
	}
	n := int(min(share, 1)*float64(width)*8 + 0.5)
	return strings.Repeat("█", n/8) + eighths[n%8]
}
