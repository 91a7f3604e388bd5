// Package tokenizer trains tokenizers of subwords, and encodes and decodes with them. Their files are the
// tokenizer.json of Hugging Face's tokenizers library, which cuts texts alike.
//
//	src, err := corpus.Files([]string{"corpus.txt"}, nil, corpus.Options{})
//	…
//	file, result, err := tokenizer.Train(ctx, src, tokenizer.Options{VocabSize: 8000})
//	…
//	t, err := tokenizer.Parse(file)
//	ids, err := t.Encode(ctx, "a text")
//
// To train vectors of tokens, set corpus.Options.File to a corpus.TokenizerFile of the file.
package tokenizer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/tokenizerfile"
	"github.com/w2v-go/w2v/vocab"
)

// A Tokenizer cuts texts into tokens, and joins tokens to texts. It is for one goroutine at a time.
type Tokenizer struct {
	file    *tokenizerfile.Tokenizer
	encoder *tokenizerfile.Encoder
	text    []byte
	ids     map[string]uint32
}

// Parse reads the text of a tokenizer.json, which must not be changed afterwards. It returns an error that names what it
// does not support.
func Parse(text []byte) (*Tokenizer, error) {
	file, err := tokenizerfile.Parse(text)
	if err != nil {
		return nil, err
	}
	t := &Tokenizer{file: file, encoder: file.NewEncoder(), text: text, ids: make(map[string]uint32, file.Len())}
	for id, token := range file.Tokens() {
		if token != "" {
			t.ids[token] = uint32(id)
		}
	}
	return t, nil
}

// Tokens returns the tokens by id, empty for ids that no token has. The caller must not change it.
func (t *Tokenizer) Tokens() []string { return t.file.Tokens() }

// ID returns the id of a token.
func (t *Tokenizer) ID(token string) (id uint32, ok bool) {
	id, ok = t.ids[token]
	return id, ok
}

// Encode returns the ids of the tokens of a text, without those that a post-processor of the file would add. Bytes that
// are not UTF-8 count as U+FFFD. It returns an error if the text has a character that the file cannot cut.
func (t *Tokenizer) Encode(ctx context.Context, text string) ([]uint32, error) {
	return t.encoder.Append(ctx, nil, text)
}

// Decode returns the text of ids, as the decoder of the file joins their tokens. Without a decoder, there are spaces
// between tokens. It leaves out special tokens if skipSpecial is set. It returns an error for an id that no token has, and
// for a file with a decoder that is not supported.
func (t *Tokenizer) Decode(ids []uint32, skipSpecial bool) (string, error) {
	return t.file.Decode(ids, skipSpecial)
}

// A Description says what a tokenizer is.
type Description struct {
	Model        string   `json:"model"`                   // BPE, WordPiece, Unigram or WordLevel
	Tokens       int      `json:"tokens"`                  // number of tokens
	Normalizer   string   `json:"normalizer,omitempty"`    // types of its steps, with spaces between them
	PreTokenizer string   `json:"pre_tokenizer,omitempty"` // likewise
	Decoder      string   `json:"decoder,omitempty"`       // likewise
	Specials     []string `json:"special_tokens"`
	Unknown      string   `json:"unknown_token,omitempty"` // token of what has no other one
	Longest      string   `json:"longest_token"`           // the first of those with the most characters, except special ones
}

// Describe describes the tokenizer.
func (t *Tokenizer) Describe() Description {
	d := Description{Model: t.file.Kind(), Tokens: len(t.ids), Specials: append([]string{}, t.file.Specials()...)}
	d.Normalizer, d.PreTokenizer, d.Decoder = t.file.Steps()
	if id := t.file.Unknown(); id >= 0 {
		d.Unknown = t.Tokens()[id]
	}
	most := 0
	for _, token := range t.Tokens() {
		if n := utf8.RuneCountInString(token); n > most && !slices.Contains(d.Specials, token) {
			d.Longest, most = token, n
		}
	}
	return d
}

// Coverage says how a tokenizer cuts a text. Special tokens in the text do not count.
type Coverage struct {
	Pieces  uint64 `json:"pieces"`         // what the pre-tokenizer cuts the text into: words, numbers, punctuation
	Whole   uint64 `json:"whole_pieces"`   // pieces that are one token
	Tokens  uint64 `json:"text_tokens"`    // tokens of the text
	Bytes   uint64 `json:"bytes"`          // of the normalized text
	Unknown uint64 `json:"unknown_tokens"` // of Tokens
	Used    int    `json:"used"`           // different tokens
}

// Cover counts how the tokenizer cuts a corpus, with the memory and the threads of o, of which MinCount must be 0 or 1.
func (t *Tokenizer) Cover(ctx context.Context, src *corpus.Source, o vocab.Options) (Coverage, error) {
	var c Coverage
	used := make([]bool, t.file.Len())
	var ids []uint32
	_, steps, _ := t.file.Steps()
	overBytes := slices.Contains(strings.Fields(steps), "ByteLevel")
	for of, err := range vocab.Each(ctx, src.Pieces(corpus.ReadTokenizer("tokenizer.json", t.text)), o) {
		if err != nil {
			return c, err
		}
		if ids, err = t.encoder.AppendPiece(ids[:0], string(of.Token)); err != nil {
			return c, fmt.Errorf("%.40q: %w", of.Token, err)
		}
		c.Pieces += of.Count
		size := len(of.Token)
		if overBytes { // a character for each
			size = utf8.RuneCountInString(t.file.Mapped(string(of.Token)))
		}
		c.Bytes += of.Count * uint64(size)
		c.Tokens += of.Count * uint64(len(ids))
		for _, id := range ids {
			if used[id] = true; int64(id) == t.file.Unknown() {
				c.Unknown += of.Count
			}
		}
		if len(ids) == 1 && int64(ids[0]) != t.file.Unknown() {
			c.Whole += of.Count
		}
	}
	for _, u := range used {
		if u {
			c.Used++
		}
	}
	return c, nil
}
