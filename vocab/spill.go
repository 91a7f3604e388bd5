package vocab

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/extsort"
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

func appendRecord(b, token []byte, count uint64) []byte {
	b = append(binary.AppendUvarint(b, uint64(len(token))), token...)
	return binary.AppendUvarint(b, count)
}

var errRecord = errors.New("it is damaged")

func eachRecord(b []byte, use func(token []byte, count uint64) error) error {
	for len(b) > 0 {
		length, n := binary.Uvarint(b)
		if n <= 0 || length == 0 || length > corpus.MaxToken || uint64(len(b)-n) < length {
			return errRecord
		}
		token := b[n : n+int(length)]
		count, m := binary.Uvarint(b[n+int(length):])
		if m <= 0 || count == 0 {
			return errRecord
		}
		b = b[n+int(length)+m:]
		if err := use(token, count); err != nil {
			return err
		}
	}
	return nil
}

// spill writes the tokens of a table with their counts and ids as a run, and empties the table.
func (t *table) spill(to *extsort.Sorter) error {
	used := t.slots[:0]
	text := 0
	for i := range t.slots {
		if s := &t.slots[i]; s.count > 0 {
			text += s.length(t)
			used = append(used, *s) // never after its own slot
		}
	}
	const numbers = 8 // approximate size of the numbers in a record
	need, folder := uint64(text+numbers*len(used)), cmp.Or(to.Folder, os.TempDir())
	if free, ok := sysinfo.FreeDisk(filepath.Join(folder, to.Prefix)); ok && free < need {
		return to.Explain(folder, fmt.Errorf("the next %.1f MB of them do not fit, %.1f MB are free", float64(need)/1e6, float64(free)/1e6))
	}
	slices.SortFunc(used, t.compareTokens)
	err := to.Spill(func(yield func(token, numbers []byte) bool) {
		var short [longToken]byte
		var b []byte
		for i := range used {
			s := &used[i]
			b = binary.AppendUvarint(binary.AppendUvarint(b[:0], s.count), uint64(s.id))
			if !yield(t.token(s, &short), b) {
				return
			}
		}
	})
	clear(t.slots)
	t.budget.tokens.Add(-int64(len(used)))
	t.budget.give(arenaGrowth * (len(t.long.bytes) + endBytes*t.long.len()))
	t.tokens, t.full = 0, false
	t.long.bytes, t.long.ends = t.long.bytes[:0], t.long.ends[:0]
	return err
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

// A budget is the memory that counting may use. The zero value is unlimited.
type budget struct {
	have   uint64 // 0 for no limit
	limit  string
	taken  atomic.Int64 // bytes taken by counting, and bytes in use before
	tokens atomic.Int64 // distinct tokens in memory
}

func newBudget(workers int) (*budget, error) {
	const buffers = 1 << 20 // bytes per worker
	b := new(budget)
	b.have, b.limit = sysinfo.MemoryLimit()
	b.taken.Store(int64(sysinfo.MemoryInUse()))
	return b, b.take(workers * buffers)
}

// garbage divides the memory in use: such a part is reserved for garbage and the system's tables.
const garbage = 8

// large is the size of an allocation that makes the budget check the system's limit again.
const large = 1 << 20

// take reserves bytes that are about to be allocated. It returns a *MemoryError if they are not available.
func (b *budget) take(bytes int) error {
	need, have, limit := b.taken.Add(int64(bytes)), b.have, b.limit
	if have > 0 && bytes >= large { // with more threads, limits on address space leave less memory
		have, limit = sysinfo.MemoryLimit()
	}
	if need += need / garbage; have > 0 && need > 0 && uint64(need) > have {
		return &MemoryError{Need: uint64(need), Have: have, Limit: limit, Tokens: uint64(b.tokens.Load())}
	}
	return nil
}

func (b *budget) give(bytes int) { b.taken.Add(-int64(bytes)) }
