package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Cell is what a row has in a column.
type Cell struct {
	// Text is the value, or all items of a list without anything between them. It is valid until the next row is read.
	Text []byte
	// Ends are where each item of a list ends in Text, without nulls. It is valid until the next row is read.
	Ends []int
	// Nulls is how many items of the list are null.
	Nulls int
	// Null says that the row has nothing.
	Null bool
}

// mostCell is the maximum size of a text or a list in bytes. An item of a list, which may be empty, counts as itemSize
// more.
const (
	mostCell = 64 << 20
	itemSize = 16
)

// A Reader reads the cells of a column, row by row.
type Reader struct {
	c        *Column
	row, end int64 // the next row, and where the range ends
	group    int
	left     int64 // rows left of the group; 0 before the first group
	at       chunk // unread pages: at.first moves on
	page     page
	dict     *dictionary
	raw      []byte // memory of a page as stored
	plain    []byte // memory of a page

	ahead    bool // rep and def are those of the next value, which is not read yet
	rep, def int
	arena    []byte
	ends     []int
}

// A page is the values of a data page that are not read yet.
type page struct {
	left     int64
	rep, def hybrid
	values   values
}

// Read returns a reader of the rows from first to the one before end.
func (c *Column) Read(first, end int64) *Reader {
	r := &Reader{c: c, row: max(first, 0), end: min(end, c.file.rows)}
	for r.group < len(c.file.groups) && c.file.groups[r.group].first+c.file.groups[r.group].rows <= r.row {
		r.group++
	}
	return r
}

// Row returns the number of the row that Next returns next, from 0.
func (r *Reader) Row() int64 { return r.row }

// Next returns the next row's cell, or io.EOF after the last.
func (r *Reader) Next() (cell Cell, err error) {
	if r.row >= r.end {
		return cell, io.EOF
	}
	for r.left == 0 && err == nil {
		err = r.begin()
	}
	if err == nil {
		cell, err = r.cell()
	}
	if err != nil {
		return cell, fmt.Errorf("column %q, row group %d: %w", r.c.Name, r.group, ended(err))
	}
	r.left--
	r.row++
	return cell, nil
}

// ended makes an unexpected end an error of its own: io.EOF ends the rows.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the table is damaged or not complete: it ends within a page")
	}
	return err
}

// begin goes on to the next row group, and to the row in it.
func (r *Reader) begin() (err error) {
	g := r.c.file.groups[r.group]
	if r.at, err = r.c.file.chunk(r.group, r.c.leaf.column); err != nil {
		return err
	}
	r.group++
	r.left, r.page, r.dict, r.ahead = g.rows, page{}, nil, false
	return r.skip(r.row - g.first)
}

// skip skips rows of the row group that were not begun.
func (r *Reader) skip(n int64) error {
	for n > 0 {
		if r.page.left == 0 && !r.ahead {
			skipped, err := r.pass(n)
			if err != nil {
				return err
			}
			if r.left -= skipped; skipped == n {
				return nil
			}
			n -= skipped
		}
		if _, err := r.cell(); err != nil {
			return err
		}
		n--
		r.left--
	}
	return nil
}

// pass passes whole pages of up to n rows without reading them, and begins the next one. It returns how many rows
// it has passed.
func (r *Reader) pass(n int64) (passed int64, err error) {
	for {
		head, err := r.next()
		if err != nil {
			return passed, err
		}
		rows := head.rows
		if !r.c.List {
			rows = head.values
		}
		if rows < 0 || rows > n-passed {
			return passed, r.open(head)
		}
		if passed += rows; passed == n {
			return passed, nil
		}
	}
}

// next returns the head of the next data page. It reads the dictionary on the way.
func (r *Reader) next() (head pageHead, err error) {
	for {
		if r.at.first >= r.at.end {
			return head, errors.New("the column has fewer rows than the row group")
		}
		if head, err = r.c.file.head(r.at.first, r.at.end); err != nil {
			return head, err
		}
		r.at.first = head.at + head.packed
		switch head.kind {
		case dataPage, dataPage2:
			return head, nil
		case dictionaryPage:
			if err := r.readDictionary(head); err != nil {
				return head, err
			}
		}
	}
}

func (r *Reader) readDictionary(head pageHead) error {
	data, err := r.c.file.data(head, r.raw)
	if err != nil {
		return err
	}
	r.raw = data
	plain, err := unpack(r.at.codec, data, nil, head.size)
	if err != nil {
		return err
	}
	if e := head.is.number(2, -1); e != encodedPlain && e != encodedDictionary {
		return unknownEncoding(e)
	}
	if r.at.codec == uncompressed { // the dictionary keeps it
		r.raw = nil
	}
	r.dict, err = r.c.dictionary(plain, head.values)
	return err
}

func unknownEncoding(e int64) error {
	name := "in an unknown way"
	if e >= 0 && e < int64(len(encodingNames)) {
		name = "as " + encodingNames[e]
	}
	return fmt.Errorf("values are encoded %s, which is not known for this type", name)
}

// plain returns the values of data in the encoding PLAIN.
func (c *Column) plain(data []byte) values {
	switch c.leaf.kind {
	case aBool:
		return &truths{data: data}
	case anInt32, anInt64:
		n := c.numbers()
		return &integers{data: data, size: n.size, format: n}
	case aFloat, aDouble, fixedBytes:
		return &fractions{data, c.fractionSize()}
	}
	return &plain{data}
}

func (c *Column) numbers() numbers {
	size := 8
	if c.leaf.kind == anInt32 {
		size = 4
	}
	return numbers{size: size, unsigned: c.unsigned}
}

// open begins a data page.
func (r *Reader) open(head pageHead) (err error) {
	data, err := r.c.file.data(head, r.raw)
	if err != nil {
		return err
	}
	r.raw = data
	r.page = page{left: head.values}
	encoding := head.is.number(2, -1)
	var plain []byte
	if head.kind == dataPage2 {
		encoding = head.is.number(4, -1)
		defs, reps := head.is.number(5, -1), head.is.number(6, -1)
		if defs < 0 || reps < 0 || reps > int64(len(data)) || defs > int64(len(data))-reps || defs+reps > head.size {
			return errInvalid
		}
		r.page.rep, r.page.def = hybrid{data: data[:reps]}, hybrid{data: data[reps : reps+defs]}
		codec := r.at.codec
		if head.is.isFalse(7) {
			codec = uncompressed
		}
		if plain = data[reps+defs:]; len(plain) > 0 || head.size > defs+reps {
			plain, err = unpack(codec, plain, r.plain, head.size-defs-reps)
		}
		if err != nil {
			return err
		}
		r.keep(codec, plain)
	} else {
		if plain, err = unpack(r.at.codec, data, r.plain, head.size); err != nil {
			return err
		}
		r.keep(r.at.codec, plain)
		for _, level := range []struct {
			most, encoding int
			to             *hybrid
		}{{r.c.leaf.rep, 4, &r.page.rep}, {r.c.leaf.def, 3, &r.page.def}} {
			if level.most == 0 {
				continue
			}
			if e := head.is.number(level.encoding, encodedRuns); e != encodedRuns {
				return errors.New("levels are encoded as BIT_PACKED, which is not read: write the table again with a current program")
			}
			if len(plain) < 4 || uint64(binary.LittleEndian.Uint32(plain)) > uint64(len(plain)-4) {
				return errValues
			}
			end := 4 + binary.LittleEndian.Uint32(plain)
			level.to.data, plain = plain[4:end], plain[end:]
		}
	}
	r.page.rep.width, r.page.def.width = width(r.c.leaf.rep), width(r.c.leaf.def)
	r.page.values, err = r.valuesOf(encoding, plain, head.values)
	return err
}

// keep keeps memory for the next page, unless it belongs to the page as stored.
func (r *Reader) keep(codec int64, plain []byte) {
	if codec != uncompressed {
		r.plain = plain
	}
}

func (r *Reader) valuesOf(encoding int64, data []byte, most int64) (values, error) {
	kind := r.c.leaf.kind
	switch {
	case encoding == encodedPlain:
		return r.c.plain(data), nil
	case encoding == encodedIndices || encoding == encodedDictionary:
		if len(data) == 0 { // a page of nulls
			return &chosen{of: new(dictionary)}, nil
		}
		if r.dict == nil || data[0] > 32 {
			return nil, errors.New("a page is damaged, or its dictionary is missing")
		}
		return &chosen{r.dict, hybrid{data: data[1:], width: int(data[0])}}, nil
	case len(data) == 0:
		return &plain{}, nil
	case encoding == encodedRuns && kind == aBool:
		if len(data) < 4 {
			return nil, errValues
		}
		return &truthRuns{hybrid{data: data[4:], width: 1}}, nil
	case encoding == encodedDeltas && (kind == anInt32 || kind == anInt64):
		of, err := newDeltas(data, most)
		return &differing{of, r.c.numbers()}, err
	case encoding == encodedLengths && kind == byteArray:
		return newLengths(data, most)
	case encoding == encodedContinued && kind == byteArray:
		return newContinued(data, most)
	}
	return nil, unknownEncoding(encoding)
}

// levels reads the levels of the next value.
func (r *Reader) levels() error {
	for r.page.left == 0 {
		head, err := r.next()
		if err == nil {
			err = r.open(head)
		}
		if err != nil {
			return err
		}
	}
	r.page.left--
	r.rep, r.def = 0, r.c.leaf.def
	if r.c.leaf.rep > 0 {
		rep, err := r.page.rep.next()
		if r.rep = int(rep); err != nil {
			return err
		}
	}
	if r.c.leaf.def > 0 {
		def, err := r.page.def.next()
		if r.def = int(def); err != nil {
			return err
		}
	}
	if r.rep > r.c.leaf.rep || r.def > r.c.leaf.def {
		return errValues
	}
	return nil
}

// cell reads the next cell.
func (r *Reader) cell() (cell Cell, err error) {
	if !r.c.List {
		if err := r.levels(); err != nil {
			return cell, err
		}
		if r.def < r.c.leaf.def {
			return Cell{Null: true}, nil
		}
		if cell.Text, err = r.page.values.next(); err == nil && len(cell.Text) > mostCell {
			err = fmt.Errorf("a text has more than %d MB", mostCell>>20)
		}
		return cell, err
	}
	if !r.ahead {
		if err := r.levels(); err != nil {
			return cell, err
		}
	}
	if r.ahead = false; r.rep != 0 {
		return cell, errors.New("a page is damaged: a list goes on that has not begun")
	}
	r.arena, r.ends = r.arena[:0], r.ends[:0]
	cell.Null = r.def < r.c.list-1 // an empty list is at the level before that of its items
	for {
		switch {
		case r.def == r.c.leaf.def:
			text, err := r.page.values.next()
			if err != nil {
				return cell, err
			}
			r.arena = append(r.arena, text...)
			r.ends = append(r.ends, len(r.arena))
		case r.def >= r.c.list:
			cell.Nulls++
		}
		if len(r.arena)+itemSize*(len(r.ends)+cell.Nulls) > mostCell {
			return cell, fmt.Errorf("a list has more than %d MB", mostCell>>20)
		}
		if r.left == 1 && r.page.left == 0 && r.at.first >= r.at.end {
			break // the last row of the group
		}
		if err := r.levels(); err != nil {
			return cell, err
		}
		if r.rep == 0 {
			r.ahead = true
			break
		}
		if r.def < r.c.list {
			return cell, errValues
		}
	}
	cell.Text, cell.Ends = r.arena, r.ends
	return cell, nil
}
