package corpus

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
)

// A record is the text of a row of a table or of a line of JSON.
type record struct {
	text   []byte   // valid until the next record is read
	tokens []string // used in place of text if isList; valid until the next record is read
	isList bool
	key    []byte // of GroupBy; valid until the next record is read
}

type records interface {
	next() (record, error)
	// line returns the line, from 1, on which the record that next returned last begins.
	line() uint64
}

// maxRecord is the maximum size of a line or row in bytes: a file may be in another format.
const maxRecord = 64 << 20

type placeError struct {
	line uint64 // from 1
	at   int64  // offset in the decompressed text, from 0; onlyLine or onlyRow
	what string
}

// Places that have no offset.
const (
	onlyLine = -1
	onlyRow  = -2 // of a Parquet table, and no line
)

func (e *placeError) Error() string {
	switch {
	case e.at == onlyRow:
		return fmt.Sprintf("row %d: %s", e.line, e.what)
	case e.at < 0:
		return fmt.Sprintf("line %d: %s", e.line, e.what)
	}
	return fmt.Sprintf("line %d (byte %d): %s", e.line, e.at, e.what)
}

type origin struct {
	bytes int64
	lines func() (uint64, error) // number of lines before the shard
}

// A recordReader turns records into parts: text with a record per line, or sentences of tokens.
type recordReader struct {
	ctx     context.Context
	name    string
	records records
	options Options
	origin  origin
	kept    *beginning // keeps text for a Sample
	size    int        // size of buffers
	// unpacked says that the input is compressed.
	unpacked bool
	striped  *stripe // source of the records if they are pieces of the input; else nil

	held    *record // record that begins the next part
	part    *Reader // part that is being read; nil between parts
	parts   int     // number of parts that have begun
	text    []byte  // of a record, with a newline
	pending []byte  // unread rest of it
	lines   lineMap
	err     error // error of the records, after which nothing is read
}

func newRecordReader(ctx context.Context, size int, in input, src io.Reader, begins bool, from origin, options Options) *recordReader {
	rr := &recordReader{ctx: ctx, name: in.name, options: options, origin: from, kept: in.beginning, size: size}
	switch {
	case options.JSONField != "":
		rr.records = newJSONLines(size, src, options)
	case in.separator == '\t' || options.TextColumn == "":
		rr.records = newTabbed(size, src, options, in.column, options.Header && begins)
	default:
		rr.records = newCSV(size, src, in.separator, options, in.column, options.Header && begins)
		if in.stripe != nil {
			rr.records = &dealtRows{records: rr.records, every: *in.stripe, number: in.number % in.stripe.n}
		}
	}
	return rr
}

// read is Reader.Next for a shard of records.
func (rr *recordReader) read(r *Reader) ([]byte, error) {
	for {
		if rr.part == nil {
			if err := rr.begin(); err != nil {
				r.counted.lines = rr.records.line()
				return nil, err
			}
		}
		token, err := rr.part.Next()
		if err == nil {
			return token, nil
		}
		of := rr.part.counted
		r.counted.some = r.counted.some || of.some
		r.counted.tooLong.Add(of.tooLong)
		of.tooLong = TooLong{}
		if !errors.Is(err, io.EOF) {
			return nil, err
		}
		rr.part = nil
	}
}

func (rr *recordReader) begin() error {
	rec, err := rr.take()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return io.EOF
		}
		return named(rr.name, err)
	}
	rr.held = &rec
	if rec.isList {
		lists := newTokenReader(rr.options, rr.kept)
		lists.next = rr.list
		rr.part = &Reader{name: rr.name, from: lists, counted: new(counted), lineOf: func(uint64) uint64 { return rr.line() }}
		return nil
	}
	size := rr.size
	if rr.parts++; rr.parts > 1 {
		size = min(size, 1<<14) // a part may be as small as one record
	}
	rr.lines = lineMap{}
	rr.part = newReader(rr.ctx, size, rr.name, rr.kept.of(rr), rr.options)
	rr.part.lineOf = rr.lines.of
	return nil
}

// take returns the held record, or the next one. Errors contain the position in the input.
func (rr *recordReader) take() (record, error) {
	if rec := rr.held; rec != nil {
		rr.held = nil
		return *rec, nil
	}
	if rr.err != nil {
		return record{}, rr.err
	}
	rec, err := rr.records.next()
	rec = rr.options.listed(rec)
	place, ok := errors.AsType[*placeError](err)
	if ok {
		before, countErr := rr.origin.lines()
		if countErr != nil {
			err = errors.Join(err, countErr)
		}
		place.line = rr.lineOf(place.line) + before
		if place.at >= 0 {
			place.at += rr.origin.bytes
		}
		if rr.striped != nil {
			place.at = onlyLine
		}
	}
	if !ok && rr.unpacked && err != nil && !errors.Is(err, io.EOF) {
		err = inLine(rr.lineOf(rr.records.line()+1), err)
	}
	rr.err = err
	return rec, err
}

func (rr *recordReader) line() uint64 { return rr.lineOf(rr.records.line()) }

func (rr *recordReader) lineOf(line uint64) uint64 {
	if rr.striped != nil {
		return rr.striped.of(line)
	}
	return line
}

// list returns the tokens of the next record, or io.EOF if the record is text or there is none.
func (rr *recordReader) list() ([]string, error) {
	rec, err := rr.take()
	if err != nil {
		return nil, err
	}
	if !rec.isList {
		rr.held = &rec
		return nil, io.EOF
	}
	return rec.tokens, nil
}

// Read reads the text of records, one per line, until a record is a list.
func (rr *recordReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(rr.pending) == 0 {
			rec, err := rr.take()
			if err == nil && rec.isList {
				rr.held, err = &rec, io.EOF
			}
			switch {
			case err != nil && n > 0:
				return n, nil // the next call returns the error
			case err != nil:
				return 0, err
			}
			rr.text = append(append(rr.text[:0], rec.text...), '\n')
			rr.pending = rr.text
			rr.lines.add(rr.line(), bytes.Count(rec.text, []byte("\n"))+1)
		}
		k := copy(p[n:], rr.pending)
		rr.pending, n = rr.pending[k:], n+k
	}
	return n, nil
}

// textOf returns the text of a line. column is that of a table.
func (o Options) textOf(line string, column int) (string, bool) {
	var of records
	if size, src := bufferFor(int64(len(line))), strings.NewReader(line); o.JSONField != "" {
		of = newJSONLines(size, src, o)
	} else {
		of = newTabbed(size, src, o, column, false)
	}
	rec, err := of.next()
	rec = o.listed(rec)
	switch {
	case err != nil:
		return "", false
	case rec.isList:
		return strings.Join(rec.tokens, " "), true
	}
	return string(rec.text), true
}

type lineReader struct {
	src  *bufio.Reader
	n    uint64 // number of lines read
	at   int64  // offset of the last line
	end  int64  // end of the last line
	long []byte // the last line, if it did not fit into the buffer of src
}

func newLineReader(size int, src io.Reader) *lineReader {
	return &lineReader{src: bufio.NewReaderSize(src, size)}
}

// next returns the next line that is not blank, without its newline.
func (l *lineReader) next() ([]byte, error) {
	for {
		line, err := l.read()
		if err != nil {
			return nil, err
		}
		text := bytes.TrimLeft(line, byteOrderMark) // joined files may contain byte order marks
		l.at += int64(len(line) - len(text))
		if len(bytes.Trim(text, " \t\r\v\f")) > 0 {
			return text, nil
		}
	}
}

func (l *lineReader) read() ([]byte, error) {
	l.at = l.end
	l.long = l.long[:0]
	for {
		part, err := l.src.ReadSlice('\n')
		l.end += int64(len(part))
		whole := err == nil || errors.Is(err, io.EOF) && len(l.long)+len(part) > 0
		switch {
		case len(l.long)+len(part) > maxRecord:
			return nil, &placeError{l.n + 1, l.at, fmt.Sprintf("the line has more than %d MB, and no text is read from so long a line", maxRecord>>20)}
		case !whole && !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
		if whole && len(l.long) == 0 {
			l.n++
			return bytes.TrimSuffix(part, []byte("\n")), nil
		}
		l.long = append(l.long, part...)
		if whole {
			l.n++
			return bytes.TrimSuffix(l.long, []byte("\n")), nil
		}
	}
}

func (l *lineReader) fail(at int, format string, args ...any) error {
	return &placeError{l.n, l.at + int64(at), fmt.Sprintf(format, args...)}
}

// A lineMap maps lines of a text to lines of its file.
type lineMap struct {
	text  uint64 // number of lines of text so far
	moved []movedLine
}

// From a movedLine on, the difference between text and file lines is another one.
type movedLine struct{ text, file uint64 }

// keptLines is how many differences are kept. Readers never lag behind by so many lines.
const keptLines = 1 << 20

// add adds lines of text that come from a record on a line of the file.
func (m *lineMap) add(file uint64, lines int) {
	next := movedLine{m.text + 1, file}
	if n := len(m.moved); n == 0 || m.moved[n-1].file-m.moved[n-1].text != next.file-next.text {
		if n >= 2*keptLines {
			m.moved = slices.Delete(m.moved, 0, keptLines)
		}
		m.moved = append(m.moved, next)
	}
	m.text += uint64(lines)
}

func (m *lineMap) of(text uint64) uint64 {
	i := sort.Search(len(m.moved), func(i int) bool { return m.moved[i].text > text })
	if i == 0 {
		return text
	}
	return m.moved[i-1].file + text - m.moved[i-1].text
}
