package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A barrier lets a number of goroutines wait for each other: whatever one of them did
// before it waited has happened when any of them goes on. They mostly wait for less than
// it takes to put a goroutine to sleep and to wake it, and so spin; whoever waits for
// long sleeps.
type barrier struct {
	goroutines int32
	_          [60]byte // these are on cache lines of their own
	arrived    atomic.Int32
	_          [60]byte
	passed     atomic.Uint32 // how often all have arrived
	_          [60]byte
	sleeping   atomic.Int32
	mutex      sync.Mutex
	wake       *sync.Cond // guarded by mutex: passed has changed
}

func newBarrier(goroutines int) *barrier {
	b := &barrier{goroutines: int32(goroutines)}
	b.wake = sync.NewCond(&b.mutex)
	return b
}

// How often a goroutine looks whether it may go on before it lets others run, which may
// be those it waits for, and before it sleeps.
const (
	spins  = 2000
	yields = 300
)

// wait waits until all goroutines have called it as often as this one.
func (b *barrier) wait() {
	if b.goroutines == 1 {
		return
	}
	passed := b.passed.Load()
	if b.arrived.Add(1) == b.goroutines {
		b.arrived.Store(0)
		b.passed.Add(1)
		// Either this sees who sleeps, or who goes to sleep sees that all have arrived.
		if b.sleeping.Load() > 0 {
			b.mutex.Lock()
			b.wake.Broadcast()
			b.mutex.Unlock()
		}
		return
	}
	for n := 0; b.passed.Load() == passed; n++ {
		switch {
		case n < spins:
		case n < spins+yields:
			runtime.Gosched()
		default:
			b.sleep(passed)
		}
	}
}

// sleep sleeps until all have arrived once more.
func (b *barrier) sleep(passed uint32) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	b.sleeping.Add(1)
	for b.passed.Load() == passed {
		b.wake.Wait()
	}
	b.sleeping.Add(-1)
}
