package native

import (
	"fmt"
	"math/bits"

	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
)

// bucketSections returns what the rows of buckets are written as: one for each, or,
// if that is shorter, a bit for each that says whether it has one, and the rows of
// those that have. The latter is not done where rows are float32: it saves little
// there, and has to be expanded when the file is opened.
func bucketSections(s *vectors.Set) []safetensors.Section {
	rows := s.SharedParts().BucketRows
	if rows == nil {
		return nil
	}
	plain := []safetensors.Section{safetensors.List(tensorBucketRow, "I32", rows)}
	if s.Input().Encoding() == string(vectors.F32) {
		return plain
	}
	set := make([]uint8, (len(rows)+7)/8)
	var trained []int32
	for b, r := range rows {
		if r >= 0 {
			set[b/8] |= 1 << (b % 8)
			trained = append(trained, r)
		}
	}
	if len(set)+4*len(trained) >= 4*len(rows) {
		return plain
	}
	return []safetensors.Section{
		safetensors.List(tensorBucketRow, "I32", trained),
		safetensors.List(tensorBucketSet, "U8", set),
	}
}

// expandBuckets returns the rows of so many buckets from the bits of those that have
// one and their rows.
func expandBuckets(set []uint8, trained []int32, buckets int) ([]int32, error) {
	if len(set) != (buckets+7)/8 {
		return nil, fmt.Errorf("tensor %q: expected %d bytes for %d buckets, found %d", tensorBucketSet, (buckets+7)/8, buckets, len(set))
	}
	n := 0
	for _, b := range set {
		n += bits.OnesCount8(b)
	}
	if spare := len(set)*8 - buckets; spare > 0 && set[len(set)-1]>>(8-spare) != 0 {
		return nil, fmt.Errorf("tensor %q: expected no bits after that of bucket %d, found some", tensorBucketSet, buckets-1)
	}
	if n != len(trained) {
		return nil, fmt.Errorf("tensor %q: expected a row for each of the %d bits of %q, found %d", tensorBucketRow, n, tensorBucketSet, len(trained))
	}
	rows := make([]int32, buckets)
	for b := range rows {
		if set[b/8]>>(b%8)&1 == 0 {
			rows[b] = -1
			continue
		}
		rows[b], trained = trained[0], trained[1:]
	}
	return rows, nil
}
