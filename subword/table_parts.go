package subword

import (
	"runtime"
	"sync"
)

// inParts cuts 0…n-1 into up to a part for each core, and calls work for them in parallel. A panic
// of work is one of inParts: an indexer may be anybody's.
func inParts(n int, work func(first, last int)) {
	parts := min(runtime.GOMAXPROCS(0), max(n, 1))
	var g sync.WaitGroup
	var once sync.Once
	var panicked any
	for part := range parts {
		g.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					once.Do(func() { panicked = p })
				}
			}()
			work(n*part/parts, n*(part+1)/parts)
		})
	}
	g.Wait()
	if panicked != nil {
		panic(panicked)
	}
}

// A rowNumbers gives members of equal signature the same row. It is a hash table with open
// addressing, which takes a quarter of a map's memory and time.
type rowNumbers struct {
	users  []signature // by member
	member []uint32    // of each row, one that has it
	slots  []int32     // rows + 1; 0 for an empty slot
}

func newRowNumbers(users []signature) *rowNumbers {
	const least = 1 << 10
	return &rowNumbers{users: users, slots: make([]int32, least)}
}

// of returns the row of a member, a new one if no member of its signature has one.
func (n *rowNumbers) of(member uint32) int32 {
	slot := n.find(member)
	if *slot != 0 {
		return *slot - 1
	}
	n.member = append(n.member, member)
	*slot = int32(len(n.member))
	row := *slot - 1
	if 2*len(n.member) > len(n.slots) {
		n.slots = make([]int32, 2*len(n.slots))
		for row, member := range n.member {
			*n.find(member) = int32(row + 1)
		}
	}
	return row
}

// find returns the slot of the row of a member's signature, or the empty one to put it into.
func (n *rowNumbers) find(member uint32) *int32 {
	users, mask := n.users[member], uint64(len(n.slots)-1)
	for at := users[0]; ; at++ { // the sum of mixed numbers is as good as a hash
		slot := &n.slots[at&mask]
		if *slot == 0 || n.users[n.member[*slot-1]] == users {
			return slot
		}
	}
}
