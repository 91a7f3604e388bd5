package tokenizerfile

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A charsmap is the normalization of SentencePiece: a double-array trie of texts, and what replaces
// them.
type charsmap struct {
	units []uint32
	texts string // replacements, each with a zero byte behind it
}

func readCharsmap(data []byte) (*charsmap, error) {
	if len(data) < 4 {
		return nil, errors.New("expected a precompiled_charsmap, found none")
	}
	size := binary.LittleEndian.Uint32(data)
	data = data[4:]
	if uint64(size) > uint64(len(data)) || size%4 != 0 || size == 0 {
		return nil, errors.New("precompiled_charsmap: the size of its trie is wrong")
	}
	m := &charsmap{units: make([]uint32, size/4), texts: string(data[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	if !utf8.ValidString(m.texts) {
		return nil, errors.New("precompiled_charsmap: its texts are not valid UTF-8")
	}
	return m, nil
}

// longestReplacement is more bytes than any character is replaced by.
const longestReplacement = 1 << 10

// longestMapped is the length from which on a grapheme cluster is not looked up as a whole.
const longestMapped = 6

func (m *charsmap) normalize(text string, most int) (string, error) {
	var b strings.Builder
	b.Grow(len(text))
	for clusters := graphemes.FromString(text); clusters.Next(); {
		if b.Len() > most {
			break
		}
		cluster := clusters.Value()
		if len(cluster) < longestMapped {
			if to, ok := m.replaced(cluster); ok {
				b.WriteString(to)
				continue
			}
		}
		for i, r := range cluster {
			part := cluster[i : i+utf8.RuneLen(r)]
			if to, ok := m.replaced(part); ok {
				part = to
			}
			b.WriteString(part)
		}
	}
	if b.Len() > most {
		return "", errTooLong
	}
	return b.String(), nil
}

// replaced returns what replaces a text. It is that of the shortest text in the trie that the text
// begins with, as in the library.
func (m *charsmap) replaced(text string) (string, bool) {
	at, ok := uint32(0), true
	unit := m.units[0]
	at ^= offset(unit)
	for i := range len(text) {
		if text[i] == 0 {
			return "", false
		}
		at ^= uint32(text[i])
		if unit, ok = m.unit(at); !ok || unit&(1<<31|0xff) != uint32(text[i]) {
			return "", false
		}
		at ^= offset(unit)
		if unit>>8&1 == 1 {
			leaf, ok := m.unit(at)
			if value := leaf & (1<<31 - 1); ok && uint64(value) <= uint64(len(m.texts)) {
				to, _, _ := strings.Cut(m.texts[value:], "\x00")
				return to, utf8.ValidString(to) && len(to) <= longestReplacement
			}
			return "", false
		}
	}
	return "", false
}

func (m *charsmap) unit(at uint32) (uint32, bool) {
	if uint64(at) >= uint64(len(m.units)) {
		return 0, false
	}
	return m.units[at], true
}

// offset is where the children of a unit begin.
func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
