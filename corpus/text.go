package corpus

import (
	"bufio"
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A window is the part of a text that is in memory.
type window struct {
	src      io.Reader
	in       []byte
	pos, end int   // unread part of in
	err      error // of src
}

func newWindow(src io.Reader, size int) window {
	return window{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (w *window) text() []byte { return w.in[w.pos:w.end] }

// fill reads at least one more byte, or sets err.
func (w *window) fill() {
	w.end = copy(w.in, w.text())
	w.pos = 0
	if w.end == len(w.in) {
		w.in = append(w.in, make([]byte, w.end)...)
	}
	for range 100 {
		n, err := w.src.Read(w.in[w.end:])
		w.end += n
		if w.err = err; n > 0 || err != nil {
			return
		}
	}
	w.err = io.ErrNoProgress
}

// A filter passes a text through a step.
type filter struct {
	window
	step     step
	out, buf []byte
}

// A step appends its output for the beginning of text to dst, and returns how many bytes of text it consumed:
// 0 if it needs more. last says that no more text follows. It may overwrite the bytes that it consumes.
type step func(dst, text []byte, last bool) ([]byte, int)

func newFilter(src io.Reader, size int, s step) *filter {
	return &filter{window: newWindow(src, size), step: s}
}

func (f *filter) Read(p []byte) (int, error) {
	if len(f.out) == 0 {
		f.buf = f.buf[:0]
		for len(f.buf) < len(p) && f.next() {
		}
		if f.out = f.buf; len(f.out) == 0 {
			return 0, f.err
		}
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// next runs a step, or reads more. It returns false at the end.
func (f *filter) next() bool {
	n := 0
	f.buf, n = f.step(f.buf, f.text(), f.err != nil)
	f.pos += n
	if n == 0 && f.err == nil {
		f.fill()
		return true
	}
	return n > 0
}

func wholeRunes(change func(dst, text []byte) []byte) step {
	return func(dst, text []byte, last bool) ([]byte, int) {
		end := len(text)
		if !last {
			end = completeRunes(text)
		}
		return change(dst, text[:end]), end
	}
}

// completeRunes returns the length of the prefix of text that does not end within a character.
func completeRunes(text []byte) int {
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return at
			}
			break
		}
	}
	return len(text)
}

// appendMapped appends a text with its characters replaced. Bytes that are not UTF-8 stay.
func appendMapped(dst, text []byte, to func(dst []byte, r rune) []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, text[0])
		} else {
			dst = to(dst, r)
		}
		text = text[size:]
	}
	return dst
}

func lowerOf(language string) step {
	return func(dst, text []byte, last bool) ([]byte, int) {
		end := len(text)
		if !last {
			end = wordbreak.LowerApart(text)
		}
		return append(dst, wordbreak.LowerText(language, text[:end])...), end
	}
}

// edited returns the edited token, empty if it is dropped. It may change the token in place.
func (o Options) edited(token []byte) []byte {
	if o.Punctuation == DropPunctuation {
		token = bytes.TrimFunc(token, isPunctuation)
	}
	switch o.Digits {
	case ZeroDigits:
		token = zeroDigits(token)
	case DropNumbers:
		if isOnlyNumber(token) {
			return nil
		}
	}
	return token
}

// isPunctuation reports whether r is punctuation. A byte that is not UTF-8 is not: U+FFFD is in category So.
func isPunctuation(r rune) bool {
	return unicode.In(r, unicode.P, unicode.Sm, unicode.Sc, unicode.Sk)
}

func zeroDigits(token []byte) []byte {
	to := token[:0] // a zero is not longer than the digit
	for i := 0; i < len(token); {
		r, size := utf8.DecodeRune(token[i:])
		if unicode.Is(unicode.Nd, r) {
			to = append(to, '0')
		} else {
			to = append(to, token[i:i+size]...)
		}
		i += size
	}
	return to
}

func isOnlyNumber(token []byte) bool {
	return bytes.ContainsFunc(token, unicode.IsNumber) && !bytes.ContainsFunc(token, unicode.IsLetter)
}

// A tokenEditor edits tokens between separators. It holds at most a few times MaxToken bytes.
type tokenEditor struct {
	options Options
	long    bool // the token is too long, and its beginning was passed on unedited
}

func (e *tokenEditor) step(dst, text []byte, last bool) ([]byte, int) {
	n := 0
	for {
		at := bytes.IndexFunc(text[n:], isSeparator)
		if at < 0 {
			break
		}
		dst = append(e.end(dst, text[n:n+at]), text[n+at])
		n += at + 1
	}
	if last {
		return e.end(dst, text[n:]), len(text)
	}
	if e.long {
		return append(dst, text[n:]...), len(text)
	}
	return e.shorten(dst, text, n)
}

func isSeparator(r rune) bool { return r <= ' ' && separators>>r&1 != 0 }

func (e *tokenEditor) end(dst, token []byte) []byte {
	if !e.long {
		token = e.options.edited(token)
	}
	e.long = false
	return append(dst, token...)
}

// shorten bounds the memory for an unfinished token that begins at n. It drops leading punctuation at once.
// It also drops most of the trailing punctuation: the rest still makes the token too long if the token
// continues. A token that is too long without that punctuation is passed on unedited and reported later.
func (e *tokenEditor) shorten(dst, text []byte, n int) ([]byte, int) {
	token := text[n:]
	if len(token) <= 2*MaxToken {
		return dst, n
	}
	if e.options.Punctuation == DropPunctuation {
		end := completeRunes(token)
		kept := bytes.TrimLeftFunc(token[:end], isPunctuation)
		core := len(bytes.TrimRightFunc(kept, isPunctuation))
		if core <= MaxToken {
			kept = kept[:completeRunes(kept[:min(len(kept), core+MaxToken+1)])]
			return dst, n + end - copy(token[end-len(kept):end], kept)
		}
	}
	e.long = true
	return append(dst, token...), len(text)
}

// characters passes on the characters of a text, each followed by a space, and its newlines. A character is a
// grapheme cluster of UAX #29, such as a letter with its marks. White space and control characters are
// dropped together with their marks. A character of more than MaxToken bytes is passed on in parts.
type characters struct {
	within  bool // a part of the character was already passed on or dropped
	skipped bool // that part was dropped
}

func (c *characters) step(dst, text []byte, last bool) ([]byte, int) {
	taken := eachSegment(graphemes.SplitFunc, text, last, func(cluster []byte) { dst = c.pass(dst, cluster, true) })
	if taken == 0 && !last && len(text) > MaxToken {
		taken = beforeLastTwo(text) // the last two characters decide where the cluster ends
		dst = c.pass(dst, text[:taken], false)
	}
	return dst, taken
}

// eachSegment calls use for each segment of a text, and returns the length of all.
func eachSegment(split bufio.SplitFunc, text []byte, last bool, use func(segment []byte)) (taken int) {
	for {
		n, segment, _ := split(text[taken:], last) // the split functions of uax29 return no errors
		if n == 0 {
			return taken
		}
		use(segment)
		taken += n
	}
}

func beforeLastTwo(text []byte) int {
	_, last := utf8.DecodeLastRune(text)
	_, before := utf8.DecodeLastRune(text[:len(text)-last])
	return len(text) - last - before
}

// pass passes on a character, or a part of it if whole is false.
func (c *characters) pass(dst, part []byte, whole bool) []byte {
	if !c.within {
		if bytes.IndexByte(part, '\n') >= 0 {
			return append(dst, '\n')
		}
		r, _ := utf8.DecodeRune(part)
		c.skipped = unicode.IsSpace(r) || unicode.IsControl(r)
	}
	if c.within = !whole; c.skipped {
		return dst
	}
	if dst = append(dst, part...); whole {
		dst = append(dst, ' ')
	}
	return dst
}

// unicodeWords passes on words, each followed by a space, and newlines. Of long segments, it passes on parts.
type unicodeWords struct {
	wordIn func(segment []byte) []byte // returns the part of a segment that is a token; nil for none

	long bool   // the segment is too long, and its beginning was consumed
	word bool   // that beginning is part of a word, and was passed on
	held []byte // first bytes of that beginning, until it is known to be part of a word
}

func (u *unicodeWords) step(dst, text []byte, last bool) ([]byte, int) {
	taken := eachSegment(words.SplitFunc, text, last, func(segment []byte) {
		if dst = u.pass(dst, segment); u.long && u.word {
			dst = append(dst, ' ')
		}
		u.long, u.word, u.held = false, false, u.held[:0]
	})
	if taken == 0 && !last && len(text) > MaxToken {
		return u.passBeginning(dst, text)
	}
	return dst, taken
}

// pass passes on a word or a newline, or a part of a long segment that is known to be a word.
func (u *unicodeWords) pass(dst, segment []byte) []byte {
	switch {
	case !u.long && bytes.IndexByte(segment, '\n') >= 0:
		return append(dst, '\n')
	case !u.long:
		if word := u.wordIn(segment); len(word) > 0 {
			return append(append(dst, word...), ' ')
		}
	case u.word:
		return append(dst, segment...)
	case len(u.wordIn(segment)) > 0:
		u.word = true
		return append(append(dst, u.held...), segment...)
	default: // the segment becomes longer than MaxToken, or it is not a word
		u.held = append(u.held, segment[:min(len(segment), MaxToken+1-len(u.held))]...)
	}
	return dst
}

// passBeginning passes on most of the unfinished segment that text begins with. It keeps the characters that
// decide where the segment ends: the rules of UAX #29 look back to the last base (a character that is not an
// accent or the like) and to the last two characters.
func (u *unicodeWords) passBeginning(dst, text []byte) ([]byte, int) {
	u.long = true
	cut := beforeLastTwo(text)
	letter := []byte(nil)
	base := bytes.LastIndexFunc(text[:cut], func(r rune) bool { return unicode.In(r, unicode.L, unicode.N, unicode.Pc) })
	if base >= 0 {
		_, size := utf8.DecodeRune(text[base:])
		letter = bytes.Clone(text[base : base+size])
	}
	cut -= len(letter) // pass on characters between the base and the rest before the base
	dst = u.pass(dst, text[:cut])
	copy(text[cut:], letter)
	return dst, cut
}

// longestHeld is the maximum number of bytes of a sentence that are held before its end is found.
const longestHeld = 1 << 20

// breakSentences is a step that puts a newline after each sentence that does not end in one.
func breakSentences(dst, text []byte, last bool) ([]byte, int) {
	n, sentence, _ := sentences.SplitFunc(text, last) // SplitFunc itself returns no errors
	switch {
	case n > 0 && (n < len(text) || last): // a sentence that ends where the text ends may continue
		dst = append(dst, sentence...)
		if n < len(text) && sentence[n-1] != '\n' {
			dst = append(dst, '\n')
		}
		return dst, n
	case !last && len(text) > longestHeld:
		cut := betweenWords(text)
		return append(dst, text[:cut]...), cut
	}
	return dst, 0
}

// betweenWords returns where text can be cut: after the last space behind a letter, because the rules of UAX
// #29 look back no further. Without such a space, it returns the middle of the text.
func betweenWords(text []byte) int {
	if at := lastSpace(text, func(before, _ rune) bool { return unicode.IsLetter(before) }); at > 0 {
		return at + 1
	}
	return completeRunes(text[:len(text)/2])
}

// lastSpace returns the position of the last space between characters that may be cut apart, or 0.
func lastSpace(text []byte, cut func(before, after rune) bool) int {
	at := bytes.LastIndexByte(text, ' ')
	for ; at > 0; at = bytes.LastIndexByte(text[:at], ' ') {
		before, _ := utf8.DecodeLastRune(text[:at])
		after, _ := utf8.DecodeRune(text[at+1:])
		if cut(before, after) {
			return at
		}
	}
	return 0
}
