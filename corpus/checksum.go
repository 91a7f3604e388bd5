package corpus

import (
	"encoding/binary"
	"hash/crc32"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// maxChecksums is how many checksums a corpus has, if it has so many chunks.
const maxChecksums = 32

// Checksums returns the CRC-32C of each of up to 32 runs of chunks, as equal as can be: of
// their ids, ends of sentences included, as little-endian
// numbers. They tell whether a corpus is the one that it was, and where it is not.
// All of it is read.
func (x *IDs) Checksums() []uint32 {
	n := min(maxChecksums, x.Chunks())
	sums := make([]uint32, n)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for k := range sums {
		g.Go(func() error {
			first, last := k*x.Chunks()/n, (k+1)*x.Chunks()/n
			sums[k] = x.checksum(first, last)
			return nil
		})
	}
	_ = g.Wait() // there is no error
	return sums
}

// checksum returns the checksum of the chunks first to last-1.
func (x *IDs) checksum(first, last int) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli)
	buf := make([]byte, 0, 1<<14)
	var sum uint32
	for i := first; i < last; i++ {
		for _, piece := range x.Chunk(i) {
			for _, id := range piece {
				if buf = binary.LittleEndian.AppendUint32(buf, id); len(buf) == cap(buf) {
					sum = crc32.Update(sum, table, buf)
					buf = buf[:0]
				}
			}
		}
	}
	return crc32.Update(sum, table, buf)
}
