package kmers

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/w2v-go/w2v/corpus"
)

// Source returns the corpus of the k-mers in the sequences of another one, which are files, streams
// or both, compressed or not. If done is not nil, it is called when an input has been read, never
// twice at once.
func Source(sequences *corpus.Source, o Options, done func(name string, s Stats)) (*corpus.Source, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	var turn sync.Mutex
	return sequences.Derived(func(name string, text io.Reader) io.Reader {
		return &telling{NewReader("", text, o), func(s Stats) { // the corpus names its inputs
			if done == nil {
				return
			}
			turn.Lock()
			defer turn.Unlock()
			done(name, s)
		}}
	}), nil
}

// telling tells when all was read.
type telling struct {
	*Reader
	done func(Stats)
}

func (t *telling) Read(p []byte) (int, error) {
	n, err := t.Reader.Read(p)
	if errors.Is(err, io.EOF) && t.done != nil {
		t.done(t.Stats())
		t.done = nil
	}
	return n, err
}

// Write writes the k-mers of the sequences of a source, one input after the other.
func Write(ctx context.Context, w io.Writer, sequences *corpus.Source, o Options) (sum Stats, err error) {
	buf := make([]byte, buffer)
	for i := range sequences.Inputs() {
		text, err := sequences.Open(ctx, i)
		if err != nil {
			return sum, err
		}
		r := NewReader(text.Name(), text, o)
		_, err = io.CopyBuffer(w, r, buf)
		sum.Add(r.Stats())
		if err := errors.Join(err, text.Close()); err != nil {
			return sum, err
		}
	}
	return sum, nil
}
