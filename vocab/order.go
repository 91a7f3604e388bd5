package vocab

import (
	"bytes"
	"cmp"
	"math/bits"
	"runtime"
)

// sharedBucket is the smallest count that has no bucket of its own in sorted.
const sharedBucket = 1 << 10

// sorted returns slots of t by falling count, and slots of equal count by the bytes of their
// tokens. What the given list holds afterwards has no meaning. Most tokens of a text are rare, and
// many have the same count. So slots are first put into buckets by count, and only those of one
// bucket are compared with each other.
func (t *table) sorted(slots []slot) []slot {
	var ends [sharedBucket + 1]int
	for i := range slots {
		ends[min(slots[i].count, sharedBucket)]++
	}
	end := 0
	for b := sharedBucket; b >= 0; b-- {
		end, ends[b] = end+ends[b], end // now the start of the bucket, from which it is filled
	}
	into := make([]slot, len(slots))
	for i := range slots {
		e := &ends[min(slots[i].count, sharedBucket)]
		into[*e] = slots[i]
		*e++
	}
	start, cores := 0, 1<<bits.Len(uint(runtime.GOMAXPROCS(0)-1))
	for b := sharedBucket; b >= 0; b-- { // slots have been copied, and are scratch now
		sortInParallel(into[start:ends[b]], slots[start:ends[b]], cores, t.compare)
		start = ends[b]
	}
	return into
}

// compare orders slots by falling count, and slots of equal count by their tokens.
func (t *table) compare(a, b slot) int {
	if a.count != b.count {
		return cmp.Compare(b.count, a.count)
	}
	if a.head != b.head {
		return cmp.Compare(bits.ReverseBytes64(a.head), bits.ReverseBytes64(b.head))
	}
	var shortA, shortB [longToken]byte
	return bytes.Compare(t.token(&a, &shortA), t.token(&b, &shortB))
}
