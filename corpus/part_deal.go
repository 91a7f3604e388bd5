package corpus

import (
	"cmp"
	"container/heap"
	"slices"
)

// inAllParts is the owner of an input that is in all parts, piece by piece.
const inAllParts = -1

// uneven is by how much of an equal share the longest part may be longer than it.
const uneven = 0.1

// deal gives inputs that can only be read from their start to parts, so that these have about the
// same length. It returns the part of each input, or inAllParts. Inputs whose size is not known are
// shared. As few others as possible are, the longest ones. The result depends on the sizes alone.
func deal(inputs []input, n int) []int {
	owner := make([]int, len(inputs))
	var whole []int // longest first
	total := 0.0
	for i, in := range inputs {
		owner[i] = inAllParts
		if in.size < 0 && in.isRegular() && in.info.Size() > 0 {
			whole = append(whole, i)
			total += float64(in.info.Size())
		}
	}
	size := func(i int) float64 { return float64(inputs[i].info.Size()) }
	slices.SortStableFunc(whole, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	spare := uneven * total / float64(n)
	for left := total; len(whole) > 0; whole = whole[1:] {
		if size(whole[0]) <= left/float64(n)+spare && dealt(whole, size, owner, n) <= left/float64(n)+spare {
			return owner
		}
		left -= size(whole[0])
		for _, i := range whole {
			owner[i] = inAllParts
		}
	}
	return owner
}

// dealt gives each input, the longest first, to the part that is the shortest so far. It returns the
// length of the longest part.
func dealt(inputs []int, size func(int) float64, owner []int, n int) (longest float64) {
	parts := make(loads, n)
	for i := range parts {
		parts[i].part = i
	}
	for _, i := range inputs {
		least := &parts[0]
		owner[i] = least.part
		least.bytes += size(i)
		longest = max(longest, least.bytes)
		heap.Fix(&parts, 0)
	}
	return longest
}

// loads is a heap of parts, the shortest first.
type loads []load

type load struct {
	bytes float64
	part  int
}

func (l loads) Len() int { return len(l) }
func (l loads) Less(i, j int) bool {
	return l[i].bytes < l[j].bytes || l[i].bytes == l[j].bytes && l[i].part < l[j].part
}
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l loads) Push(any)      { panic("corpus: parts are not added") }
func (l loads) Pop() any      { panic("corpus: parts are not removed") }

// dealtRows are the rows of a table of which a part has every n-th piece. A row may have newlines, so
// that all rows are parsed.
type dealtRows struct {
	records
	every  portion
	number int // of the piece, modulo n
	piece  int // bytes of the piece so far
}

func (d *dealtRows) next() (record, error) {
	for {
		rec, err := d.records.next()
		if err != nil {
			return record{}, err
		}
		own := d.number == d.every.i
		if d.piece += len(rec.text) + 1; d.piece >= pieceBytes {
			d.piece, d.number = 0, (d.number+1)%d.every.n
		}
		if own {
			return rec, nil
		}
	}
}
