package corpus

import (
	"encoding/binary"
	"hash/crc32"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// maxChecksums is the number of checksums of a corpus with at least so many chunks.
const maxChecksums = 32

// Checksums divides the corpus into up to 32 runs of chunks of about equal length and
// returns the CRC-32C of each. It is computed from the ids as little-endian numbers, with
// their EndOfSentence bits. Two corpora can be compared by their checksums, and the first
// checksum that differs shows about where they differ. Checksums reads the whole corpus.
func (x *IDs) Checksums() []uint32 {
	n := min(maxChecksums, x.Chunks())
	sums := make([]uint32, n)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	if x.from != nil && x.from.inOrder() {
		g.SetLimit(1) // each part reads the text up to its place
	}
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
	r := x.Reader()
	for i := first; i < last; i++ {
		for _, piece := range r.Chunk(i) {
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
