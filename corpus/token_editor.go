package corpus

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"
)

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
