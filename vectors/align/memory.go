package align

import (
	"math"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/transform"
)

// affords returns an error if the unit vectors of so many words of each of two sets, beside what the
// process has already, are more than it can ever have.
func affords(s *vectors.Set, wordsA, wordsB int, what, instead string) error {
	have, limit := sysinfo.MemoryLimit()
	if have == 0 {
		return nil // nothing is known
	}
	const lane, number = 16, 4 // numbers that rows are padded to, and bytes of a number
	row := math.Ceil(float64(s.Dim())/lane) * lane * number
	need := row*(float64(wordsA)+float64(wordsB)) + float64(sysinfo.MemoryInUse())
	if need <= float64(have) {
		return nil
	}
	return &transform.MemoryError{What: what, Need: uint64(need), Have: have, Limit: limit, Instead: instead}
}
