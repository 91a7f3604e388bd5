package tokenizerfile

import (
	"fmt"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An addedToken is an entry of added_tokens: a token that is found in the text before the model cuts
// it.
type addedToken struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // with no character of a word next to it
	LStrip     bool   `json:"lstrip"`      // takes the white space before it
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"` // is looked for in normalized text
}

// added are the tokens that are looked for in the text as it is, and in normalized text.
type added struct{ raw, normalized finder }

func (t *Tokenizer) addTokens(tokens []addedToken) error {
	t.vocab = maps.Clone(t.vocab) // the model cuts nothing into a token that is only added
	var largest uint32
	for _, a := range tokens {
		largest = max(largest, a.ID)
	}
	if err := checkIDs(len(t.tokens)+len(tokens), largest); err != nil {
		return fmt.Errorf("added_tokens: %w", err)
	}
	for _, a := range tokens {
		if a.Content == "" {
			continue // as the library does
		}
		if id, ok := t.vocab[a.Content]; ok {
			a.ID = id // as the library does
		} else if err := t.put(a.Content, a.ID); err != nil {
			return fmt.Errorf("added_tokens: %w", err)
		}
		text := a.Content
		if !a.Normalized {
			t.added.raw.add(text, a)
			continue
		}
		text, _, err := t.normalized(text)
		if err != nil {
			return fmt.Errorf("added_tokens: %.40q: %w", a.Content, err)
		}
		if text != "" {
			t.added.normalized.add(text, a)
		}
	}
	return nil
}

// A finder finds tokens in a text: of several that are possible the first, and of these the longest.
type finder struct {
	texts  trie // of tokens by their place in tokens
	tokens []addedToken
	firsts string // the first bytes
}

// add adds a token, unless another one has the same text: the first of equal ones is found.
func (f *finder) add(text string, a addedToken) {
	if !f.texts.add(text, uint32(len(f.tokens))) {
		return
	}
	f.tokens = append(f.tokens, a)
	if strings.IndexByte(f.firsts, text[0]) < 0 {
		f.firsts += text[:1]
	}
}

// match returns the token at the beginning of a text, and its length; 0 for none.
func (f *finder) match(text string) (token addedToken, size int) {
	f.texts.prefixes(text, func(n int, at uint32) { token, size = f.tokens[at], n })
	return token, size
}

// cut calls with for each part of a text in turn: for the text between tokens with the id -1, and for
// each token with its id. at is where the part begins.
func (f *finder) cut(text string, with func(part string, id int, at int)) {
	begin := 0 // of the text that was not passed on
	if len(f.firsts) > 0 {
		for at := 0; at < len(text); {
			if strings.IndexByte(f.firsts, text[at]) < 0 {
				at++
				continue
			}
			token, size := f.match(text[at:])
			if size == 0 {
				at++
				continue
			}
			start, stop := at, at+size
			at = stop
			if token.SingleWord && (endsWithWord(text[:start]) || beginsWithWord(text[stop:])) {
				continue
			}
			if token.LStrip {
				start = max(len(strings.TrimRightFunc(text[:start], unicode.IsSpace)), begin)
			}
			if token.RStrip {
				stop += len(text[stop:]) - len(strings.TrimLeftFunc(text[stop:], unicode.IsSpace))
			}
			if begin < start {
				with(text[begin:start], -1, begin)
			}
			with(text[start:stop], int(token.ID), start)
			begin = stop
		}
	}
	if begin < len(text) {
		with(text[begin:], -1, begin)
	}
}

// endsWithWord reports whether a text ends with a character of a word.
func endsWithWord(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && isWordCharacter(r)
}

func beginsWithWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isWordCharacter(r)
}

// isWordCharacter reports what \w matches in Rust: letters, marks, decimal digits, connectors and
// joiners.
func isWordCharacter(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}
