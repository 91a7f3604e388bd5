package parquet

import (
	"encoding/base64"
	"encoding/binary"
)

// arrowSchema is the key of Arrow's schema in the metadata.
const arrowSchema = "ARROW:schema"

// Numbers of Arrow's formats: Message.fbs and Schema.fbs.
const (
	arrowV5        int16 = 4
	arrowIsSchema  uint8 = 1
	arrowFloat     uint8 = 3
	arrowUTF8      uint8 = 5
	arrowFixedList uint8 = 16
	arrowSingle    int16 = 1
)

// arrow returns Arrow's schema of a table of these columns in base64, which alone can say that lists have a fixed size;
// empty if no column has such lists, or if there are columns of other types.
func arrow(fields []Field) string {
	var columns []table
	fixed := false
	for _, f := range fields {
		switch {
		case f.Lists == Float32 && f.Fixed > 0:
			fixed = true
			number := table{"element", nil, arrowFloat, table{arrowSingle}, nil, []table{}}
			columns = append(columns, table{f.Name, uint8(1), arrowFixedList, table{int32(f.Fixed)}, nil, []table{number}})
		case f.Lists == NoNumber && !f.Numbers:
			columns = append(columns, table{f.Name, uint8(1), arrowUTF8, table{}, nil, []table{}})
		default:
			return ""
		}
	}
	if !fixed {
		return ""
	}
	b := make([]byte, 4) // of the root's place
	b, root := table{arrowV5, arrowIsSchema, table{nil, columns}}.appendTo(b)
	binary.LittleEndian.PutUint32(b, uint32(root))
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	head := binary.LittleEndian.AppendUint32([]byte{0xff, 0xff, 0xff, 0xff}, uint32(len(b)))
	return base64.StdEncoding.EncodeToString(append(head, b...))
}

// A table is one of FlatBuffers: its fields in their order, nil for one that is left out. A field is a number, a text, a
// table or a list of tables. Its parts stand behind it.
type table []any

// appendTo appends the table, and returns where it is.
func (t table) appendTo(b []byte) ([]byte, int) {
	const numberAlign = 4 // no number has more bytes
	for (len(b)+4+2*len(t))%numberAlign != 0 {
		b = append(b, 0)
	}
	places := len(b)
	b = append(b, make([]byte, 4+2*len(t))...)
	at := len(b)
	b = binary.LittleEndian.AppendUint32(b, uint32(at-places))
	for i, f := range t {
		size := 4
		switch f.(type) {
		case nil:
			continue
		case uint8:
			size = 1
		case int16:
			size = 2
		}
		for len(b)%size != 0 {
			b = append(b, 0)
		}
		binary.LittleEndian.PutUint16(b[places+4+2*i:], uint16(len(b)-at))
		switch x := f.(type) {
		case uint8:
			b = append(b, x)
		case int16:
			b = binary.LittleEndian.AppendUint16(b, uint16(x))
		case int32:
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		default:
			b = append(b, 0, 0, 0, 0)
		}
	}
	binary.LittleEndian.PutUint16(b[places:], uint16(4+2*len(t)))
	binary.LittleEndian.PutUint16(b[places+2:], uint16(len(b)-at))
	for i, f := range t {
		place := at + int(binary.LittleEndian.Uint16(b[places+4+2*i:]))
		switch x := f.(type) {
		case string:
			b = refer(b, place)
			b = append(binary.LittleEndian.AppendUint32(b, uint32(len(x))), x...)
			b = append(b, 0)
		case table:
			var to int
			b, to = x.appendTo(b)
			binary.LittleEndian.PutUint32(b[place:], uint32(to-place))
		case []table:
			b = refer(b, place)
			b = binary.LittleEndian.AppendUint32(b, uint32(len(x)))
			first := len(b)
			b = append(b, make([]byte, 4*len(x))...)
			for k, item := range x {
				var to int
				b, to = item.appendTo(b)
				binary.LittleEndian.PutUint32(b[first+4*k:], uint32(to-first-4*k))
			}
		}
	}
	return b, at
}

// refer makes what is appended next to b, aligned, what the offset at a place refers to.
func refer(b []byte, place int) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	binary.LittleEndian.PutUint32(b[place:], uint32(len(b)-place))
	return b
}
