// Package parquet reads columns of texts from Apache Parquet files, and copies files with columns added.
//
// It knows what texts, labels and vectors need: columns of strings, whole numbers and truth values, and lists of these or of
// fractions, in all encodings that writers use for them, with pages that are plain or compressed with Snappy, gzip, Zstandard or LZ4. Other
// columns are only copied, byte for byte, so that they may be of any type. Libraries that read everything are half as
// large as the rest of w2v.
package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode"
)

// Magic begins and ends each file.
const Magic = "PAR1"

// Begins reports whether a file that begins with head is Parquet. Text may begin with the same four letters.
func Begins(head []byte) bool {
	n := len(Magic)
	return len(head) > n && string(head[:n]) == Magic && head[n] < ' ' && !unicode.IsSpace(rune(head[n]))
}

// mostMetadata is the maximum size of the metadata in bytes.
const mostMetadata = 1 << 30

// A File is a table. Its methods may be called by several goroutines.
type File struct {
	src    io.ReaderAt
	size   int64
	meta   message
	root   *node
	leaves []*node
	groups []group
	rows   int64
}

// A group is a row group.
type group struct {
	is     message
	chunks []message // column chunks; their metadata are field 3
	first  int64     // number of its first row
	rows   int64
}

// Open reads the metadata of a file.
func Open(src io.ReaderAt, size int64) (*File, error) {
	f := &File{src: src, size: size}
	end := make([]byte, 8)
	if size < int64(len(Magic)+len(end)) {
		return nil, errors.New("the Parquet table is damaged or not complete: it is too short")
	}
	if _, err := src.ReadAt(end, size-int64(len(end))); err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(end))
	switch {
	case string(end[4:]) == "PARE":
		return nil, errEncrypted
	case string(end[4:]) != Magic:
		return nil, errors.New("the Parquet table is damaged or not complete: its metadata is missing at the end")
	case length > size-int64(len(Magic)+len(end)) || length > mostMetadata:
		return nil, errors.New("the Parquet table is damaged: its metadata has an impossible length")
	}
	footer := make([]byte, length)
	if _, err := src.ReadAt(footer, size-int64(len(end))-length); err != nil {
		return nil, err
	}
	if err := f.read(footer); err != nil {
		return nil, fmt.Errorf("the Parquet table is damaged: %w", err)
	}
	if _, encrypted := f.meta.find(8); encrypted {
		return nil, errEncrypted
	}
	return f, nil
}

func (f *File) read(footer []byte) (err error) {
	if f.meta, _, err = parse(footer); err != nil {
		return err
	}
	const nodeBytes, groupBytes = 136, 2 * 64
	left := metadataBudget(int64(len(footer)))
	elements, err := f.meta.messages(2, 4, &left, nodeBytes)
	if err != nil {
		return err
	}
	if f.root, f.leaves, err = schemaOf(elements); err != nil {
		return err
	}
	groups, err := f.meta.messages(4, 1, &left, groupBytes)
	if err != nil {
		return err
	}
	for _, is := range groups {
		g := group{is: is, first: f.rows, rows: is.number(3, -1)}
		if g.chunks, err = is.messages(1, 2, &left, 0); err != nil {
			return err
		}
		if g.rows < 0 || g.rows > math.MaxInt64-f.rows || len(g.chunks) != len(f.leaves) {
			return errInvalid
		}
		f.rows += g.rows
		f.groups = append(f.groups, g)
	}
	return nil
}

// Rows returns the number of rows.
func (f *File) Rows() int64 { return f.rows }

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.groups) }

// Group returns the range of rows of row group i.
func (f *File) Group(i int) (first, end int64) {
	g := f.groups[i]
	return g.first, g.first + g.rows
}

// A chunk is where the pages of a column are in a row group.
type chunk struct {
	first, end int64
	codec      int64
	bytes      int64 // uncompressed
}

func (f *File) chunk(group, column int) (c chunk, err error) {
	is := f.groups[group].chunks[column]
	if len(is.text(1)) > 0 {
		return c, errors.New("the column is in another file, and cannot be read")
	}
	meta, ok := is.message(3)
	if !ok {
		return c, errEncrypted
	}
	c.first = meta.number(9, -1)
	if dictionary := meta.number(11, 0); dictionary > 0 && dictionary < c.first {
		c.first = dictionary
	}
	length := meta.number(7, -1)
	c.codec, c.bytes = meta.number(4, -1), meta.number(6, 0)
	if c.first < int64(len(Magic)) || length < 0 || length > f.size-c.first {
		return c, errInvalid
	}
	c.end = c.first + length
	return c, nil
}

// Bytes returns about how many bytes the values of the column have, without compression.
func (c *Column) Bytes() (n int64) {
	for i := range c.file.groups {
		if of, err := c.file.chunk(i, c.leaf.column); err == nil && of.bytes > 0 && of.bytes < math.MaxInt64-n {
			n += of.bytes
		}
	}
	return min(n, 1<<50) // of several files there is a sum
}
