package replica

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/w2v-go/w2v/internal/simd"
)

// combine combines the changes of a stretch, in rows that this rank owns.
func (h *hand) combine(stretch int) error {
	if err := h.sort(stretch); err != nil {
		return err
	}
	first, end := h.bounds(stretch)
	h.out.stretch(first)
	for at := first; at < end; at++ {
		if h.heads[at-first] >= 0 {
			h.out.place(at)
			h.combineRow(h.places[at], h.heads[at-first])
		}
	}
	h.out.end()
	return nil
}

// sort lists the changes of each place of a stretch.
func (h *hand) sort(stretch int) error {
	first, end := h.bounds(stretch)
	for i := range end - first {
		h.heads[i] = -1
	}
	h.sent = h.sent[:0]
	for from := len(h.parts) - 1; from >= 0; from-- { // backwards, so that lists begin with the first rank
		r := h.reader(h.parts[from][stretch], stretch)
		for ; r.at < end; r.next() {
			head := &h.heads[r.at-first]
			h.sent = append(h.sent, sent{r.change, *head})
			*head = int32(len(h.sent) - 1)
		}
		if r.broken {
			return damaged(from)
		}
	}
	return nil
}

// combineRow combines the changes of a row, and writes the result to out. The rounding error of coding
// becomes a change of this rank.
func (h *hand) combineRow(p place, head int32) {
	m := h.matrices[h.matrix(p)]
	combined := h.change[:m.Rows.Cols]
	most := h.combined(combined, h.rowOf(p), head)
	begin := len(h.out.data)
	h.out.data = h.coding.Append(h.out.data, combined, most)
	if h.coding == Exact {
		return
	}
	h.coding.Add(combined, h.out.data[begin:], -1)
	h.add(m.Rows, p.row, combined)
}

// combined sets combined to the combination of the changes in the list from head on. It returns the largest
// magnitude in it.
func (h *hand) combined(combined []float32, row Row, head int32) (most float32) {
	var n int
	n, row.Agreement = h.agreement(combined, head)
	part := float32(h.options.Combine(n, row))
	clear(combined)
	for i := head; i >= 0; i = h.sent[i].next {
		most = h.coding.Add(combined, h.sent[i].numbers, part)
	}
	return most
}

// agreement returns the number of changes in the list from head on, and their agreement. It overwrites
// combined.
func (h *hand) agreement(combined []float32, head int32) (n int, agreement float64) {
	if h.sent[head].next < 0 {
		return 1, 1
	}
	sum, squares := h.sum[:len(combined)], 0.0
	clear(sum)
	for i := head; i >= 0; i = h.sent[i].next {
		clear(combined)
		h.coding.Add(combined, h.sent[i].numbers, 1)
		squares += square(combined)
		h.coding.Add(sum, h.sent[i].numbers, 1)
		n++
	}
	if squares == 0 { // the changes are too short for float32
		return n, 1
	}
	return n, square(sum) / squares
}

// rowOf returns what a combiner knows of a row.
func (h *hand) rowOf(p place) Row {
	return Row{Ranks: len(h.send), Way: h.matrices[h.matrix(p)].Touches(int(p.row)) * float64(p.way)}
}

// apply applies the combined changes of a stretch, sent by the owners of the rows, in the order of places, which is roughly the order in
// memory.
func (h *hand) apply(stretch int) error {
	for owner := range h.parts {
		h.all[owner] = h.reader(h.parts[owner][stretch], stretch)
		h.mine[owner] = h.reader(h.own[owner][stretch], stretch)
	}
	first, end := h.bounds(stretch)
	for at := first; at < end; at++ {
		h.prefetch(at + prefetched)
		p := h.places[at]
		owner := h.owner(p)
		all, mine := &h.all[owner], &h.mine[owner]
		if all.at != at {
			continue
		}
		var sent []byte
		if mine.at == at {
			sent = mine.change
			mine.next()
		}
		h.applyRow(p, all.change, sent)
		all.next()
	}
	for owner := range h.all {
		// Owners must return a combined change for every change that was sent, and only for their own rows.
		if r := &h.all[owner]; r.broken || r.at < end || h.mine[owner].at < end {
			return damaged(owner)
		}
	}
	return nil
}

// applyRow applies the combined change of a row. own is the change that this rank sent; it may be empty.
func (h *hand) applyRow(p place, combined, own []byte) {
	m := h.matrix(p)
	rows, reference := h.matrices[m].Rows, h.reference[m].Row(int(p.row))
	switch {
	case h.complete:
		h.coding.Add(reference, combined, 1)
		copy(rows.Row(int(p.row)), reference)
	case h.coding == Eight:
		all := eights(combined)
		mine := simd.Eights{Bits: all.Bits} // no change
		if own != nil {
			mine = eights(own)
		}
		simd.MoveEights(reference, rows.Row(int(p.row)), all, mine)
	default:
		change := h.change[:len(reference)]
		clear(change)
		h.coding.Add(change, combined, 1)
		if own != nil {
			h.coding.Add(change, own, -1)
		}
		h.add(rows, p.row, change)
		h.coding.Add(reference, combined, 1)
	}
}

// A Coding is the encoding of a change's numbers in messages.
type Coding int

const (
	// Eight has a scale for each row, and 8 bits for each number.
	Eight Coding = iota
	// Exact is float32.
	Exact
)

// Bytes returns the size of a change of so many numbers.
func (c Coding) Bytes(numbers int) int {
	if c == Eight {
		return stepBytes + numbers
	}
	return 4 * numbers
}

const stepBytes = 4

// Append encodes a change, whose largest magnitude is most, and appends it to data.
func (c Coding) Append(data []byte, change []float32, most float32) []byte {
	first := len(data)
	data = slices.Grow(data, c.Bytes(len(change)))[:first+c.Bytes(len(change))]
	if c == Eight {
		PutEight(data[first:], change, most)
		return data
	}
	for k, x := range change {
		binary.LittleEndian.PutUint32(data[first+4*k:], math.Float32bits(x))
	}
	return data
}

// PutEight writes a change, whose largest magnitude is most, in the coding Eight.
func PutEight(to []byte, change []float32, most float32) {
	step := most / simd.MostEight
	binary.LittleEndian.PutUint32(to, math.Float32bits(step))
	to = to[stepBytes:][:len(change)]
	if !(step > 1/math.MaxFloat32) || step > math.MaxFloat32 { // the change is negligible or not finite, and so is its code
		clear(to)
		return
	}
	simd.ToEights(to, change, 1/step)
}

func eights(data []byte) simd.Eights {
	return simd.Eights{Bits: data[stepBytes:], Step: math.Float32frombits(binary.LittleEndian.Uint32(data))}
}

// Add decodes a change, multiplies it by by, and adds it to sum. data must be long enough. It returns the
// largest magnitude of the resulting sum.
func (c Coding) Add(sum []float32, data []byte, by float32) (most float32) {
	if c == Eight {
		e := eights(data)
		e.Step *= by
		return simd.AddEights(sum, e)
	}
	for i := range sum {
		sum[i] += float32(math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])) * by)
	}
	return largest(sum)
}

func largest(x []float32) (most float32) {
	const sign = 1 << 31
	var bits uint32
	for _, v := range x {
		bits = max(bits, math.Float32bits(v)&^sign)
	}
	return math.Float32frombits(bits)
}

// A Row is what a Combiner knows of a row besides its changes.
type Row struct {
	Ranks int // number of ranks in the run
	// Way is how far a rank is expected to have moved the row since its last exchange: the sum of the
	// learning rates of its touches.
	Way float64
	// Agreement is the squared length of the sum of changes, divided by the sum of their squared lengths: 1
	// for orthogonal changes, and the number of changes for equal changes.
	Agreement float64
}

// A Combiner returns the factor of the sum of n ≥ 1 changes that is applied to a row. Several goroutines may
// call it at once.
type Combiner func(n int, row Row) float64

// Saturating returns a Combiner that adds changes up, with a smaller factor the more often the row was
// changed.
//
// If ranks trained one after the other, each would start from the row that the rank before left. Assume that
// on one rank a row moves a share 1−q of the way to its attractor. After n ranks it would have moved 1−qⁿ of
// the way. So the right factor of the sum is (1−qⁿ)/(n(1−q)): 1 for a row that has moved a little, and 1/n
// for a row that has arrived. q falls exponentially with the number of touches.
//
// Orthogonal changes come from different text, and do not draw the row to the same place. So the result is at
// least as long as if the changes were orthogonal.
func Saturating(perTouch float64) Combiner {
	return func(n int, row Row) float64 {
		return max(Saturation(perTouch*row.Way, n), 1/max(row.Agreement, 1))
	}
}

// Saturation returns the factor of the sum of n changes, if each moved a row 1−exp(−way) of its way.
func Saturation(way float64, n int) float64 {
	if n < 2 || way < 1e-6 {
		return 1
	}
	// Expm1 would be more exact than needed, and several times slower.
	return (1 - math.Exp(-way*float64(n))) / (float64(n) * (1 - math.Exp(-way)))
}

func square(x []float32) float64 {
	var dot [1]float32
	simd.Dots(dot[:], 1, x, len(x), 1, x, len(x), 1, len(x))
	return float64(dot[0])
}
