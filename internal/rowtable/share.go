package rowtable

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// number assigns rows first to words, if they are members, and then to buckets. It returns the row of every member, or
// -1, and the number of members that share each row.
func (t *Table) number(members int, share bool, marks []Mark) (rowOf []int32, size []uint32) {
	if marks != nil && len(marks) != members {
		panic(fmt.Errorf("rowtable: %d marks for %d words and buckets", len(marks), members))
	}
	rowOf = slices.Repeat([]int32{-1}, members)
	var users []signature
	if share {
		users = t.signatures(members, marks)
	}
	rows := rowNumbers{users: users, slots: make([]int32, 1<<10)}
	give := func(member uint32) {
		if rowOf[member] >= 0 {
			return
		}
		row := int32(len(size))
		if share {
			row = rows.of(member)
		}
		if int(row) == len(size) {
			size = append(size, 0)
		}
		size[row]++
		rowOf[member] = row
	}
	for _, member := range t.entries {
		give(member)
	}
	t.used = len(size)
	for member, mark := range marks {
		if mark != (Mark{}) {
			give(uint32(member))
		}
	}
	return rowOf, size
}

// A signature is a 128-bit sum over the words that use a member, each counted as often as it uses the member.
// Members of equal signature are used by the same words; the chance of an accident is below one in 10²⁵ for a
// hundred million members. The members' marks are added, so members of equal signature also have equal marks.
type signature [2]uint64

func (t *Table) signatures(members int, marks []Mark) []signature {
	users := make([]signature, members)
	for member, mark := range marks {
		users[member] = signature(mark)
	}
	// Every core reads all entries and adds to its own members: adding takes most of the time.
	inParts(members, func(first, last int) {
		mine, size := users[first:last], uint32(last-first)
		for w := range len(t.starts) - 1 {
			a, b := mix(2*uint64(w)), mix(2*uint64(w)+1)
			for _, member := range t.entries[t.starts[w]:t.starts[w+1]] {
				if member -= uint32(first); member < size {
					mine[member][0] += a
					mine[member][1] += b
				}
			}
		}
	})
	return users
}

// mix is the output function of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// rename replaces members in the entries by their rows. If a word uses each of the e members of a row m
// times, the word gets m entries of that row, each of weight e/n. rename returns false if a word does not use
// the members of a row equally often.
func (t *Table) rename(rowOf []int32, size []uint32) bool {
	words := len(t.starts) - 1
	left := make([]uint32, words)    // remaining entries of each word
	members := make([]uint32, words) // entries of each word before
	var uneven atomic.Bool
	inParts(words, func(first, last int) {
		for w := first; w < last; w++ {
			rows := t.entries[t.starts[w]:t.starts[w+1]]
			for i, member := range rows {
				rows[i] = uint32(rowOf[member])
			}
			slices.Sort(rows)
			n := 0
			for i := 0; i < len(rows); n++ {
				row := rows[i]
				end := i + int(size[row])
				if end > len(rows) || rows[end-1] != row {
					uneven.Store(true)
					return
				}
				rows[n], i = row, end
			}
			left[w], members[w] = uint32(n), uint32(len(rows))
		}
	})
	if uneven.Load() {
		return false
	}
	done, first := uint64(0), uint64(0)
	for w, n := range left { // moves the entries of later words to the front
		last := t.starts[w+1]
		copy(t.entries[done:], t.entries[first:first+uint64(n)])
		done, first = done+uint64(n), last
		t.starts[w+1] = done
	}
	t.entries = slices.Clip(t.entries[:done])
	t.weights = make([]float32, done)
	inParts(words, func(first, last int) {
		for w := first; w < last; w++ {
			for i := t.starts[w]; i < t.starts[w+1]; i++ {
				t.weights[i] = float32(size[t.entries[i]]) / float32(members[w])
			}
		}
	})
	return true
}

// inParts calls work for parts of 0…n-1 in parallel. If work panics, which an indexer may cause, inParts panics.
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

// A rowNumbers assigns the same row to members of equal signature. It is a hash table with open addressing,
// which takes a quarter of the memory and time of a map.
type rowNumbers struct {
	users  []signature // by member
	member []uint32    // a member of each row
	slots  []int32     // row + 1; 0 is an empty slot
}

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

func (n *rowNumbers) find(member uint32) *int32 {
	users, mask := n.users[member], uint64(len(n.slots)-1)
	for at := users[0]; ; at++ { // a signature is a sum of hashes, so it serves as a hash
		slot := &n.slots[at&mask]
		if *slot == 0 || n.users[n.member[*slot-1]] == users {
			return slot
		}
	}
}
