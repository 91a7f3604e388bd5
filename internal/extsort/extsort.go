// Package extsort sorts records that may not fit into memory. Records that do not fit go to a temporary
// file as runs, each sorted by key, and all runs are merged at the end.
package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/w2v-go/w2v/internal/scratch"
)

// A Sorter sorts records by the bytes of their keys. Records with the same key keep their order.
type Sorter struct {
	Folder  string                               // folder of the temporary file; empty means the system's
	Prefix  string                               // of the name of the temporary file
	Limit   int                                  // how many bytes Add holds in memory
	Explain func(folder string, err error) error // returns the error of a temporary file that cannot be used

	file    *scratch.File // nil if all records are in memory
	at      int64         // end of the file
	runs    []Run
	text    []byte // keys and values of the records in memory
	records []span
}

type span struct{ begin, key, end int }

// A Run is sorted records, in a file or in memory.
type Run struct {
	from       *Sorter
	begin, end int64  // in the file
	records    []span // in memory
	Len        int    // number of records
}

// Add adds a record.
func (s *Sorter) Add(key, value []byte) error {
	begin := len(s.text)
	s.text = append(append(s.text, key...), value...)
	s.records = append(s.records, span{begin, begin + len(key), len(s.text)})
	const spanBytes = 24
	if len(s.text)+spanBytes*len(s.records) < s.Limit {
		return nil
	}
	s.sort()
	err := s.Spill(func(yield func(key, value []byte) bool) {
		for _, r := range s.records {
			if !yield(s.text[r.begin:r.key], s.text[r.key:r.end]) {
				return
			}
		}
	})
	s.text, s.records = s.text[:0], s.records[:0]
	return err
}

func (s *Sorter) sort() {
	key := func(r span) []byte { return s.text[r.begin:r.key] }
	slices.SortStableFunc(s.records, func(a, b span) int { return bytes.Compare(key(a), key(b)) })
}

// Spill writes records to the file as a run. They must be sorted already.
func (s *Sorter) Spill(sorted iter.Seq2[[]byte, []byte]) (err error) {
	if s.file == nil {
		if s.file, err = scratch.Create(s.Folder, s.Prefix); err != nil {
			return s.Explain(cmp.Or(s.Folder, os.TempDir()), err)
		}
	}
	run := Run{from: s, begin: s.at}
	out := bufio.NewWriterSize(io.NewOffsetWriter(s.file, s.at), 1<<18)
	var sizes []byte
	for key, value := range sorted {
		sizes = binary.AppendUvarint(binary.AppendUvarint(sizes[:0], uint64(len(key))), uint64(len(value)))
		for _, part := range [][]byte{sizes, key, value} {
			_, _ = out.Write(part) // Flush returns the error
			s.at += int64(len(part))
		}
		run.Len++
	}
	if err := out.Flush(); err != nil {
		return s.failed(err)
	}
	run.end = s.at
	s.runs = append(s.runs, run)
	return nil
}

func (s *Sorter) failed(err error) error { return s.Explain(s.file.Folder, scratch.Cause(err)) }

// Runs returns the runs in the order of their records. Records that are still in memory are the last run.
func (s *Sorter) Runs() []Run {
	if len(s.records) == 0 {
		return s.runs
	}
	s.sort()
	return append(slices.Clip(s.runs), Run{from: s, records: s.records, Len: len(s.records)})
}

// Close removes the temporary file and forgets all records.
func (s *Sorter) Close() error {
	file := s.file
	s.file, s.runs, s.text, s.records = nil, nil, nil, nil
	if file == nil {
		return nil
	}
	return file.Close()
}

// A Record is a record of a merge.
type Record struct {
	Key, Value []byte
	Run        int // index of its run

	prefix uint64 // first 8 bytes of Key as a number, for quick comparison
}

var errChanged = errors.New("a temporary file has been changed")

// A Merge reads the records of several runs in their order: by key, and with the same key by run.
type Merge struct {
	heap  []*cursor // the first record on top
	begun bool      // the record on top was returned
}

// NewMerge returns a merge of runs. Its buffers take about so many bytes of memory in all.
func NewMerge(runs []Run, memory uint64) (*Merge, error) {
	const least, most = 4 << 10, 256 << 10 // larger buffers do not read faster
	size := int(min(max(memory/uint64(max(len(runs), 1)), least), most))
	m := &Merge{}
	for i, r := range runs {
		c := &cursor{run: r, Record: Record{Run: i}}
		if r.records == nil {
			c.in = bufio.NewReaderSize(io.NewSectionReader(r.from.file, r.begin, r.end-r.begin), size)
		}
		if err := c.next(); err == nil {
			m.heap = append(m.heap, c)
		} else if !errors.Is(err, io.EOF) {
			return nil, err
		}
	}
	for i := len(m.heap)/2 - 1; i >= 0; i-- {
		m.down(i)
	}
	return m, nil
}

// Next returns the next record, which is valid until the next call. At the end, the error is io.EOF.
func (m *Merge) Next() (*Record, error) {
	if m.begun {
		err := m.heap[0].next()
		if errors.Is(err, io.EOF) {
			last := len(m.heap) - 1
			m.heap[0], m.heap = m.heap[last], m.heap[:last]
		} else if err != nil {
			return nil, err
		}
		m.down(0)
	}
	if m.begun = len(m.heap) > 0; !m.begun {
		return nil, io.EOF
	}
	return &m.heap[0].Record, nil
}

func (m *Merge) down(i int) {
	for {
		child := 2*i + 1
		if child+1 < len(m.heap) && m.heap[child+1].before(m.heap[child]) {
			child++
		}
		if child >= len(m.heap) || !m.heap[child].before(m.heap[i]) {
			return
		}
		m.heap[i], m.heap[child] = m.heap[child], m.heap[i]
		i = child
	}
}

type cursor struct {
	Record
	run Run
	in  *bufio.Reader // nil if the run is in memory
	buf []byte        // holds the record
}

func (c *cursor) before(other *cursor) bool {
	if c.prefix != other.prefix {
		return c.prefix < other.prefix
	}
	order := bytes.Compare(c.Key, other.Key)
	return order < 0 || order == 0 && c.Run < other.Run
}

// next reads the next record. The error at the end of the run is io.EOF itself.
func (c *cursor) next() error {
	if c.run.Len == 0 {
		return io.EOF
	}
	c.run.Len--
	if c.in == nil {
		r, text := c.run.records[0], c.run.from.text
		c.run.records = c.run.records[1:]
		c.Key, c.Value = text[r.begin:r.key], text[r.key:r.end]
	} else {
		key, err := binary.ReadUvarint(c.in)
		value, err2 := binary.ReadUvarint(c.in)
		most := uint64(c.run.end - c.run.begin)
		switch err = cmp.Or(err, err2); {
		case err == nil && (key > most || value > most):
			err = errChanged
		case err == nil:
			c.buf = slices.Grow(c.buf[:0], int(key+value))[:key+value]
			_, err = io.ReadFull(c.in, c.buf)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errChanged // io.EOF would be the end of the run
		}
		if err != nil {
			return c.run.from.failed(err)
		}
		c.Key, c.Value = c.buf[:key], c.buf[key:]
	}
	var first [8]byte
	copy(first[:], c.Key)
	c.prefix = binary.BigEndian.Uint64(first[:])
	return nil
}
