package corpus

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/edsrzf/mmap-go"
)

// savedMagic begins saved ids. Its last byte is the version of the format.
const savedMagic = "w2v-ids\x01"

// savedTrailer is the number of bytes behind the index of saved ids: tokens, largest id, chunks,
// bytes of chunks, and the checksum of all before.
const savedTrailer = 4*8 + 4

var castagnoliTable = crc32.MakeTable(crc32.Castagnoli)

// WriteTo writes the ids with a checksum, in a form that OpenIDs reads. It is an error if they are
// a part that Split made, or are read from text.
func (x *IDs) WriteTo(w io.Writer) (int64, error) {
	if x == nil || x.from == nil {
		return 0, errors.New("corpus: the ids to write are closed or nil")
	}
	p, ok := x.from.store.(*packed)
	if !ok || x.parts {
		return 0, errors.New("corpus: only all ids of a cache can be written")
	}
	sum := crc32.New(castagnoliTable)
	out := io.MultiWriter(w, sum)
	var done int64
	write := func(b []byte) error {
		n, err := out.Write(b)
		done += int64(n)
		return err
	}
	if err := write([]byte(savedMagic)); err != nil {
		return done, err
	}
	for at := 0; at < len(p.data); {
		part := p.data[at:min(at+writeBuffer, len(p.data))]
		if err := write(part); err != nil {
			return done, err
		}
		p.saw(len(part))
		at += len(part)
	}
	end := p.appendIndex(nil)
	for _, n := range []uint64{x.tokens, uint64(x.most), uint64(x.chunks), uint64(len(p.data))} {
		end = binary.LittleEndian.AppendUint64(end, n)
	}
	if err := write(end); err != nil {
		return done, err
	}
	n, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return done + int64(n), err
}

var errSaved = errors.New("the ids are damaged: their checksum is another")

// OpenIDs returns the ids that WriteTo wrote to a file, from first to last. It reads them once to
// compare the checksum. The ids take the file over: it is closed with them, or if there is an error.
func OpenIDs(f *os.File, first, last int64) (x *IDs, err error) {
	p := &packed{file: f, folder: filepath.Dir(f.Name())}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if last-first < int64(len(savedMagic)+savedTrailer) {
		return nil, errSaved
	}
	if p.mapped, err = mmap.Map(f, mmap.RDONLY, 0); err != nil {
		return nil, fmt.Errorf("mapping the ids: %w", err)
	}
	if first < 0 || last > int64(len(p.mapped)) {
		return nil, errSaved
	}
	all := p.mapped[first:last]
	sum := uint32(0)
	body := all[:len(all)-4]
	for at := 0; at < len(body); {
		part := body[at:min(at+writeBuffer, len(body))]
		sum = crc32.Update(sum, castagnoliTable, part)
		p.saw(len(part))
		at += len(part)
	}
	if string(all[:len(savedMagic)]) != savedMagic || sum != binary.LittleEndian.Uint32(all[len(body):]) {
		return nil, errSaved
	}
	numbers := body[len(body)-4*8:]
	number := func(i int) uint64 { return binary.LittleEndian.Uint64(numbers[8*i:]) }
	tokens, most, chunks, size := number(0), int64(number(1)), number(2), number(3)
	index := body[len(savedMagic) : len(body)-4*8]
	if size > uint64(len(index)) || chunks > uint64(len(index)) || most < -1 || most >= EndOfSentence {
		return nil, errSaved
	}
	p.data, index = index[:size], index[size:]
	var at, ids uint64
	for range chunks {
		n, k := binary.Uvarint(index)
		if k <= 0 || n == 0 || n >= ChunkTokens+MaxSentence {
			return nil, errSaved
		}
		bytes, m := binary.Uvarint(index[k:])
		if m <= 0 || bytes > size-at {
			return nil, errSaved
		}
		p.places = append(p.places, place{int64(at), int32(n)})
		at, ids, index = at+bytes, ids+n, index[k+m:]
	}
	if at != size || ids != tokens || len(index) > 0 {
		return nil, errSaved
	}
	return newIDs(p, tokens, int(most)), nil
}
