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
	if e.Tokens == 0 {
		return fmt.Sprintf("reading the corpus needs about %.1f MB of memory, and %s is %.1f MB", float64(e.Need)/1e6, e.Limit, float64(e.Have)/1e6)
	}
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

// newBudget returns the budget of so many workers, nil if there is no limit. It is a
// *MemoryError if there is too little for them to begin.
func newBudget(workers int) (*budget, error) {
	have, limit := memory.Limit()
	if have == 0 {
		return nil, nil
	}
	const buffers = 1 << 20 // of a worker
	b := &budget{have: have, limit: limit}
	b.taken.Store(int64(memory.InUse()))
	return b, b.take(workers * buffers)
}

// garbage is what part of what is in use there may be besides, not collected yet, and in the
// system's own tables.
const garbage = 8

// large is how many bytes are worth asking the system once more.
const large = 1 << 20

// take notes that so many bytes are going to be allocated; it is a *MemoryError if they would
// be too many.
func (b *budget) take(bytes int) error {
	if b == nil {
		return nil
	}
	have, limit := b.have, b.limit
	if bytes >= large { // limits of addresses leave less when there are more threads
		have, limit = memory.Limit()
	}
	need := b.taken.Add(int64(bytes))
	if need += need / garbage; need > 0 && uint64(need) > have {
		return &MemoryError{Need: uint64(need), Have: have, Limit: limit, Tokens: uint64(b.tokens.Load())}
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
