package vocab

import (
	"unicode"
	"unicode/utf8"
)

// A Spelling describes how the tokens of a vocabulary are written. It counts distinct tokens
// with signs that the text was not prepared: punctuation that was left on words, words in
// different case, program text.
type Spelling struct {
	Tokens int    // number of tokens examined: the 200,000 most frequent ones, or all
	Total  uint64 // sum of the counts of all tokens
	// Punctuated is the number of tokens with letters that begin with opening punctuation or
	// a quotation mark, or end with punctuation. Apostrophes do not count as punctuation.
	Punctuated int
	// Known is the number of Punctuated tokens whose form without punctuation is in the
	// vocabulary too.
	Known int
	// Cased is the number of tokens that have another form in the vocabulary which differs
	// only by case. Forms with capitals count if these are their first letter or all of them, as
	// in words. In codes such as aB3x, case has a meaning.
	Cased int
	// Symbolic is the number of tokens with letters that contain, between other characters, a
	// sign that does not occur in words. Program text, paths and addresses have such tokens.
	Symbolic int
	// Example is the most frequent of the Known tokens.
	Example string
}

const (
	spelled        = 200_000 // number of tokens that are examined
	fewTokens      = 30      // with fewer distinct tokens, such as letters or bases, spelling means nothing
	fewSeen        = 100     // a corpus of few distinct tokens and fewer in all is just short
	someTokens     = 1000    // a vocabulary of so many has the usual share of Cased tokens
	muchPunctuated = 0.08
	leastKnown     = 0.25 // share of Known among Punctuated
	muchSymbolic   = 0.2
	muchCased      = 0.12
	nearlyHalf     = 0.4
)

// IsPunctuated reports whether punctuation was left on words: at least 8 % of the tokens are
// Punctuated, a quarter of these are Known, and less than 20 % are Symbolic. In text as people
// write it, 10 % to 24 % of the tokens seen 20 or 5 times are Punctuated, and half of all tokens.
// In text from which punctuation was removed, hardly any are.
func (s Spelling) IsPunctuated() bool {
	return s.Tokens >= fewTokens && s.share(s.Punctuated) >= muchPunctuated &&
		float64(s.Known) >= leastKnown*float64(s.Punctuated) && s.share(s.Symbolic) < muchSymbolic
}

// IsCased reports whether many words occur both in lower case and in upper case: at least 12 %
// of the tokens are Cased, or 40 % if there are fewer than 1,000 tokens. In English 13 % to 24 %
// are, and in German, where case has more meaning, 4 % to 8 %.
func (s Spelling) IsCased() bool {
	much := muchCased
	if s.Tokens < someTokens {
		much = nearlyHalf
	}
	return s.Tokens >= fewTokens && s.share(s.Cased) >= much && s.share(s.Symbolic) < muchSymbolic
}

// IsFew reports whether the corpus has as few distinct tokens as an alphabet has letters: from 2
// to 29, which occur at least 100 times in all.
func (s Spelling) IsFew() bool { return s.Tokens > 1 && s.Tokens < fewTokens && s.Total >= fewSeen }

func (s Spelling) share(n int) float64 { return float64(n) / float64(s.Tokens) }

// Spelling examines how the vocabulary's tokens are written.
func (v *Vocab) Spelling() Spelling {
	s := Spelling{Tokens: min(v.Len(), spelled), Total: v.Total()}
	spellings := make(map[string]int) // number of tokens with capitals, by their lower case
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
		if lower = appendLower(lower[:0], token); string(lower) != string(token) && isCapitalized(token) {
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

// isCapitalized reports whether a token has capitals as words have: the first letter, or all letters.
func isCapitalized(token []byte) bool {
	upper, letters := 0, 0
	for i, r := range string(token) {
		switch {
		case unicode.IsDigit(r) || i == 0 && unicode.IsLower(r):
			return false
		case unicode.IsLetter(r):
			letters++
			if !unicode.IsLower(r) {
				upper++
			}
		}
	}
	return upper == 1 || upper == letters
}

// appendLower appends a token in lower case. Bytes that are not UTF-8 stay as they are.
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

// coreOf returns a token without punctuation at its ends, or nil if it has no letters. It also
// reports whether there are signs within the token that do not occur in words.
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

// isApostrophe reports whether r is an apostrophe, which can be part of a word at its ends.
func isApostrophe(r rune) bool { return r == '\'' || r == '’' }

// closes reports whether r is punctuation that follows words.
func closes(r rune) bool {
	switch r {
	case '#', '%', '&', '*', '/', '@', '\\', '§', '¶', '†', '‡', '·':
		return false
	}
	return unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf, unicode.Pi) && !isApostrophe(r)
}

// opens reports whether r is punctuation that precedes words.
func opens(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pf) && !isApostrophe(r) || r == '"' || r == '¿' || r == '¡'
}

// isSign reports whether r is a sign that occurs within the tokens of program text.
func isSign(r rune) bool {
	switch r {
	case '(', ')', '.', ',', ';', ':', '_', '=', '<', '>', '{', '}', '[', ']', '/', '\\', '|', '&', '*', '+', '$', '^', '~', '@', '#', '"':
		return true
	}
	return false
}
