package graph

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"runtime"
	"unicode/utf8"

	"github.com/w2v-go/w2v/corpus"
	"github.com/w2v-go/w2v/internal/sysinfo"
	"github.com/w2v-go/w2v/internal/wording"
)

// ReadOptions say how Read reads edges. The zero value works.
type ReadOptions struct {
	Directed bool   // an edge leads from its first node to its second only
	Output   string // a file to keep the graph in, for Open; empty for a temporary file
	// Folder is the folder for temporary files, which take up to 36 bytes an edge while the graph
	// is made. Empty means the system's.
	Folder  string
	Threads int // the number of workers that sort; 0 means GOMAXPROCS
	// Memory is how many bytes sorting may take; 0 means 128 MiB. The names of nodes are not in it.
	Memory int
	// Progress, if not nil, is called now and then with the number of edges read so far.
	Progress func(edges uint64)
	// Note, if not nil, is called with notes on how the lines were read, such as a skipped header.
	Note func(text string)
	// Planned, if not nil, is called when all edges are read and before the graph is made. An
	// error ends Read.
	Planned func(Plan) error
}

// A Plan is the space that building a graph needs.
type Plan struct {
	Nodes  int
	Lines  uint64 // edges read
	Arcs   uint64 // maximum; repeated edges make fewer
	File   uint64 // the maximum size of the graph, which is mapped
	Disk   uint64 // the size of temporary files, which are needed in addition
	Memory uint64 // the size of names and sort buffers, which are freed when the graph is built
}

const usualMemory = 128 << 20

// Read reads the edge lists of a source and makes a graph. A line is two node names and, optionally, a
// weight. In a line with a tab, tabs separate the fields and names may have spaces; in other lines, blanks
// separate them. Files whose names end in .csv are CSV, with commas, semicolons, tabs or bars. Lines that
// begin with # or % are comments, unless a name follows directly and the line is an edge. A header is
// skipped. Files may be compressed. Other graph formats are errors. Either all lines have weights or none
// has. Read adds up the weights of repeated edges; without weights, repeated edges are one edge. The error of a
// malformed line names the file and the line. Too little memory is a *MemoryError, and too little disk
// space is a *sysinfo.DiskFullError.
func Read(ctx context.Context, edges *corpus.Source, o ReadOptions) (g *Graph, err error) {
	if o.Threads < 0 || o.Memory < 0 {
		return nil, fmt.Errorf("graph: Threads and Memory must not be negative, are %d and %d", o.Threads, o.Memory)
	}
	o.Threads, o.Memory = cmp.Or(o.Threads, runtime.GOMAXPROCS(0)), cmp.Or(o.Memory, usualMemory)
	b := &builder{options: o, names: &names{slots: make([]slot, 1<<10), seed: maphash.MakeSeed()}}
	b.names.limit, _ = sysinfo.MemoryLimit()
	defer func() { err = errors.Join(err, b.close()) }()
	if b.spill, err = newSpill(o.Folder); err != nil {
		return nil, err
	}
	if err := b.read(ctx, edges); err != nil {
		return nil, err
	}
	for _, step := range []func(context.Context) error{b.plan, b.distribute, b.merge} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return b.write(ctx)
}

type builder struct {
	options  ReadOptions
	names    *names
	degrees  []uint32 // number of arcs of each node
	lines    uint64
	arcs     uint64
	weighted bool

	spill   *spill // edges as they are read
	sorted  *spill // arcs by the bucket of their first node
	buckets []bucket
	edges   uint64 // number of distinct edges
	least   uint32 // bits of the smallest weight, without the dropped bits
	most    uint32
}

func (b *builder) read(ctx context.Context, edges *corpus.Source) error {
	for i := range edges.Inputs() {
		text, err := edges.Open(ctx, i)
		if err != nil {
			return err
		}
		list, err := readEdges(text.Name(), text, text.Comma(), func(e edge) error { return b.add(ctx, e) })
		for _, note := range list.notes() {
			b.note(note)
		}
		if err := errors.Join(err, text.Close()); err != nil {
			if own, ok := errors.AsType[*ownError](err); ok {
				return own.error
			}
			return err
		}
		if list.edges == 0 && edges.Inputs() > 1 {
			b.note(text.Name() + " has no edges, unlike others")
		}
	}
	for _, note := range b.names.notes() {
		b.note(note)
	}
	if b.lines == 0 {
		return fmt.Errorf("%s: there is no edge in it", edges.Name())
	}
	return b.spill.flush()
}

func (b *builder) note(text string) {
	if b.options.Note != nil {
		b.options.Note(text)
	}
}

const askEvery = 1 << 16 // how many edges are read, or nodes walked from, between two checks of the context

func (b *builder) add(ctx context.Context, e edge) error {
	if b.lines == 0 {
		b.weighted = e.weighted
	}
	switch {
	case b.weighted && !e.weighted:
		return errors.New("the edge has no weight, and those before have one")
	case e.weighted && !b.weighted:
		return errors.New("the edge has a weight, and those before have none")
	}
	if b.lines++; b.lines%askEvery == 0 {
		if err := ctx.Err(); err != nil {
			return &ownError{err}
		}
		if b.options.Progress != nil {
			b.options.Progress(b.lines)
		}
	}
	from, err := b.node(e.from)
	if err != nil {
		return err
	}
	to, err := b.node(e.to)
	if err != nil {
		return err
	}
	b.degrees[from]++
	b.arcs++
	if !b.options.Directed && from != to {
		b.degrees[to]++
		b.arcs++
	}
	if err := b.spill.add(spilled{from, to, e.weight}); err != nil {
		return &ownError{err}
	}
	return nil
}

// node returns the number of a node, and numbers new nodes.
func (b *builder) node(name []byte) (uint32, error) {
	node, err := b.names.node(name)
	if int(node) == len(b.degrees) {
		b.degrees = append(b.degrees, 0)
	}
	return node, err
}

func (b *builder) plan(context.Context) error {
	h := header{Nodes: uint64(b.names.len()), Arcs: b.arcs, TextBytes: uint64(len(b.names.text)), IDBits: idBits(uint64(b.names.len()))}
	if b.weighted {
		h.WeightBits = 32 - droppedBits - 1
	}
	const perNode = 4 + 8 + 4 // bytes of degree, offset and total
	p := Plan{
		Nodes:  b.names.len(),
		Lines:  b.lines,
		Arcs:   b.arcs,
		File:   h.size(),
		Disk:   spilledBytes * (b.lines + b.arcs),
		Memory: b.names.bytes() + perNode*h.Nodes + 4*h.blockCount() + min(uint64(b.options.Memory), sortBytes*b.arcs),
	}
	if limit, _ := sysinfo.MemoryLimit(); limit > 0 && p.Memory > limit {
		return &MemoryError{Nodes: p.Nodes, Need: p.Memory, Have: limit}
	}
	if b.options.Planned != nil {
		if err := b.options.Planned(p); err != nil {
			return err
		}
	}
	if err := sysinfo.CheckDisk(b.spill.file.Name(), spilledBytes*b.arcs); err != nil {
		return err
	}
	if b.options.Output == "" {
		return sysinfo.CheckDisk(b.spill.file.Name(), spilledBytes*b.arcs+p.File)
	}
	return sysinfo.CheckDisk(b.options.Output, p.File)
}

func (b *builder) close() error {
	var err error
	for _, s := range []*spill{b.spill, b.sorted} {
		if s != nil {
			err = errors.Join(err, s.file.Close())
		}
	}
	return err
}

// A nameList is names of nodes in one text.
type nameList struct {
	text []byte
	ends []uint64 // where each name ends in text
}

func (n *nameList) len() int { return len(n.ends) }

func (n *nameList) name(node uint32) []byte {
	begin := uint64(0)
	if node > 0 {
		begin = n.ends[node-1]
	}
	return n.text[begin:n.ends[node]]
}

// names numbers nodes in the order of first occurrence.
type names struct {
	nameList
	slots []slot // hash table that is at most half full
	seed  maphash.Seed
	limit uint64 // maximum number of bytes; 0 if unknown
}

// A slot of the table holds a node and part of the hash of its name.
type slot struct {
	tag  uint32 // of the hash
	node uint32 // from 1; 0 for an empty slot
}

const maxNodes = math.MaxInt32 // the largest number of nodes: a vocabulary has no more

// node returns the number of the node with that name, and adds new names.
func (n *names) node(name []byte) (uint32, error) {
	h := maphash.Bytes(n.seed, name)
	tag, mask := uint32(h>>32), uint64(len(n.slots)-1)
	for at := h & mask; ; at = (at + 1) & mask {
		switch s := n.slots[at]; {
		case s.node == 0:
			n.slots[at] = slot{tag, uint32(n.len() + 1)}
			return uint32(n.len()), n.add(name)
		case s.tag == tag && bytes.Equal(n.name(s.node-1), name):
			return s.node - 1, nil
		}
	}
}

// add adds a name, whose slot is already set.
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
		at := maphash.Bytes(n.seed, n.name(s.node-1)) & mask
		for n.slots[at].node != 0 {
			at = (at + 1) & mask
		}
		n.slots[at] = s
	}
	return nil
}

func (n *names) notes() (all []string) {
	blanks, foreign := 0, 0
	var spaced, odd []byte // examples
	for node := range n.len() {
		name := n.name(uint32(node))
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
