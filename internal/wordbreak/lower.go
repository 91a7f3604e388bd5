package wordbreak

import "unicode"

// Lower maps a letter to lower case by Unicode's simple mapping, which maps one letter to one letter
// regardless of the letters around it. It knows the letters of Unicode 17.
func Lower(r rune) rune {
	if l := unicode.ToLower(r); l != r || r < firstNew {
		return l
	}
	for _, n := range newLetters {
		if n.first <= r && r <= n.last && (r-n.first)%n.step == 0 {
			return r + n.add
		}
	}
	return r
}

const firstNew = 0x1c89

// newLetters are the letters with a lower case that Unicode 16 and 17 added, which package unicode does
// not know yet. Source: UnicodeData.txt of Unicode 17.
var newLetters = []struct{ first, last, step, add rune }{
	{0x1c89, 0x1c89, 1, 1},
	{0xa7cb, 0xa7cb, 1, 0x264 - 0xa7cb},
	{0xa7cc, 0xa7ce, 2, 1},
	{0xa7d2, 0xa7d4, 2, 1},
	{0xa7da, 0xa7da, 1, 1},
	{0xa7dc, 0xa7dc, 1, 0x19b - 0xa7dc},
	{0x10d50, 0x10d65, 1, 0x20},
	{0x16ea0, 0x16eb8, 1, 0x1b},
}
