package transform

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A Computation says how work is done that takes time and memory by more than the size of the
// result. The zero value works.
type Computation struct {
	// Force does what seems to need more memory than there is.
	Force bool
	// Progress, if not nil, is told what is being computed, in a few words, and how much of
	// that is done, from 0 to 1. Calls do not overlap.
	Progress func(what string, done float64)
}

// A MemoryError says that a computation needs more memory than there is. Nothing of it has been
// allocated.
type MemoryError struct {
	What       string // is computed, as "a rotation of 3000 dimensions"
	Need, Have uint64 // bytes
	Limit      string // what Have is: "this machine's memory", or what allows the process less
	Instead    string // what to do
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs about %s of memory, and %s is %s: %s", e.What, gigabytes(e.Need), e.Limit, gigabytes(e.Have), e.Instead)
}

func gigabytes(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// slack is by how much a computation takes more than it uses: garbage that is not collected
// yet.
const slack = 1.25

// affords returns an error if so many bytes, beside what the process has already, are more than it can
// ever have.
func (c Computation) affords(bytes float64, what, instead string) error {
	have, limit := sysinfo.MemoryLimit()
	if c.Force || have == 0 {
		have, limit = min(math.MaxInt, 1<<46), "all that a program can address"
	}
	if bytes = slack*bytes + float64(sysinfo.MemoryInUse()); bytes > float64(have) {
		return &MemoryError{What: what, Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit, Instead: instead}
	}
	return nil
}

// step returns what tells Progress of a part of the work, from one share of it to another.
func (c Computation) step(what string, from, to float64) func(done float64) {
	return func(done float64) {
		if c.Progress != nil {
			c.Progress(what, from+(to-from)*done)
		}
	}
}
