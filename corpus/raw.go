package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/internal/compression"
)

// A Raw is the text of one input of a corpus, decompressed and without a byte order mark, before
// it is cut into tokens. It is for formats that are no sentences, such as edge lists.
type Raw struct {
	io.Reader
	name  string
	comma rune
	close func() error
}

// Name returns the name of the input, for messages.
func (r *Raw) Name() string { return r.name }

// Comma returns what stands between the columns if the name says that the input is CSV: a comma, or a
// semicolon if the first line has some and no commas. Of other inputs it returns 0.
func (r *Raw) Comma() rune { return r.comma }

// Close closes the input.
func (r *Raw) Close() error { return r.close() }

// Inputs returns the number of files and streams of the corpus.
func (s *Source) Inputs() int { return len(s.inputs) }

// Open opens input i of the corpus as text. A stream can be opened only once, and reading it stops
// when ctx ends. Sentences in memory are no text.
func (s *Source) Open(ctx context.Context, i int) (*Raw, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case ctx == nil:
		return nil, fmt.Errorf("%s: there is no context to read it in: it is nil", s.Name())
	case s.inputs[i].open == nil:
		return nil, fmt.Errorf("%s: these are sentences in memory, and no text", s.inputs[i].name)
	}
	in := s.inputs[i]
	src := newStream(ctx, in.buffer(), in.open)
	plain, kind, err := compression.NewReader(src)
	if err != nil {
		return nil, errors.Join(named(in.name, err), src.Close())
	}
	if kind != compression.Plain {
		in.file = false // it is not the file itself that has to be made text of
	}
	text, head, err := beginText(in, plain)
	if err != nil {
		_, _ = plain.Close(), src.Close() // may repeat the error
		return nil, err
	}
	raw := &Raw{Reader: in.beginning.of(text), name: in.name, close: func() error { return errors.Join(plain.Close(), src.Close()) }}
	if tableExt(in.name) == csvExt {
		raw.comma = columnSeparator(in.name, head[markSize(head):])
	}
	return raw, nil
}
