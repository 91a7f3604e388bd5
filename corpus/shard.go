package corpus

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
)

// A Shard is a part of a corpus that one worker reads. Shards end where sentences end.
type Shard struct {
	input      input
	first, end int64 // byte range of a plain file; unused for a stream
	options    Options
	begins     bool     // this is the first shard of its input
	counted    *counted // counts of the shard's reader
	stages     []func() Stage
	sessions   *sessions // used in place of input; else nil
}

const (
	minShard       = 1 << 16 // minimum number of bytes of a shard
	leastSentences = 1 << 10 // minimum number of sentences in memory
)

// Shards divides the corpus into parts for n workers, in the order of the corpus. It divides
// large plain files into byte ranges that end at newlines. A compressed file or a stream is one
// shard. Shards returns an error if a file cannot be read, or if the source was made with
// invalid arguments.
func (s *Source) Shards(n int) ([]Shard, error) {
	if err := cmp.Or(s.err, s.noText); err != nil {
		return nil, err
	}
	if s.numbered != nil {
		return nil, fmt.Errorf("%s: this corpus is numbers, and no text that has shards: vocab.Index reads it", s.Name())
	}
	var shards []Shard
	add := func(in input, first, end int64, begins bool) {
		shards = append(shards, Shard{input: in, first: first, end: end, options: s.options, begins: begins, counted: new(counted), stages: s.stages})
	}
	if s.options.GroupBy != "" && len(s.inputs) > 0 {
		add(input{name: s.Name(), size: -1}, 0, 0, true)
		shards[0].sessions = &sessions{s.inputs, s.part, make([]bool, len(s.inputs))}
		return shards, nil
	}
	var total int64
	for _, in := range s.inputs {
		total += max(in.size-in.text, 0)
	}
	share := max(total/int64(max(n, 1)), minShard)
	for i, in := range s.inputs {
		if s.part == nil {
			in.number = i
		}
		switch {
		case in.sentences != nil:
			all := in.sentences
			parts := max(1, min(n, len(all)/leastSentences))
			for i := range parts {
				in.sentences = all[i*len(all)/parts : (i+1)*len(all)/parts]
				add(in, 0, 0, i == 0 && !in.tail)
			}
		case in.size < 0:
			add(in, 0, 0, in.hasFirst())
		default:
			cuts := int((in.size - in.text + share - 1) / share)
			ends, err := newlineCuts(in, min(cuts, n))
			if err != nil {
				return nil, err
			}
			first := in.text
			for i, end := range ends {
				add(in, first, end, i == 0 && !in.tail)
				first = end
			}
		}
	}
	return shards, nil
}

// newlineCuts returns the ends of up to n parts of a file: behind newlines, or anywhere in a table, and the end of the file.
func newlineCuts(in input, n int) ([]int64, error) {
	var ends []int64
	if n > 1 && in.table != nil {
		for k := 1; k < n; k++ {
			ends = append(ends, in.text+(in.size-in.text)/int64(n)*int64(k))
		}
	} else if n > 1 {
		f, err := os.Open(in.name)
		if err != nil {
			return nil, named(in.name, err)
		}
		defer f.Close()
		last := in.text
		for k := 1; k < n; k++ {
			at := in.text + (in.size-in.text)/int64(n)*int64(k)
			if at < last {
				continue // the line is longer than a part
			}
			cut, err := behind(f, at, in.size, "\n")
			if err != nil {
				return nil, named(in.name, err)
			}
			if cut > last && cut < in.size {
				ends = append(ends, cut)
				last = cut
			}
		}
	}
	if in.size > 0 {
		ends = append(ends, in.size)
	}
	return ends, nil
}

// behind returns the position after the first of some characters at or after at, or size.
func behind(r io.ReaderAt, at, size int64, chars string) (int64, error) {
	buf := make([]byte, 1<<16)
	for at < size {
		n, err := r.ReadAt(buf[:min(int64(len(buf)), size-at)], at)
		if i := bytes.IndexAny(buf[:n], chars); i >= 0 {
			return at + int64(i) + 1, nil
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	return size, nil
}

// Open returns a reader of the shard's tokens. A stream can be opened only once, and its
// reader stops when ctx ends. Errors name the input.
func (s Shard) Open(ctx context.Context) (*Reader, error) {
	r, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	*s.counted = counted{}
	r.counted = s.counted
	return r.through(s.stages), nil
}

func (r *Reader) through(stages []func() Stage) *Reader {
	for _, stage := range stages {
		r = &Reader{name: r.name, from: &stagedReader{from: r, stage: stage()}, closers: []io.Closer{r}, counted: r.counted}
	}
	return r
}

// Tokens yields the tokens of the shard, as Reader.Next returns them: an empty token marks the end of a
// sentence. A token is valid until the next one. After an error, Tokens ends.
func (s Shard) Tokens(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func(token []byte, err error) bool) {
		r, err := s.Open(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer r.Close() // the reader was only read, so Close loses nothing
		for err == nil {
			var token []byte
			if token, err = r.Next(); errors.Is(err, io.EOF) || !yield(token, err) {
				return
			}
		}
	}
}

func (s Shard) open(ctx context.Context) (*Reader, error) {
	switch {
	case s.sessions != nil:
		return s.sessions.open(ctx, s.input.name, s.options), nil
	case s.input.sentences != nil || s.input.seq != nil:
		return s.openSentences(ctx), nil
	case s.input.table != nil:
		return s.openTable(ctx)
	}
	in, from := s.input, origin{s.first, func() (uint64, error) { return linesBefore(s.input.name, s.first) }}
	var text io.Reader
	var source io.Closer
	var own *stripe
	size, unpacked, rows := bufferSize, false, false
	if in.size >= 0 {
		file, err := in.openFile()
		if err != nil {
			return nil, named(in.name, err)
		}
		in.beginning = nil // a Sample reads the file itself, and shards are read concurrently
		text, source, size = in.section(file, s.first, s.end), file, bufferFor(s.end-s.first)
	} else {
		raw, err := in.openText(ctx)
		if err != nil {
			return nil, err
		}
		text, source, unpacked = raw, raw, raw.unpacked
		from = origin{int64(raw.mark), func() (uint64, error) { return 0, nil }}
		if raw.mark+len(raw.head) < headSize {
			size = bufferFor(int64(raw.mark + len(raw.head))) // head is the whole text
		}
		in.separator = columnSeparator(in.name, raw.head)
		if in.column, err = s.options.textColumn(in.separator, raw.head); err != nil {
			return nil, errors.Join(named(in.name, err), raw.Close())
		}
		rows = s.options.TextColumn != "" && in.separator != '\t' // CSV rows may contain newlines
		if in.stripe != nil && !rows {
			if !s.options.hasRecords() {
				text, in.beginning = in.beginning.of(text), nil
			}
			own = &stripe{src: text, every: *in.stripe, words: s.options.cutsWords(), next: in.number % in.stripe.n, buf: make([]byte, size)}
			text = own
		}
	}
	if !s.options.hasRecords() {
		r := newReader(ctx, size, in.name, in.beginning.of(text), s.options, source)
		if r.unpacked = unpacked; own != nil {
			r.lineOf = own.of
		}
		return r, nil
	}
	records := newRecordReader(ctx, size, in, text, s.begins || rows, from, s.options)
	records.unpacked, records.striped = unpacked, own
	return &Reader{name: in.name, from: records, closers: []io.Closer{source}, counted: new(counted)}, nil
}

func linesBefore(path string, at int64) (uint64, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var n uint64
	buf := make([]byte, 1<<16)
	for src := io.LimitReader(file, at); ; {
		k, err := src.Read(buf)
		n += uint64(bytes.Count(buf[:k], []byte("\n")))
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

// section reads a byte range of a file. A shorter file is an error.
type section struct {
	r       io.ReaderAt
	at, end int64
	ended   func() error // is called at the end and may return an error
}

func (s *section) Read(p []byte) (int, error) {
	if s.at >= s.end {
		if err := s.ended(); err != nil {
			return 0, err
		}
		return 0, io.EOF
	}
	n, err := s.r.ReadAt(p[:min(int64(len(p)), s.end-s.at)], s.at)
	s.at += int64(n)
	if errors.Is(err, io.EOF) {
		err = nil
		if n == 0 {
			err = shorter(s.at)
		}
	}
	return n, err
}

// beginText returns the text of a stream without its byte order mark, and its first bytes.
func beginText(in input, r io.Reader) (text io.Reader, head []byte, err error) {
	head = make([]byte, headSize)
	n, err := 0, error(nil)
	for n < headSize && err == nil && !(in.once && bytes.IndexByte(head[:n], '\n') >= 0) { // a program may wait for an answer to the first line
		var more int
		more, err = r.Read(head[n:])
		n += more
	}
	if n == headSize {
		err = nil // it comes again
	}
	head = head[:n]
	switch err { //nolint:errorlint // an end is io.EOF itself; other errors may wrap it
	case nil, io.EOF:
	default:
		if n == 0 {
			return nil, nil, named(in.name, err)
		}
		r = failed{err} // fail only after the text before, so that the position is known
	}
	if err := checkText(in, head); err != nil {
		return nil, nil, err
	}
	return io.MultiReader(bytes.NewReader(head[markSize(head):]), r), head, nil
}
