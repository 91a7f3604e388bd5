// Package tokenizerfile reads the tokenizer.json files of Hugging Face's tokenizers library, and cuts
// text into the tokens that the library cuts it into. It knows models of byte-pair encoding,
// WordPiece, Unigram and WordLevel, and the normalizers and pre-tokenizers that usual files have. It
// refuses all others by name.
//
// Post-processors, truncation and padding are left aside: they put special tokens around a text and
// limit its length, which a corpus has no use for.
//
// Source: tokenizers/src of github.com/huggingface/tokenizers, version 0.22, as far as behaviour goes.
package tokenizerfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Tokenizer cuts text into the tokens of a file. It is immutable: each goroutine cuts with an
// Encoder of its own.
type Tokenizer struct {
	kind      string
	tokens    []string // by id; empty where the file has none
	vocab     map[string]uint32
	added     added
	normalize []normalizer
	split     []splitter
	bytes     bool // pieces are mapped to characters that stand for bytes before the model gets them
	model     model
}

// A model cuts a piece of text into tokens.
type model interface {
	// tokenize appends the ids of the tokens of a piece.
	tokenize(dst []uint32, piece string) ([]uint32, error)
}

// MaxTokens is the largest number of tokens that a file may have.
const MaxTokens = 1 << 24

// file is what is read of a tokenizer.json.
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
	if t.normalize, err = readNormalizer(f.Normalizer, 0); err != nil {
		return nil, fmt.Errorf("normalizer: %w", err)
	}
	if t.split, err = readPreTokenizer(f.PreTokenizer, 0); err != nil {
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

// Tokens returns the tokens by id. Ids between others that no token has have an empty one. The caller
// must not change it.
func (t *Tokenizer) Tokens() []string { return t.tokens }

// put gives a token its id.
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

// isNull reports a value that is not there.
func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }

// kindOf returns the type of an object, and reads the rest of it into v.
func kindOf(object json.RawMessage, v any) (string, error) {
	var of struct{ Type string }
	if err := json.Unmarshal(object, &of); err != nil {
		return "", err
	}
	if v != nil {
		if err := json.Unmarshal(object, v); err != nil {
			return "", fmt.Errorf("%s: %w", of.Type, err)
		}
	}
	return of.Type, nil
}

// An Encoder cuts texts, one after the other. It remembers what pieces became.
type Encoder struct {
	of     *Tokenizer
	known  map[string][]uint32 // what pieces were cut into
	work   workspace
	ids    []uint32
	mapped strings.Builder
}

// mostKnown is how many pieces an encoder remembers, and longestKnown how long they are.
const (
	mostKnown    = 1 << 16
	longestKnown = 64
)

// NewEncoder returns an encoder.
func (t *Tokenizer) NewEncoder() *Encoder {
	return &Encoder{of: t, known: make(map[string][]uint32)}
}

// Append appends the ids of the tokens of a text. Bytes that are not UTF-8 count as U+FFFD, each of
// them as one.
func (e *Encoder) Append(ids []uint32, text string) ([]uint32, error) {
	if !utf8.ValidString(text) {
		text = repaired(text)
	}
	var err error
	t := e.of
	t.added.raw.cut(text, func(part string, id int, at int) {
		if err != nil {
			return
		}
		if id >= 0 {
			ids = append(ids, uint32(id))
			return
		}
		first := at == 0
		var stripped bool
		if part, stripped, err = t.normalized(part); err != nil {
			return
		}
		first = first && !stripped // as in the library, what is left begins later
		t.added.normalized.cut(part, func(part string, id int, within int) {
			if err != nil {
				return
			}
			if id >= 0 {
				ids = append(ids, uint32(id))
				return
			}
			ids, err = e.appendPart(ids, part, first && within == 0)
		})
	})
	return ids, err
}

// repaired returns a text in which each byte that is not UTF-8 is U+FFFD.
func repaired(text string) string {
	var b strings.Builder
	for _, r := range text {
		b.WriteRune(r)
	}
	return b.String()
}

// appendPart appends the ids of text between added tokens. First says that it begins the whole text.
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
