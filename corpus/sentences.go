package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// Sentences returns a corpus of sentences in memory, each a list of tokens. Errors refer to the corpus by
// name.
//
// No tokenizer cuts the tokens, so they may contain white space. All other options apply to them, such as
// Options.Lowercase. Empty tokens and tokens that are too long are left out. The sentences must not change
// while they are read.
func Sentences(name string, sentences [][]string, options Options) *Source {
	if sentences == nil {
		sentences = [][]string{}
	}
	return newSource(options, options.validateTokens(name), input{name: name, size: -1, sentences: sentences})
}

// Seq returns a corpus of the sentences of an iterator, which is called once. Tokens are treated as in
// Sentences. The first error of the iterator ends the reading; name is put before it. If the iterator blocks,
// it should stop when the context of the reading ends. If an option has no effect, Shards returns an error.
//
// Seq panics if the iterator is nil.
func Seq(name string, seq iter.Seq2[[]string, error], options Options) *Source {
	if seq == nil {
		panic("corpus: Seq of a nil iterator")
	}
	return newSource(options, options.validateTokens(name), input{name: name, size: -1, seq: seq})
}

// validateTokens is Validate for sentences of tokens, which have no lines to find text in.
func (o Options) validateTokens(name string) error {
	if o.hasRecords() {
		return fmt.Errorf("%s: sentences of tokens have no columns and no fields: TextColumn, JSONField, Split and GroupBy are for text", name)
	}
	return o.ready()
}

func (s Shard) openSentences(ctx context.Context) *Reader {
	from := newTokenReader(s.options, s.input.beginning)
	left := s.input.sentences
	from.next = func() (sentence []string, err error) {
		if len(left) == 0 {
			return nil, io.EOF
		}
		sentence, left = left[0], left[1:]
		return sentence, nil
	}
	if s.input.seq != nil {
		next, stop := iter.Pull2(s.input.seq)
		from.stop = stop
		from.next = func() (sentence []string, err error) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			defer func() {
				if p := recover(); p != nil {
					sentence, err = nil, fmt.Errorf("its iterator panicked: %v", p)
				}
			}()
			sentence, err, ok := next()
			if !ok {
				return nil, io.EOF
			}
			return sentence, err
		}
	}
	return &Reader{name: s.input.name, from: from, closers: []io.Closer{from}}
}

type tokenReader struct {
	next    func() ([]string, error) // returns the next sentence, or io.EOF
	stop    func()
	options Options
	kept    *beginning // keeps text for a Sample; nil for nothing

	sentence []string // unread rest of the sentence
	within   bool     // the end of the sentence was not returned yet
	ended    bool
	asIs     bool     // the options change no token
	changes  []change // of the options; nil until they are needed
	token    []byte   // the last token
	lower    []byte   // the last token in lower case
}

func newTokenReader(o Options, kept *beginning) *tokenReader {
	return &tokenReader{options: o, kept: kept, stop: func() {}, asIs: o.plain() && !o.Lowercase}
}

func (t *tokenReader) Close() error {
	t.stop()
	return nil
}

// read is Reader.Next for a shard of sentences.
func (t *tokenReader) read(r *Reader) ([]byte, error) {
	for {
		for len(t.sentence) > 0 {
			token := t.edited(t.sentence[0])
			t.sentence = t.sentence[1:]
			switch {
			case len(token) > MaxToken:
				r.leaveOut(string(token[:shownHead]), uint64(len(token)))
			case len(token) > 0:
				r.counted.some = true
				return token, nil
			}
		}
		if t.within {
			t.within = false
			r.lines++
			return nil, nil
		}
		if t.ended {
			r.counted.lines = r.lines
			return nil, io.EOF
		}
		sentence, err := t.next()
		switch {
		case err == io.EOF: //nolint:errorlint // of next itself; an iterator's may wrap it
			t.ended = true
		case err != nil:
			if own, ok := errors.AsType[*inputError](err); ok {
				return nil, own.error
			}
			return nil, named(r.name, err)
		default:
			t.sentence, t.within = sentence, true
			t.kept.keep(sentence)
		}
	}
}

// edited returns a token as bytes, after the options are applied; it is empty if the token is dropped.
func (t *tokenReader) edited(token string) []byte {
	t.token = append(t.token[:0], token...)
	switch {
	case t.asIs:
		return t.token
	case !t.options.plain():
		if t.changes == nil {
			t.changes = t.options.changes()
		}
		edited := t.token
		for _, c := range t.changes {
			edited = c.token(edited)
		}
		return t.options.edited(edited)
	}
	t.lower = wordbreak.AppendLower(t.lower[:0], t.token)
	return t.lower
}

// keep keeps a sentence as a line of text, if it fits.
func (b *beginning) keep(sentence []string) {
	if b == nil || b.left == 0 {
		return
	}
	_, _ = b.Write([]byte(strings.Join(sentence, " ") + "\n")) // there are no errors
}

func beginningOf(sentences [][]string) *beginning {
	b := &beginning{left: sampledBytes}
	for _, s := range sentences {
		if b.left == 0 {
			break
		}
		b.keep(s)
	}
	return b
}
