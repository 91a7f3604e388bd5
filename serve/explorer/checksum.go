package explorer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/w2v-go/w2v/vectors"
)

// Checksum returns a checksum of the words of a set, their counts and their vectors. Sets that are alike in these
// look the same in the explorer, whatever files they come from. It reads all vectors.
func Checksum(s *vectors.Set) (string, error) {
	h := sha256.New()
	text := make([]byte, 0, 4*s.Dim()+256)
	words := s.Words()
	err := s.Guard(func() error {
		for _, n := range s.Counts() {
			_, _ = h.Write(binary.LittleEndian.AppendUint64(text[:0], n)) // cannot fail
		}
		return s.EachVector(func(id int, v []float32) error {
			word := words.At(id)
			text = binary.AppendUvarint(text[:0], uint64(len(word)))
			text = append(text, word...)
			for _, x := range v {
				text = binary.LittleEndian.AppendUint32(text, math.Float32bits(x))
			}
			_, _ = h.Write(text) // cannot fail
			return nil
		})
	})
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}
