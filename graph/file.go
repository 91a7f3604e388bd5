package graph

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"math/bits"
	"os"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// A graph file is a header, the records of arcs, offsets, totals, blocks, ends and the text of
// names, each section padded to 8 bytes, and a CRC-32C of all that is before it. Numbers are in the
// order of bytes of the machine that wrote it, which the header says.

const (
	magic        = "w2vgraph"
	formatNumber = 1
	byteOrder    = 0x01020304
	flagDirected = 1
	headerBytes  = 80
	sumBytes     = 8
)

// A header begins a graph file.
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
	LeastWeight uint32 // the smallest weight's bits, without the dropped ones
	Flags       uint32
	_           uint64
}

// castagnoli is a table that processors have instructions for.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sections returns the lengths of the sections in bytes, padded.
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

// size returns the length of the file.
func (h *header) size() uint64 {
	n := uint64(headerBytes + sumBytes)
	for _, section := range h.sections() {
		n += section
	}
	return n
}

func (h *header) bytes() []byte {
	var out bytes.Buffer
	_ = binary.Write(&out, binary.NativeEndian, h) // a buffer takes everything
	return out.Bytes()
}

// check returns an error if a header is none of a file of that size.
func (h *header) check(size uint64) error {
	const most = 1 << 40 // nodes and arcs, so that sizes do not overflow
	switch {
	case string(h.Magic[:]) != magic:
		return errors.New("this is no graph that was kept: it begins otherwise")
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

// idBits returns how many bits the largest number of a node has.
func idBits(nodes uint64) uint32 { return uint32(max(1, bits.Len64(nodes-1))) }

var errDamaged = errors.New("the graph is damaged: make it again from the edges")

// Open maps a graph that Read kept in a file. It reads the file once to see that it is whole.
func Open(path string) (*Graph, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer file.Close() // a mapping needs no open file
	g, err := mapped(file)
	if err != nil {
		return nil, named(path, err)
	}
	sum := len(g.mapped) - sumBytes
	if uint64(crc32.Checksum(g.mapped[:sum], castagnoli)) != binary.NativeEndian.Uint64(g.mapped[sum:]) || !g.valid() {
		return nil, errors.Join(named(path, errDamaged), g.Close())
	}
	return g, nil
}

// IsGraph reports whether a file begins as one that Read kept.
func IsGraph(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // what is read from a pipe is gone
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

// mapped maps a file.
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
	if err := binary.Read(bytes.NewReader(head), binary.NativeEndian, &g.head); err != nil {
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

// asNumbers returns bytes as the numbers that they are.
func asNumbers[T uint32 | uint64 | float32](b []byte) []T {
	var one T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(one)))
}

// asBytes returns numbers as bytes.
func asBytes[T uint32 | uint64 | float32 | spilled](x []T) []byte {
	var one T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(one)))
}

// named puts a file's name before an error, in place of the system call that package os puts
// there.
func named(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
