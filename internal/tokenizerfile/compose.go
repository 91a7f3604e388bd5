package tokenizerfile

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// nfc is NFC.
func nfc(text string) string { return composed(text, norm.NFC, norm.NFD) }

// nfkc is NFKC.
func nfkc(text string) string { return composed(text, norm.NFKC, norm.NFKD) }

// composed returns a text in a form that joins characters. Package norm takes characters above
// U+FFFF for others when a mark follows them, so that such texts are joined here.
func composed(text string, joined, apart norm.Form) string {
	if !hasMarkedAbove(text) {
		return joined.String(text)
	}
	in := []rune(apart.String(text))
	out := in[:0]
	starter, last := -1, uint8(0) // the last character that may be joined, and the class of what follows it
	for _, r := range in {
		class := classOf(r)
		if starter >= 0 && (len(out)-1 == starter || last != 0 && last < class) {
			if both, ok := joinedPair(out[starter], r); ok {
				out[starter] = both
				continue
			}
		}
		if last = class; class == 0 {
			starter = len(out)
		}
		out = append(out, r)
	}
	return string(out)
}

// hasMarkedAbove reports whether a text has a character above U+FFFF before one that may join it.
func hasMarkedAbove(text string) bool {
	above := false
	for _, r := range text {
		if above && (r > 0xffff || !norm.NFC.PropertiesString(string(r)).BoundaryBefore()) {
			return true
		}
		above = above && classOf(r) > 0 || r > 0xffff
	}
	return false
}

// classOf returns the combining class of a character.
func classOf(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return norm.NFD.PropertiesString(string(r)).CCC()
}

// joinedPair returns the character that two are joined to.
func joinedPair(a, b rune) (rune, bool) {
	pair := string([]rune{a, b})
	both := norm.NFC.String(pair)
	r, size := utf8.DecodeRuneInString(both)
	return r, size == len(both) && norm.NFD.String(both) == norm.NFD.String(pair)
}
