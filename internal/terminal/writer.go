package terminal

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Writer passes text on to a terminal. What moves the cursor, changes the terminal, or rearranges other text is
// written as an escape: control characters but newlines and tabs, marks of direction, and bytes that are no
// UTF-8. Words of a model come from anywhere.
// Several goroutines may write.
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

// Flush writes what is left of a character that has not ended.
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

// unsafe reports whether a character is none that is seen: joiners are letters' business.
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
