package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/clipperhouse/uax29/v2/sentences"
	"github.com/clipperhouse/uax29/v2/words"
	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A runeReader reads a text and replaces each of its characters. Bytes that are not UTF-8 stay as
// they are.
type runeReader struct {
	src  io.Reader
	to   func(dst []byte, r rune) []byte
	in   []byte
	kept int // bytes at the front of in that start an unfinished code point
	out  []byte
	buf  []byte
	err  error
}

// newRuneReader returns a reader of a text whose characters are replaced.
func newRuneReader(src io.Reader, size int, to func(dst []byte, r rune) []byte) *runeReader {
	return &runeReader{src: src, in: make([]byte, max(size, utf8.UTFMax)), to: to}
}

func (f *runeReader) Read(p []byte) (int, error) {
	for len(f.out) == 0 {
		if f.err != nil {
			return 0, f.err
		}
		n, err := f.src.Read(f.in[f.kept:])
		f.err = err
		text := f.in[:f.kept+n]
		end := len(text)
		if err == nil {
			end = completeRunes(text)
		}
		f.buf = appendMapped(f.buf[:0], text[:end], f.to)
		f.kept = copy(f.in, text[end:])
		f.out = f.buf
	}
	n := copy(p, f.out)
	f.out = f.out[n:]
	return n, nil
}

// completeRunes returns how many bytes of text are whole characters, or no UTF-8 whatever follows.
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

func appendRune(dst []byte, r rune) []byte { return utf8.AppendRune(dst, r) }

// lowered appends a character in lower case.
func lowered(dst []byte, r rune) []byte { return utf8.AppendRune(dst, wordbreak.Lower(r)) }

// edits reports whether tokens change after the text has been cut.
func (o Options) edits() bool { return o.Digits != KeepDigits || o.Punctuation == DropPunctuation }

// edited returns what is left of a token: nothing if it is left out. It may change the token in
// place.
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

// isPunctuation reports whether punctuation that is dropped has a character. A byte that is not
// UTF-8 is none: it is U+FFFD here, a symbol of category So.
func isPunctuation(r rune) bool {
	return unicode.In(r, unicode.P, unicode.Sm, unicode.Sc, unicode.Sk)
}

// zeroDigits makes decimal digits zeros, in place.
func zeroDigits(token []byte) []byte {
	to := token[:0] // a zero is no longer than the digit
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

// isOnlyNumber reports whether a token has a number and no letter.
func isOnlyNumber(token []byte) bool {
	numbers := false
	for len(token) > 0 {
		r, size := utf8.DecodeRune(token)
		if unicode.IsLetter(r) {
			return false
		}
		numbers = numbers || unicode.IsNumber(r)
		token = token[size:]
	}
	return numbers
}

// A tokenEditor reads a text and edits the tokens between its separators. It holds one token, of
// which no more than a few times MaxToken bytes.
type tokenEditor struct {
	src     io.Reader
	options Options
	in      []byte
	token   []byte // an unfinished one
	long    bool   // the beginning of the token was passed on, as it is: the token is too long
	err     error
	out     []byte
	buf     []byte
}

func newTokenEditor(src io.Reader, size int, o Options) *tokenEditor {
	return &tokenEditor{src: src, options: o, in: make([]byte, size)}
}

func (e *tokenEditor) Read(p []byte) (int, error) {
	for len(e.out) == 0 {
		if e.err != nil {
			return 0, e.err
		}
		n, err := e.src.Read(e.in)
		e.err, e.buf = err, e.buf[:0]
		for text := e.in[:n]; len(text) > 0; {
			at := bytes.IndexFunc(text, isSeparator)
			if at < 0 {
				e.token = append(e.token, text...)
				e.shorten()
				break
			}
			e.token = append(e.token, text[:at]...)
			e.end()
			e.buf = append(e.buf, text[at])
			text = text[at+1:]
		}
		if err != nil {
			e.end()
		}
		e.out = e.buf
	}
	n := copy(p, e.out)
	e.out = e.out[n:]
	return n, nil
}

func isSeparator(r rune) bool { return r <= ' ' && separators>>r&1 != 0 }

// end passes on what becomes of the token.
func (e *tokenEditor) end() {
	if e.long {
		e.buf = append(e.buf, e.token...)
	} else if len(e.token) > 0 {
		e.buf = append(e.buf, e.options.edited(e.token)...)
	}
	e.token, e.long = e.token[:0], false
}

// shorten keeps an unfinished token from growing without limit. Punctuation at its beginning goes
// at once. So does most of the punctuation at its end: what is left still makes the token too long
// if it goes on. A token that is too long without that is passed on as it is, and reported later.
func (e *tokenEditor) shorten() {
	const most = 2 * MaxToken
	if len(e.token) <= most || e.long {
		if e.long {
			e.buf, e.token = append(e.buf, e.token...), e.token[:0]
		}
		return
	}
	if e.options.Punctuation == DropPunctuation {
		end := completeRunes(e.token)
		kept := bytes.TrimLeftFunc(e.token[:end], isPunctuation)
		core := len(bytes.TrimRightFunc(kept, isPunctuation))
		rest := e.token[end:]
		if core <= MaxToken {
			cut := min(len(kept), core+MaxToken+1)
			cut = completeRunes(kept[:cut])
			e.token = append(append(e.token[:0], kept[:cut]...), rest...)
			return
		}
	}
	e.long = true
	e.buf, e.token = append(e.buf, e.token...), e.token[:0]
}

// characters reads a text and returns its characters, each followed by a space, and its newlines.
// A character is a grapheme cluster of UAX #29: a letter with its marks is one. White space and
// control characters are left out, with the marks on them. The reader holds little more than
// MaxToken bytes of a character, and passes on a longer one in parts.
type characters struct {
	src      io.Reader
	in       []byte
	pos, end int // the part of in that has not been passed on
	err      error
	within   bool // a part of the character at pos was passed on, or left out, already
	skipped  bool // it was left out

	out []byte
	buf []byte
}

func newCharacters(src io.Reader, size int) *characters {
	return &characters{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (c *characters) Read(p []byte) (int, error) {
	if len(c.out) == 0 {
		c.buf = c.buf[:0]
		for len(c.buf) < len(p) && c.next() {
		}
		if c.out = c.buf; len(c.out) == 0 {
			return 0, c.err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// next passes on the next character or a part of it, or reads more. It returns false at the end.
func (c *characters) next() bool {
	text := c.in[c.pos:c.end]
	n, cluster, _ := graphemes.SplitFunc(text, c.err != nil) // has no errors of its own
	switch {
	case n > 0:
		c.pass(cluster, true)
		c.pos += n
		return true
	case c.err != nil:
		return false
	case len(text) > MaxToken: // all but its last two characters, on which it depends where it ends
		_, last := utf8.DecodeLastRune(text)
		_, before := utf8.DecodeLastRune(text[:len(text)-last])
		c.pass(text[:len(text)-last-before], false)
		c.pos += len(text) - last - before
	}
	c.fill()
	return true
}

// pass passes on a character, or a part that is not its end.
func (c *characters) pass(part []byte, whole bool) {
	if !c.within {
		if bytes.IndexByte(part, '\n') >= 0 {
			c.buf = append(c.buf, '\n')
			return
		}
		r, _ := utf8.DecodeRune(part)
		c.skipped = unicode.IsSpace(r) || unicode.IsControl(r)
	}
	if !c.skipped {
		c.buf = append(c.buf, part...)
		if whole {
			c.buf = append(c.buf, ' ')
		}
	}
	c.within = !whole
}

// fill reads more of the source.
func (c *characters) fill() {
	c.end = copy(c.in, c.in[c.pos:c.end])
	c.pos = 0
	if c.end == len(c.in) {
		c.in = append(c.in, make([]byte, c.end)...)
	}
	n, err := readSome(c.src, c.in[c.end:])
	c.end += n
	c.err = err
}

// readSome reads at least one byte, or returns an error.
func readSome(src io.Reader, into []byte) (int, error) {
	for range 100 {
		if n, err := src.Read(into); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

// unicodeWords reads a text and returns its words, each followed by a space, and its newlines.
// It holds at most MaxToken bytes of a segment besides the result of one read of the source. A
// longer segment is passed on in parts as they come.
type unicodeWords struct {
	src      io.Reader
	in       []byte
	pos, end int // the part of in that has not been passed on
	err      error
	wordIn   func(segment []byte) []byte // what of a segment is a token; nil for nothing

	long bool   // the segment at pos is too long, and its beginning is not in in any more
	word bool   // that beginning was found to be part of a word, and was passed on
	held []byte // the first bytes of that beginning while it is not known to be part of a word

	out []byte // the words that the caller has not read yet
	buf []byte
}

// newUnicodeWords returns the reader of the words of src, and of its punctuation if that is kept.
func newUnicodeWords(src io.Reader, size int, punctuation bool) *unicodeWords {
	u := &unicodeWords{src: src, in: make([]byte, max(size, 4*utf8.UTFMax)), wordIn: wordbreak.Word}
	if punctuation {
		u.wordIn = wordbreak.Visible
	}
	return u
}

func (u *unicodeWords) Read(p []byte) (int, error) {
	if len(u.out) == 0 {
		u.buf = u.buf[:0]
		for len(u.buf) < len(p) && u.next() {
		}
		if u.out = u.buf; len(u.out) == 0 {
			return 0, u.err
		}
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// next passes on the next segment or a part of it, or reads more. It returns false at the end.
func (u *unicodeWords) next() bool {
	text := u.in[u.pos:u.end]
	n, segment, _ := words.SplitFunc(text, u.err != nil) // has no errors of its own
	switch {
	case n > 0:
		u.pos += n
		u.pass(segment)
		if u.long && u.word {
			u.buf = append(u.buf, ' ')
		}
		u.long, u.word, u.held = false, false, u.held[:0]
		return true
	case u.err != nil:
		return false
	case len(text) > MaxToken:
		u.passBeginning(text)
	}
	u.fill()
	return true
}

// pass passes on a segment if it is a word or a newline. It passes on a part of a segment that
// is too long if the segment is known to be a word.
func (u *unicodeWords) pass(segment []byte) {
	switch {
	case !u.long && bytes.IndexByte(segment, '\n') >= 0:
		u.buf = append(u.buf, '\n')
	case !u.long:
		if word := u.wordIn(segment); len(word) > 0 {
			u.buf = append(append(u.buf, word...), ' ')
		}
	case u.word:
		u.buf = append(u.buf, segment...)
	case len(u.wordIn(segment)) > 0:
		u.buf = append(append(u.buf, u.held...), segment...)
		u.word = true
	default: // either it becomes longer than MaxToken, or it is not a word
		u.held = append(u.held, segment[:min(len(segment), MaxToken+1-len(u.held))]...)
	}
}

// passBeginning passes on most of an unfinished segment, which text begins with. It keeps the
// characters that decide where the segment ends: the rules of UAX #29 look back to the last
// base, which is a character that is not an accent or the like, and to the last two
// characters.
func (u *unicodeWords) passBeginning(text []byte) {
	u.long = true
	_, last := utf8.DecodeLastRune(text)
	_, before := utf8.DecodeLastRune(text[:len(text)-last])
	cut := len(text) - last - before
	base, size := lastBase(text[:cut])
	if size > 0 { // characters between the base and the rest are passed on before the base
		letter := string(text[base : base+size])
		cut -= size
		u.pass(text[:cut])
		copy(text[cut:], letter)
	} else {
		u.pass(text[:cut])
	}
	u.pos += cut
}

// lastBase returns the position and the length of the last letter, digit or joining mark in
// text. The length is 0 if there is none.
func lastBase(text []byte) (at, size int) {
	for at := len(text); at > 0; {
		r, size := utf8.DecodeLastRune(text[:at])
		at -= size
		if unicode.In(r, unicode.L, unicode.N, unicode.Pc) {
			return at, size
		}
	}
	return 0, 0
}

// fill reads more of the source.
func (u *unicodeWords) fill() {
	u.end = copy(u.in, u.in[u.pos:u.end])
	u.pos = 0
	if u.end == len(u.in) {
		u.in = append(u.in, make([]byte, u.end)...)
	}
	n, err := readSome(u.src, u.in[u.end:])
	u.end += n
	u.err = err
}

// longestHeld is how much of a sentence is held until its end is found.
const longestHeld = 1 << 20

// A sentenceBreaker reads a text and puts a newline after each of its sentences that has none.
// It holds at most longestHeld bytes of a sentence besides the result of one read.
type sentenceBreaker struct {
	src      io.Reader
	in       []byte
	pos, end int
	err      error
	out      []byte
	buf      []byte
}

func newSentenceBreaker(src io.Reader, size int) *sentenceBreaker {
	return &sentenceBreaker{src: src, in: make([]byte, max(size, 4*utf8.UTFMax))}
}

func (s *sentenceBreaker) Read(p []byte) (int, error) {
	if len(s.out) == 0 {
		s.buf = s.buf[:0]
		for len(s.buf) < len(p) && s.next() {
		}
		if s.out = s.buf; len(s.out) == 0 {
			return 0, s.err
		}
	}
	n := copy(p, s.out)
	s.out = s.out[n:]
	return n, nil
}

// next passes on the next sentence or a part of it, or reads more. It returns false at the end.
func (s *sentenceBreaker) next() bool {
	text := s.in[s.pos:s.end]
	n, sentence, _ := sentences.SplitFunc(text, s.err != nil) // has no errors of its own
	// A part that ends where the text so far ends may go on.
	if n > 0 && (n < len(text) || s.err != nil) {
		s.buf = append(s.buf, sentence...)
		if n < len(text) && sentence[n-1] != '\n' {
			s.buf = append(s.buf, '\n')
		}
		s.pos += n
		return true
	}
	if s.err != nil {
		return false
	}
	if len(text) > longestHeld {
		cut := betweenWords(text)
		s.buf = append(s.buf, text[:cut]...)
		s.pos += cut
	}
	s.end = copy(s.in, s.in[s.pos:s.end])
	s.pos = 0
	if s.end == len(s.in) {
		s.in = append(s.in, make([]byte, s.end)...)
	}
	read, err := readSome(s.src, s.in[s.end:])
	s.end += read
	s.err = err
	return true
}

// betweenWords returns the position of the last space behind a letter: the rules of UAX #29 look
// no further back than to that. Without such a space it is the middle of the text.
func betweenWords(text []byte) int {
	for end := len(text); end > 0; {
		at := bytes.LastIndexByte(text[:end], ' ')
		if at <= 0 {
			break
		}
		if r, _ := utf8.DecodeLastRune(text[:at]); unicode.IsLetter(r) {
			return at + 1
		}
		end = at
	}
	return completeRunes(text[:len(text)/2])
}
