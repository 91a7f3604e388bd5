// Package tokenizerfile reads the tokenizer.json files of Hugging Face's tokenizers library, and cuts text as the library
// does. It knows models of byte-pair encoding, WordPiece, Unigram and WordLevel, and the usual normalizers and
// pre-tokenizers, and refuses all others by name. Post-processors, truncation and padding are left aside: a corpus has no
// use for them.
//
// Source: tokenizers/src of github.com/huggingface/tokenizers, version 0.22, as far as behaviour goes.
package tokenizerfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Tokenizer cuts text into the tokens of a file. It is immutable: each goroutine has its own Encoder.
type Tokenizer struct {
	kind       string
	tokens     []string // by id; empty where the file has none
	vocab      map[string]uint32
	raw, added finder // of tokens that are looked for in the text as it is, and in normalized text
	normalize  []normalizer
	split      []splitter
	bytes      bool // pieces are mapped to characters that stand for bytes before the model gets them
	model      model
}

type model interface {
	// tokenize appends the ids of the tokens of a piece.
	tokenize(dst []uint32, piece string) ([]uint32, error)
}

// MaxTokens is the largest number of tokens that a file may have.
const MaxTokens = 1 << 24

type file struct {
	AddedTokens  []addedToken    `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        json.RawMessage `json:"model"`
}

// Parse reads a tokenizer.json.
func Parse(text []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("expected the JSON of a tokenizer: %w", err)
	}
	if isNull(f.Model) {
		return nil, errors.New("expected a tokenizer with a model, found none")
	}
	t := &Tokenizer{vocab: map[string]uint32{}}
	if err := t.readModel(f.Model); err != nil {
		return nil, err
	}
	var err error
	if t.normalize, err = readSteps(f.Normalizer, 0, readNormalizer); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if t.split, err = readSteps(f.PreTokenizer, 0, readPreTokenizer); err != nil {
		return nil, fmt.Errorf("pre_tokenizer: %w", err)
	}
	if n := len(t.split); n > 0 { // the model maps the bytes then, once for each different piece
		if last, ok := t.split[n-1].(byteLevel); ok {
			t.bytes, last.mapped = true, true
			t.split[n-1] = last
		}
	}
	return t, t.addTokens(f.AddedTokens)
}

// Kind returns what kind of model the file has: BPE, WordPiece, Unigram or WordLevel.
func (t *Tokenizer) Kind() string { return t.kind }

// Len returns the number of rows: one more than the largest id.
func (t *Tokenizer) Len() int { return len(t.tokens) }

// Tokens returns the tokens by id, empty for ids that no token has. The caller must not change it.
func (t *Tokenizer) Tokens() []string { return t.tokens }

func (t *Tokenizer) put(token string, id uint32) error {
	if id >= MaxTokens {
		return fmt.Errorf("token %.40q has the id %d, at most %d are possible", token, id, MaxTokens-1)
	}
	if token == "" {
		return nil // which nothing is cut into
	}
	if was, ok := t.vocab[token]; ok && was != id {
		return fmt.Errorf("token %.40q has the ids %d and %d", token, was, id)
	}
	for int(id) >= len(t.tokens) {
		t.tokens = append(t.tokens, make([]string, int(id)+1-len(t.tokens))...)
	}
	if was := t.tokens[id]; was != "" && was != token {
		return fmt.Errorf("the tokens %.40q and %.40q both have the id %d", was, token, id)
	}
	if !utf8.ValidString(token) {
		return fmt.Errorf("token %d is not valid UTF-8", id)
	}
	t.tokens[id], t.vocab[token] = token, id
	return nil
}

// checkIDs reports ids of which most are missing: so many tokens have ids up to the largest.
func checkIDs(tokens int, largest uint32) error {
	if limit := uint64(tokens)*2 + 1<<16; uint64(largest) >= limit {
		return fmt.Errorf("its %d tokens have ids up to %d", tokens, largest)
	}
	return nil
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// An Encoder cuts texts, one after the other. It remembers what pieces became.
type Encoder struct {
	of     *Tokenizer
	known  map[string][]uint32 // what pieces were cut into
	work   workspace
	ids    []uint32
	mapped strings.Builder
	limit  time.Duration // of the regular expressions for a text
}

// mostKnown is how many pieces an encoder remembers, and longestKnown how long they are.
const (
	mostKnown    = 1 << 16
	longestKnown = 64
)

// NewEncoder returns an encoder.
func (t *Tokenizer) NewEncoder() *Encoder {
	return &Encoder{of: t, known: make(map[string][]uint32), limit: longestSearch}
}

// Append appends the ids of the tokens of a text. Bytes that are not UTF-8 count as U+FFFD, each of
// them as one. It ends with the context's error when ctx ends.
func (e *Encoder) Append(ctx context.Context, ids []uint32, text string) ([]uint32, error) {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	t := e.of
	e.work.search = search{ctx: ctx, limit: e.limit}
	for raw := range t.raw.parts(text) {
		if raw.id >= 0 {
			ids = append(ids, uint32(raw.id))
			continue
		}
		normal, stripped, err := t.normalized(&e.work.search, raw.text)
		if err != nil {
			return ids, err
		}
		for part := range t.added.parts(normal) {
			if part.id >= 0 {
				ids = append(ids, uint32(part.id))
				continue
			}
			first := raw.at == 0 && part.at == 0 && !stripped // as in the library, what is left begins later
			if ids, err = e.appendPart(ids, part.text, first); err != nil {
				return ids, err
			}
		}
	}
	return ids, nil
}

func (e *Encoder) appendPart(ids []uint32, part string, first bool) ([]uint32, error) {
	e.work.pieces = append(e.work.pieces[:0], part)
	most := longest(part)
	for i, s := range e.of.split {
		if err := e.work.apply(s, first, most); err != nil {
			return ids, inStep("pre_tokenizer", i, len(e.of.split), err, most)
		}
	}
	for _, piece := range e.work.pieces {
		if piece == "" {
			continue
		}
		if known, ok := e.known[piece]; ok {
			ids = append(ids, known...)
			continue
		}
		text := piece
		if e.of.bytes {
			text = byteCharacters(&e.mapped, piece)
		}
		var err error
		if e.ids, err = e.of.model.tokenize(e.ids[:0], text); err != nil {
			return ids, err
		}
		if len(piece) <= longestKnown {
			if len(e.known) >= mostKnown {
				clear(e.known)
			}
			e.known[strings.Clone(piece)] = append([]uint32(nil), e.ids...)
		}
		ids = append(ids, e.ids...)
	}
	return ids, nil
}

// An addedToken is a token that is found in the text before the model cuts it.
type addedToken struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"` // with no character of a word next to it
	LStrip     bool   `json:"lstrip"`      // takes the white space before it
	RStrip     bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"` // is looked for in normalized text
}

func (t *Tokenizer) addTokens(tokens []addedToken) error {
	t.vocab = maps.Clone(t.vocab) // the model cuts nothing into a token that is only added
	var largest uint32
	for _, a := range tokens {
		largest = max(largest, a.ID)
	}
	if err := checkIDs(len(t.tokens)+len(tokens), largest); err != nil {
		return fmt.Errorf("added_tokens: %w", err)
	}
	for _, a := range tokens {
		if a.Content == "" {
			continue // as the library does
		}
		if id, ok := t.vocab[a.Content]; ok {
			a.ID = id // as the library does
		} else if err := t.put(a.Content, a.ID); err != nil {
			return fmt.Errorf("added_tokens: %w", err)
		}
		text := a.Content
		if !a.Normalized {
			t.raw.add(text, a)
			continue
		}
		text, _, err := t.normalized(&search{ctx: context.Background(), limit: longestSearch}, text)
		if err != nil {
			return fmt.Errorf("added_tokens: %.40q: %w", a.Content, err)
		}
		if text != "" {
			t.added.add(text, a)
		}
	}
	return nil
}

type finder struct {
	texts  trie // of tokens by their place in tokens
	tokens []addedToken
	firsts string // the first bytes
}

// add adds a token, unless another one has the same text: the first of equal ones is found.
func (f *finder) add(text string, a addedToken) {
	if !f.texts.add(text, uint32(len(f.tokens))) {
		return
	}
	f.tokens = append(f.tokens, a)
	if strings.IndexByte(f.firsts, text[0]) < 0 {
		f.firsts += text[:1]
	}
}

type part struct {
	text string
	id   int
	at   int // where it begins
}

func (f *finder) parts(text string) iter.Seq[part] {
	return func(yield func(part) bool) {
		begin := 0 // of the text that was not passed on
		for at := 0; at < len(text) && f.firsts != ""; {
			var token addedToken
			size := 0
			if strings.IndexByte(f.firsts, text[at]) >= 0 {
				f.texts.prefixes(text[at:], func(n int, i uint32) { token, size = f.tokens[i], n })
			}
			if size == 0 {
				at++
				continue
			}
			start, stop := at, at+size
			at = stop
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[stop:])
			if token.SingleWord && (isWordCharacter(before) || isWordCharacter(after)) {
				continue
			}
			if token.LStrip {
				start = max(len(strings.TrimRightFunc(text[:start], unicode.IsSpace)), begin)
			}
			if token.RStrip {
				stop += len(text[stop:]) - len(strings.TrimLeftFunc(text[stop:], unicode.IsSpace))
			}
			if begin < start && !yield(part{text[begin:start], -1, begin}) || !yield(part{text[start:stop], int(token.ID), start}) {
				return
			}
			begin = stop
		}
		if begin < len(text) {
			yield(part{text[begin:], -1, begin})
		}
	}
}

// isWordCharacter reports what \w matches in Rust.
func isWordCharacter(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc, unicode.Join_Control)
}

// A trie finds the tokens that a text begins with. The zero value has none.
type trie struct {
	children map[edge]uint32
	ids      []int64 // of the token that ends at a node; -1 for none
}

type edge struct {
	node uint32
	next byte
}

// add reports whether it added a token: not if it is empty or there already.
func (t *trie) add(token string, id uint32) bool {
	if t.children == nil {
		t.children, t.ids = map[edge]uint32{}, []int64{-1}
	}
	at := uint32(0)
	for i := range len(token) {
		next, ok := t.children[edge{at, token[i]}]
		if !ok {
			next = uint32(len(t.ids))
			t.children[edge{at, token[i]}] = next
			t.ids = append(t.ids, -1)
		}
		at = next
	}
	if token == "" || t.ids[at] >= 0 {
		return false
	}
	t.ids[at] = int64(id)
	return true
}

// prefixes calls with for each token that a text begins with, the shortest first, and returns its steps.
func (t *trie) prefixes(text string, with func(n int, id uint32)) int {
	at := uint32(0)
	for i := range len(text) {
		next, ok := t.children[edge{at, text[i]}]
		if !ok {
			return i
		}
		if at = next; t.ids[at] >= 0 {
			with(i+1, uint32(t.ids[at]))
		}
	}
	return len(text)
}

// A work counts looks at bytes of a text: long tokens can make them grow with the square of the text.
type work struct{ bytes, done int }

const mostLooks = 1 << 8 // how often a byte may be looked at: SentencePiece makes tokens of up to 16 characters

func (w *work) did(steps int) error {
	if w.done += steps; w.done > mostLooks*(w.bytes+1<<12) {
		return fmt.Errorf("a piece of text of %d bytes takes too long to cut: the tokenizer's vocabulary has very long tokens that the text nearly has", w.bytes)
	}
	return nil
}
