package graph

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/scratch"
	"golang.org/x/sync/errgroup"
)

// A bucket is a range of nodes whose arcs are sorted together.
type bucket struct {
	first, end uint32 // nodes
	at         uint64 // place of the arcs in the file
	arcs       uint64 // number of arcs
	filled     uint64 // arcs written so far
	buf        []spilled
}

const (
	sortBytes    = spilledBytes + 8 // memory for each arc that is sorted
	bucketBuffer = 1 << 11          // arcs
)

// distribute copies the arcs of the edges into buckets of nodes, so that each can be sorted in
// memory.
func (b *builder) distribute(ctx context.Context) (err error) {
	memory := uint64(b.options.Memory)
	most := max(memory/2/(bucketBuffer*spilledBytes), 1) // maximum number of buckets: each has a buffer
	share := max(memory/uint64(b.options.Threads)/sortBytes, b.arcs/most+1)
	of := make([]uint16, b.names.len()) // bucket of each node
	for node, degree := range b.degrees {
		last := len(b.buckets) - 1
		if last < 0 || b.buckets[last].arcs+uint64(degree) > share && last+1 < math.MaxUint16 {
			b.buckets = append(b.buckets, bucket{first: uint32(node)})
			last++
		}
		b.buckets[last].end = uint32(node + 1)
		b.buckets[last].arcs += uint64(degree)
		of[node] = uint16(last)
	}
	at := uint64(0)
	for i := range b.buckets {
		k := &b.buckets[i]
		k.at, k.buf = at, make([]spilled, 0, min(bucketBuffer, k.arcs))
		at += k.arcs
	}
	if b.sorted, err = newSpill(b.options.Folder); err != nil {
		return err
	}
	put := func(arc spilled) error {
		k := &b.buckets[of[arc.from]]
		if k.buf = append(k.buf, arc); len(k.buf) < cap(k.buf) {
			return nil
		}
		return b.empty(k)
	}
	part := make([]spilled, spillBuffer)
	for at := uint64(0); at < b.lines; at += uint64(len(part)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		part = part[:min(uint64(len(part)), b.lines-at)]
		if err := b.spill.read(at, part); err != nil {
			return err
		}
		for _, e := range part {
			if err := put(e); err != nil {
				return err
			}
			if b.options.Directed || e.from == e.to {
				continue
			}
			if err := put(spilled{e.to, e.from, e.weight}); err != nil {
				return err
			}
		}
	}
	for i := range b.buckets {
		if err := b.empty(&b.buckets[i]); err != nil {
			return err
		}
		b.buckets[i].buf = nil
	}
	err = b.spill.file.Close()
	b.spill = nil
	return err
}

func (b *builder) empty(k *bucket) error {
	err := b.sorted.write(k.at+k.filled, k.buf)
	k.filled += uint64(len(k.buf))
	k.buf = k.buf[:0]
	return err
}

// merge sorts every bucket, merges arcs between the same nodes into one, and writes the arcs back. It also
// counts arcs and edges, and finds the smallest and the largest weight.
func (b *builder) merge(ctx context.Context) error {
	b.arcs, b.least, b.most = 0, math.MaxUint32, 0
	var all sync.Mutex
	var next atomic.Int64
	var g errgroup.Group
	for range min(b.options.Threads, len(b.buckets)) {
		g.Go(func() error {
			s := sorter{least: math.MaxUint32}
			for i := next.Add(1) - 1; i < int64(len(b.buckets)); i = next.Add(1) - 1 {
				if err := ctx.Err(); err != nil {
					return err
				}
				k := &b.buckets[i]
				if err := s.sort(b, k); err != nil {
					return err
				}
				k.arcs = uint64(len(s.arcs))
			}
			all.Lock()
			defer all.Unlock()
			b.arcs += s.merged
			b.edges += s.edges
			b.least, b.most = min(b.least, s.least), max(b.most, s.most)
			return nil
		})
	}
	return g.Wait()
}

type sorter struct {
	arcs   []spilled
	keys   []uint64 // neighbour in the upper bits, bits of the weight in the lower
	begins []uint64 // where each row begins in keys

	// Of all buckets that were sorted.
	merged, edges uint64 // arcs and edges
	least, most   uint32
}

// sort sorts a bucket and writes it back. Its arcs are in s.arcs afterwards.
func (s *sorter) sort(b *builder, k *bucket) error {
	s.arcs = slices.Grow(s.arcs[:0], int(k.arcs))[:k.arcs]
	s.keys = slices.Grow(s.keys[:0], int(k.arcs))[:k.arcs]
	if err := b.sorted.read(k.at, s.arcs); err != nil {
		return err
	}
	degrees := b.degrees[k.first:k.end]
	s.begins = s.begins[:0]
	at := uint64(0)
	for _, degree := range degrees {
		s.begins = append(s.begins, at)
		at += uint64(degree)
	}
	for _, arc := range s.arcs {
		place := &s.begins[arc.from-k.first]
		s.keys[*place] = uint64(arc.to)<<32 | uint64(math.Float32bits(arc.weight))
		*place++
	}
	s.arcs = s.arcs[:0]
	for i := range degrees {
		end := s.begins[i]
		row := s.keys[end-uint64(degrees[i]) : end]
		slices.Sort(row)
		before := len(s.arcs)
		if err := s.mergeRow(b, k.first+uint32(i), row); err != nil {
			return err
		}
		degrees[i] = uint32(len(s.arcs) - before)
	}
	s.merged += uint64(len(s.arcs))
	return b.sorted.write(k.at, s.arcs)
}

// mergeRow adds the sorted arcs of a node to s.arcs, each neighbour once.
func (s *sorter) mergeRow(b *builder, node uint32, row []uint64) error {
	total := 0.0
	for len(row) > 0 {
		to, n := uint32(row[0]>>32), 0
		sum := 0.0
		for n < len(row) && uint32(row[n]>>32) == to {
			sum += float64(math.Float32frombits(uint32(row[n])))
			n++
		}
		row = row[n:]
		if !b.weighted {
			sum = 1
		}
		if total += sum; total > math.MaxFloat32/2 && total > sum {
			return fmt.Errorf("the weights of the edges at %.40q add up to %g, which is too much", b.names.name(node), total)
		}
		if sum > math.MaxFloat32/2 {
			return fmt.Errorf("the weights of the edge from %.40q to %.40q add up to %g, which is too much", b.names.name(node), b.names.name(to), sum)
		}
		weight := (math.Float32bits(float32(sum)) + 1<<(droppedBits-1)) >> droppedBits
		s.least, s.most = min(s.least, weight), max(s.most, weight)
		if b.options.Directed || node <= to {
			s.edges++
		}
		s.arcs = append(s.arcs, spilled{node, to, math.Float32frombits(weight << droppedBits)})
	}
	return nil
}

// A spilled edge or arc is stored in a temporary file.
type spilled struct {
	from, to uint32
	weight   float32
}

const (
	spilledBytes = 12
	spillBuffer  = 1 << 14 // edges
)

type spill struct {
	file *scratch.File
	buf  []spilled
}

func newSpill(folder string) (*spill, error) {
	file, err := temporary(folder)
	if err != nil {
		return nil, err
	}
	return &spill{file: file, buf: make([]spilled, 0, spillBuffer)}, nil
}

func (s *spill) add(e spilled) error {
	if s.buf = append(s.buf, e); len(s.buf) < spillBuffer {
		return nil
	}
	return s.flush()
}

func (s *spill) flush() error {
	_, err := s.file.Write(asBytes(s.buf))
	s.buf = s.buf[:0]
	return s.explain(err)
}

// write writes edges at a position, which is counted in edges.
func (s *spill) write(at uint64, edges []spilled) error {
	_, err := s.file.WriteAt(asBytes(edges), int64(spilledBytes*at))
	return s.explain(err)
}

func (s *spill) read(at uint64, edges []spilled) error {
	_, err := s.file.ReadAt(asBytes(edges), int64(spilledBytes*at))
	return s.explain(err)
}

func (s *spill) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w (temporary files of a graph take up to 36 bytes an edge)", s.file.Folder, scratch.Cause(err))
}

func temporary(folder string) (*scratch.File, error) {
	file, err := scratch.Create(folder, "w2v-graph-")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(folder, os.TempDir()), err)
	}
	return file, nil
}
