package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/w2v-go/w2v/internal/half"
)

// A Number is the type of the numbers of lists. Lists are three groups within one another, as the format has them; arrays of a
// fixed length are lists too, whose length readers are told by their own schemas alone.
type Number int

// The types of numbers of lists. Those of 8 bits are indices of a dictionary of all 256, since the format has no plain ones of
// less than 32 bits.
const (
	NoNumber Number = iota
	Float32
	Float16
	Int8
	Uint8
)

// kind returns the physical type.
func (n Number) kind() int64 {
	switch n {
	case Float16:
		return fixedBytes
	case Int8, Uint8:
		return anInt32
	}
	return aFloat
}

// dictionary returns the values of all bytes; nil if there are more numbers than that.
func (n Number) dictionary() (page []byte) {
	if n != Int8 && n != Uint8 {
		return nil
	}
	for i := range 256 {
		x := uint32(i)
		if n == Int8 {
			x = uint32(int8(i))
		}
		page = binary.LittleEndian.AppendUint32(page, x)
	}
	return page
}

// listLevel is the definition level of the numbers of a list: a row may be null, and a list may have none.
const listLevel = 2

// page returns the levels and the values of some rows, and how many values these are, with nulls.
func (n Number) page(v *Values, from, end int) (levels, page []byte, values int) {
	count := v.Size
	switch n {
	case Float32:
		count /= 4
	case Float16:
		count /= 2
	}
	repeats, defined := make([]byte, 4), make([]byte, 4)
	packed := 0
	for i, row := range v.Rows[from:end] {
		if repeats = appendRun(repeats, 0, 1); row < 0 {
			defined = appendRun(defined, 0, 1)
			values++
			continue
		}
		if count > 1 {
			repeats = appendRun(repeats, 1, count-1)
		}
		same := 1 // rows that follow one another and are not null have one run
		if i == 0 || v.Rows[from+i-1] < 0 {
			for from+i+same < end && v.Rows[from+i+same] >= 0 {
				same++
			}
			defined = appendRun(defined, listLevel, same*count)
		}
		page = append(page, v.Lists[int(row)*v.Size:][:v.Size]...)
		values, packed = values+count, packed+count
	}
	binary.LittleEndian.PutUint32(repeats, uint32(len(repeats)-4))
	binary.LittleEndian.PutUint32(defined, uint32(len(defined)-4))
	if n == Int8 || n == Uint8 {
		groups := (packed + 7) / 8
		head := binary.AppendUvarint([]byte{8}, uint64(groups)<<1|1)
		page = append(append(head, page...), make([]byte, 8*groups-packed)...)
	}
	return append(repeats, defined...), page, values
}

// appendRun appends a run of equal levels.
func appendRun(b []byte, level byte, n int) []byte {
	return append(binary.AppendUvarint(b, uint64(n)<<1), level)
}

// path returns the names of the groups of a column, and of the column.
func (f Field) path() []string {
	if f.Lists == NoNumber {
		return []string{f.Name}
	}
	return []string{f.Name, "list", "element"}
}

// schema returns the elements of a column in the schema.
func (f Field) schema() [][]byte {
	if f.Numbers {
		return [][]byte{message{numberField(1, isInt32, aFloat), numberField(3, isInt32, optional), textField(4, f.Name)}.appendTo(nil)}
	}
	if f.Lists == NoNumber {
		return [][]byte{message{numberField(1, isInt32, byteArray), numberField(3, isInt32, optional), textField(4, f.Name), numberField(6, isInt32, 0), messageField(10, message{messageField(1, nil)})}.appendTo(nil)}
	}
	element := message{numberField(1, isInt32, f.Lists.kind()), numberField(3, isInt32, required), textField(4, "element")}
	switch f.Lists {
	case Float16:
		element = element.with(numberField(2, isInt32, 2)).with(messageField(10, message{messageField(15, nil)}))
	case Int8:
		element = element.with(numberField(6, isInt32, 15)).with(messageField(10, message{messageField(10, message{{1, isByte, []byte{8}}, {2, isTrue, nil}})}))
	case Uint8:
		element = element.with(numberField(6, isInt32, 11)).with(messageField(10, message{messageField(10, message{{1, isByte, []byte{8}}, {2, isFalse, nil}})}))
	}
	return [][]byte{
		message{numberField(3, isInt32, optional), textField(4, f.Name), numberField(5, isInt32, 1), numberField(6, isInt32, 3), messageField(10, message{messageField(3, nil)})}.appendTo(nil),
		message{numberField(3, isInt32, repeated), textField(4, "list"), numberField(5, isInt32, 1)}.appendTo(nil),
		element.appendTo(nil),
	}
}

// Vectors reads a column of lists of numbers.
type Vectors struct {
	rows *Reader
	size int // of a number in bytes
	v    []float32
}

// Vectors returns a reader of a column of lists of fractions of 16, 32 or 64 bits.
func (f *File) Vectors(name string) (*Vectors, error) {
	c, err := f.column(name)
	if err != nil {
		return nil, err
	}
	size := c.fractionSize()
	switch {
	case size == 0:
		return nil, fmt.Errorf("column %q has no fractions of 16, 32 or 64 bits, which vectors have", name)
	case !c.List:
		return nil, fmt.Errorf("column %q has a number in each row, and a vector is a list of them", name)
	}
	return &Vectors{rows: c.Read(0, f.rows), size: size}, nil
}

// Next returns the next row's vector, which is valid until the one after it; nil if the row has none, and io.EOF after the last.
func (r *Vectors) Next() ([]float32, error) {
	cell, err := r.rows.Next()
	switch {
	case err != nil:
		return nil, err
	case cell.Nulls > 0:
		return nil, errors.New("a number of the vector is null")
	case cell.Null || len(cell.Text) == 0:
		return nil, nil
	}
	r.v = r.v[:0]
	for at := 0; at < len(cell.Text); at += r.size {
		b := cell.Text[at:]
		switch r.size {
		case 2:
			r.v = append(r.v, half.FromF16(binary.LittleEndian.Uint16(b)))
		case 4:
			r.v = append(r.v, math.Float32frombits(binary.LittleEndian.Uint32(b)))
		default:
			r.v = append(r.v, float32(math.Float64frombits(binary.LittleEndian.Uint64(b))))
		}
	}
	return r.v, nil
}

// fractionSize returns the size in bytes of a fraction; 0 if values are none.
func (c *Column) fractionSize() int {
	switch c.leaf.kind {
	case aFloat:
		return 4
	case aDouble:
		return 8
	case fixedBytes:
		if logical, ok := c.leaf.is.message(10); ok && len(logical) > 0 && logical[0].id == 15 && c.leaf.is.number(2, 0) == 2 {
			return 2
		}
	}
	return 0
}
