package projection

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// A file of a map is, all numbers little-endian:
//
//	8 bytes   magic
//	uint32    length of the header
//	          the header, which is JSON
//	float32   x and y of each word
//	int32     cluster of each word, if the header has sizes of clusters
//	uint32    CRC-32C of all before
const magic = "w2vmap\x00\x01"

// maxHeader is how long a header may be.
const maxHeader = 1 << 26

// A header says what a map is besides points and clusters.
type header struct {
	Key        key       `json:"key"`
	Aside      []int     `json:"aside,omitempty"`
	Explained  []float64 `json:"explained,omitempty"`
	Trust      Trust     `json:"trustworthiness"`
	Sizes      []int     `json:"clusters,omitempty"`
	Modularity float64   `json:"modularity,omitempty"`
}

// maxBytes returns how long the file of a map of so many words may be.
func maxBytes(words int) int64 { return int64(len(magic)) + 8 + maxHeader + 12*int64(words) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode writes the file of a map.
func encode(w io.Writer, k key, a *Atlas) error {
	h := header{Key: k, Aside: a.Aside, Explained: a.Explained, Trust: a.Trust}
	if a.Clusters != nil {
		h.Sizes, h.Modularity = a.Clusters.Sizes, a.Clusters.Modularity
	}
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if len(text) > maxHeader {
		return fmt.Errorf("a header of %d bytes, at most %d are read again", len(text), maxHeader)
	}
	data := append([]byte(magic), binary.LittleEndian.AppendUint32(nil, uint32(len(text)))...)
	data = append(data, text...)
	for _, p := range a.Points {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(p.X))
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(p.Y))
	}
	if h.Sizes != nil {
		for _, c := range a.Clusters.Of {
			data = binary.LittleEndian.AppendUint32(data, uint32(c))
		}
	}
	_, err = w.Write(binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli)))
	return err
}

// decode reads the file of a map. What it returns is whole: as many finite points as words, clusters of the sizes that the
// file says.
func decode(data []byte) (*Atlas, key, error) {
	var h header
	damaged := func(what string, args ...any) (*Atlas, key, error) {
		return nil, h.Key, fmt.Errorf("is damaged: "+what, args...)
	}
	if len(data) < len(magic)+8 || string(data[:len(magic)]) != magic {
		return nil, key{}, errors.New("is no map")
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli) != sum {
		return damaged("its checksum is wrong")
	}
	body = body[len(magic):]
	length := binary.LittleEndian.Uint32(body)
	if body = body[4:]; uint64(length) > uint64(len(body)) {
		return damaged("a header of %d bytes in a file of %d", length, len(data))
	}
	d := json.NewDecoder(bytes.NewReader(body[:length]))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return damaged("its header: %v", err)
	}
	if h.Key.Revision != revision {
		return nil, h.Key, fmt.Errorf("is of revision %d of the algorithms, and this is %d", h.Key.Revision, revision)
	}
	body = body[length:]
	n, each := h.Key.Words, int64(8)
	if h.Sizes != nil {
		each = 12
	}
	if n < 0 || n > len(body) || int64(n)*each != int64(len(body)) {
		return damaged("%d bytes for %d words", len(body), n)
	}
	a := &Atlas{Map: Map{Method: h.Key.Method, Points: make([]Point, n), Aside: h.Aside, Explained: h.Explained}, Trust: h.Trust}
	for i := range a.Points {
		x, y := math.Float32frombits(binary.LittleEndian.Uint32(body[8*i:])), math.Float32frombits(binary.LittleEndian.Uint32(body[8*i+4:]))
		if !vectors.Finite([]float32{x, y}) {
			return damaged("the point of word %d is not finite", i)
		}
		a.Points[i] = Point{x, y}
	}
	last := -1
	for _, id := range h.Aside {
		if id <= last || id >= n {
			return damaged("word %d is put aside after word %d of %d", id, last, n)
		}
		last = id
	}
	if h.Sizes == nil {
		return a, h.Key, nil
	}
	a.Clusters = &Clusters{Of: make([]int32, n), Sizes: h.Sizes, Modularity: h.Modularity}
	sizes := make([]int, len(h.Sizes))
	for i := range a.Clusters.Of {
		c := int32(binary.LittleEndian.Uint32(body[8*n+4*i:]))
		if c < -1 || int(c) >= len(sizes) {
			return damaged("cluster %d of %d", c, len(sizes))
		}
		if c >= 0 {
			sizes[c]++
		}
		a.Clusters.Of[i] = c
	}
	for c, size := range sizes {
		if size != h.Sizes[c] {
			return damaged("cluster %d has %d words, not %d", c, size, h.Sizes[c])
		}
	}
	return a, h.Key, nil
}
