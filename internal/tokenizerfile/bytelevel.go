package tokenizerfile

import "strings"

// byteCharacter is the character that stands for each byte in byte-level vocabularies: printable
// characters of Latin 1 for themselves, the others from U+0100 on in their order.
var byteCharacter = func() (of [256]rune) {
	next := rune(256)
	for b := range rune(256) {
		if '!' <= b && b <= '~' || 0xa1 <= b && b <= 0xac || 0xae <= b && b <= 0xff {
			of[b] = b
		} else {
			of[b] = next
			next++
		}
	}
	return of
}()

// byteCharacters returns the characters that stand for the bytes of a text.
func byteCharacters(b *strings.Builder, text string) string {
	b.Reset()
	b.Grow(2 * len(text))
	for i := range len(text) {
		b.WriteRune(byteCharacter[text[i]])
	}
	return b.String()
}
