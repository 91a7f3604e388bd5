// Package compression decompresses and compresses streams. It recognizes compressed streams by
// their first bytes. Written files are compressed if their names end in .gz or .zst.
package compression

import "strings"

// A Kind is a way to compress a stream.
type Kind int

// The kinds.
const (
	Plain Kind = iota // not compressed
	Gzip              // gzip, any number of members (RFC 1952)
	Zstd              // Zstandard, any number of frames (RFC 8878)
	Bzip2             // bzip2, any number of streams; only for reading
	XZ                // xz, any number of streams and padding; only for reading
)

// kinds lists for each compression its name, its file extension if it can be written, and the
// first bytes of its streams.
var kinds = []struct {
	kind  Kind
	name  string
	ext   string
	magic []string
}{
	{Gzip, "gzip", ".gz", []string{"\x1f\x8b"}},
	{Zstd, "zstd", ".zst", zstdMagic()},
	{Bzip2, "bzip2", "", bzip2Magic()},
	{XZ, "xz", "", []string{"\xfd7zXZ\x00"}},
}

// zstdMagic returns the first bytes of a Zstandard frame and of the sixteen kinds of skippable
// frames, which may precede one.
func zstdMagic() []string {
	magic := []string{"\x28\xb5\x2f\xfd"}
	for b := byte(0x50); b <= 0x5f; b++ {
		magic = append(magic, string([]byte{b, 0x2a, 0x4d, 0x18}))
	}
	return magic
}

// bzip2Magic returns the first bytes of bzip2 streams: for each of nine block sizes, followed by
// the beginning of a block or by the end.
func bzip2Magic() []string {
	var magic []string
	for size := byte('1'); size <= '9'; size++ {
		for _, next := range []string{"1AY&SY", "\x17rE8P\x90"} {
			magic = append(magic, "BZh"+string(size)+next)
		}
	}
	return magic
}

// magicLen is the length of the longest magic.
const magicLen = 10

// String returns "plain", "gzip", "zstd", "bzip2" or "xz".
func (k Kind) String() string {
	for _, c := range kinds {
		if c.kind == k {
			return c.name
		}
	}
	return "plain"
}

// Sniff returns the kind of a stream that begins with head. It looks at the first ten bytes.
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

// SplitExt removes the extension of a compression from path and returns its kind: "a.txt.gz"
// gives "a.txt" and Gzip, and "a.txt" gives "a.txt" and Plain.
func SplitExt(path string) (string, Kind) {
	for _, c := range kinds {
		if n := len(path) - len(c.ext); c.ext != "" && n >= 0 && strings.EqualFold(path[n:], c.ext) {
			return path[:n], c.kind
		}
	}
	return path, Plain
}
