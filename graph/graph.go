// Package graph reads edge lists of any size and walks over them at random: DeepWalk, node2vec
// and node2vec+. Vectors that are trained on walks place nodes near each other that are near in
// the graph.
//
//	source, err := corpus.Files([]string{"edges.tsv.gz"}, nil, corpus.Options{})
//	…
//	g, err := graph.Read(ctx, source, graph.ReadOptions{})
//	…
//	defer g.Close()
//	stats, err := g.WriteWalks(ctx, w, graph.WalkOptions{P: 0.5, Q: 2})
//
// A [Graph] is a file in compressed sparse rows that is mapped into memory. A neighbour takes as
// many bits as the number of nodes asks for, and its weight about 20 bits more: a weighted graph of
// a million nodes takes 5 to 6 bytes for each direction of an edge. [Read] makes that file by sorting
// on disk, so that it needs memory for the nodes only. [Open] opens it again, without reading the
// edges.
//
// Walks of one seed are the same on any number of threads.
package graph

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"math/bits"
	"os"
	"slices"
	"unsafe"

	"github.com/edsrzf/mmap-go"
	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/scratch"
)

// A Graph is a graph in compressed sparse rows, mapped from a file. An arc is one direction of an edge. In an
// undirected graph an edge has two arcs, and an edge from a node to itself has one. Methods may be called
// from several goroutines until Close.
type Graph struct {
	head    header
	records []byte    // bits of all arcs' records, and 8 bytes of padding
	offsets []uint64  // where the arcs of each node begin, and where the last ones end
	totals  []float32 // sum of the weights of each node's arcs
	blocks  []uint32  // see blockArcs
	nameList

	width  uint64 // number of bits of a record
	idMask uint64

	mapped mmap.MMap
	file   *scratch.File // Close removes it; nil if the file is kept
}

// An arc's record is the neighbour, in as many bits as the largest neighbour needs, and above it the weight.
// Of a weight's float32, the record keeps the exponent and 16 bits of the mantissa, minus the smallest of all
// weights. So a weight has a relative error of at most 2^-17, and takes no bits if all weights are the same.
// A record has at most 56 bits, and one load reads it.
const (
	droppedBits = 7 // of a float32's mantissa
	recordSlack = 8 // bytes after the records, which the last load may read
)

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return int(g.head.Nodes) }

// Edges returns the number of distinct edges.
func (g *Graph) Edges() uint64 { return g.head.Edges }

// Arcs returns the number of arcs.
func (g *Graph) Arcs() uint64 { return g.head.Arcs }

// Lines returns the number of edges that were read. An edge on several lines counts once for each line.
func (g *Graph) Lines() uint64 { return g.head.Lines }

// Directed reports whether edges have a direction.
func (g *Graph) Directed() bool { return g.head.Flags&flagDirected != 0 }

// Weighted reports whether weights differ.
func (g *Graph) Weighted() bool { return g.head.WeightBits > 0 }

// Bytes returns the size of the mapped file.
func (g *Graph) Bytes() uint64 { return g.head.size() }

// Name returns the name of a node.
func (g *Graph) Name(node int) string { return string(g.name(uint32(node))) }

// Degree returns the number of arcs that begin at a node.
func (g *Graph) Degree(node int) int { return int(g.offsets[node+1] - g.offsets[node]) }

// Neighbours yields the neighbours of a node in ascending order, with the weights of the arcs.
func (g *Graph) Neighbours(node int) iter.Seq2[int, float32] {
	return func(yield func(int, float32) bool) {
		for i := g.offsets[node]; i < g.offsets[node+1]; i++ {
			record := g.record(i)
			if !yield(int(record&g.idMask), g.weight(record)) {
				return
			}
		}
	}
}

// Weight returns the weight of the arc between two nodes, and whether there is one.
func (g *Graph) Weight(from, to int) (weight float32, ok bool) {
	weight = g.between(uint32(from), uint32(to))
	return weight, weight > 0
}

// record returns an arc's record, with bits of the following records above it.
func (g *Graph) record(arc uint64) uint64 {
	bit := arc * g.width
	return binary.LittleEndian.Uint64(g.records[bit>>3:]) >> (bit & 7) & (1<<g.width - 1)
}

func (g *Graph) weight(record uint64) float32 {
	return math.Float32frombits((uint32(record>>g.head.IDBits) + g.head.LeastWeight) << droppedBits)
}

// between returns the weight of the arc between two nodes, or 0 if there is none.
func (g *Graph) between(from, to uint32) float32 {
	first, n := g.offsets[from], g.offsets[from+1]-g.offsets[from]
	for n > 0 {
		half := n / 2
		switch record := g.record(first + half); {
		case uint32(record&g.idMask) == to:
			return g.weight(record)
		case uint32(record&g.idMask) < to:
			first, n = first+half+1, n-half-1
		default:
			n = half
		}
	}
	return 0
}

// A node with more than blockArcs arcs has a block for every blockArcs arcs. Its entry is the share of the
// node's weight up to the end of the block, in units of 2^-32. Arcs after the last whole block have no entry.
// The entries of a node begin at the number of its first arc divided by blockArcs, rounded down, in one
// array. So the entries of two nodes never overlap.
const blockArcs = 32

// Find returns the number of the node with that name, and whether there is one. It searches all names: in
// loops, use node numbers.
func (g *Graph) Find(name string) (node int, ok bool) {
	for i := range g.Nodes() {
		if string(g.name(uint32(i))) == name {
			return i, true
		}
	}
	return 0, false
}

// Close releases the file. The graph must not be used afterwards. Closing again does nothing.
func (g *Graph) Close() error {
	var errs []error
	if g.mapped != nil {
		errs = append(errs, g.mapped.Unmap())
	}
	g.mapped, g.records, g.offsets, g.totals, g.blocks, g.ends, g.text = nil, nil, nil, nil, nil, nil, nil
	if g.file != nil {
		errs = append(errs, g.file.Close())
		g.file = nil
	}
	return errors.Join(errs...)
}

// valid reports whether offsets and ends are ascending and every neighbour is a node. Walks rely on that.
func (g *Graph) valid() bool {
	rising := func(x []uint64, last uint64) bool { return len(x) > 0 && x[len(x)-1] == last && slices.IsSorted(x) }
	if g.offsets[0] != 0 || !rising(g.offsets, g.head.Arcs) || !rising(g.ends, g.head.TextBytes) {
		return false
	}
	for arc := range g.head.Arcs {
		if g.record(arc)&g.idMask >= g.head.Nodes {
			return false
		}
	}
	return true
}

// A graph file is a header, the records of arcs, offsets, totals, blocks, ends and the text of names, each
// section padded to 8 bytes, and a CRC-32C of everything before it. Numbers have the byte order of the
// machine that wrote the file; the header says which.

const (
	magic        = "w2vgraph"
	formatNumber = 1
	byteOrder    = 0x01020304
	flagDirected = 1
	headerBytes  = 80
	sumBytes     = 8
)

type header struct {
	Magic       [8]byte
	Format      uint32
	ByteOrder   uint32
	Nodes       uint64
	Arcs        uint64
	Edges       uint64
	Lines       uint64
	TextBytes   uint64
	IDBits      uint32
	WeightBits  uint32
	LeastWeight uint32 // bits of the smallest weight, without the dropped bits
	Flags       uint32
	_           uint64
}

// castagnoli is the polynomial of CRC-32C, for which processors have instructions.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (h *header) sections() [6]uint64 {
	const end, total, block = 8, 4, 4
	padded := func(n uint64) uint64 { return (n + 7) &^ 7 }
	width := uint64(h.IDBits + h.WeightBits)
	return [...]uint64{
		padded((h.Arcs*width+7)/8 + recordSlack),
		end * (h.Nodes + 1),
		padded(total * h.Nodes),
		padded(block * h.blockCount()),
		end * h.Nodes,
		padded(h.TextBytes),
	}
}

func (h *header) blockCount() uint64 {
	if h.WeightBits == 0 {
		return 0
	}
	return h.Arcs/blockArcs + 1
}

func (h *header) size() uint64 {
	n := uint64(headerBytes + sumBytes)
	for _, section := range h.sections() {
		n += section
	}
	return n
}

func (h *header) check(size uint64) error {
	const most = 1 << 40 // maximum number of nodes and of arcs, so that sizes do not overflow
	switch {
	case string(h.Magic[:]) != magic:
		return errors.New("this is not a graph file")
	case h.ByteOrder == bits.ReverseBytes32(byteOrder):
		return errors.New("the graph was kept on a machine with another order of bytes: make it again from the edges")
	case h.Format != formatNumber:
		return fmt.Errorf("the graph was kept in format %d, and this version has format %d: make it again from the edges", h.Format, formatNumber)
	case h.ByteOrder != byteOrder, h.Nodes == 0, h.Nodes > maxNodes, h.Arcs == 0, h.Arcs > most, h.TextBytes > most,
		h.IDBits != idBits(h.Nodes), h.WeightBits > 32-droppedBits-1, h.LeastWeight >= 1<<(32-droppedBits-1):
		return errDamaged
	case h.size() != size:
		return fmt.Errorf("the graph has %d bytes, and should have %d: make it again from the edges", size, h.size())
	}
	return nil
}

func idBits(nodes uint64) uint32 { return uint32(max(1, bits.Len64(nodes-1))) }

var errDamaged = errors.New("the graph is damaged: make it again from the edges")

// Open maps a graph file that Read wrote. It reads the file once to verify the checksum.
func Open(path string) (*Graph, error) {
	g, err := open(path)
	if err != nil {
		return nil, err
	}
	sum := len(g.mapped) - sumBytes
	if uint64(crc32.Checksum(g.mapped[:sum], castagnoli)) != binary.NativeEndian.Uint64(g.mapped[sum:]) || !g.valid() {
		return nil, errors.Join(named(path, errDamaged), g.Close())
	}
	return g, nil
}

func open(path string) (*Graph, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer file.Close() // a mapping needs no open file
	g, err := mapped(file)
	return g, named(path, err)
}

// IsGraph reports whether path is a graph file.
func IsGraph(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // reading a pipe would consume its bytes
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic
}

func mapped(file *os.File) (*Graph, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	g := new(Graph)
	head := make([]byte, headerBytes)
	if _, err := file.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if _, err := binary.Decode(head, binary.NativeEndian, &g.head); err != nil {
		return nil, err
	}
	if err := g.head.check(uint64(info.Size())); err != nil {
		return nil, err
	}
	if info.Size() > math.MaxInt {
		return nil, errors.New("the graph is larger than the addresses of this machine")
	}
	if g.mapped, err = mmap.Map(file, mmap.RDONLY, 0); err != nil {
		return nil, fmt.Errorf("mapping %d bytes: %w", info.Size(), err)
	}
	at := uint64(headerBytes)
	var parts [6][]byte
	for i, n := range g.head.sections() {
		parts[i] = g.mapped[at : at+n]
		at += n
	}
	nodes := g.head.Nodes
	g.records = parts[0]
	g.offsets = asNumbers[uint64](parts[1])
	g.totals = asNumbers[float32](parts[2])[:nodes]
	g.blocks = asNumbers[uint32](parts[3])
	g.ends = asNumbers[uint64](parts[4])
	g.text = parts[5][:g.head.TextBytes]
	g.width = uint64(g.head.IDBits + g.head.WeightBits)
	g.idMask = 1<<g.head.IDBits - 1
	return g, nil
}

// asNumbers views bytes as numbers, without a copy.
func asNumbers[T uint32 | uint64 | float32](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}

// asBytes views numbers as bytes, without a copy.
func asBytes[T uint32 | uint64 | float32 | spilled](x []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(one)))
}

// named puts a file's name before an error, in place of the system call that package os adds.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, scratch.Cause(err))
}

func (b *builder) write(ctx context.Context) (*Graph, error) {
	if path := b.options.Output; path != "" {
		if err := atomicfile.Write(path, func(w io.Writer) error { return b.writeTo(ctx, w) }); err != nil {
			return nil, err
		}
		return open(path)
	}
	file, err := temporary(b.options.Folder)
	if err != nil {
		return nil, err
	}
	g := new(Graph)
	if err = b.writeTo(ctx, file); err == nil {
		g, err = mapped(file.File)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", file.Folder, scratch.Cause(err)), file.Close())
	}
	g.file = file
	return g, nil
}

func (b *builder) writeTo(ctx context.Context, w io.Writer) error {
	h := header{
		Format: formatNumber, ByteOrder: byteOrder,
		Nodes: uint64(b.names.len()), Arcs: b.arcs, Edges: b.edges, Lines: b.lines,
		TextBytes: uint64(len(b.names.text)), IDBits: idBits(uint64(b.names.len())),
		LeastWeight: b.least, WeightBits: uint32(bits.Len32(b.most - b.least)),
	}
	copy(h.Magic[:], magic)
	if b.options.Directed {
		h.Flags |= flagDirected
	}
	const buffer = 1 << 20
	file, sum := bufio.NewWriterSize(w, buffer), crc32.New(castagnoli)
	out := io.MultiWriter(file, sum)
	if err := binary.Write(out, binary.NativeEndian, &h); err != nil {
		return err
	}
	rows := rows{head: &h, offsets: make([]uint64, h.Nodes+1), totals: make([]float32, h.Nodes), blocks: make([]uint32, h.blockCount())}
	written, err := b.writeRecords(ctx, out, &rows)
	if err != nil {
		return err
	}
	sections := [][]byte{nil, asBytes(rows.offsets), asBytes(rows.totals), asBytes(rows.blocks), asBytes(b.names.ends), b.names.text}
	for i, size := range h.sections() {
		if _, err := out.Write(sections[i]); err != nil {
			return err
		}
		if _, err := out.Write(make([]byte, size-written-uint64(len(sections[i])))); err != nil {
			return err
		}
		written = 0
	}
	if err := binary.Write(file, binary.NativeEndian, uint64(sum.Sum32())); err != nil {
		return err
	}
	return file.Flush()
}

// writeRecords writes the records of all arcs, and returns how many bytes they take.
func (b *builder) writeRecords(ctx context.Context, out io.Writer, rows *rows) (uint64, error) {
	var p packer
	width := uint(rows.head.IDBits + rows.head.WeightBits)
	var arcs []spilled
	for i := range b.buckets {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		k := &b.buckets[i]
		arcs = slices.Grow(arcs[:0], int(k.arcs))[:k.arcs]
		if err := b.sorted.read(k.at, arcs); err != nil {
			return 0, err
		}
		at := uint64(0)
		for node := k.first; node < k.end; node++ {
			row := arcs[at : at+uint64(b.degrees[node])]
			at += uint64(len(row))
			for _, arc := range row {
				code := math.Float32bits(arc.weight)>>droppedBits - rows.head.LeastWeight
				if arc.from != node || bits.Len32(code) > int(rows.head.WeightBits) {
					return 0, errors.New("the temporary file of the graph has changed while it was read")
				}
				p.add(uint64(arc.to)|uint64(code)<<rows.head.IDBits, width)
			}
			rows.add(node, row)
		}
		if err := p.flush(out, false); err != nil {
			return 0, err
		}
	}
	return (b.arcs*uint64(width) + 7) / 8, p.flush(out, true)
}

type packer struct {
	bytes []byte
	held  uint64
	bits  uint // number of bits in held
}

func (p *packer) add(record uint64, width uint) {
	p.held |= record << p.bits
	if p.bits+width < 64 {
		p.bits += width
		return
	}
	p.bytes = binary.LittleEndian.AppendUint64(p.bytes, p.held)
	p.held = record >> (64 - p.bits)
	p.bits += width - 64
}

// flush writes whole words. If last, it also writes the remaining bits.
func (p *packer) flush(out io.Writer, last bool) error {
	if last {
		p.bytes = append(p.bytes, binary.LittleEndian.AppendUint64(nil, p.held)[:(p.bits+7)/8]...)
	}
	_, err := out.Write(p.bytes)
	p.bytes = p.bytes[:0]
	return err
}

type rows struct {
	head    *header
	offsets []uint64
	totals  []float32
	blocks  []uint32
}

// add adds the row of a node. Nodes come in order.
func (r *rows) add(node uint32, row []spilled) {
	first := r.offsets[node]
	r.offsets[node+1] = first + uint64(len(row))
	total := 0.0
	for _, arc := range row {
		total += float64(arc.weight)
	}
	r.totals[node] = float32(total)
	if len(r.blocks) == 0 || len(row) < blockArcs {
		return
	}
	ends, sum := r.blocks[first/blockArcs:], 0.0
	for i, arc := range row {
		sum += float64(arc.weight)
		if (i+1)%blockArcs == 0 {
			ends[i/blockArcs] = uint32(min(sum/total*(1<<32), math.MaxUint32))
		}
	}
}
