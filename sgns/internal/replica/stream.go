package replica

import (
	"encoding/binary"
	"errors"
)

// What a rank sends of a piece is a stretch of places after the other, so that several goroutines can
// work on it. A stretch is the length of its changes in bytes, and its changes in the order of places. A
// change is how many places are left out before it, and its numbers.

// stretchPlaces is how many places a stretch has; the last one of a piece may have fewer.
const stretchPlaces = 512

// lengthBytes is how many bytes the length of a stretch takes.
const lengthBytes = 4

// errDamaged says that a rank sent what this one cannot read.
var errDamaged = errors.New("what it sent cannot be read: all ranks must run the same version with the same options")

// stretches is how many stretches the piece has.
func (x *exchange) stretches() int { return (len(x.places) + stretchPlaces - 1) / stretchPlaces }

// bounds are the first place of a stretch, and the one behind it.
func (x *exchange) bounds(stretch int) (first, end int) {
	first = stretch * stretchPlaces
	return first, min(first+stretchPlaces, len(x.places))
}

// A writer writes a stretch behind data.
type writer struct {
	data  []byte
	begin int // of the changes of the stretch
	next  int // the place behind the last change
}

// stretch begins to write a stretch of places from first on.
func (w *writer) stretch(first int) {
	w.data = append(w.data, make([]byte, lengthBytes)...)
	w.begin, w.next = len(w.data), first
}

// place begins to write the change of a place. Its numbers follow.
func (w *writer) place(at int) {
	w.data = binary.AppendUvarint(w.data, uint64(at-w.next))
	w.next = at + 1
}

// end ends the stretch.
func (w *writer) end() {
	binary.LittleEndian.PutUint32(w.data[w.begin-lengthBytes:], uint32(len(w.data)-w.begin))
}

// split splits what a rank has sent into stretches.
func (x *exchange) split(stretches [][]byte, data []byte) ([][]byte, error) {
	stretches = stretches[:0]
	for range x.stretches() {
		if len(data) < lengthBytes {
			return nil, errDamaged
		}
		length := uint64(binary.LittleEndian.Uint32(data))
		if data = data[lengthBytes:]; uint64(len(data)) < length {
			return nil, errDamaged
		}
		stretches = append(stretches, data[:length])
		data = data[length:]
	}
	if len(data) > 0 {
		return nil, errDamaged
	}
	return stretches, nil
}

// A reader reads the changes of a stretch.
type reader struct {
	*exchange
	data   []byte // that is left
	at     int    // the place of the change that was read last, or end if there are no more
	end    int    // of the stretch
	change []byte // numbers
	err    error
}

// reader begins to read data of a stretch, with the first change.
func (x *exchange) reader(data []byte, stretch int) reader {
	first, end := x.bounds(stretch)
	r := reader{exchange: x, data: data, at: first - 1, end: end}
	r.next()
	return r
}

// next reads the next change.
func (r *reader) next() {
	if len(r.data) == 0 {
		r.at = r.end
		return
	}
	gap, n := uint64(r.data[0]), 1 // as most are
	if gap > 0x7f {
		gap, n = binary.Uvarint(r.data)
	}
	if n <= 0 || gap >= uint64(r.end-r.at-1) {
		r.at, r.err = r.end, errDamaged
		return
	}
	r.at += 1 + int(gap)
	length := n + r.bytes[r.places[r.at].class]
	if len(r.data) < length {
		r.at, r.err = r.end, errDamaged
		return
	}
	r.change, r.data = r.data[n:length], r.data[length:]
}
