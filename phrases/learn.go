package phrases

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/vocab"
)

// Learn finds the phrases of a corpus, which it reads once for each pass. Package vocab counts tokens and
// pairs, and Learn returns its errors. Several passes over a corpus that can be read only once are an error.
func Learn(ctx context.Context, src *corpus.Source, o Options) (*Table, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o = o.complete()
	t := &Table{}
	if o.Passes > 1 {
		if err := src.Again(); err != nil {
			return nil, fmt.Errorf("%w, and %d passes read it %d times", err, o.Passes, o.Passes)
		}
	}
	var read uint64 // number of tokens in earlier passes
	for range o.Passes {
		p := newPass(o)
		tokens, err := p.learn(ctx, t.Apply(src), o, read)
		if err != nil {
			return nil, err
		}
		read += tokens
		t.passes = append(t.passes, p)
		if len(p.phrases) == 0 { // another pass would find the same
			break
		}
	}
	return t, nil
}

func (p *pass) learn(ctx context.Context, src *corpus.Source, o Options, before uint64) (uint64, error) {
	var tokens atomic.Uint64
	var types uint64
	counted := src.Through(func() corpus.Stage { return &counter{pass: p, tokens: &tokens} })
	options := vocab.Options{
		MinCount: o.MinCount, Threads: o.Threads, Memory: o.Memory, Folder: o.Folder, Force: o.Force, TooLong: o.TooLong,
		Report: func(r vocab.Report) { types = r.Types },
	}
	if o.Progress != nil {
		options.Progress = func(n uint64) { o.Progress(before + n/2) } // each token also counts as a pair
	}
	v, err := vocab.Count(ctx, counted, options)
	if o.Counted != nil && types > 0 {
		frequent := 0
		if err == nil {
			frequent = v.Len()
		}
		o.Counted(types, frequent)
	}
	if _, rare := errors.AsType[*vocab.RareError](err); rare {
		return tokens.Load(), nil // no pair is frequent enough for a phrase
	}
	if err != nil {
		return 0, err
	}
	for id := range v.Len() {
		joined := v.Token(id)
		p.splits(joined, func(first, last string) {
			a, ok := v.ID([]byte(first))
			b, known := v.ID([]byte(last))
			if !ok || !known {
				return
			}
			score := o.score(v.Count(int(a)), v.Count(int(b)), v.Count(id), types, tokens.Load())
			if score > o.Threshold {
				p.phrases[joined] = append(p.phrases[joined], pair{len(first), len(last), v.Count(id), score})
			}
		})
	}
	return tokens.Load(), nil
}

// A counter puts out each token and each pair of a sentence, and counts all tokens.
type counter struct {
	*pass
	tokens *atomic.Uint64
	number uint64 // of the sentence
	joined []byte // the last token that can begin a phrase, with the connectors after it; empty if none
}

// Token puts out the token, and the pair that it ends.
func (c *counter) Token(out *corpus.Staged, token []byte) {
	c.number++
	switch connector := c.isConnector(token); {
	case connector && len(c.joined) == 0:
		return
	case connector:
		c.join(token)
		return
	}
	out.Add(token)
	if len(c.joined) > 0 && c.join(token) {
		out.Add(c.joined)
	}
	c.joined = append(c.joined[:0], token...)
}

// join joins a token to the previous ones. If the result is too long for a token, join clears it.
func (c *counter) join(token []byte) bool {
	c.joined = append(append(c.joined, c.delimiter...), token...)
	if len(c.joined) > corpus.MaxToken {
		c.joined = c.joined[:0]
		return false
	}
	return true
}

// End forgets the sentence.
func (c *counter) End(*corpus.Staged) {
	c.tokens.Add(c.number)
	c.number, c.joined = 0, c.joined[:0]
}

// splits calls use for all ways to split a token into two ends with connectors between them.
func (p *pass) splits(joined string, use func(first, last string)) {
	text, d := []byte(joined), []byte(p.delimiter)
	for i := 1; i < len(text); i++ {
		if !bytes.HasPrefix(text[i:], d) || p.isConnector(text[:i]) {
			continue
		}
		// The second end begins after a delimiter or after connectors that follow the delimiter.
		ends, seen := []int{i + len(d)}, map[int]bool{}
		for len(ends) > 0 {
			at := ends[len(ends)-1]
			ends = ends[:len(ends)-1]
			if at >= len(text) || seen[at] {
				continue
			}
			seen[at] = true
			if !p.isConnector(text[at:]) {
				use(joined[:i], joined[at:])
			}
			if len(p.connectors) == 0 {
				continue
			}
			for k := at + 1; k < len(text); k++ {
				if k-at > p.longest {
					break
				}
				if bytes.HasPrefix(text[k:], d) && p.isConnector(text[at:k]) {
					ends = append(ends, k+len(d))
				}
			}
		}
	}
}
