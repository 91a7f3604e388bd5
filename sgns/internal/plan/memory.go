package plan

import (
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/sgns/internal/config"
)

// A MemoryError says that a run needs more memory than there is.
type MemoryError struct {
	Need, Have uint64 // bytes
	Limit      string // what Have is: "this machine's memory", or what allows the process less
	AtLeast    bool   // Need is without what is known only when n-grams are numbered, which takes memory too
}

func (e *MemoryError) Error() string {
	needs := "about"
	if e.AtLeast {
		needs = "at least"
	}
	return fmt.Sprintf("training needs %s %s of memory, and %s is %s: fewer dimensions, words or buckets need less",
		needs, size(e.Need), e.Limit, size(e.Have))
}

// size is a number of bytes for a person.
func size(bytes uint64) string {
	if bytes < 999_950_000 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// addressable is the most memory that a process can have, whatever the machine has.
const addressable = min(math.MaxInt, 1<<46)

// Fits returns a *MemoryError if the process cannot have so many bytes.
func Fits(c config.Config, bytes float64) error {
	have, limit := sysinfo.MemoryLimit()
	if c.Force || have == 0 || have > addressable {
		have, limit = addressable, "all that a program can address"
	}
	if bytes > float64(have) {
		return &MemoryError{Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit}
	}
	return nil
}
