package parquet

import (
	"encoding/binary"
	"errors"
	"strconv"
)

var errValues = errors.New("a page ends too early, or its values are damaged")

// values are the values of a page, as texts. A text is valid until the next one.
type values interface {
	next() ([]byte, error)
}

// A hybrid is numbers of a width, as runs of equal ones and as packed bits.
type hybrid struct {
	data   []byte
	width  int
	left   uint64 // numbers of the current run
	value  uint32 // of a run of equal numbers
	packed []byte // of a run of packed bits; else nil
	at     uint64 // next bit of packed
}

func (h *hybrid) next() (uint32, error) {
	if h.left > 0 && h.packed == nil {
		h.left--
		return h.value, nil
	}
	return h.more()
}

// more is next for packed bits and the beginning of a run.
func (h *hybrid) more() (uint32, error) {
	for h.left == 0 {
		head, rest, err := uvarint(h.data)
		if err != nil {
			return 0, errValues
		}
		size := uint64(h.width+7) / 8
		if head&1 == 1 {
			groups := head >> 1
			if groups > 1<<28 {
				return 0, errValues
			}
			size = groups * uint64(h.width)
			h.left, h.at = groups*8, 0
			size = min(size, uint64(len(rest))) // the last group may be cut off behind the values that count
			h.packed = rest[:size:size]
		} else {
			if size > uint64(len(rest)) {
				return 0, errValues
			}
			var of [4]byte
			copy(of[:], rest[:size])
			h.left, h.value, h.packed = head>>1, binary.LittleEndian.Uint32(of[:]), nil
		}
		h.data = rest[size:]
	}
	h.left--
	if h.packed == nil {
		return h.value, nil
	}
	x, err := bitsAt(h.packed, h.at, h.width)
	h.at += uint64(h.width)
	return uint32(x), err
}

// bitsAt returns a number of up to 64 bits that begins at a bit.
func bitsAt(b []byte, at uint64, width int) (uint64, error) {
	first, shift := at/8, int(at%8)
	if width == 0 {
		return 0, nil
	}
	if (at+uint64(width)+7)/8 > uint64(len(b)) {
		return 0, errValues
	}
	var x uint64
	if first+8 <= uint64(len(b)) {
		x = binary.LittleEndian.Uint64(b[first:]) >> shift
		if shift+width > 64 {
			x |= uint64(b[first+8]) << (64 - shift)
		}
	} else {
		for i, c := range b[first:] {
			x |= uint64(c) << (8 * i)
		}
		x >>= shift
	}
	return x & (1<<width - 1), nil // 1<<64 is 0
}

// plain is texts, each behind its length.
type plain struct{ data []byte }

func (p *plain) next() ([]byte, error) {
	if len(p.data) < 4 {
		return nil, errValues
	}
	n := uint64(binary.LittleEndian.Uint32(p.data))
	if n > uint64(len(p.data)-4) {
		return nil, errValues
	}
	text := p.data[4 : 4+n]
	p.data = p.data[4+n:]
	return text, nil
}

// A dictionary has the distinct values of a column chunk.
type dictionary struct {
	data   []byte   // texts, each behind its length in 32 bits
	begins []uint32 // of the texts in data
}

// dictionary returns the dictionary of n values in the encoding PLAIN. That of texts keeps data.
func (c *Column) dictionary(data []byte, n int64) (*dictionary, error) {
	d := new(dictionary)
	switch c.leaf.kind {
	case aBool:
		return nil, errors.New("a page is damaged: truth values have no dictionary")
	case byteArray:
		d.data = data
		for from := (plain{data}); int64(len(d.begins)) < n; {
			begin := len(data) - len(from.data)
			if _, err := from.next(); err != nil {
				return nil, err
			}
			d.begins = append(d.begins, uint32(begin+4))
		}
		return d, nil
	}
	for from := c.plain(data); int64(len(d.begins)) < n; {
		text, err := from.next()
		if err != nil {
			return nil, err
		}
		d.data = binary.LittleEndian.AppendUint32(d.data, uint32(len(text)))
		d.begins = append(d.begins, uint32(len(d.data)))
		d.data = append(d.data, text...)
	}
	return d, nil
}

// chosen is values by their index in a dictionary.
type chosen struct {
	of    *dictionary
	index hybrid
}

func (c *chosen) next() ([]byte, error) {
	i, err := c.index.next()
	if err != nil || int64(i) >= int64(len(c.of.begins)) {
		return nil, errValues
	}
	begin := c.of.begins[i]
	return c.of.data[begin : begin+binary.LittleEndian.Uint32(c.of.data[begin-4:])], nil
}

// fractions are numbers of a size in bytes, as they stand.
type fractions struct {
	data []byte
	size int
}

func (f *fractions) next() (number []byte, err error) {
	if len(f.data) < f.size {
		return nil, errValues
	}
	number, f.data = f.data[:f.size], f.data[f.size:]
	return number, nil
}

// integers are whole numbers of a size in bytes.
type integers struct {
	data   []byte
	size   int
	format numbers
}

// numbers writes numbers as texts.
type numbers struct {
	size     int // in bytes
	unsigned bool
	text     []byte
}

func (n *numbers) of(x int64) []byte {
	if n.size == 4 {
		x = int64(int32(x))
	}
	switch {
	case !n.unsigned:
		n.text = strconv.AppendInt(n.text[:0], x, 10)
	case n.size == 4:
		n.text = strconv.AppendUint(n.text[:0], uint64(uint32(x)), 10)
	default:
		n.text = strconv.AppendUint(n.text[:0], uint64(x), 10)
	}
	return n.text
}

func (i *integers) next() ([]byte, error) {
	if len(i.data) < i.size {
		return nil, errValues
	}
	var x int64
	if i.size == 4 {
		x = int64(int32(binary.LittleEndian.Uint32(i.data)))
	} else {
		x = int64(binary.LittleEndian.Uint64(i.data))
	}
	i.data = i.data[i.size:]
	return i.format.of(x), nil
}

// truths is a bit for each truth value.
type truths struct {
	data []byte
	at   uint64
}

func truth(x uint32) []byte { return strconv.AppendBool(nil, x != 0) }

func (t *truths) next() ([]byte, error) {
	x, err := bitsAt(t.data, t.at, 1)
	t.at++
	return truth(uint32(x)), err
}

// truthRuns is truth values as runs.
type truthRuns struct{ of hybrid }

func (t *truthRuns) next() ([]byte, error) {
	x, err := t.of.next()
	return truth(x), err
}

// deltas are numbers as differences from the number before: DELTA_BINARY_PACKED.
type deltas struct {
	data   []byte // behind the current block
	left   uint64 // numbers left
	value  int64
	begun  bool
	block  uint64 // numbers of a block
	minis  uint64 // parts of a block, each with a width
	widths []byte // of the parts that are left
	least  int64
	packed []byte
	at     uint64 // bit in packed
	inPart uint64 // numbers left in the part
	width  int
}

func newDeltas(data []byte, most int64) (*deltas, error) {
	d := &deltas{}
	var err error
	for _, to := range []*uint64{&d.block, &d.minis, &d.left} {
		if *to, data, err = uvarint(data); err != nil {
			return nil, errValues
		}
	}
	first, data, err := uvarint(data)
	if err != nil || d.block > 1<<20 || d.minis == 0 || d.block%d.minis != 0 || d.block/d.minis%8 != 0 || d.left > uint64(most) {
		return nil, errValues
	}
	d.value, d.data = zigzag(first), data
	return d, nil
}

// begin reads the head of a block.
func (d *deltas) begin() error {
	least, rest, err := uvarint(d.data)
	if err != nil || uint64(len(rest)) < d.minis {
		return errValues
	}
	d.least, d.widths, d.data = zigzag(least), rest[:d.minis], rest[d.minis:]
	return nil
}

// part goes on to the next part of a block. Parts behind the last number have no data.
func (d *deltas) part() error {
	if len(d.widths) == 0 {
		if err := d.begin(); err != nil {
			return err
		}
	}
	d.width, d.widths, d.inPart, d.at = int(d.widths[0]), d.widths[1:], d.block/d.minis, 0
	size := d.inPart * uint64(d.width) / 8
	if d.width > 64 || d.block == 0 {
		return errValues
	}
	size = min(size, uint64(len(d.data)))
	d.packed, d.data = d.data[:size:size], d.data[size:]
	return nil
}

func (d *deltas) next() (int64, error) {
	if d.left == 0 {
		return 0, errValues
	}
	d.left--
	if !d.begun {
		d.begun = true
		return d.value, nil
	}
	if d.inPart == 0 {
		if err := d.part(); err != nil {
			return 0, err
		}
	}
	x, err := bitsAt(d.packed, d.at, d.width)
	d.at += uint64(d.width)
	d.inPart--
	d.value += d.least + int64(x)
	return d.value, err
}

// rest returns what follows the numbers.
func (d deltas) rest() ([]byte, error) {
	if d.left > 0 {
		d.left-- // the first number is in the head
	}
	for d.left > 0 {
		if err := d.part(); err != nil {
			return nil, err
		}
		d.left -= min(d.left, d.inPart)
	}
	return d.data, nil
}

// differing is numbers as differences.
type differing struct {
	of     *deltas
	format numbers
}

func (d *differing) next() ([]byte, error) {
	x, err := d.of.next()
	return d.format.of(x), err
}

// lengths is texts behind all of their lengths: DELTA_LENGTH_BYTE_ARRAY.
type lengths struct {
	of   *deltas
	data []byte
}

func newLengths(data []byte, most int64) (*lengths, error) {
	of, err := newDeltas(data, most)
	if err != nil {
		return nil, err
	}
	data, err = of.rest()
	return &lengths{of, data}, err
}

func (l *lengths) next() ([]byte, error) {
	n, err := l.of.next()
	if err != nil || n < 0 || n > int64(len(l.data)) {
		return nil, errValues
	}
	text := l.data[:n]
	l.data = l.data[n:]
	return text, nil
}

// continued is texts that begin as the text before: DELTA_BYTE_ARRAY.
type continued struct {
	shared *deltas // how many bytes
	ends   *lengths
	text   []byte
}

func newContinued(data []byte, most int64) (*continued, error) {
	shared, err := newDeltas(data, most)
	if err != nil {
		return nil, err
	}
	if data, err = shared.rest(); err != nil {
		return nil, err
	}
	ends, err := newLengths(data, most)
	return &continued{shared: shared, ends: ends}, err
}

func (c *continued) next() ([]byte, error) {
	n, err := c.shared.next()
	if err != nil || n < 0 || n > int64(len(c.text)) {
		return nil, errValues
	}
	end, err := c.ends.next()
	c.text = append(c.text[:n], end...)
	return c.text, err
}
