package parquet

import (
	"encoding/binary"
	"errors"
)

// The metadata of a file is structs in Thrift's compact protocol. Structs are taken apart field by field, and what is
// not understood stays as it is, so that a copy of a file loses nothing.

// Kinds of values in the compact protocol.
const (
	isTrue   = 1
	isFalse  = 2
	isByte   = 3
	isInt32  = 5
	isInt64  = 6
	isDouble = 7
	isBinary = 8
	isList   = 9
	isSet    = 10
	isMap    = 11
	isStruct = 12
	isUUID   = 13
)

// A field is a field of a struct: its number, its kind, and its value as it is encoded.
type field struct {
	id    int
	kind  byte
	value []byte // empty for bools
}

// A message is the fields of a struct.
type message []field

var (
	errShort   = errors.New("the metadata ends too early")
	errInvalid = errors.New("the metadata is damaged")
)

// deepest is how many structs and lists may be within one another.
const deepest = 32

// mostFields is how many fields a struct may have; those of the format have up to 17.
const mostFields = 64

// Sizes in memory, of which a field is one byte in a file at the least.
const (
	fieldBytes   = 40
	messageBytes = 24
)

// A budget is how many bytes of memory the structs of a file's metadata may still take.
type budget int64

// metadataBudget returns the budget of metadata of so many bytes. Columns with short names take up to 50 times their bytes, and
// row groups, which are most of a long footer, 4 times.
func metadataBudget(bytes int64) budget { return budget(64<<20 + 8*bytes) }

func (b *budget) take(n int64) error {
	if *b -= budget(n); *b < 0 {
		return errors.New("the metadata would take much more memory than its length allows")
	}
	return nil
}

func uvarint(b []byte) (uint64, []byte, error) {
	x, n := binary.Uvarint(b)
	switch {
	case n > 0:
		return x, b[n:], nil
	case n == 0:
		return 0, nil, errShort
	}
	return 0, nil, errInvalid
}

func zigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }

// parse returns the fields of the struct that b begins with, and what follows it.
func parse(b []byte) (message, []byte, error) { return parseWithin(b, 0) }

func parseWithin(b []byte, depth int) (m message, rest []byte, err error) {
	if depth > deepest {
		return nil, nil, errInvalid
	}
	for id := 0; ; {
		if len(b) == 0 {
			return nil, nil, errShort
		}
		kind, delta := b[0]&15, int(b[0]>>4)
		if b = b[1:]; kind == 0 {
			return m, b, nil
		}
		if id += delta; delta == 0 {
			var n uint64
			if n, b, err = uvarint(b); err != nil {
				return nil, nil, err
			}
			id = int(int16(zigzag(n)))
		}
		f := field{id: id, kind: kind}
		if kind != isTrue && kind != isFalse {
			rest, err := skip(kind, b, depth+1)
			if err != nil {
				return nil, nil, err
			}
			f.value, b = b[:len(b)-len(rest)], rest
		}
		if len(m) == mostFields {
			return nil, nil, errInvalid
		}
		m = append(m, f)
	}
}

// skip returns what follows a value.
func skip(kind byte, b []byte, depth int) (rest []byte, err error) {
	fixed := func(n uint64) ([]byte, error) {
		if n > uint64(len(b)) {
			return nil, errShort
		}
		return b[n:], nil
	}
	switch kind {
	case isTrue, isFalse, isByte: // bools in lists
		return fixed(1)
	case 4, isInt32, isInt64:
		_, rest, err = uvarint(b)
		return rest, err
	case isDouble:
		return fixed(8)
	case isUUID:
		return fixed(16)
	case isBinary:
		var n uint64
		if n, b, err = uvarint(b); err != nil {
			return nil, err
		}
		return fixed(n)
	case isList, isSet:
		of, n, b, err := listHead(b)
		for ; n > 0 && err == nil; n-- {
			b, err = skipItem(of, b, depth)
		}
		return b, err
	case isMap:
		n, b, err := uvarint(b)
		if err != nil || n == 0 {
			return b, err
		}
		if len(b) == 0 {
			return nil, errShort
		}
		kinds := b[0]
		b = b[1:]
		for ; n > 0 && err == nil; n-- {
			if b, err = skipItem(kinds>>4, b, depth); err == nil {
				b, err = skipItem(kinds&15, b, depth)
			}
		}
		return b, err
	case isStruct:
		// As parseWithin, without keeping fields.
		if depth > deepest {
			return nil, errInvalid
		}
		for {
			if len(b) == 0 {
				return nil, errShort
			}
			kind, delta := b[0]&15, b[0]>>4
			if b = b[1:]; kind == 0 {
				return b, nil
			}
			if delta == 0 {
				if _, b, err = uvarint(b); err != nil {
					return nil, err
				}
			}
			if kind != isTrue && kind != isFalse {
				if b, err = skip(kind, b, depth+1); err != nil {
					return nil, err
				}
			}
		}
	}
	return nil, errInvalid
}

// skipItem is skip for an item of a list or a map, which has at least one byte.
func skipItem(kind byte, b []byte, depth int) ([]byte, error) {
	if depth > deepest {
		return nil, errInvalid
	}
	return skip(kind, b, depth+1)
}

func listHead(b []byte) (kind byte, n uint64, rest []byte, err error) {
	if len(b) == 0 {
		return 0, 0, nil, errShort
	}
	kind, n, rest = b[0]&15, uint64(b[0]>>4), b[1:]
	if n == 15 {
		n, rest, err = uvarint(rest)
	}
	return kind, n, rest, err
}

func (m message) find(id int) (field, bool) {
	for _, f := range m {
		if f.id == id {
			return f, true
		}
	}
	return field{}, false
}

// number returns the integer in a field, or missing if there is none.
func (m message) number(id int, missing int64) int64 {
	f, ok := m.find(id)
	switch {
	case !ok:
	case f.kind == 4 || f.kind == isInt32 || f.kind == isInt64:
		x, _, _ := uvarint(f.value) // parse has read it
		return zigzag(x)
	case f.kind == isByte:
		return int64(int8(f.value[0]))
	}
	return missing
}

// text returns the bytes in a field; nil if there are none.
func (m message) text(id int) []byte {
	f, ok := m.find(id)
	if !ok || f.kind != isBinary {
		return nil
	}
	_, rest, _ := uvarint(f.value) // parse has read it
	return rest
}

// isFalse reports whether a field is false.
func (m message) isFalse(id int) bool {
	f, ok := m.find(id)
	return ok && f.kind == isFalse
}

// message returns the struct in a field.
func (m message) message(id int) (message, bool) {
	f, ok := m.find(id)
	if !ok || f.kind != isStruct {
		return nil, false
	}
	of, _, err := parse(f.value)
	return of, err == nil
}

// list returns the items of the list in a field, as they are encoded.
func (m message) list(id int) (items [][]byte, kind byte) {
	f, ok := m.find(id)
	if !ok || f.kind != isList {
		return nil, 0
	}
	kind, n, b, _ := listHead(f.value) // parse has read it
	for ; n > 0; n-- {
		rest, err := skip(kind, b, 0)
		if err != nil {
			return nil, 0
		}
		items = append(items, b[:len(b)-len(rest)])
		b = rest
	}
	return items, kind
}

// messages returns the structs of the list in a field, which take their memory, and so many bytes more each, of a budget. Each
// must have the field needed.
func (m message) messages(id, needed int, left *budget, more int64) ([]message, error) {
	f, ok := m.find(id)
	if !ok || f.kind != isList {
		return nil, nil
	}
	kind, n, b, _ := listHead(f.value) // parse has read it
	if n > 0 && kind != isStruct {
		return nil, errInvalid
	}
	if err := left.take(int64(n) * (messageBytes + more)); err != nil {
		return nil, err
	}
	all := make([]message, n)
	for i := range all {
		var err error
		if all[i], b, err = parse(b); err != nil {
			return nil, err
		}
		if _, ok := all[i].find(needed); !ok {
			return nil, errInvalid
		}
		if err := left.take(int64(cap(all[i])) * fieldBytes); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// with returns the message with a field added or replaced.
func (m message) with(f field) message {
	out := make(message, 0, len(m)+1)
	placed := false
	for _, old := range m {
		if !placed && old.id >= f.id {
			out, placed = append(out, f), true
		}
		if old.id != f.id {
			out = append(out, old)
		}
	}
	if !placed {
		out = append(out, f)
	}
	return out
}

// without returns the message without some fields.
func (m message) without(ids ...int) message {
	out := make(message, 0, len(m))
next:
	for _, f := range m {
		for _, id := range ids {
			if f.id == id {
				continue next
			}
		}
		out = append(out, f)
	}
	return out
}

// appendTo appends the encoded struct.
func (m message) appendTo(b []byte) []byte {
	last := 0
	for _, f := range m {
		if delta := f.id - last; delta > 0 && delta < 16 {
			b = append(b, byte(delta<<4)|f.kind)
		} else {
			b = binary.AppendVarint(append(b, f.kind), int64(f.id))
		}
		b = append(b, f.value...)
		last = f.id
	}
	return append(b, 0)
}

func numberField(id int, kind byte, x int64) field {
	return field{id, kind, binary.AppendVarint(nil, x)}
}

func textField(id int, text string) field {
	return field{id, isBinary, appendText(nil, text)}
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func messageField(id int, m message) field { return field{id, isStruct, m.appendTo(nil)} }

func listField(id int, kind byte, items [][]byte) field {
	var b []byte
	if n := len(items); n < 15 {
		b = append(b, byte(n<<4)|kind)
	} else {
		b = binary.AppendUvarint(append(b, 15<<4|kind), uint64(n))
	}
	for _, item := range items {
		b = append(b, item...)
	}
	return field{id, isList, b}
}
