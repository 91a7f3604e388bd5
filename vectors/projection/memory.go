package projection

import (
	"math"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors/transform"
)

// slack is by how much a computation takes more than it uses: garbage that is not collected yet.
const slack = 1.25

// affords returns a *transform.MemoryError if so many bytes, beside what the process has already,
// are more than it can ever have.
func affords(bytes float64, what string) error {
	have, limit := sysinfo.MemoryLimit()
	if have == 0 {
		have, limit = min(math.MaxInt, 1<<46), "all that a program can address"
	}
	if bytes = slack*bytes + float64(sysinfo.MemoryInUse()); bytes > float64(have) {
		return &transform.MemoryError{What: what, Need: uint64(min(bytes, 1<<62)), Have: have, Limit: limit, Instead: "take fewer words, such as the most frequent ones"}
	}
	return nil
}
