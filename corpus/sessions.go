package corpus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strings"

	"github.com/w2v-go/w2v/internal/extsort"
)

// listed returns a record as a list, if its text is a list.
func (o Options) listed(rec record) record {
	if rec.isList || !o.lists() {
		return rec
	}
	rec.isList = true
	parts := []string{string(rec.text)}
	if o.Split != "" {
		parts = strings.Split(parts[0], strings.ReplaceAll(o.Split, `\t`, "\t"))
	}
	for _, part := range parts {
		if part = strings.Trim(part, blanks); part != "" {
			rec.tokens = append(rec.tokens, part)
		}
	}
	return rec
}

// blanks are the bytes that separate the tokens of a text.
const blanks = " \n\r\t\v\f\x00"

// sessions are the inputs of a corpus with GroupBy. Rows with the same key are a sentence.
type sessions struct {
	inputs []input
	part   *portion // part of the keys; nil for all
	filled []bool   // which inputs have tokens
}

// sessionMemory is how many bytes of rows are held in memory. More rows go to a temporary file, sorted.
const sessionMemory = 64 << 20

// longSession is the maximum number of tokens of a sentence: training cuts much shorter ones.
const longSession = 1 << 16

// open returns a reader of the sessions by ascending key. It reads all rows before the first session.
func (g *sessions) open(ctx context.Context, name string, o Options) *Reader {
	rows := newSorter(sessionMemory)
	from := newTokenReader(o, g.inputs[0].beginning)
	var sorted *extsort.Merge
	var ahead *extsort.Record // nil at the end
	next := func() (err error) {
		if ahead, err = sorted.Next(); errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	from.next = func() (session []string, err error) {
		if sorted == nil {
			if err = g.read(ctx, o, rows); err == nil {
				sorted, err = extsort.NewMerge(rows.Runs(), sessionMemory)
			}
			if err == nil {
				err = next()
			}
			if err != nil {
				return nil, err
			}
		}
		if ahead == nil {
			return nil, io.EOF
		}
		for key := bytes.Clone(ahead.Key); ahead != nil && bytes.Equal(ahead.Key, key) && len(session) < longSession; {
			session = appendUnpacked(session, ahead.Value)
			if err := next(); err != nil {
				return nil, err
			}
		}
		return session, ctx.Err()
	}
	return &Reader{name: name, from: from, closers: []io.Closer{rows}, lineOf: func(uint64) uint64 { return 0 }}
}

// newSorter returns a sorter of rows: by key, with tokens that are packed as the value.
func newSorter(memory int) *extsort.Sorter {
	return &extsort.Sorter{Prefix: "w2v-sessions-", Limit: memory, Explain: func(folder string, err error) error {
		return &inputError{fmt.Errorf("%s: %w (temporary files of sessions take about as much as their tokens)", folder, err)}
	}}
}

// appendPacked appends tokens, each prefixed by its length.
func appendPacked(b []byte, tokens []string) []byte {
	for _, token := range tokens {
		b = append(binary.AppendUvarint(b, uint64(len(token))), token...)
	}
	return b
}

func appendUnpacked(tokens []string, packed []byte) []string {
	for len(packed) > 0 {
		n, k := binary.Uvarint(packed)
		end := k + int(n)
		tokens = append(tokens, string(packed[k:end]))
		packed = packed[end:]
	}
	return tokens
}

func (g *sessions) read(ctx context.Context, o Options, into *extsort.Sorter) error {
	for i, in := range g.inputs {
		r, err := Shard{input: in, first: in.text, end: in.size, options: o, begins: true, counted: new(counted)}.open(ctx)
		if err == nil {
			err = g.readInput(r.from.(*recordReader), i, into)
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return &inputError{err}
		}
	}
	return nil
}

func (g *sessions) readInput(rr *recordReader, i int, into *extsort.Sorter) error {
	var packed []byte
	for {
		rec, err := rr.take()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return named(rr.name, err)
		}
		if len(rec.tokens) > 0 {
			g.filled[i] = true
		}
		if !g.has(rec.key) {
			continue
		}
		packed = appendPacked(packed[:0], rec.tokens)
		if err := into.Add(rec.key, packed); err != nil {
			return err
		}
	}
}

// has reports whether a key belongs to the part.
func (g *sessions) has(key []byte) bool {
	if g.part == nil || g.part.n == 1 {
		return true
	}
	h := fnv.New64a()
	h.Write(key)
	n := h.Sum64() + 0x9e3779b97f4a7c15 // mixed as in splitmix64 (Steele, Lea and Flood 2014)
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return int((n^n>>31)%uint64(g.part.n)) == g.part.i
}

// An inputError contains the name of its input.
type inputError struct{ error }

func (e *inputError) Unwrap() error { return e.error }
