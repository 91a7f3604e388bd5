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
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// A Tokenizer cuts text into the tokens of a file. It is immutable: each goroutine has its own Encoder.
type Tokenizer struct {
	released   sync.Pool // of encoders
	kind       string
	tokens     []string // by id; empty where the file has none
	vocab      map[string]uint32
	raw, added finder // of tokens that are looked for in the text as it is, and in normalized text
	normalize  []normalizer
	split      []splitter
	bytes      bool // pieces are mapped to characters that stand for bytes before the model gets them
	model      model
	specials   []string // special tokens
	steps      [3]string
	decoders   []decoder
	undecoded  error // why ids cannot become text; nil if they can
}

type model interface {
	// tokenize appends the ids of the tokens of a piece.
	tokenize(dst []uint32, piece string) ([]uint32, error)
	unknownID() int64 // -1 for none
}

// MaxTokens is the largest number of tokens that a file may have.
const MaxTokens = 1 << 24

type file struct {
	AddedTokens  []addedToken    `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	PreTokenizer json.RawMessage `json:"pre_tokenizer"`
	Decoder      json.RawMessage `json:"decoder"`
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
	t.decoders, t.undecoded = readSteps(f.Decoder, 0, readDecoder)
	t.steps = [...]string{namesOf(f.Normalizer), namesOf(f.PreTokenizer), namesOf(f.Decoder)}
	return t, t.addTokens(f.AddedTokens)
}

// Kind returns what kind of model the file has: BPE, WordPiece, Unigram or WordLevel.
func (t *Tokenizer) Kind() string { return t.kind }

// Steps returns the names of the normalizer, the pre-tokenizer and the decoder, with spaces between those of a sequence.
func (t *Tokenizer) Steps() (normalizer, preTokenizer, decoder string) {
	return t.steps[0], t.steps[1], t.steps[2]
}

// Specials returns the special tokens.
func (t *Tokenizer) Specials() []string { return t.specials }

// Unknown returns the id of the token of what has no other one, or -1.
func (t *Tokenizer) Unknown() int64 { return t.model.unknownID() }

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

// NewEncoder returns an encoder, perhaps one that was released and remembers pieces.
func (t *Tokenizer) NewEncoder() *Encoder {
	if e, ok := t.released.Get().(*Encoder); ok {
		return e
	}
	return &Encoder{of: t, known: make(map[string][]uint32), limit: longestSearch}
}

// Release gives the encoder to a later NewEncoder. It must not be used afterwards.
func (e *Encoder) Release() {
	e.work.search = search{} // which has the context of a text
	e.of.released.Put(e)
}

// Append appends the ids of the tokens of a text. Bytes that are not UTF-8 count as U+FFFD, each of
// them as one. It ends with the context's error when ctx ends.
func (e *Encoder) Append(ctx context.Context, ids []uint32, text string) ([]uint32, error) {
	err := e.each(ctx, text, func(piece string, id int) (err error) {
		if id >= 0 {
			ids = append(ids, uint32(id))
			return nil
		}
		ids, err = e.AppendPiece(ids, piece)
		return err
	})
	return ids, err
}

// AppendPieces appends what the model would cut of a text: the pieces of the pre-tokenizer, without added tokens.
// Tokenizer.Mapped returns the characters that the model gets of a piece.
func (e *Encoder) AppendPieces(ctx context.Context, pieces []string, text string) ([]string, error) {
	err := e.each(ctx, text, func(piece string, id int) error {
		if id < 0 {
			pieces = append(pieces, piece)
		}
		return nil
	})
	return pieces, err
}

// Mapped returns the characters that the model gets of a piece, which stand for its bytes if the file is of bytes.
func (t *Tokenizer) Mapped(piece string) string {
	if !t.bytes {
		return piece
	}
	return byteCharacters(new(strings.Builder), piece)
}

// each calls use with each piece of a text, and with each added token's id, which is -1 for pieces.
func (e *Encoder) each(ctx context.Context, text string, use func(piece string, id int) error) error {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	t := e.of
	e.work.search = search{ctx: ctx, limit: e.limit}
	for raw := range t.raw.parts(text) {
		if raw.id >= 0 {
			if err := use("", raw.id); err != nil {
				return err
			}
			continue
		}
		normal, stripped, err := t.normalized(&e.work.search, raw.text)
		if err != nil {
			return err
		}
		for part := range t.added.parts(normal) {
			if part.id >= 0 {
				if err := use("", part.id); err != nil {
					return err
				}
				continue
			}
			first := raw.at == 0 && part.at == 0 && !stripped // as in the library, what is left begins later
			if err := e.cut(part.text, first, use); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Encoder) cut(part string, first bool, use func(piece string, id int) error) error {
	e.work.pieces = append(e.work.pieces[:0], part)
	most := longest(part)
	for i, s := range e.of.split {
		if err := e.work.apply(s, first, most); err != nil {
			return inStep("pre_tokenizer", i, len(e.of.split), err, most)
		}
	}
	for _, piece := range e.work.pieces {
		if piece == "" {
			continue
		}
		if err := use(piece, -1); err != nil {
			return err
		}
	}
	return nil
}

// AppendPiece appends the ids of the tokens of a piece of AppendPieces.
func (e *Encoder) AppendPiece(ids []uint32, piece string) ([]uint32, error) {
	if known, ok := e.known[piece]; ok {
		return append(ids, known...), nil
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
	return append(ids, e.ids...), nil
}

// An addedToken is a token that is found in the text before the model cuts it.
type addedToken struct {
	ID         uint32 `json:"id"`
	Content    string `json:"content"`
	Special    bool   `json:"special"`
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
		if a.Special {
			t.specials = append(t.specials, a.Content)
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
		text, _, err := t.normalized(endless(), text)
		if err != nil {
			return fmt.Errorf("added_tokens: %.40q: %w", a.Content, err)
		}
		if text != "" {
			t.added.add(text, a)
		}
	}
	t.raw.trie, t.added.trie = NewTrie(t.raw.texts), NewTrie(t.added.texts)
	return nil
}

type finder struct {
	texts  []string // of tokens; of equal ones, the first is found
	tokens []addedToken
	trie   Trie   // of texts
	firsts string // the first bytes
}

func (f *finder) add(text string, a addedToken) {
	f.texts, f.tokens = append(f.texts, text), append(f.tokens, a)
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
				f.trie.prefixes(text[at:], func(n int, i uint32) { token, size = f.tokens[i], n })
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

// A work counts looks at bytes of a text: long tokens can make them grow with the square of the text.
type work struct{ bytes, done int }

const mostLooks = 1 << 8 // how often a byte may be looked at: SentencePiece makes tokens of up to 16 characters

func (w *work) did(steps int) error {
	if w.done += steps; w.done > mostLooks*(w.bytes+1<<12) {
		return fmt.Errorf("a piece of text of %d bytes takes too long to cut: the tokenizer's vocabulary has very long tokens that the text nearly has", w.bytes)
	}
	return nil
}

// endless is a search that only its time ends.
func endless() *search { return &search{ctx: context.Background(), limit: longestSearch} }

// CutsApart reports whether what stands between blanks of a text (spaces, tabs and ends of lines) is cut without regard for
// what else stands there: the tokens of the text are those of its parts. Parts must not begin with a mark or a format character,
// which would belong to the blank. It returns false if that is not sure.
func (t *Tokenizer) CutsApart() bool {
	spaced := func(text string) bool { return strings.ContainsFunc(text, unicode.IsSpace) }
	if slices.ContainsFunc(t.raw.texts, spaced) || slices.ContainsFunc(t.added.texts, spaced) {
		return false
	}
	for _, n := range t.normalize {
		switch n := n.(type) {
		case mapped, strip:
		case replacement:
			if of, ok := n.pattern.(literal); !ok || spaced(string(of)) {
				return false
			}
		default: // a charsmap replaces grapheme clusters, some of which have a blank
			return false
		}
	}
	if len(t.split) == 0 {
		return false
	}
	first, ok := t.split[0].(cut)
	return ok && first.spaces && !slices.ContainsFunc(t.split, func(s splitter) bool {
		m, ok := s.(metaspace)
		return ok && m.prepend == "first"
	})
}
