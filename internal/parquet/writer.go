package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
)

// A Field is a column that a Writer adds: of texts, or of numbers in 32 bits.
type Field struct {
	Name    string
	Numbers bool
}

// Values are the rows of an added column in a row group.
type Values struct {
	Texts   []string  // the texts that rows may have
	Rows    []int32   // for each row the index of its text; -1 is null
	Numbers []float32 // in place of texts; NaN is null
}

// A Writer writes a table: the columns of another one as they are, and others behind them.
type Writer struct {
	w      io.Writer
	at     int64
	like   *File // nil if there are no other columns
	fields []Field
	groups [][]byte
	rows   int64
}

// NewWriter returns a writer of a copy of like with columns added. Like may be nil for a table of these columns alone.
// The copy has no indexes of pages and no Bloom filters.
func NewWriter(w io.Writer, like *File, fields []Field) (*Writer, error) {
	for i, f := range fields {
		taken := slices.ContainsFunc(fields[:i], func(other Field) bool { return other.Name == f.Name })
		if like != nil {
			taken = taken || slices.ContainsFunc(like.root.of, func(n *node) bool { return n.name == f.Name })
		}
		if taken {
			return nil, fmt.Errorf("the table has a column %q already", f.Name)
		}
	}
	return &Writer{w: w, like: like, fields: fields}, nil
}

// begin writes what begins the file, before the first row group: of a table that fails before, nothing is written.
func (w *Writer) begin() error {
	if w.at > 0 {
		return nil
	}
	return w.write([]byte(Magic))
}

func (w *Writer) write(b []byte) error {
	n, err := w.w.Write(b)
	w.at += int64(n)
	return err
}

// Group writes the next row group: that of the other table, and the values of each added column.
func (w *Writer) Group(values []Values) error {
	if err := w.begin(); err != nil {
		return err
	}
	first, number := w.at, len(w.groups)
	is, rows := message{}, int64(len(values[0].Rows)+len(values[0].Numbers))
	if w.like != nil {
		if number >= len(w.like.groups) {
			return errors.New("parquet: the table has no more row groups")
		}
		is, rows = w.like.groups[number].is, w.like.groups[number].rows
	}
	chunks, err := w.copied(number)
	if err != nil {
		return fmt.Errorf("row group %d: %w", number+1, err)
	}
	var size, packed int64
	for i, f := range w.fields {
		if int64(len(values[i].Rows)+len(values[i].Numbers)) != rows {
			return fmt.Errorf("parquet: column %q has %d rows of %d", f.Name, len(values[i].Rows)+len(values[i].Numbers), rows)
		}
		chunk, n, err := w.chunk(f, values[i])
		if err != nil {
			return err
		}
		chunks = append(chunks, chunk)
		size, packed = size+n, packed+n
	}
	is = is.with(listField(1, isStruct, chunks)).with(numberField(2, isInt64, is.number(2, 0)+size)).with(numberField(3, isInt64, rows))
	if _, known := is.find(5); known {
		is = is.with(numberField(5, isInt64, first))
	}
	if total := is.number(6, -1); total >= 0 {
		is = is.with(numberField(6, isInt64, total+packed))
	}
	w.groups = append(w.groups, is.appendTo(nil))
	w.rows += rows
	return nil
}

// copied copies the pages of all columns of a row group, and returns what the metadata says of them.
func (w *Writer) copied(group int) (chunks [][]byte, err error) {
	if w.like == nil {
		return nil, nil
	}
	for i, is := range w.like.groups[group].chunks {
		c, err := w.like.chunk(group, i)
		if err != nil {
			return nil, err
		}
		moved := w.at - c.first
		n, err := io.Copy(w.w, io.NewSectionReader(w.like.src, c.first, c.end-c.first))
		w.at += n
		if err != nil {
			return nil, err
		}
		if n != c.end-c.first {
			return nil, ended(io.EOF)
		}
		meta, _ := is.message(3) // chunk has read it
		for _, id := range []int{9, 10, 11} {
			if at := meta.number(id, 0); at > 0 {
				meta = meta.with(numberField(id, isInt64, at+moved))
			}
		}
		meta = meta.without(14, 15) // Bloom filters are elsewhere
		is = is.without(4, 5, 6, 7).with(messageField(3, meta))
		if at := is.number(2, 0); at > 0 {
			is = is.with(numberField(2, isInt64, at+moved))
		}
		chunks = append(chunks, is.appendTo(nil))
	}
	return chunks, nil
}

// pageRows is how many rows a page of an added column has.
const pageRows = 1 << 16

// chunk writes an added column of a row group, and returns what the metadata says of it, and its size.
func (w *Writer) chunk(f Field, v Values) (is []byte, size int64, err error) {
	first := w.at
	kind, encoding := int64(byteArray), int64(encodedIndices)
	var index []int32 // of texts in the dictionary
	rows, wide := len(v.Rows), 0
	if f.Numbers {
		kind, encoding, rows = aFloat, encodedPlain, len(v.Numbers)
	} else {
		var page []byte
		var n int
		if index, page, n, err = dictionaryOf(v); err != nil {
			return nil, 0, err
		}
		wide = max(width(max(n-1, 0)), 1)
		head := message{numberField(1, isInt32, int64(n)), numberField(2, isInt32, encodedPlain)}
		if err := w.page(dictionaryPage, 7, head, page); err != nil {
			return nil, 0, err
		}
	}
	data := w.at
	for from := 0; from < rows; from += pageRows {
		end := min(from+pageRows, rows)
		var levels []uint32
		var page []byte
		if f.Numbers {
			for _, x := range v.Numbers[from:end] {
				if x != x {
					levels = append(levels, 0)
					continue
				}
				levels = append(levels, 1)
				page = binary.LittleEndian.AppendUint32(page, math.Float32bits(x))
			}
		} else {
			var some []uint32
			for _, i := range v.Rows[from:end] {
				if i < 0 {
					levels = append(levels, 0)
					continue
				}
				levels = append(levels, 1)
				some = append(some, uint32(index[i]))
			}
			page = appendHybrid([]byte{byte(wide)}, some, wide)
		}
		of := appendHybrid(make([]byte, 4), levels, 1)
		binary.LittleEndian.PutUint32(of, uint32(len(of)-4))
		head := message{numberField(1, isInt32, int64(end-from)), numberField(2, isInt32, encoding), numberField(3, isInt32, encodedRuns), numberField(4, isInt32, encodedRuns)}
		if err := w.page(dataPage, 5, head, append(of, page...)); err != nil {
			return nil, 0, err
		}
	}
	var encodings [][]byte
	for _, e := range slices.Compact(slices.Sorted(slices.Values([]int64{encodedPlain, encodedRuns, encoding}))) {
		encodings = append(encodings, binary.AppendVarint(nil, e))
	}
	size = w.at - first
	meta := message{
		numberField(1, isInt32, kind), listField(2, isInt32, encodings), listField(3, isBinary, [][]byte{appendText(nil, f.Name)}),
		numberField(4, isInt32, uncompressed), numberField(5, isInt64, int64(rows)), numberField(6, isInt64, size), numberField(7, isInt64, size),
		numberField(9, isInt64, data),
	}
	if !f.Numbers {
		meta = meta.with(numberField(11, isInt64, first))
	}
	return message{numberField(2, isInt64, 0), messageField(3, meta)}.appendTo(nil), size, nil
}

// dictionaryOf returns a dictionary page of the texts that rows have, how many these are, and the place of each text.
func dictionaryOf(v Values) (place []int32, page []byte, n int, err error) {
	place = make([]int32, len(v.Texts))
	for i := range place {
		place[i] = -1
	}
	for _, i := range v.Rows {
		if i < 0 || place[i] >= 0 {
			continue
		}
		place[i] = int32(n)
		n++
		page = append(binary.LittleEndian.AppendUint32(page, uint32(len(v.Texts[i]))), v.Texts[i]...)
		if len(page) > mostPage {
			return nil, nil, 0, fmt.Errorf("the texts of a column have more than %d MB in one row group", mostPage>>20)
		}
	}
	return place, page, n, nil
}

// page writes a page of a kind, whose own head is a field of the common one.
func (w *Writer) page(kind int64, field int, head message, data []byte) error {
	size := int64(len(data))
	all := message{numberField(1, isInt32, kind), numberField(2, isInt32, size), numberField(3, isInt32, size), messageField(field, head)}
	if err := w.write(all.appendTo(nil)); err != nil {
		return err
	}
	return w.write(data)
}

// appendHybrid appends numbers of a width: a run if all are equal, otherwise packed bits.
func appendHybrid(b []byte, of []uint32, width int) []byte {
	if len(of) == 0 {
		return b
	}
	if !slices.ContainsFunc(of, func(x uint32) bool { return x != of[0] }) {
		b = binary.AppendUvarint(b, uint64(len(of))<<1)
		return append(b, binary.LittleEndian.AppendUint32(nil, of[0])[:(width+7)/8]...)
	}
	groups := (len(of) + 7) / 8
	b = binary.AppendUvarint(b, uint64(groups)<<1|1)
	at := len(b)
	b = append(b, make([]byte, groups*width)...)
	for i, x := range of {
		for bit := i * width; x != 0; x &= x - 1 {
			k := bit + bits.TrailingZeros32(x)
			b[at+k/8] |= 1 << (k % 8)
		}
	}
	return b
}

// Close writes the metadata. It is an error if the other table has more row groups.
func (w *Writer) Close() error {
	root := message{textField(4, "schema"), numberField(5, isInt32, 0)}
	meta := message{numberField(1, isInt32, 1), textField(6, "w2v")}
	var elements [][]byte
	if w.like != nil {
		if len(w.groups) != len(w.like.groups) {
			return errors.New("parquet: not all row groups were written")
		}
		meta, root = w.like.meta, w.like.root.is
		elements, _ = meta.list(2)
		elements = slices.Clone(elements[1:])
	}
	orders, _ := meta.list(7)
	ordered := len(orders) > 0
	for _, f := range w.fields {
		is := message{numberField(1, isInt32, byteArray), numberField(3, isInt32, optional), textField(4, f.Name), numberField(6, isInt32, 0), messageField(10, message{messageField(1, nil)})}
		if f.Numbers {
			is = message{numberField(1, isInt32, aFloat), numberField(3, isInt32, optional), textField(4, f.Name)}
		}
		elements = append(elements, is.appendTo(nil))
		orders = append(orders, message{messageField(1, nil)}.appendTo(nil))
	}
	root = root.with(numberField(5, isInt32, root.number(5, 0)+int64(len(w.fields))))
	elements = append([][]byte{root.appendTo(nil)}, elements...)
	meta = meta.with(listField(2, isStruct, elements)).with(numberField(3, isInt64, w.rows)).with(listField(4, isStruct, w.groups))
	if ordered {
		meta = meta.with(listField(7, isStruct, orders))
	}
	meta = w.described(meta)
	footer := meta.appendTo(nil)
	if len(footer) > mostMetadata {
		return errors.New("the table has too many row groups and columns")
	}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	if err := w.begin(); err != nil {
		return err
	}
	return w.write(append(footer, Magic...))
}

// described leaves out what only describes the columns of the other table: Arrow's schema, which readers take to be that of
// all columns.
func (w *Writer) described(meta message) message {
	pairs, _ := meta.list(5)
	if len(pairs) == 0 {
		return meta
	}
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(pair []byte) bool {
		of, _, err := parse(pair)
		return err == nil && string(of.text(1)) == "ARROW:schema"
	})
	return meta.with(listField(5, isStruct, pairs))
}
