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

// A Field is a column that a Writer adds: of texts, of numbers in 32 bits, or of lists of numbers.
type Field struct {
	Name     string
	Distinct bool // texts are written as they stand, without a dictionary: few of them are equal
	Numbers  bool
	Lists    Number
	Fixed    int // how many numbers each list has, if all have as many
}

// Values are the rows of an added column in a row group.
type Values struct {
	Texts   []string  // the texts that rows may have
	Lists   []byte    // or lists, one after another, of little-endian numbers
	Size    int       // of a list in bytes
	Rows    []int32   // for each row the index of its text or list; -1 is null
	Numbers []float32 // in place of these; NaN is null
}

func (v *Values) rows() int { return len(v.Rows) + len(v.Numbers) }

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

// Groups returns what the metadata says of the row groups so far, and Size how many bytes the file has: Continue takes both.
func (w *Writer) Groups() [][]byte { return w.groups }

// Size returns how many bytes were written.
func (w *Writer) Size() int64 { return w.at }

// Continue makes a writer of a table of its own columns go on behind the row groups of another one with the same columns, of
// which the file has so many bytes. It returns the number of their rows.
func (w *Writer) Continue(size int64, groups [][]byte) (rows int64, err error) {
	w.at, w.groups, w.rows = size, groups, 0
	for _, group := range groups {
		is, rest, err := parse(group)
		if err != nil || len(rest) > 0 {
			return 0, errInvalid
		}
		chunks, _ := is.list(1)
		n, begins := is.number(3, -1), is.number(5, -1)
		if n < 0 || n > math.MaxInt64-w.rows || len(chunks) != len(w.fields) || begins < int64(len(Magic)) || begins >= size {
			return 0, errInvalid
		}
		w.rows += n
	}
	return w.rows, nil
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
	is, rows := message{}, int64(values[0].rows())
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
		if int64(values[i].rows()) != rows {
			return fmt.Errorf("parquet: column %q has %d rows of %d", f.Name, values[i].rows(), rows)
		}
		chunk, n, err := w.chunk(f, &values[i])
		if err != nil {
			return err
		}
		chunks = append(chunks, chunk)
		size, packed = size+n, packed+n
	}
	is = is.with(listField(1, isStruct, chunks)).with(numberField(2, isInt64, is.number(2, 0)+size)).with(numberField(3, isInt64, rows))
	if _, known := is.find(5); known || w.like == nil {
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

// pageRows is how many rows a page of an added column has at most, and pageSize about how many bytes its values may have.
const (
	pageRows = 1 << 16
	pageSize = 1 << 20
)

// chunk writes an added column of a row group, and returns what the metadata says of it, and its size.
func (w *Writer) chunk(f Field, v *Values) (is []byte, size int64, err error) {
	first := w.at
	kind, encoding := int64(byteArray), int64(encodedPlain)
	var index []int32 // of texts in the dictionary
	wide := 0
	dictionary := func(n int, page []byte) error {
		encoding = encodedIndices
		head := message{numberField(1, isInt32, int64(n)), numberField(2, isInt32, encodedPlain)}
		return w.page(dictionaryPage, 7, head, page)
	}
	switch {
	case f.Numbers:
		kind = aFloat
	case f.Lists != NoNumber:
		kind = f.Lists.kind()
		if page := f.Lists.dictionary(); page != nil {
			err = dictionary(len(page)/4, page)
		}
	case !f.Distinct:
		var page []byte
		var n int
		if index, page, n, err = dictionaryOf(v); err == nil {
			wide = max(width(max(n-1, 0)), 1)
			err = dictionary(n, page)
		}
	}
	if err != nil {
		return nil, 0, err
	}
	data := w.at
	rows, values := v.rows(), 0
	for from := 0; from < rows; {
		end, levels, page, n := from, []byte(nil), []byte(nil), 0
		switch {
		case f.Numbers:
			end = min(from+pageRows, rows)
			levels, page = numbersPage(v.Numbers[from:end])
		case f.Lists != NoNumber:
			end = min(from+max(1, min(pageRows, pageSize/v.Size)), rows)
			levels, page, n = f.Lists.page(v, from, end)
		case f.Distinct:
			end, page = textsPage(v, from)
			levels = appendLevels(nil, definedLevels(v.Rows[from:end]))
		default:
			end = min(from+pageRows, rows)
			var some []uint32
			for _, i := range v.Rows[from:end] {
				if i >= 0 {
					some = append(some, uint32(index[i]))
				}
			}
			page = appendHybrid([]byte{byte(wide)}, some, wide)
			levels = appendLevels(nil, definedLevels(v.Rows[from:end]))
		}
		if n == 0 {
			n = end - from
		}
		head := message{numberField(1, isInt32, int64(n)), numberField(2, isInt32, encoding), numberField(3, isInt32, encodedRuns), numberField(4, isInt32, encodedRuns)}
		if err := w.page(dataPage, 5, head, levels, page); err != nil {
			return nil, 0, err
		}
		from, values = end, values+n
	}
	var encodings, path [][]byte
	for _, e := range slices.Compact(slices.Sorted(slices.Values([]int64{encodedPlain, encodedRuns, encoding}))) {
		encodings = append(encodings, binary.AppendVarint(nil, e))
	}
	for _, name := range f.path() {
		path = append(path, appendText(nil, name))
	}
	size = w.at - first
	meta := message{
		numberField(1, isInt32, kind), listField(2, isInt32, encodings), listField(3, isBinary, path),
		numberField(4, isInt32, uncompressed), numberField(5, isInt64, int64(values)), numberField(6, isInt64, size), numberField(7, isInt64, size),
		numberField(9, isInt64, data),
	}
	if data > first {
		meta = meta.with(numberField(11, isInt64, first))
	}
	return message{numberField(2, isInt64, 0), messageField(3, meta)}.appendTo(nil), size, nil
}

// definedLevels returns a level of 1 for each row that is not null.
func definedLevels(rows []int32) []uint32 {
	levels := make([]uint32, len(rows))
	for i, row := range rows {
		if row >= 0 {
			levels[i] = 1
		}
	}
	return levels
}

// appendLevels appends levels of 0 and 1 behind their length.
func appendLevels(b []byte, levels []uint32) []byte {
	at := len(b)
	b = appendHybrid(append(b, 0, 0, 0, 0), levels, 1)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	return b
}

// numbersPage returns the levels and the values of a page of numbers.
func numbersPage(numbers []float32) (levels, page []byte) {
	defined := make([]uint32, len(numbers))
	for i, x := range numbers {
		if x == x {
			defined[i] = 1
			page = binary.LittleEndian.AppendUint32(page, math.Float32bits(x))
		}
	}
	return appendLevels(nil, defined), page
}

// textsPage returns the values of a page of texts, and the row behind it.
func textsPage(v *Values, from int) (end int, page []byte) {
	for end = from; end < len(v.Rows) && end-from < pageRows && len(page) < pageSize; end++ {
		if i := v.Rows[end]; i >= 0 {
			page = append(binary.LittleEndian.AppendUint32(page, uint32(len(v.Texts[i]))), v.Texts[i]...)
		}
	}
	return end, page
}

// dictionaryOf returns a dictionary page of the texts that rows have, how many these are, and the place of each text.
func dictionaryOf(v *Values) (place []int32, page []byte, n int, err error) {
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
func (w *Writer) page(kind int64, field int, head message, data ...[]byte) error {
	size := int64(0)
	for _, part := range data {
		size += int64(len(part))
	}
	all := message{numberField(1, isInt32, kind), numberField(2, isInt32, size), numberField(3, isInt32, size), messageField(field, head)}
	for _, part := range slices.Insert(data, 0, all.appendTo(nil)) {
		if err := w.write(part); err != nil {
			return err
		}
	}
	return nil
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
	if schema := arrow(w.fields); schema != "" && w.like == nil {
		pair := message{textField(1, arrowSchema), textField(2, schema)}.appendTo(nil)
		meta = meta.with(listField(5, isStruct, [][]byte{pair}))
	}
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
		elements = append(elements, f.schema()...)
		orders = append(orders, message{messageField(1, nil)}.appendTo(nil))
	}
	root = root.with(numberField(5, isInt32, root.number(5, 0)+int64(len(w.fields))))
	elements = append([][]byte{root.appendTo(nil)}, elements...)
	meta = meta.with(listField(2, isStruct, elements)).with(numberField(3, isInt64, w.rows)).with(listField(4, isStruct, w.groups))
	if ordered {
		meta = meta.with(listField(7, isStruct, orders))
	}
	if w.like != nil {
		meta = described(meta)
	}
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
func described(meta message) message {
	pairs, _ := meta.list(5)
	if len(pairs) == 0 {
		return meta
	}
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(pair []byte) bool {
		of, _, err := parse(pair)
		return err == nil && string(of.text(1)) == arrowSchema
	})
	return meta.with(listField(5, isStruct, pairs))
}
