package corpus

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/wordbreak"
)

// A Reader reads the tokens of a shard. The separators are those of fastText: space, \n, \r, \t, \v, \f and
// \0. A newline ends a sentence. All other bytes belong to tokens, whether they are valid UTF-8 or not.
type Reader struct {
	name    string
	src     io.Reader
	closers []io.Closer
	buf     []byte // with blockSize unused bytes at the end, so that a whole block can be read anywhere
	pos     int    // next unread byte of buf
	end     int    // end of the valid bytes in buf
	eof     bool
	// inside says that the shard begins within a line. Otherwise shards begin with lines.
	inside bool

	lines   uint64 // newlines that were read
	dropped uint64 // bytes of the token at pos that were dropped from buf
	head    string // the first bytes of that token, if some were dropped
	counted *counted

	// from has the tokens of a shard that is not read from buf: of sentences, of records, or with a stage.
	from interface {
		read(r *Reader) ([]byte, error)
	}

	// lineOf returns the input's line of a line of the text. Nil means that these are the same.
	lineOf func(line uint64) uint64
	// unpacked says that the text comes from a compressed input. Then positions are known only by line.
	unpacked bool

	// The reader searches for separators in one block of buf at a time.
	block int    // where the current block begins
	next  int    // where the next block begins
	low   uint64 // a bit for every byte of the block that may be a separator and was not examined yet
}

// bufferSize is the number of bytes that a reader takes from its source at a time.
const bufferSize = 1 << 18

// blockSize is the number of bytes in a block: one for each bit of a uint64.
const blockSize = 64

// bufferFor returns a small buffer size for a small text: a corpus may be 100,000 tiny files.
func bufferFor(length int64) int {
	if length < 0 || length >= bufferSize {
		return bufferSize
	}
	return int(length) + utf8.UTFMax
}

func newReader(ctx context.Context, size int, name string, src io.Reader, options Options, closers ...io.Closer) *Reader {
	src = options.text(src, size)
	if options.File != nil {
		return newFileReader(ctx, size, name, src, options, closers...)
	}
	return &Reader{name: name, src: src, closers: closers, buf: make([]byte, size+blockSize), counted: new(counted)}
}

// separators has a bit set for every byte that ends a token.
const separators uint64 = 1<<' ' | 1<<'\n' | 1<<'\r' | 1<<'\t' | 1<<'\v' | 1<<'\f' | 1<<0

// Next returns the next token, which stays valid until the next call. An empty token marks the end of a
// sentence. io.EOF marks the end of the shard and of its last sentence. Other errors name the input.
func (r *Reader) Next() ([]byte, error) {
	for {
		for r.low != 0 {
			at, start := r.block+bits.TrailingZeros64(r.low), r.pos
			switch c := r.buf[at]; {
			case c == ' ': // most separators
			case separators>>c&1 == 0:
				r.low &= r.low - 1
				continue
			case c == '\n' && at > start:
				r.pos = at // the next call reads the newline
				if at-start > MaxToken {
					r.leaveOutOf(start, at)
					continue
				}
				if token := r.unmarked(start, at); len(token) > 0 {
					return token, nil
				}
				continue
			case c == '\n':
				r.low &= r.low - 1
				r.pos = at + 1
				r.lines++
				return nil, nil
			}
			r.low &= r.low - 1
			r.pos = at + 1
			if at > start {
				if at-start > MaxToken {
					r.leaveOutOf(start, at)
					continue
				}
				if token := r.unmarked(start, at); len(token) > 0 {
					return token, nil
				}
			}
		}
		if r.next == r.end {
			if r.from != nil {
				return r.from.read(r)
			}
			if err := r.fill(); err != nil {
				return nil, err
			}
		}
		n := min(blockSize, r.end-r.next)
		r.block, r.next = r.next, r.next+n
		r.low = lowBytes((*[blockSize]byte)(r.buf[r.block:])) & (1<<n - 1)
	}
}

// unmarked returns a token without byte order marks, which lines of joined files begin with.
func (r *Reader) unmarked(start, at int) []byte {
	token := r.buf[start:at]
	if token[0] == byteOrderMark[0] && (start > 0 && r.buf[start-1] == '\n' || start == 0 && !r.inside) {
		return bytes.TrimLeft(token, byteOrderMark)
	}
	return token
}

// lowBytes has a bit set for every byte of a block up to the space, the largest separator.
func lowBytes(block *[blockSize]byte) uint64 {
	const each = 0x0101010101010101 // 1 in every byte
	var low uint64
	for i := 0; i < blockSize; i += 8 {
		x := binary.LittleEndian.Uint64(block[i:])
		// If a byte is above the space, its highest bit is set in x or in the sum. The sum has no carry into
		// the next byte.
		high := (x | (x&(0x7f*each) + (0x7f-' ')*each)) & (0x80 * each)
		// The product collects these bits of the 8 bytes in its highest byte.
		low |= (high ^ 0x80*each) >> 7 * 0x0102040810204080 >> 56 << i
	}
	return low
}

// fill moves the unfinished token to the front of buf and reads more bytes after it.
func (r *Reader) fill() error {
	if r.eof {
		r.counted.lines = r.lines
		return io.EOF
	}
	r.shorten()
	if r.pos > 0 {
		r.inside = r.buf[r.pos-1] != '\n'
	}
	r.end = copy(r.buf, r.buf[r.pos:r.end])
	r.pos, r.next = 0, r.end
	if r.end == len(r.buf)-blockSize {
		r.buf = append(r.buf, make([]byte, r.end)...)
	}
	for {
		n, err := r.src.Read(r.buf[r.end : len(r.buf)-blockSize])
		if !r.counted.some {
			r.counted.some = bytes.ContainsFunc(r.buf[r.end:r.end+n], func(c rune) bool { return c > ' ' })
		}
		r.end += n
		switch {
		case errors.Is(err, io.EOF):
			r.eof = true
			r.buf[r.end] = ' ' // ends the last token
			r.end++
			return nil
		case err != nil:
			if r.unpacked {
				ahead := bytes.Count(r.buf[r.pos:r.end], []byte("\n"))
				err = inLine(r.lineAt(r.lines+uint64(ahead)+1), err)
			}
			return named(r.name, err)
		case n > 0:
			return nil
		}
	}
}

func (r *Reader) lineAt(line uint64) uint64 {
	if r.lineOf != nil {
		return r.lineOf(line)
	}
	return line
}

func inLine(line uint64, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("line %d: %w", line, err)
}

// Close closes the reader's input.
func (r *Reader) Close() error { return closeAll(r.closers) }

// MaxToken is the maximum length of a token in bytes, after lower-casing. It is also the limit for words of
// vocabularies and models (vectors.MaxWord), so that every trained model can be written and read.
const MaxToken = wordbreak.MaxBytes

// TooLong describes the tokens that were left out of a corpus because they have more than
// MaxToken bytes. The sentence goes on after such a token.
type TooLong struct {
	Tokens  uint64 // number of tokens that were left out
	Longest uint64 // length in bytes of the longest of these tokens
	Name    string // file or stream of the first of these tokens
	Line    uint64 // line of that token, from 1; 0 if lines were cut into sentences
	Begins  string // beginning of that token
}

// Add adds the tokens that were left out of a later part of the corpus.
func (t *TooLong) Add(other TooLong) {
	if t.Tokens == 0 {
		*t = other
		return
	}
	t.Tokens += other.Tokens
	t.Longest = max(t.Longest, other.Longest)
}

// String describes the tokens in one line.
func (t TooLong) String() string {
	tokens := "a token is"
	if t.Tokens != 1 {
		tokens = fmt.Sprintf("%d tokens are", t.Tokens)
	}
	where := ""
	if t.Name != "" {
		where = fmt.Sprintf("is in line %d of %s and ", t.Line, t.Name)
		if t.Line == 0 {
			where = fmt.Sprintf("is in %s and ", t.Name)
		}
	}
	return fmt.Sprintf("%s left out because of more than %d bytes: the longest has %d, the first %sbegins with %q",
		tokens, MaxToken, t.Longest, where, t.Begins)
}

// TooLongIn sums up the tokens that readers left out of shards. The shards must be all shards of a Source, in
// their order, and each must have been read to its end. For a part of a corpus, lines are counted from the
// beginning of the file.
func TooLongIn(shards []Shard) TooLong {
	var all TooLong
	var lines uint64 // lines of the input before the shard
	for i, s := range shards {
		if s.begins || i == 0 || shards[i-1].input.number != s.input.number {
			lines = 0
		}
		t := s.counted.tooLong
		if t.Tokens > 0 && all.Tokens == 0 {
			before, err := s.input.linesBefore()
			t.Name, t.Line = s.input.name, t.Line+lines+before
			if err != nil || s.options.Sentences == UnicodeSentences {
				t.Line = 0 // sentence breaks added newlines, so line numbers are unknown
			}
		}
		all.Add(t)
		lines += s.counted.lines
	}
	return all
}

func (in input) linesBefore() (uint64, error) {
	if !in.tail || in.sentences != nil {
		return in.skipped, nil
	}
	if in.table != nil {
		return uint64(in.table.row(in.text)), nil
	}
	return linesBefore(in.name, in.text)
}

type counted struct {
	some    bool    // the text has more than white space
	lines   uint64  // newlines; set when the shard has been read to its end
	tooLong TooLong // with Line counted from the beginning of the shard
}

// shownHead is how many of a token's first bytes are kept for messages.
const shownHead = 24

// shorten drops the middle of an unfinished token, of which more than MaxToken bytes stay.
func (r *Reader) shorten() {
	const kept = MaxToken + 1
	n := r.end - r.pos - kept
	if n <= 0 {
		return
	}
	if r.dropped == 0 {
		r.head = string(r.buf[r.pos : r.pos+shownHead])
	}
	r.dropped += uint64(n)
	r.pos += n
}

func (r *Reader) leaveOutOf(start, end int) {
	if r.dropped == 0 {
		r.head = string(r.buf[start : start+shownHead])
	}
	r.leaveOut(r.head, r.dropped+uint64(end-start))
	r.dropped, r.head = 0, ""
}

// leaveOut counts a token that is too long and begins with head.
func (r *Reader) leaveOut(head string, length uint64) {
	r.counted.tooLong.Add(TooLong{Tokens: 1, Longest: length, Line: r.lineAt(r.lines + 1), Begins: head})
}

// Empty describes inputs without any text in a corpus that has text.
type Empty struct {
	Inputs int    // number of inputs without text
	Of     int    // number of all inputs
	Name   string // first of these inputs
}

// String describes the inputs on one line.
func (e Empty) String() string {
	if e.Inputs == 1 {
		return fmt.Sprintf("%s has no text, unlike the others of %d inputs", e.Name, e.Of)
	}
	return fmt.Sprintf("%d of %d inputs have no text, the first is %s", e.Inputs, e.Of, e.Name)
}

// Filled reports, for each input of the corpus, whether its shards contain more than white space. The shards
// may be those of a part. They must be as for TooLongIn.
func (s *Source) Filled(shards []Shard) []bool {
	filled := make([]bool, len(s.inputs))
	for _, shard := range shards {
		if shard.sessions != nil {
			copy(filled, shard.sessions.filled)
		} else if shard.counted.some {
			filled[shard.input.number] = true
		}
	}
	return filled
}

// Empty returns the inputs without text, given the result of Filled. If the whole corpus has no text, it
// returns the zero value.
func (s *Source) Empty(filled []bool) Empty {
	all := Empty{Of: len(s.inputs)}
	for i, in := range s.inputs {
		if filled[i] {
			continue
		}
		if all.Inputs == 0 {
			all.Name = in.name
		}
		all.Inputs++
	}
	if all.Inputs == all.Of {
		return Empty{}
	}
	return all
}
