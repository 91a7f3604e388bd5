package graph

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"unicode/utf8"

	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
)

// names numbers nodes in the order in which they are seen first.
type names struct {
	text  []byte
	ends  []uint64 // where each name ends in text
	slots []slot   // a hash table, of which at most half is in use
	seed  maphash.Seed
	limit uint64 // bytes that there may be; 0 if that is not known
}

// A slot of the table has a node, and a part of the hash of its name.
type slot struct {
	tag  uint32 // of the hash
	node uint32 // from 1; 0 for none
}

// maxNodes is the largest number of nodes: a vocabulary has no more.
const maxNodes = math.MaxInt32

func newNames() *names {
	limit, _ := sysinfo.MemoryLimit()
	const first = 1 << 10
	return &names{slots: make([]slot, first), seed: maphash.MakeSeed(), limit: limit}
}

// len returns the number of nodes.
func (n *names) len() int { return len(n.ends) }

// name returns the name of a node.
func (n *names) name(node int) []byte {
	begin := uint64(0)
	if node > 0 {
		begin = n.ends[node-1]
	}
	return n.text[begin:n.ends[node]]
}

// node returns the number of the node of that name.
func (n *names) node(name []byte) (uint32, error) {
	h := maphash.Bytes(n.seed, name)
	tag, mask := uint32(h>>32), uint64(len(n.slots)-1)
	for at := h & mask; ; at = (at + 1) & mask {
		switch s := n.slots[at]; {
		case s.node == 0:
			n.slots[at] = slot{tag, uint32(n.len() + 1)}
			return uint32(n.len()), n.add(name)
		case s.tag == tag && bytes.Equal(n.name(int(s.node-1)), name):
			return s.node - 1, nil
		}
	}
}

// add adds a name, whose slot is there already.
func (n *names) add(name []byte) error {
	if n.len() == maxNodes {
		return &ownError{fmt.Errorf("the graph has more than %d nodes", maxNodes)}
	}
	n.text = append(n.text, name...)
	n.ends = append(n.ends, uint64(len(n.text)))
	if 2*n.len() <= len(n.slots) {
		return nil
	}
	if need := n.bytes() + uint64(2*slotBytes*len(n.slots)); n.limit > 0 && need > n.limit {
		return &ownError{&MemoryError{Nodes: n.len(), Need: need, Have: n.limit}}
	}
	old := n.slots
	n.slots = make([]slot, 2*len(old))
	mask := uint64(len(n.slots) - 1)
	for _, s := range old {
		if s.node == 0 {
			continue
		}
		at := maphash.Bytes(n.seed, n.name(int(s.node-1))) & mask
		for n.slots[at].node != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = s
	}
	return nil
}

// notes say what is unusual about names.
func (n *names) notes() (all []string) {
	blanks, foreign := 0, 0
	var spaced, odd []byte // examples
	for node := range n.len() {
		name := n.name(node)
		if bytes.ContainsFunc(name, isBlank) {
			blanks, spaced = blanks+1, name
		}
		if !utf8.Valid(name) {
			foreign, odd = foreign+1, name
		}
	}
	if blanks > 0 {
		all = append(all, fmt.Sprintf("%s a blank in the name, as %.40q has", wording.Of(blanks, n.len(), "node", "nodes", "has", "have"), spaced))
	}
	if foreign > 0 {
		all = append(all, fmt.Sprintf("%s a name that is not UTF-8, as %.40q: iconv makes UTF-8 of another encoding", wording.Of(foreign, n.len(), "node", "nodes", "has", "have"), odd))
	}
	return all
}

const slotBytes = 8

// bytes returns how much memory the names take.
func (n *names) bytes() uint64 {
	const end = 8
	return uint64(cap(n.text) + end*cap(n.ends) + slotBytes*len(n.slots))
}

// A MemoryError says that there is too little memory for the nodes of a graph.
type MemoryError struct {
	Nodes      int
	Need, Have uint64 // bytes
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("the graph has at least %d nodes, for which %d MB of memory are needed, and %d MB can be had",
		e.Nodes, e.Need/1e6, e.Have/1e6)
}
