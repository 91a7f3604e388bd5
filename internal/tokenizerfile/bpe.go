package tokenizerfile

import (
	"container/heap"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

type bpe struct {
	vocab      map[string]uint32
	merges     map[pair]merge
	unknown    int64 // id of the unknown token; -1 for none
	missing    error // error for a text with an unknown character, if the unknown token is not in the vocabulary
	fuse       bool  // unknown characters next to each other become one token
	bytes      bool  // unknown characters become tokens of their bytes
	byteTokens [256]int64
	whole      bool // a piece that is a token stays whole
	prefix     string
	suffix     string
}

type pair struct{ left, right uint32 }

type merge struct{ rank, id uint32 }

func (t *Tokenizer) bpe(f modelFile) (model, error) {
	if f.Dropout != 0 {
		return nil, fmt.Errorf("its dropout is %v, with which each text is cut at random: make it null", f.Dropout)
	}
	m := &bpe{
		vocab: t.vocab, merges: make(map[pair]merge, len(f.Merges)), fuse: f.Fuse, bytes: f.Bytes, whole: f.IgnoreMerges,
		prefix: or(f.Prefix, ""), suffix: f.Suffix, byteTokens: byteTokens(t.vocab),
	}
	if m.unknown = t.unknownID(f.Unknown, ""); f.Unknown != nil && m.unknown < 0 {
		m.missing = fmt.Errorf("a text has a character that the tokenizer has no token for, and its unk_token %.40q is not in its vocabulary", *f.Unknown)
	}
	if n := max(len(m.prefix), len(m.suffix)); n > longestAffix {
		return nil, fmt.Errorf("its continuing_subword_prefix or end_of_word_suffix has %d bytes, at most %d are possible", n, longestAffix)
	}
	skip := utf8.RuneCountInString(m.prefix)
	// The library, too, skips the version line of a merges.txt.
	isVersion := func(merge json.RawMessage) bool { return strings.HasPrefix(string(merge), `"#version`) }
	for rank, text := range slices.DeleteFunc(f.Merges, isVersion) {
		left, right, err := readMerge(text)
		if err != nil {
			return nil, fmt.Errorf("merge %d: %w", rank, err)
		}
		rest := []rune(right)
		if len(rest) < skip {
			return nil, fmt.Errorf("merge %d: %.40q is shorter than continuing_subword_prefix", rank, right)
		}
		var ids [3]uint32
		for i, token := range []string{left, right, left + string(rest[skip:])} {
			var ok bool
			if ids[i], ok = t.vocab[token]; !ok {
				return nil, fmt.Errorf("merge %d: token %.40q is not in the vocabulary", rank, token)
			}
		}
		m.merges[pair{ids[0], ids[1]}] = merge{uint32(rank), ids[2]}
	}
	return m, nil
}

const longestAffix = 256 // longer than any affix of a character

func readMerge(value json.RawMessage) (left, right string, err error) {
	var two []string
	if err := json.Unmarshal(value, &two); err == nil {
		if len(two) != 2 {
			return "", "", fmt.Errorf("expected two tokens, found %d", len(two))
		}
		return two[0], two[1], nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return "", "", err
	}
	left, right, ok := strings.Cut(text, " ")
	if !ok || strings.Contains(right, " ") {
		return "", "", fmt.Errorf("expected two tokens with a space between them, found %.40q", text)
	}
	return left, right, nil
}

func byteTokens(vocab map[string]uint32) (ids [256]int64) {
	for b := range ids {
		ids[b] = -1
		if id, ok := vocab[fmt.Sprintf("<0x%02X>", b)]; ok {
			ids[b] = int64(id)
		}
	}
	return ids
}

func appendBytes(dst []uint32, tokens *[256]int64, text string) ([]uint32, bool) {
	start := len(dst)
	for i := range len(text) {
		id := tokens[text[i]]
		if id < 0 {
			return dst[:start], false
		}
		dst = append(dst, uint32(id))
	}
	return dst, true
}

type symbol struct {
	id         uint32
	prev, next int32 // -1 for none
	gone       bool  // merged into the one before it
}

func (m *bpe) tokenize(dst []uint32, piece string) ([]uint32, error) {
	if m.whole {
		if id, ok := m.vocab[piece]; ok {
			return append(dst, id), nil
		}
	}
	start := len(dst)
	dst, err := m.characters(dst, piece)
	return m.merge(dst, start), err
}

func (m *bpe) unknownID() int64 { return m.unknown }

func (m *bpe) characters(dst []uint32, piece string) ([]uint32, error) {
	unknown := false // an unknown token is pending
	for i := 0; i < len(piece); {
		_, size := utf8.DecodeRuneInString(piece[i:])
		text := piece[i : i+size]
		if i > 0 && m.prefix != "" {
			text = m.prefix + text
		}
		if i += size; i == len(piece) && m.suffix != "" {
			text += m.suffix
		}
		if id, ok := m.vocab[text]; ok {
			if unknown {
				dst, unknown = append(dst, uint32(m.unknown)), false
			}
			dst = append(dst, id)
			continue
		}
		if m.bytes {
			var ok bool
			if dst, ok = appendBytes(dst, &m.byteTokens, text); ok {
				continue // like the library, even before an unknown character
			}
		}
		if m.missing != nil {
			return dst, m.missing
		}
		if m.unknown >= 0 {
			if unknown && !m.fuse {
				dst = append(dst, uint32(m.unknown))
			}
			unknown = true
		}
	}
	if unknown {
		dst = append(dst, uint32(m.unknown))
	}
	return dst, nil
}

func (m *bpe) merge(dst []uint32, start int) []uint32 {
	n := len(dst) - start
	if n < 2 || len(m.merges) == 0 {
		return dst
	}
	if n <= fewSymbols {
		return m.mergeFew(dst, start)
	}
	symbols := make([]symbol, n)
	var queue mergeQueue
	push := func(at int32) {
		if next := symbols[at].next; next >= 0 {
			if found, ok := m.merges[pair{symbols[at].id, symbols[next].id}]; ok {
				heap.Push(&queue, queued{found, at})
			}
		}
	}
	for i, id := range dst[start:] {
		symbols[i] = symbol{id: id, prev: int32(i) - 1, next: int32(i) + 1}
	}
	symbols[n-1].next = -1
	for i := range symbols {
		push(int32(i))
	}
	for queue.Len() > 0 {
		top := heap.Pop(&queue).(queued)
		s := &symbols[top.at]
		if s.gone || s.next < 0 {
			continue
		}
		next := &symbols[s.next]
		if found, ok := m.merges[pair{s.id, next.id}]; !ok || found.id != top.id {
			continue // these symbols have been merged otherwise
		}
		s.id, next.gone = top.id, true
		if s.next = next.next; s.next >= 0 {
			symbols[s.next].prev = top.at
		}
		if s.prev >= 0 {
			push(s.prev)
		}
		push(top.at)
	}
	dst = dst[:start]
	for at := int32(0); at >= 0; at = symbols[at].next {
		dst = append(dst, symbols[at].id)
	}
	return dst
}

const fewSymbols = 32 // the number of tokens up to which a linear scan is faster than a queue

func (m *bpe) mergeFew(dst []uint32, start int) []uint32 {
	symbols := dst[start:]
	const none = ^uint32(0)
	var found [fewSymbols]merge // of each symbol with the next one
	find := func(i int) {
		of, ok := m.merges[pair{symbols[i], symbols[i+1]}]
		if found[i] = of; !ok {
			found[i].rank = none
		}
	}
	for i := range len(symbols) - 1 {
		find(i)
	}
	for {
		best, at := none, -1
		for i := range len(symbols) - 1 {
			if found[i].rank < best {
				best, at = found[i].rank, i
			}
		}
		if at < 0 {
			return dst[:start+len(symbols)]
		}
		symbols[at] = found[at].id
		copy(symbols[at+1:], symbols[at+2:])
		copy(found[at+1:], found[at+2:len(symbols)])
		symbols = symbols[:len(symbols)-1]
		if at > 0 {
			find(at - 1)
		}
		if at+1 < len(symbols) {
			find(at)
		}
	}
}

type queued struct {
	merge
	at int32
}

type mergeQueue []queued

func (q mergeQueue) Len() int { return len(q) }
func (q mergeQueue) Less(i, j int) bool {
	return q[i].rank < q[j].rank || q[i].rank == q[j].rank && q[i].at < q[j].at
}
func (q mergeQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *mergeQueue) Push(x any)   { *q = append(*q, x.(queued)) }
func (q *mergeQueue) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

var errNoUnknown = errors.New("a text has a character that the tokenizer has no token for, and it has no token for unknown ones")

// byteCharacter has printable characters of Latin 1 for themselves, and characters from U+0100 on for other bytes.
var byteCharacter = sync.OnceValue(func() []rune {
	of := make([]rune, 256)
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
})

func byteCharacters(b *strings.Builder, text string) string {
	b.Reset()
	b.Grow(2 * len(text))
	of := byteCharacter()
	for i := range len(text) {
		b.WriteRune(of[text[i]])
	}
	return b.String()
}

// ByteAlphabet returns the characters that stand for bytes, by byte.
func ByteAlphabet() []rune { return slices.Clone(byteCharacter()) }
