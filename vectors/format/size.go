package format

import (
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/vectors"
)

// EstimateSize returns how many bytes a model of a shape takes at path in format f, of all
// files together, or 0 if that cannot be known because they are compressed. It is never more than
// is written, and for formats of binary numbers hardly less; in decimal, numbers are taken
// to be as short as they can be.
func EstimateSize(path string, shape vectors.Shape, f Format) uint64 {
	if _, kind := compression.SplitExt(path); kind != compression.Plain {
		return 0
	}
	c, err := codecOf(f)
	if err != nil {
		return 0
	}
	return uint64(c.Size(shape))
}

// EncodedSize returns how many bytes Encode writes.
func EncodedSize(s *vectors.Set, f Format) (uint64, error) {
	var n counter
	err := Encode(&n, s, f)
	return uint64(n), err
}

// A counter counts the bytes that are written to it.
type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
