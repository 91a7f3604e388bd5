package vocab

import (
	"fmt"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A MemoryError says that the distinct tokens of a corpus do not fit into memory.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // where Have comes from: "this machine's memory", or a lower limit's name
	Tokens     uint64 // distinct tokens so far, added up over the workers
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
	taken  atomic.Int64 // bytes taken by counting, and in use before it began
	tokens atomic.Int64 // distinct tokens
}

// newBudget returns the budget of so many workers, or nil if there is no limit. It returns a
// *MemoryError if there is not enough memory for the workers to begin.
func newBudget(workers int) (*budget, error) {
	have, limit := sysinfo.MemoryLimit()
	if have == 0 {
		return nil, nil
	}
	const buffers = 1 << 20 // bytes for a worker
	b := &budget{have: have, limit: limit}
	b.taken.Store(int64(sysinfo.MemoryInUse()))
	return b, b.take(workers * buffers)
}

// garbage says how much more memory than what is in use the process may take, for garbage that
// is not collected yet and for the system's own tables: one part in so many.
const garbage = 8

// large is the size of an allocation before which the system's limit is asked for again.
const large = 1 << 20

// take reserves bytes that are about to be allocated. It returns a *MemoryError if there is not
// so much memory.
func (b *budget) take(bytes int) error {
	if b == nil {
		return nil
	}
	have, limit := b.have, b.limit
	if bytes >= large { // limits of address space leave less memory when there are more threads
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

// counted adds a distinct token to those that a MemoryError reports.
func (b *budget) counted() {
	if b != nil {
		b.tokens.Add(1)
	}
}

// forgot takes back calls of counted, for tokens that are on disk now.
func (b *budget) forgot(tokens int) {
	if b != nil {
		b.tokens.Add(-int64(tokens))
	}
}
