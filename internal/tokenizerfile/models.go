package tokenizerfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

type modelFile struct {
	Type         string
	Vocab        json.RawMessage   `json:"vocab"` // ids by token; of Unigram, tokens with scores
	Unknown      *string           `json:"unk_token"`
	UnknownID    *int              `json:"unk_id"`
	Merges       []json.RawMessage `json:"merges"`
	Dropout      float64           `json:"dropout"`
	Prefix       *string           `json:"continuing_subword_prefix"`
	Suffix       string            `json:"end_of_word_suffix"`
	Longest      *int              `json:"max_input_chars_per_word"`
	Fuse         bool              `json:"fuse_unk"`
	Bytes        bool              `json:"byte_fallback"`
	IgnoreMerges bool              `json:"ignore_merges"`
}

func (f *modelFile) kind() string {
	switch {
	case f.Type != "":
		return f.Type
	case f.Merges != nil:
		return "BPE"
	case f.Longest != nil:
		return "WordPiece"
	case strings.HasPrefix(string(f.Vocab), "["):
		return "Unigram"
	case f.Vocab != nil:
		return "WordLevel"
	}
	return ""
}

func (t *Tokenizer) readModel(text json.RawMessage) error {
	var f modelFile
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	t.kind = f.kind()
	model := map[string]func(modelFile) (model, error){"BPE": t.bpe, "WordPiece": t.wordPiece, "Unigram": t.unigram, "WordLevel": t.wordLevel}[t.kind]
	if model == nil {
		return fmt.Errorf("model: expected one of BPE, WordPiece, Unigram or WordLevel, found %.40q", t.kind)
	}
	var err error
	if t.kind != "Unigram" {
		err = t.readVocab(f.Vocab)
	}
	if err == nil {
		t.model, err = model(f)
	}
	if err == nil && len(t.tokens) == 0 {
		err = errors.New("expected a vocabulary, found none")
	}
	if err != nil {
		return fmt.Errorf("model %s: %w", t.kind, err)
	}
	return nil
}

func (t *Tokenizer) readVocab(text json.RawMessage) error {
	var vocab map[string]uint32
	if text != nil {
		if err := json.Unmarshal(text, &vocab); err != nil {
			return err
		}
	}
	var largest uint32
	for _, id := range vocab {
		largest = max(largest, id)
	}
	if err := checkIDs(len(vocab), largest); err != nil {
		return err
	}
	for token, id := range vocab {
		if err := t.put(token, id); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tokenizer) unknownID(token *string, usual string) int64 {
	if id, ok := t.vocab[or(token, usual)]; ok {
		return int64(id)
	}
	return -1
}

func (t *Tokenizer) wordLevel(f modelFile) (model, error) {
	return &wordLevel{t.vocab, t.unknownID(f.Unknown, "<unk>")}, nil
}

type wordLevel struct {
	vocab   map[string]uint32
	unknown int64
}

func (m *wordLevel) tokenize(dst []uint32, piece string) ([]uint32, error) {
	if id, ok := m.vocab[piece]; ok {
		return append(dst, id), nil
	}
	return appendUnknown(dst, m.unknown)
}

func (m *wordLevel) unknownID() int64 { return m.unknown }
func (m *wordPiece) unknownID() int64 { return m.unknown }
func (m *unigram) unknownID() int64   { return m.unknown }

func appendUnknown(dst []uint32, unknown int64) ([]uint32, error) {
	if unknown < 0 {
		return dst, errNoUnknown
	}
	return append(dst, uint32(unknown)), nil
}

func (t *Tokenizer) wordPiece(f modelFile) (model, error) {
	m := &wordPiece{vocab: t.vocab, prefix: or(f.Prefix, "##"), longest: or(f.Longest, 100), unknown: t.unknownID(f.Unknown, "[UNK]")}
	for token := range t.vocab {
		m.most = max(m.most, len(token))
	}
	return m, nil
}

// wordPiece cuts pieces into the longest tokens, from the left.
type wordPiece struct {
	vocab   map[string]uint32
	prefix  string // of tokens that do not begin a piece
	longest int    // characters of a piece that is cut
	most    int    // bytes of the longest token
	unknown int64
}

func (m *wordPiece) tokenize(dst []uint32, piece string) ([]uint32, error) {
	start := len(dst)
	if utf8.RuneCountInString(piece) <= m.longest {
		work := work{bytes: len(piece)}
		for rest := piece; ; {
			if rest == "" {
				return dst, nil
			}
			id, size, err := m.longestToken(rest, len(rest) < len(piece), &work)
			if err != nil {
				return dst, err
			}
			if size == 0 {
				break
			}
			dst = append(dst, id)
			rest = rest[size:]
		}
	}
	return appendUnknown(dst[:start], m.unknown)
}

func (m *wordPiece) longestToken(text string, within bool, work *work) (id uint32, size int, err error) {
	prefix := ""
	if within {
		prefix = m.prefix
	}
	end := min(len(text), m.most)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	for end > 0 {
		if id, ok := m.vocab[prefix+text[:end]]; ok {
			return id, end, nil
		}
		if err := work.did(end + len(prefix)); err != nil {
			return 0, 0, err
		}
		_, last := utf8.DecodeLastRuneInString(text[:end])
		end -= last
	}
	return 0, 0, nil
}

func (t *Tokenizer) unigram(f modelFile) (model, error) {
	var vocab [][]json.RawMessage
	if err := json.Unmarshal(f.Vocab, &vocab); err != nil {
		return nil, err
	}
	m := &unigram{vocab: t.vocab, unknown: -1, least: math.Inf(1), bytes: f.Bytes}
	texts := make([]string, 0, len(vocab))
	for id, both := range vocab {
		var token string
		var score float64
		err := fmt.Errorf("expected a token and its score, found %d values", len(both))
		if len(both) == 2 {
			if err = json.Unmarshal(both[0], &token); err == nil {
				score, err = readScore(both[1])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("token %d: %w", id, err)
		}
		if err := t.put(token, uint32(id)); err != nil {
			return nil, err
		}
		m.scores, m.least = append(m.scores, score), min(m.least, score)
		texts = append(texts, token)
	}
	m.trie = NewTrie(texts)
	if f.UnknownID != nil {
		if *f.UnknownID < 0 || *f.UnknownID >= len(vocab) {
			return nil, fmt.Errorf("its unk_id is %d, and it has %d tokens", *f.UnknownID, len(vocab))
		}
		m.unknown = int64(*f.UnknownID)
	}
	m.byteTokens = byteTokens(t.vocab)
	return m, nil
}

type unigram struct {
	vocab      map[string]uint32
	scores     []float64
	trie       Trie
	unknown    int64
	least      float64
	bytes      bool
	byteTokens [256]int64
}

const unknownPenalty = 10

type node struct {
	score float64
	from  int   // where its last token begins; -1 if there is no way yet
	id    int64 // of its last token
}

func (m *unigram) tokenize(dst []uint32, piece string) ([]uint32, error) {
	best := slices.Repeat([]node{{from: -1}}, len(piece)+1)
	work := work{bytes: len(piece)}
	for at, r := range piece {
		here := best[at].score
		single := false
		size := utf8.RuneLen(r)
		steps := m.trie.prefixes(piece[at:], func(n int, id uint32) {
			best[at+n].better(here+m.scores[id], at, int64(id))
			single = single || n == size
		})
		if err := work.did(steps); err != nil {
			return dst, err
		}
		if !single {
			if m.unknown < 0 {
				return dst, errNoUnknown
			}
			best[at+size].better(here+(m.least-unknownPenalty), at, m.unknown) // in this order, as the library does
		}
	}
	var ends []int // of the parts, from the last one on
	for end := len(piece); end > 0; {
		ends = append(ends, end)
		from, unknown := best[end].from, best[end].id == m.unknown
		for unknown && m.unknown >= 0 && from > 0 && best[from].id == m.unknown {
			from = best[from].from // unknown characters next to each other are one part
		}
		end = from
	}
	slices.Reverse(ends)
	begin := 0
	for _, end := range ends {
		part := piece[begin:end]
		begin = end
		if id, ok := m.vocab[part]; ok {
			dst = append(dst, id)
			continue
		}
		if m.bytes {
			var ok bool
			if dst, ok = appendBytes(dst, &m.byteTokens, part); ok {
				continue
			}
		}
		var err error
		if dst, err = appendUnknown(dst, m.unknown); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

func (n *node) better(score float64, from int, id int64) {
	if n.from < 0 || score > n.score {
		*n = node{score, from, id}
	}
}

// readScore reads a number as the library does: its digits as far as they fit into 64 bits, times a
// power of ten. The last bit may be another one than that of the nearest number, and decides between
// cuts that are equally probable.
func readScore(text json.RawMessage) (float64, error) {
	var exact float64
	if err := json.Unmarshal(text, &exact); err != nil {
		return 0, err
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(string(text)), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	sign, exponent := math.Copysign(1, exact), 0
	if power != "" {
		var err error
		if exponent, err = strconv.Atoi(power); err != nil {
			return exact, nil //nolint:nilerr // so large an exponent makes zero of it, as exact is
		}
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	zeros, n := len(whole+fraction)-len(digits), min(len(digits), 20)
	significand, err := strconv.ParseUint(digits[:n], 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		n = 19
		significand, _ = strconv.ParseUint(digits[:n], 10, 64)
	}
	exponent += len(whole) - zeros - n
	const largest = 308 // power of ten
	switch {
	case exponent < -largest || exponent > largest:
		return exact, nil
	case exponent < 0:
		return sign * (float64(significand) / math.Pow10(-exponent)), nil
	}
	return sign * (float64(significand) * math.Pow10(exponent)), nil
}
