package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/scratch"
)

// lists reports whether every record is a list of tokens.
func (o Options) lists() bool { return o.Split != "" || o.GroupBy != "" }

// keyColumn returns the column number in groupBy, or 0 if groupBy is not a number.
func keyColumn(groupBy string) int {
	n, err := strconv.Atoi(groupBy)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

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

// longSession is the maximum number of tokens of a sentence that are held. Training cuts sentences into much
// shorter ones anyway.
const longSession = 1 << 16

// open returns a reader of the sessions by ascending key. The rows of a key keep their order. All rows are
// read before the first session.
func (g *sessions) open(ctx context.Context, name string, o Options) *Reader {
	rows := &sorter{limit: sessionMemory}
	from := &tokenReader{options: o, kept: g.inputs[0].beginning, stop: func() {}}
	var next func() (row, error)
	var ahead row
	from.next = func() (session []string, err error) {
		if next == nil {
			if err := g.read(ctx, o, rows); err != nil {
				return nil, err
			}
			if next, err = rows.sorted(); err == nil {
				ahead, err = next()
			}
			if err != nil {
				return nil, err
			}
		}
		if ahead.key == nil {
			return nil, io.EOF
		}
		key := bytes.Clone(ahead.key)
		for bytes.Equal(ahead.key, key) && len(session) < longSession {
			session = append(session, ahead.tokens()...)
			if ahead, err = next(); errors.Is(err, io.EOF) {
				ahead, err = row{}, nil
			} else if err != nil {
				return nil, err
			}
		}
		return session, ctx.Err()
	}
	return &Reader{name: name, tokens: from, closers: []io.Closer{rows}, lineOf: func(uint64) uint64 { return 0 }}
}

// read reads the rows of all inputs.
func (g *sessions) read(ctx context.Context, o Options, into *sorter) error {
	for i, in := range g.inputs {
		r, err := Shard{input: in, options: o, begins: true, counted: new(counted)}.open(ctx)
		if err == nil {
			err = g.readInput(r.records, i, into)
			err = errors.Join(err, r.Close())
		}
		if err != nil {
			return &inputError{err}
		}
	}
	return nil
}

func (g *sessions) readInput(rr *recordReader, i int, into *sorter) error {
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
		if err := into.add(rec.key, rec.tokens); err != nil {
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

// A row is a key and its tokens, each prefixed by its length.
type row struct{ key, rest []byte }

func (r row) tokens() (tokens []string) {
	for rest := r.rest; len(rest) > 0; {
		n, k := binary.Uvarint(rest)
		end := k + int(n)
		tokens = append(tokens, string(rest[k:end]))
		rest = rest[end:]
	}
	return tokens
}

// A sorter sorts rows by key. Rows with the same key keep their order. Rows that do not fit into memory are
// in a temporary file, as runs of sorted rows.
type sorter struct {
	limit int
	text  []byte // text of all rows in memory
	rows  []span
	file  *scratch.File
	at    int64
	runs  runs
}

// A span locates a row's key and its rest in a text.
type span struct{ begin, key, end int }

// add adds a row.
func (s *sorter) add(key []byte, tokens []string) error {
	begin := len(s.text)
	s.text = append(s.text, key...)
	middle := len(s.text)
	for _, token := range tokens {
		s.text = binary.AppendUvarint(s.text, uint64(len(token)))
		s.text = append(s.text, token...)
	}
	s.rows = append(s.rows, span{begin, middle, len(s.text)})
	const spanBytes = 24
	if len(s.text)+spanBytes*len(s.rows) < s.limit {
		return nil
	}
	return s.spill()
}

func (s *sorter) row(at span) row { return row{s.text[at.begin:at.key], s.text[at.key:at.end]} }

func (s *sorter) sort() {
	slices.SortStableFunc(s.rows, func(a, b span) int { return bytes.Compare(s.row(a).key, s.row(b).key) })
}

// spill writes the rows in memory to the file as a run.
func (s *sorter) spill() (err error) {
	if s.file == nil {
		if s.file, err = scratch.Create("", "w2v-sessions-"); err != nil {
			return &inputError{fmt.Errorf("a temporary file for sessions: %w", err)}
		}
	}
	s.sort()
	begin := s.at
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, begin), 1<<18)
	var sizes []byte
	for _, at := range s.rows {
		r := s.row(at)
		sizes = binary.AppendUvarint(binary.AppendUvarint(sizes[:0], uint64(len(r.key))), uint64(len(r.rest)))
		for _, part := range [][]byte{sizes, r.key, r.rest} {
			_, _ = out.Write(part) // Flush returns the error
			s.at += int64(len(part))
		}
	}
	if err := out.Flush(); err != nil {
		return &inputError{fmt.Errorf("%s: %w (temporary files of sessions take about as much as their tokens)", s.file.Folder, scratch.Cause(err))}
	}
	from := bufio.NewReaderSize(io.NewSectionReader(s.file, begin, s.at-begin), 1<<15)
	s.runs = append(s.runs, &run{from: from, number: len(s.runs)})
	s.text, s.rows = s.text[:0], s.rows[:0]
	return nil
}

// sorted returns an iterator of the sorted rows. A row is valid until the next call. The end is io.EOF.
func (s *sorter) sorted() (func() (row, error), error) {
	if s.file == nil {
		s.sort()
		return func() (row, error) {
			if len(s.rows) == 0 {
				return row{}, io.EOF
			}
			next := s.row(s.rows[0])
			s.rows = s.rows[1:]
			return next, nil
		}, nil
	}
	if err := s.spill(); err != nil {
		return nil, err
	}
	s.text, s.rows = nil, nil
	merged := s.runs[:0]
	for _, r := range s.runs {
		if more, err := r.next(); err != nil {
			return nil, err
		} else if more {
			merged = append(merged, r)
		}
	}
	heap.Init(&merged)
	begun := false
	return func() (row, error) {
		if begun { // the previous row is no longer needed
			more, err := merged[0].next()
			switch {
			case err != nil:
				return row{}, err
			case more:
				heap.Fix(&merged, 0)
			default:
				heap.Pop(&merged)
			}
		}
		if begun = len(merged) > 0; !begun {
			return row{}, io.EOF
		}
		return merged[0].row, nil
	}, nil
}

// Close removes the temporary file.
func (s *sorter) Close() error {
	s.text, s.rows = nil, nil
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

// A run is a sequence of sorted rows in the file, with its next row read.
type run struct {
	row
	from   *bufio.Reader
	number int
	buf    []byte
}

// next reads the next row, if there is one.
func (r *run) next() (more bool, err error) {
	key, err := binary.ReadUvarint(r.from)
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	rest, err2 := binary.ReadUvarint(r.from)
	if err = cmp.Or(err, err2); err == nil {
		r.buf = slices.Grow(r.buf[:0], int(key+rest))[:key+rest]
		_, err = io.ReadFull(r.from, r.buf)
	}
	if err != nil {
		return false, &inputError{fmt.Errorf("the temporary file of sessions cannot be read: %w", err)}
	}
	r.row = row{r.buf[:key], r.buf[key:]}
	return true, nil
}

// runs is a heap ordered by key, then by the order of runs.
type runs []*run

func (r runs) Len() int { return len(r) }
func (r runs) Less(i, j int) bool {
	c := bytes.Compare(r[i].key, r[j].key)
	return c < 0 || c == 0 && r[i].number < r[j].number
}
func (r runs) Swap(i, j int) { r[i], r[j] = r[j], r[i] }
func (r *runs) Push(any)     { panic("corpus: runs are not added") }
func (r *runs) Pop() any {
	last := len(*r) - 1
	popped := (*r)[last]
	*r = (*r)[:last]
	return popped
}
