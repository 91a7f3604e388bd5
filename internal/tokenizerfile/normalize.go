package tokenizerfile

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
	"github.com/w2v-go/w2v/internal/wordbreak"
	"golang.org/x/text/unicode/norm"
)

type normalizer interface {
	// normalize returns errTooLong if the text would have more than most bytes.
	normalize(s *search, text string, most int) (string, error)
}

// mapped is a normalizer whose output is at most a few times as long as the text.
type mapped func(text string) string

func (m mapped) normalize(_ *search, text string, most int) (string, error) {
	if text = m(text); len(text) > most {
		return "", errTooLong
	}
	return text, nil
}

// errTooLong says that a step's output is too long. A few short steps could fill any memory.
var errTooLong = errors.New("makes a text too long")

// longest limits the output for a text. NFKC makes one character at most 11 times as long.
func longest(text string) int { return 16*len(text) + 256 }

// normalized returns the normal text, and whether it lost the white space that it began with.
func (t *Tokenizer) normalized(within *search, text string) (normal string, stripped bool, err error) {
	most := longest(text)
	for i, n := range t.normalize {
		if s, ok := n.(strip); ok && s.left && strings.IndexFunc(text, unicode.IsSpace) == 0 {
			stripped = true
		}
		if text, err = n.normalize(within, text, most); err != nil {
			return "", false, inStep("normalizer", i, len(t.normalize), err, most)
		}
	}
	return text, stripped, nil
}

func inStep(part string, i, of int, err error, most int) error {
	if errors.Is(err, errTooLong) {
		return fmt.Errorf("step %d of %d of the tokenizer's %s %w: more than %d bytes", i+1, of, part, err, most)
	}
	return err
}

// mostSteps is how many steps a normalizer or a pre-tokenizer may have, and deepest how many
// sequences may be within each other. Usual files have up to ten.
const (
	mostSteps = 256
	deepest   = 16
)

// readSteps reads a normalizer or a pre-tokenizer, within depth sequences of them. read returns the steps of one, or
// errUnknown.
func readSteps[T any](text json.RawMessage, depth int, read func(kind string, text json.RawMessage) ([]T, error)) (all []T, err error) {
	if isNull(text) {
		return nil, nil
	}
	if depth > deepest {
		return nil, fmt.Errorf("expected sequences of at most %d levels", deepest)
	}
	var f struct {
		Type                                 string
		Normalizers, PreTokenizers, Decoders []json.RawMessage
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if f.Type != "Sequence" {
		all, err = read(f.Type, text)
		switch {
		case err == errUnknown && f.Type == "": //nolint:errorlint // as read returns it
			err = errors.New("expected an object with a type, found none")
		case err == errUnknown: //nolint:errorlint // as read returns it
			err = fmt.Errorf("%.40q is not supported", f.Type)
		case err != nil:
			err = fmt.Errorf("%s: %w", f.Type, err)
		}
		return all, err
	}
	for _, step := range slices.Concat(f.Normalizers, f.PreTokenizers, f.Decoders) {
		steps, err := readSteps(step, depth+1, read)
		if all = append(all, steps...); err == nil && len(all) > mostSteps {
			err = fmt.Errorf("expected at most %d steps", mostSteps)
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

var errUnknown = errors.New("not known")

func or[T any](field *T, usual T) T {
	if field == nil {
		return usual
	}
	return *field
}

var mappings = map[string]mapped{
	"NFC":  func(text string) string { return composed(text, norm.NFC, norm.NFD) },
	"NFKC": func(text string) string { return composed(text, norm.NFKC, norm.NFKD) },
	"NFD":  norm.NFD.String, "NFKD": norm.NFKD.String, "Lowercase": lowercase, "Nmt": nmt,
	"StripAccents": func(text string) string { return without(text, unicode.M) },
}

func readNormalizer(kind string, text json.RawMessage) ([]normalizer, error) {
	var f struct {
		Clean     *bool  `json:"clean_text"`
		Chinese   *bool  `json:"handle_chinese_chars"`
		Accents   *bool  `json:"strip_accents"`
		Lowercase *bool  `json:"lowercase"`
		Left      bool   `json:"strip_left"`
		Right     bool   `json:"strip_right"`
		Prepend   string `json:"prepend"`
		Pattern   json.RawMessage
		Content   string
		Charsmap  []byte `json:"precompiled_charsmap"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if m := mappings[kind]; m != nil {
		return []normalizer{m}, nil
	}
	switch kind {
	case "Strip":
		return []normalizer{strip{f.Left, f.Right}}, nil
	case "Prepend":
		return []normalizer{prefix(f.Prepend)}, nil
	case "Replace":
		p, err := readPattern(f.Pattern)
		return []normalizer{replacement{p, f.Content}}, err
	case "BertNormalizer":
		lower := or(f.Lowercase, true)
		return bertNormalizer(or(f.Clean, true), or(f.Chinese, true), or(f.Accents, lower), lower), nil
	case "Precompiled":
		m, err := readCharsmap(f.Charsmap)
		return []normalizer{m}, err
	}
	return nil, errUnknown
}

type strip struct{ left, right bool }

func (s strip) normalize(_ *search, text string, _ int) (string, error) {
	if s.left {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	if s.right {
		text = strings.TrimRightFunc(text, unicode.IsSpace)
	}
	return text, nil
}

type prefix string

func (p prefix) normalize(_ *search, text string, most int) (string, error) {
	if text == "" {
		return "", nil
	}
	return mapped(func(text string) string { return string(p) + text }).normalize(nil, text, most)
}

func lowercase(text string) string {
	if strings.Contains(text, "İ") {
		text = strings.ReplaceAll(text, "İ", "i\u0307")
	}
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r
		}
		return wordbreak.Lower(r)
	}, text)
}

func without(text string, tables ...*unicode.RangeTable) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && unicode.In(r, tables...) {
			return -1
		}
		return r
	}, text)
}

type replacement struct {
	pattern pattern
	content string
}

func (r replacement) normalize(s *search, text string, most int) (string, error) {
	matches, err := r.pattern.find(s, nil, text)
	if err != nil || len(matches) == 0 {
		return text, err
	}
	size := len(text)
	for _, m := range matches {
		size += len(r.content) - (m.end - m.start)
	}
	if size > most {
		return "", errTooLong
	}
	var b strings.Builder
	b.Grow(size)
	at := 0
	for _, m := range matches {
		b.WriteString(text[at:m.start])
		b.WriteString(r.content)
		at = m.end
	}
	b.WriteString(text[at:])
	return b.String(), nil
}

func bertNormalizer(clean, chinese, accents, lower bool) (steps []normalizer) {
	if clean {
		steps = append(steps, mapped(func(text string) string {
			return strings.Map(func(r rune) rune {
				switch {
				case ' ' <= r && r <= '~': // most of them
					return r
				case r == '\t', r == '\n', r == '\r', unicode.IsSpace(r) && !unicode.Is(unicode.Cc, r):
					return ' '
				case r == 0, r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
					return -1
				case unicode.IsSpace(r):
					return ' '
				}
				return r
			}, text)
		}))
	}
	if chinese {
		steps = append(steps, mapped(apartChinese))
	}
	if accents {
		steps = append(steps, mapped(func(text string) string { return without(norm.NFD.String(text), unicode.Mn) }))
	}
	if lower {
		steps = append(steps, mapped(lowercase))
	}
	return steps
}

func apartChinese(text string) string {
	if !strings.ContainsFunc(text, isChinese) {
		return text
	}
	var b []byte
	for _, r := range text {
		if isChinese(r) {
			b = append(utf8.AppendRune(append(b, ' '), r), ' ')
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return string(b)
}

var chinese = [...][2]rune{
	{0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xf900, 0xfaff}, {0x20000, 0x2a6df}, {0x2a700, 0x2b73f}, {0x2b740, 0x2b81f},
	{0x2b920, 0x2ceaf}, {0x2f800, 0x2fa1f},
}

func isChinese(r rune) bool {
	return r >= chinese[0][0] && slices.ContainsFunc(chinese[:], func(c [2]rune) bool { return c[0] <= r && r <= c[1] })
}

func nmt(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 0x01 <= r && r <= 0x08, r == 0x0b, 0x0e <= r && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return -1
		case r == 0x09, r == 0x0a, r == 0x0c, r == 0x0d, r == 0x1680, 0x200b <= r && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
			return ' '
		}
		return r
	}, text)
}

// composed is joined.String, but package norm misreads characters above U+FFFF that a mark follows.
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

func classOf(r rune) uint8 {
	if r < 0x300 {
		return 0
	}
	return norm.NFD.PropertiesString(string(r)).CCC()
}

func joinedPair(a, b rune) (rune, bool) {
	pair := string([]rune{a, b})
	both := norm.NFC.String(pair)
	r, size := utf8.DecodeRuneInString(both)
	return r, size == len(both) && norm.NFD.String(both) == norm.NFD.String(pair)
}

// A charsmap is the normalization of SentencePiece: a double-array trie of texts and replacements.
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

const longestReplacement = 1 << 10

const longestMapped = 6 // the length from which on a grapheme cluster is not looked up as a whole

func (m *charsmap) normalize(_ *search, text string, most int) (string, error) {
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

// replaced returns what replaces the shortest text in the trie that text begins with, as in the library.
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

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
