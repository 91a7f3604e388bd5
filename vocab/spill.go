package vocab

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A full table is written to disk as a run, sorted by the bytes of its tokens, and emptied. After the text
// has been read, all runs are merged. So counting takes bounded memory, and counts are exact.

// DefaultMemory returns the memory for counting if Options.Memory is 0: a quarter of what the process may
// have.
func DefaultMemory() uint64 {
	if have, _ := sysinfo.MemoryLimit(); have > 0 {
		return max(have/4, LeastMemory)
	}
	return 1 << 30
}

// LeastMemory is the smallest value of Options.Memory except 0.
const LeastMemory = 16 << 20

// errFull says that a table must be spilled before it takes another token.
var errFull = errors.New("the table is full")

// A SpillError says that counts that do not fit into memory cannot be written to disk.
type SpillError struct {
	Folder string
	Err    error
}

func (e *SpillError) Error() string {
	return fmt.Sprintf("%s: counts for which there is no memory cannot be kept in this folder: %v", e.Folder, e.Err)
}

// Unwrap returns the cause.
func (e *SpillError) Unwrap() error { return e.Err }

// A spillFile is a temporary file that is appended to and read at any offset.
type spillFile struct {
	file *scratch.File
	buf  []byte
	at   int64 // bytes written
}

const spillBuffer = 1 << 18

func newSpillFile(folder string) (*spillFile, error) {
	f, err := scratch.Create(folder, "w2v-counts-")
	if err != nil {
		return nil, &SpillError{cmp.Or(folder, os.TempDir()), err}
	}
	return &spillFile{file: f}, nil
}

// size is the number of bytes that have been appended.
func (s *spillFile) size() int64 { return s.at + int64(len(s.buf)) }

// full reports whether buf should be flushed. Callers append to buf.
func (s *spillFile) full() bool { return len(s.buf) >= spillBuffer }

func (s *spillFile) flush() error {
	n, err := s.file.Write(s.buf)
	s.at += int64(n)
	s.buf = s.buf[:0]
	if err != nil {
		return &SpillError{s.file.Folder, scratch.Cause(err)}
	}
	return nil
}

func (s *spillFile) read(p []byte, at int64) (int, error) {
	n, err := s.file.ReadAt(p, at)
	if n == len(p) {
		return n, nil
	}
	return n, &SpillError{s.file.Folder, scratch.Cause(err)}
}

// close removes the file. A nil file is closed already.
func (s *spillFile) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// A sortedRun is sorted tokens with their counts, on disk.
type sortedRun struct {
	from       *spillFile
	first, end int64
	tokens     int
	ids        bool // each token also has its id in the table
}

// appendRecord appends a token to a run. A negative id is left out.
func appendRecord(b, token []byte, count uint64, id int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(token)))
	b = append(b, token...)
	b = binary.AppendUvarint(b, count)
	if id >= 0 {
		b = binary.AppendUvarint(b, uint64(id))
	}
	return b
}

// spill writes the tokens of a table to a file as a run and empties the table.
func (t *table) spill(to *spillFile, ids bool) (sortedRun, error) {
	used := t.slots[:0]
	text := 0
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			text += s.length(t)
			used = append(used, *s) // never after its own slot
		}
	}
	const numbers = 8 // approximate size of the numbers in a record
	if free, ok := sysinfo.FreeDisk(to.file.Name()); ok && free < uint64(text+numbers*len(used)) {
		return sortedRun{}, &SpillError{to.file.Folder, fmt.Errorf("the next %.1f MB of them do not fit, %.1f MB are free", float64(text+numbers*len(used))/1e6, float64(free)/1e6)}
	}
	slices.SortFunc(used, t.compareTokens)
	r := sortedRun{from: to, first: to.size(), tokens: len(used), ids: ids}
	var short [longToken]byte
	for i := range used {
		s := &used[i]
		id := int64(-1)
		if ids {
			id = int64(s.id)
		}
		to.buf = appendRecord(to.buf, t.token(s, &short), s.count, id)
		if to.full() {
			if err := to.flush(); err != nil {
				return r, err
			}
		}
	}
	if err := to.flush(); err != nil {
		return r, err
	}
	r.end = to.size()
	clear(t.slots)
	t.budget.forgot(len(used))
	t.budget.give(arenaGrowth * (len(t.long.bytes) + endBytes*t.long.len()))
	t.tokens, t.full = 0, false
	t.long.bytes, t.long.ends = t.long.bytes[:0], t.long.ends[:0]
	return r, nil
}

// compareTokens orders slots by the bytes of their tokens.
func (t *table) compareTokens(a, b slot) int {
	if a.head != b.head {
		return cmp.Compare(bits.ReverseBytes64(a.head), bits.ReverseBytes64(b.head))
	}
	var shortA, shortB [longToken]byte
	return bytes.Compare(t.token(&a, &shortA), t.token(&b, &shortB))
}

// A cursor reads a run.
type cursor struct {
	run    *sortedRun
	number int // number of the run
	at     int64
	buf    []byte
	pos    int
	prefix uint64 // first 8 bytes of the token as a number, for fast comparison
	token  []byte // valid until next
	count  uint64
	id     uint64
}

// next reads the next record, and reports whether there was one.
func (c *cursor) next() (bool, error) {
	for {
		if c.decode() {
			return true, nil
		}
		left := c.run.end - c.at
		if left == 0 {
			if c.pos < len(c.buf) {
				return false, &SpillError{c.run.from.file.Folder, errors.New("a temporary file has been changed")}
			}
			return false, nil
		}
		rest := copy(c.buf, c.buf[c.pos:])
		if c.pos == 0 && rest == cap(c.buf) { // a token longer than the buffer
			c.buf = slices.Grow(c.buf, cap(c.buf))
		}
		n := int(min(left, int64(cap(c.buf)-rest)))
		c.buf, c.pos = c.buf[:rest+n], 0
		if _, err := c.run.from.read(c.buf[rest:], c.at); err != nil {
			return false, err
		}
		c.at += int64(n)
	}
}

// decode decodes a record, if it is complete in the buffer.
func (c *cursor) decode() bool {
	b := c.buf[c.pos:]
	length, n := binary.Uvarint(b)
	if n <= 0 || uint64(len(b)-n) < length {
		return false
	}
	end := n + int(length)
	token := b[n:end]
	count, m := binary.Uvarint(b[end:])
	if m <= 0 {
		return false
	}
	end += m
	if c.run.ids {
		id, m := binary.Uvarint(b[end:])
		if m <= 0 {
			return false
		}
		c.id = id
		end += m
	}
	c.token, c.count = token, count
	c.pos += end
	if len(token) >= 8 {
		c.prefix = binary.BigEndian.Uint64(token)
	} else {
		c.prefix = 0
		for i, x := range token {
			c.prefix |= uint64(x) << (56 - 8*i)
		}
	}
	return true
}

// A MemoryError says that the distinct tokens of a corpus do not fit into memory.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // source of Have: "this machine's memory", or the name of a lower limit
	Tokens     uint64 // distinct tokens so far, summed over workers
}

func (e *MemoryError) Error() string {
	if e.Tokens == 0 {
		return fmt.Sprintf("reading the corpus needs about %.1f MB of memory, and %s is %.1f MB", float64(e.Need)/1e6, e.Limit, float64(e.Have)/1e6)
	}
	return fmt.Sprintf("counting needs about %.1f MB of memory for %d distinct tokens so far, those of each worker, and %s is %.1f MB",
		float64(e.Need)/1e6, e.Tokens, e.Limit, float64(e.Have)/1e6)
}

// A budget is the memory that counting may use. A nil budget is unlimited.
type budget struct {
	have   uint64
	limit  string
	taken  atomic.Int64 // bytes taken by counting, and bytes in use before
	tokens atomic.Int64 // distinct tokens
}

// newBudget returns the budget for so many workers, or nil if there is no limit. It returns a *MemoryError if
// there is not enough memory for the workers to start.
func newBudget(workers int) (*budget, error) {
	have, limit := sysinfo.MemoryLimit()
	if have == 0 {
		return nil, nil
	}
	const buffers = 1 << 20 // bytes per worker
	b := &budget{have: have, limit: limit}
	b.taken.Store(int64(sysinfo.MemoryInUse()))
	return b, b.take(workers * buffers)
}

// garbage is the reserve for uncollected garbage and the system's tables: one part in garbage of the memory
// in use.
const garbage = 8

// large is the size of an allocation that makes the budget check the system's limit again.
const large = 1 << 20

// take reserves bytes that are about to be allocated. It returns a *MemoryError if they are not available.
func (b *budget) take(bytes int) error {
	if b == nil {
		return nil
	}
	have, limit := b.have, b.limit
	if bytes >= large { // with more threads, limits on address space leave less memory
		have, limit = sysinfo.MemoryLimit()
	}
	need := b.taken.Add(int64(bytes))
	if need += need / garbage; need > 0 && uint64(need) > have {
		return &MemoryError{Need: uint64(need), Have: have, Limit: limit, Tokens: uint64(b.tokens.Load())}
	}
	return nil
}

// give returns bytes to the budget.
func (b *budget) give(bytes int) {
	if b != nil {
		b.taken.Add(-int64(bytes))
	}
}

// counted adds a distinct token to the number that a MemoryError reports.
func (b *budget) counted() {
	if b != nil {
		b.tokens.Add(1)
	}
}

// forgot subtracts tokens from that number, because they are on disk now.
func (b *budget) forgot(tokens int) {
	if b != nil {
		b.tokens.Add(-int64(tokens))
	}
}
