package phrases

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/corpus"
)

// Written says what WriteText has written.
type Written struct {
	Sentences uint64 `json:"sentences"`
	Tokens    uint64 `json:"tokens"` // a joined phrase is one
	// TooLong are the tokens that were left out.
	TooLong corpus.TooLong `json:"-"`
}

// WriteText writes a corpus as text, with its phrases joined: a line for each sentence, with a
// space between tokens. A token with white space in it, which text cannot hold, is an error.
func (t *Table) WriteText(ctx context.Context, w io.Writer, src *corpus.Source) (written Written, err error) {
	if ctx == nil {
		return written, errors.New("phrases: there is no context to write in: it is nil")
	}
	out := bufio.NewWriterSize(w, 1<<16)
	shards, err := t.Apply(src).Shards(1)
	if err != nil {
		return written, err
	}
	for _, shard := range shards {
		if err := writeShard(ctx, out, shard, &written); err != nil {
			return written, err
		}
	}
	written.TooLong = corpus.TooLongIn(shards)
	return written, out.Flush()
}

// checkEvery is of how many tokens one looks whether the context has ended.
const checkEvery = 1 << 16

func writeShard(ctx context.Context, out *bufio.Writer, shard corpus.Shard, written *Written) error {
	r, err := shard.Open(ctx)
	if err != nil {
		return err
	}
	defer r.Close() // nothing is lost by what was only read
	within := false
	for n := 1; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		token, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			if within {
				written.Sentences++
				err = out.WriteByte('\n')
			} else {
				err = nil
			}
			return err
		case err != nil:
			return err
		case len(token) == 0:
			within = false
			written.Sentences++
			err = out.WriteByte('\n')
		case bytes.ContainsAny(token, separators):
			return fmt.Errorf("token %.40q contains white space, and text cannot hold it", token)
		default:
			if within {
				_ = out.WriteByte(' ') // the next one returns its error
			}
			within = true
			written.Tokens++
			_, err = out.Write(token)
		}
		if err != nil {
			return err
		}
	}
}

// joinAll returns the tokens of sentences in memory.
func joinAll(src *corpus.Source) (tokens []string) {
	shards, err := src.Shards(1)
	if err != nil {
		return nil
	}
	for _, shard := range shards {
		r, err := shard.Open(context.Background())
		if err != nil {
			return tokens
		}
		for {
			token, err := r.Next()
			if err != nil {
				break // the end: sentences have no other error
			}
			if len(token) > 0 {
				tokens = append(tokens, string(token))
			}
		}
	}
	return tokens
}
