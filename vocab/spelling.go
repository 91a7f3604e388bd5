package vocab

import (
	"unicode"
	"unicode/utf8"
)

// A Spelling says how the tokens of a vocabulary are written, each counted once. What it counts
// are signs of text that was not prepared.
type Spelling struct {
	Tokens int    // that were looked at: the 200,000 most frequent ones, or all
	Total  uint64 // of the counts of all
	// Punctuated tokens have letters, and begin with opening punctuation or a quotation mark,
	// or end with punctuation. An apostrophe is not punctuation here.
	Punctuated int
	// Known are those of the punctuated that are in the vocabulary without it, too.
	Known int
	// Cased tokens are in the vocabulary in lower case, too, or with others that differ
	// from them by case alone.
	Cased int
	// Symbolic tokens have letters and, between other characters, a sign that words have not:
	// those of program text, of paths and addresses.
	Symbolic int
	// Example is the most frequent of the Known.
	Example string
}

const (
	spelled        = 200_000 // tokens that are looked at
	fewTokens      = 30      // are too few for spellings to mean anything: letters, bases
	fewSeen        = 100     // that a corpus has of so few tokens, or it is only short
	someTokens     = 1000    // have the usual share of tokens that differ by case
	muchPunctuated = 0.08
	leastKnown     = 0.25 // of the punctuated
	muchSymbolic   = 0.2
	muchCased      = 0.12
	nearlyHalf     = 0.4
)

// IsPunctuated reports whether punctuation clings to words: at least 8 in a hundred tokens are
// Punctuated, a quarter of these without it too, and less than 20 in a hundred are Symbolic. Text as
// people write it has 10 to 24 among those that are seen 20 or 5 times, and half among all; text of
// which punctuation was cut off or taken away has next to none.
func (s Spelling) IsPunctuated() bool {
	return s.Tokens >= fewTokens && s.share(s.Punctuated) >= muchPunctuated &&
		float64(s.Known) >= leastKnown*float64(s.Punctuated) && s.share(s.Symbolic) < muchSymbolic
}

// IsCased reports whether words stand there in more than one case: at least 12 in a hundred tokens
// are Cased, or 40 of fewer than 1,000 tokens. English has 13 to 24 of them, and German, where
// case says more, 4 to 8.
func (s Spelling) IsCased() bool {
	much := muchCased
	if s.Tokens < someTokens {
		much = nearlyHalf
	}
	return s.Tokens >= fewTokens && s.share(s.Cased) >= much && s.share(s.Symbolic) < muchSymbolic
}

// IsFew reports whether a corpus has hardly more different tokens than an alphabet has letters:
// from 2 to 29, seen 100 times in all, or more often.
func (s Spelling) IsFew() bool { return s.Tokens > 1 && s.Tokens < fewTokens && s.Total >= fewSeen }

func (s Spelling) share(n int) float64 { return float64(n) / float64(s.Tokens) }

// Spelling looks at the spelling of the vocabulary's tokens.
func (v *Vocab) Spelling() Spelling {
	s := Spelling{Tokens: min(v.Len(), spelled), Total: v.Total()}
	spellings := make(map[string]int) // of what has capitals, by its lower case
	var lower []byte
	for id := range s.Tokens {
		token := v.tokens.token(uint32(id))
		core, symbolic := coreOf(token)
		if symbolic {
			s.Symbolic++
		}
		if core != nil && len(core) < len(token) {
			s.Punctuated++
			if _, ok := v.ID(core); ok {
				if s.Known++; s.Known == 1 {
					s.Example = string(token)
				}
			}
		}
		if lower = appendLower(lower[:0], token); string(lower) != string(token) {
			spellings[string(lower)]++
		}
	}
	for form, n := range spellings {
		if id, ok := v.ID([]byte(form)); ok && int(id) < s.Tokens {
			s.Cased += n + 1
		} else if n > 1 {
			s.Cased += n
		}
	}
	return s
}

// appendLower appends a token in lower case, and bytes that are not UTF-8 as they are.
func appendLower(to, token []byte) []byte {
	for len(token) > 0 {
		r, size := utf8.DecodeRune(token)
		if lower := unicode.ToLower(r); lower != r {
			to = utf8.AppendRune(to, lower)
		} else {
			to = append(to, token[:size]...)
		}
		token = token[size:]
	}
	return to
}

// coreOf returns a token without the punctuation that clings to it, nil if there are no letters,
// and whether signs are left in it that words have not.
func coreOf(token []byte) (core []byte, symbolic bool) {
	core = token
	for {
		r, size := utf8.DecodeLastRune(core)
		if size == 0 || !closes(r) && !opens(r) {
			break
		}
		core = core[:len(core)-size]
	}
	for {
		r, size := utf8.DecodeRune(core)
		if size == 0 || !opens(r) && !closes(r) {
			break
		}
		core = core[size:]
	}
	letters := false
	for i := 0; i < len(core); {
		r, size := utf8.DecodeRune(core[i:])
		letters = letters || unicode.IsLetter(r)
		symbolic = symbolic || isSign(r)
		i += size
	}
	if !letters {
		return nil, false
	}
	return core, symbolic
}

// isApostrophe tells of what stands at the ends of words as a part of them.
func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// closes tells whether r is punctuation that stands behind words.
func closes(r rune) bool {
	switch r {
	case '#', '%', '&', '*', '/', '@', '\\', '§', '¶', '†', '‡', '·':
		return false
	}
	return unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf, unicode.Pi) && !isApostrophe(r)
}

// opens tells whether r is punctuation that stands before words.
func opens(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf) && !isApostrophe(r) || r == '"' || r == '¿' || r == '¡'
}

// isSign tells of what stands within the tokens of program text.
func isSign(r rune) bool {
	switch r {
	case '(', ')', '.', ',', ';', ':', '_', '=', '<', '>', '{', '}', '[', ']', '/', '\\', '|', '&', '*', '+', '$', '^', '~', '@', '#', '"':
		return true
	}
	return false
}
