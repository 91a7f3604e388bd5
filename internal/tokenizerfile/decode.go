package tokenizerfile

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A decoder turns tokens into parts of a text, step by step.
type decoder func(tokens []string) ([]string, error)

// Decode returns the text of ids, as the library does: without a decoder, it is the tokens with spaces between them.
// It leaves out special tokens if skip is set.
func (t *Tokenizer) Decode(ids []uint32, skip bool) (string, error) {
	if t.undecoded != nil {
		return "", fmt.Errorf("decoder: %w", t.undecoded)
	}
	tokens := make([]string, 0, len(ids))
	for _, id := range ids {
		if int64(id) >= int64(len(t.tokens)) || t.tokens[id] == "" {
			return "", fmt.Errorf("the tokenizer has no token %d: its ids are 0 to %d", id, len(t.tokens)-1)
		}
		if token := t.tokens[id]; !skip || !slices.Contains(t.specials, token) {
			tokens = append(tokens, token)
		}
	}
	if len(t.decoders) == 0 {
		return strings.Join(tokens, " "), nil
	}
	for _, d := range t.decoders {
		var err error
		if tokens, err = d(tokens); err != nil {
			return "", err
		}
	}
	return strings.Join(tokens, ""), nil
}

func readDecoder(kind string, text json.RawMessage) ([]decoder, error) {
	var f struct {
		Replacement *string
		Scheme      *string `json:"prepend_scheme"`
		Prefix      *string
		Cleanup     *bool
		Suffix      *string
		Pattern     json.RawMessage
		Content     string
		Start, Stop int
	}
	// Metaspace of older files says add_prefix_space in place of prepend_scheme.
	var old struct {
		Prefix *bool `json:"add_prefix_space"`
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &old); err != nil {
		return nil, err
	}
	each := func(change func(i int, token string) string) []decoder {
		return []decoder{func(tokens []string) ([]string, error) {
			for i, token := range tokens {
				tokens[i] = change(i, token)
			}
			return tokens, nil
		}}
	}
	switch kind {
	case "ByteLevel":
		return []decoder{decodeBytes}, nil
	case "Metaspace":
		mark, scheme := or(f.Replacement, "▁"), "always"
		if utf8.RuneCountInString(mark) != 1 {
			return nil, fmt.Errorf("expected a replacement of one character, found %.40q", mark)
		}
		if !or(old.Prefix, true) {
			scheme = "never"
		}
		scheme = or(f.Scheme, scheme)
		return each(func(i int, token string) string {
			if i == 0 && scheme != "never" {
				return strings.ReplaceAll(token, mark, "")
			}
			return strings.ReplaceAll(token, mark, " ")
		}), nil
	case "WordPiece":
		prefix, clean := or(f.Prefix, "##"), or(f.Cleanup, true)
		return each(func(i int, token string) string {
			if i > 0 {
				rest, continues := strings.CutPrefix(token, prefix)
				if token = rest; !continues {
					token = " " + token
				}
			}
			if clean {
				for _, c := range cleanups {
					token = strings.ReplaceAll(token, c[0], c[1])
				}
			}
			return token
		}), nil
	case "BPEDecoder":
		suffix := or(f.Suffix, "</w>")
		return []decoder{func(tokens []string) ([]string, error) {
			for i, token := range tokens {
				space := " "
				if i == len(tokens)-1 {
					space = ""
				}
				tokens[i] = strings.ReplaceAll(token, suffix, space)
			}
			return tokens, nil
		}}, nil
	case "Replace":
		p, err := readPattern(f.Pattern)
		if err != nil {
			return nil, err
		}
		return []decoder{func(tokens []string) (_ []string, err error) {
			for i, token := range tokens {
				if tokens[i], err = (replacement{p, f.Content}).normalize(endless(), token, longest(token)); err != nil {
					return nil, err
				}
			}
			return tokens, nil
		}}, nil
	case "Strip":
		if utf8.RuneCountInString(f.Content) != 1 {
			return nil, fmt.Errorf("expected a content of one character, found %.40q", f.Content)
		}
		return each(func(_ int, token string) string {
			for n := 0; n < f.Start && strings.HasPrefix(token, f.Content); n++ {
				token = token[len(f.Content):]
			}
			for n := 0; n < f.Stop && strings.HasSuffix(token, f.Content); n++ {
				token = token[:len(token)-len(f.Content)]
			}
			return token
		}), nil
	case "Fuse":
		return []decoder{func(tokens []string) ([]string, error) { return []string{strings.Join(tokens, "")}, nil }}, nil
	case "ByteFallback":
		return []decoder{decodeFallback}, nil
	}
	return nil, errUnknown
}

// cleanups are what the library's WordPiece decoder replaces in each token, in this order.
var cleanups = [...][2]string{
	{" .", "."}, {" ?", "?"}, {" !", "!"}, {" ,", ","}, {" ' ", "'"}, {" n't", "n't"}, {" 'm", "'m"}, {" do not", " don't"},
	{" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
}

// decodeBytes maps characters back to the bytes that they stand for. A token with another character stays as it is.
func decodeBytes(tokens []string) ([]string, error) {
	of, text := characterBytes(), []byte(nil)
	for _, token := range tokens {
		start := len(text)
		for _, r := range token {
			b, ok := of[r]
			if !ok {
				text = append(text[:start], token...)
				break
			}
			text = append(text, b)
		}
	}
	return []string{validUTF8(text)}, nil
}

var characterBytes = sync.OnceValue(func() map[rune]byte {
	of := make(map[rune]byte, 256)
	for b, r := range byteCharacter() {
		of[r] = byte(b)
	}
	return of
})

// validUTF8 replaces what is no UTF-8 by U+FFFD, once for each longest beginning of a character, as Rust does.
func validUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			for size < len(text) && size < utf8.UTFMax && begins(text[:size+1]) {
				size++
			}
		}
		b.WriteRune(r)
		text = text[size:]
	}
	return b.String()
}

// begins reports whether some character's UTF-8 begins with text and is longer.
func begins(text []byte) bool {
	whole := append(slices.Clone(text), 0x80, 0x80, 0x80)[:utf8.UTFMax]
	for n := len(text) + 1; n <= utf8.UTFMax; n++ {
		for _, low := range [...]byte{0x80, 0xbf} { // a few second bytes allow only some of these
			whole[len(text)] = low
			if _, size := utf8.DecodeRune(whole[:n]); size == n {
				return true
			}
		}
	}
	return false
}

// decodeFallback joins bytes such as <0xE2> to characters. Those that are no UTF-8 become U+FFFD each.
func decodeFallback(tokens []string) (parts []string, err error) {
	var text []byte
	flush := func() {
		if len(text) == 0 {
			return
		}
		if utf8.Valid(text) {
			parts = append(parts, string(text))
		} else {
			parts = append(parts, strings.Repeat("\ufffd", len(text)))
		}
		text = text[:0]
	}
	for _, token := range tokens {
		if len(token) == 6 && strings.HasPrefix(token, "<0x") && token[5] == '>' {
			if b, err := strconv.ParseUint(token[3:5], 16, 8); err == nil {
				text = append(text, byte(b))
				continue
			}
		}
		flush()
		parts = append(parts, token)
	}
	flush()
	return parts, nil
}

// namesOf returns the types of a part of a file, with spaces between those of a sequence.
func namesOf(text json.RawMessage) string {
	names, err := readSteps(text, 0, func(kind string, _ json.RawMessage) ([]string, error) { return []string{kind}, nil })
	if err != nil {
		return ""
	}
	return strings.Join(names, " ")
}
