package vocab

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/w2v-go/w2v/corpus"
)

// numbered is a corpus whose tokens have numbers, after it was read.
type numbered struct {
	corpus.Numbered
	recorders []*corpus.Recorder
	counts    []uint64
}

// readNumbered reads a corpus of numbers.
func readNumbered(ctx context.Context, src *corpus.Source, o Options, record func() (*corpus.Recorder, error)) (*numbered, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, errors.New("vocabulary: there is no context to count in: it is nil")
	}
	if o.Threads == 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	n := &numbered{Numbered: src.Numbered()}
	var made []*corpus.Recorder
	create := func() (*corpus.Recorder, error) {
		r, err := record()
		if r != nil {
			made = append(made, r)
		}
		return r, err
	}
	var err error
	if n.recorders, n.counts, err = n.Record(ctx, o.Threads, create, o.Progress); err != nil {
		n.recorders = made
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

// close gives the recorders back.
func (n *numbered) close() error {
	var errs []error
	for _, r := range n.recorders {
		errs = append(errs, r.Close())
	}
	return errors.Join(errs...)
}

// indexNumbered is Index of a corpus of numbers.
func indexNumbered(ctx context.Context, src *corpus.Source, o Options, dir string) (*Vocab, *corpus.IDs, error) {
	n, err := readNumbered(ctx, src, o, func() (*corpus.Recorder, error) { return corpus.NewRecorder(dir) })
	if err != nil {
		return nil, nil, err
	}
	v, final, err := n.choose(src, o)
	if err != nil {
		return nil, nil, errors.Join(err, n.close())
	}
	rename := make([][]int32, len(n.recorders))
	for i := range rename {
		rename[i] = final
	}
	ids, err := corpus.Join(n.recorders, rename)
	if err != nil {
		return nil, nil, err
	}
	if ids.Tokens() == 0 {
		err := fmt.Errorf("%s: no token of the corpus is in the given vocabulary of %d tokens", src.Name(), v.Len())
		return nil, nil, errors.Join(err, ids.Close())
	}
	return v, ids, nil
}

// choose returns the vocabulary that the options select, and the id of each number, or -1.
func (n *numbered) choose(src *corpus.Source, o Options) (*Vocab, []int32, error) {
	v := o.Fixed
	if v == nil {
		var err error
		if v, err = n.vocabulary(o); err != nil {
			return nil, nil, err
		}
	}
	if v.Len() == 0 {
		e := &RareError{MinCount: o.MinCount}
		for _, count := range n.counts {
			if count > 0 {
				e.add(count)
			}
		}
		if e.Tokens == 0 {
			return nil, nil, fmt.Errorf("%s: the corpus has no tokens", src.Name())
		}
		return nil, nil, fmt.Errorf("%s: %w", src.Name(), e)
	}
	final := make([]int32, len(n.counts))
	var token []byte
	for number, count := range n.counts {
		final[number] = -1
		if count == 0 {
			continue
		}
		token = append(token[:0], n.Token(number)...)
		if id, ok := v.ID(token); ok {
			final[number] = id
		}
	}
	return v, final, nil
}

// vocabulary counts a vocabulary, or extends the known one, by the rules of Options.
func (n *numbered) vocabulary(o Options) (*Vocab, error) {
	var tokens []string
	var counts, more []uint64
	known := o.Known
	if known != nil {
		more = make([]uint64, known.Len())
	}
	for number, count := range n.counts {
		if count == 0 {
			continue
		}
		token := n.Token(number)
		if known != nil {
			if id, ok := known.ID([]byte(token)); ok {
				more[id] += count
				continue
			}
		}
		if count >= uint64(max(o.MinCount, 1)) {
			tokens, counts = append(tokens, token), append(counts, count)
		}
	}
	v, err := New(tokens, counts)
	if err != nil {
		return nil, err
	}
	room := v.Len()
	if o.MaxVocab > 0 {
		room = o.MaxVocab
		if known != nil {
			room = max(0, o.MaxVocab-known.Len())
		}
	}
	if known == nil && v.Len() <= room {
		return v, nil
	}
	tokens, counts = v.Tokens(), v.Counts()
	room = min(room, len(tokens))
	tokens, counts = tokens[:room:room], counts[:room:room]
	for id := range more {
		tokens, counts = append(tokens, known.Token(id)), append(counts, known.Count(id)+more[id])
	}
	return New(tokens, counts)
}
