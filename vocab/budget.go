package vocab

import (
	"fmt"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/memory"
)

// A MemoryError says that the distinct tokens of a corpus need more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // what Have is: "this machine's memory", or what allows the process less
	Tokens     uint64 // distinct ones so far, those of each worker
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("counting needs about %.1f MB of memory for %d distinct tokens so far, those of each worker, and %s is %.1f MB",
		float64(e.Need)/1e6, e.Tokens, e.Limit, float64(e.Have)/1e6)
}

// A budget is what counting may take of memory. A nil one is without end.
type budget struct {
	have   uint64
	limit  string
	taken  atomic.Int64 // by counting, and by what was there before
	tokens atomic.Int64 // distinct ones
}

// newBudget returns the budget of so many workers, nil if there is no limit.
func newBudget(workers int) *budget {
	have, limit := memory.Limit()
	if have == 0 {
		return nil
	}
	const buffers = 1 << 20 // of a worker
	b := &budget{have: have, limit: limit}
	b.taken.Store(int64(memory.InUse()) + int64(workers)*buffers)
	return b
}

// take notes that so many bytes are going to be allocated; it is a *MemoryError if they would
// be too many.
func (b *budget) take(bytes int) error {
	if b == nil {
		return nil
	}
	if need := b.taken.Add(int64(bytes)); need > 0 && uint64(need) > b.have {
		return &MemoryError{Need: uint64(need), Have: b.have, Limit: b.limit, Tokens: uint64(b.tokens.Load())}
	}
	return nil
}

// give notes that so many bytes are needed no more.
func (b *budget) give(bytes int) {
	if b != nil {
		b.taken.Add(-int64(bytes))
	}
}

// counted notes a new token.
func (b *budget) counted() {
	if b != nil {
		b.tokens.Add(1)
	}
}
