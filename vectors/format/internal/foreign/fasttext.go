package foreign

import (
	"encoding/binary"
	"math"
)

// isFirstFastText tells whether a file begins with the settings of fastText, before which
// there has been a magic number since 2017, and with sizes of a dictionary that fit together.
func isFirstFastText(head []byte) bool {
	var first struct {
		Dim, Window, Epochs, MinCount, Negatives int32
		WordNgrams, Loss, Model                  int32
		Buckets, MinN, MaxN, LRUpdateRate        int32
		Sample                                   float64
		Entries, Words, Labels                   int32
	}
	if _, err := binary.Decode(head, binary.LittleEndian, &first); err != nil {
		return false
	}
	a := first
	likely := func(n, least, most int32) bool { return n >= least && n <= most }
	return likely(a.Dim, 1, 1<<14) && likely(a.Window, 1, 1<<10) && likely(a.Epochs, 1, 1<<16) && likely(a.MinCount, 0, 1<<24) &&
		likely(a.Negatives, 0, 1<<16) && likely(a.WordNgrams, 1, 64) && likely(a.Loss, 1, 4) && likely(a.Model, 1, 3) &&
		likely(a.Buckets, 0, math.MaxInt32) && likely(a.MinN, 0, 256) && likely(a.MaxN, 0, 256) &&
		a.Sample > 0 && a.Sample <= 1 && first.Words >= 0 && first.Labels >= 0 && int64(first.Entries) == int64(first.Words)+int64(first.Labels)
}
