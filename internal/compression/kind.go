// Package compression reads streams that may be compressed, told apart by their
// first bytes, and compresses what is written to a path that asks for it.
package compression

import "strings"

// A Kind is a way to compress a stream.
type Kind int

// The kinds.
const (
	Plain Kind = iota // not compressed
	Gzip              // gzip, any number of members (RFC 1952)
	Zstd              // Zstandard, any number of frames (RFC 8878)
)

// kinds says how each compression is named in a path and how its streams begin.
var kinds = []struct {
	kind  Kind
	name  string
	ext   string
	magic []string
}{
	{Gzip, "gzip", ".gz", []string{"\x1f\x8b"}},
	{Zstd, "zstd", ".zst", zstdMagic()},
}

// zstdMagic returns the first bytes of a Zstandard frame and of the sixteen
// sorts of skippable frame, which may stand before one.
func zstdMagic() []string {
	magic := []string{"\x28\xb5\x2f\xfd"}
	for b := byte(0x50); b <= 0x5f; b++ {
		magic = append(magic, string([]byte{b, 0x2a, 0x4d, 0x18}))
	}
	return magic
}

// magicLen is the length of the longest magic.
const magicLen = 4

// String returns "plain", "gzip" or "zstd".
func (k Kind) String() string {
	for _, c := range kinds {
		if c.kind == k {
			return c.name
		}
	}
	return "plain"
}

// Sniff returns the kind of a stream that begins with head, of which the first
// four bytes count.
func Sniff(head []byte) Kind {
	for _, c := range kinds {
		for _, magic := range c.magic {
			if strings.HasPrefix(string(head[:min(len(head), magicLen)]), magic) {
				return c.kind
			}
		}
	}
	return Plain
}

// SplitExt cuts the extension of a compression off path and returns its kind:
// "a.txt.gz" gives "a.txt" and Gzip, "a.txt" itself and Plain.
func SplitExt(path string) (string, Kind) {
	for _, c := range kinds {
		if n := len(path) - len(c.ext); n >= 0 && strings.EqualFold(path[n:], c.ext) {
			return path[:n], c.kind
		}
	}
	return path, Plain
}
