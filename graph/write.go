package graph

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"os"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/scratch"
)

// write writes the graph to its file, and maps it.
func (b *builder) write(ctx context.Context) (*Graph, error) {
	if b.options.Output != "" {
		if err := atomicfile.Write(b.options.Output, func(w io.Writer) error { return b.writeTo(ctx, w) }); err != nil {
			return nil, err
		}
		file, err := os.Open(b.options.Output)
		if err != nil {
			return nil, named(b.options.Output, err)
		}
		defer file.Close() // a mapping needs no open file
		g, err := mapped(file)
		if err != nil {
			return nil, named(b.options.Output, err)
		}
		return g, nil
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

// A summed writer writes through a buffer, and sums what it writes.
type summed struct {
	w   *bufio.Writer
	sum hash.Hash32
	n   uint64
}

func (s *summed) Write(p []byte) (int, error) {
	s.sum.Write(p)
	s.n += uint64(len(p))
	return s.w.Write(p)
}

// pad writes zeros up to a place.
func (s *summed) pad(to uint64) error {
	_, err := s.Write(make([]byte, to-s.n))
	return err
}

// writeTo writes the graph.
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
	out := &summed{w: bufio.NewWriterSize(w, buffer), sum: crc32.New(castagnoli)}
	if _, err := out.Write(h.bytes()); err != nil {
		return err
	}
	rows := newRows(&h)
	if err := b.writeRecords(ctx, out, rows); err != nil {
		return err
	}
	sections := h.sections()
	end := headerBytes + sections[0]
	if err := out.pad(end); err != nil {
		return err
	}
	for i, section := range [][]byte{asBytes(rows.offsets), asBytes(rows.totals), asBytes(rows.blocks), asBytes(b.names.ends), b.names.text} {
		if _, err := out.Write(section); err != nil {
			return err
		}
		end += sections[i+1]
		if err := out.pad(end); err != nil {
			return err
		}
	}
	if _, err := out.w.Write(binary.NativeEndian.AppendUint64(nil, uint64(out.sum.Sum32()))); err != nil {
		return err
	}
	return out.w.Flush()
}

// writeRecords writes the records of all arcs.
func (b *builder) writeRecords(ctx context.Context, out io.Writer, rows *rows) error {
	var p packer
	width := uint(rows.head.IDBits + rows.head.WeightBits)
	var arcs []spilled
	for i := range b.buckets {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := &b.buckets[i]
		if uint64(cap(arcs)) < k.arcs {
			arcs = make([]spilled, k.arcs)
		}
		arcs = arcs[:k.arcs]
		if err := b.sorted.read(k.at, arcs); err != nil {
			return err
		}
		at := uint64(0)
		for node := k.first; node < k.end; node++ {
			row := arcs[at : at+uint64(b.degrees[node])]
			at += uint64(len(row))
			for _, arc := range row {
				code := math.Float32bits(arc.weight)>>droppedBits - rows.head.LeastWeight
				if arc.from != node || bits.Len32(code) > int(rows.head.WeightBits) {
					return errChanged
				}
				p.add(uint64(arc.to)|uint64(code)<<rows.head.IDBits, width)
			}
			rows.add(node, row)
		}
		if err := p.flush(out, false); err != nil {
			return err
		}
	}
	return p.flush(out, true)
}

// A packer puts records of some bits one after the other.
type packer struct {
	bytes []byte
	held  uint64
	bits  uint // in held
}

// add appends a record.
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

// flush writes whole words, and at the last the rest, too.
func (p *packer) flush(out io.Writer, last bool) error {
	if last {
		p.bytes = append(p.bytes, binary.LittleEndian.AppendUint64(nil, p.held)[:(p.bits+7)/8]...)
	}
	_, err := out.Write(p.bytes)
	p.bytes = p.bytes[:0]
	return err
}

// rows are what a graph has for each node.
type rows struct {
	head    *header
	offsets []uint64
	totals  []float32
	blocks  []uint32
}

func newRows(h *header) *rows {
	return &rows{head: h, offsets: make([]uint64, h.Nodes+1), totals: make([]float32, h.Nodes), blocks: make([]uint32, h.blockCount())}
}

// add adds the row of a node, after those before it.
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
