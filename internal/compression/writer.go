package compression

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// NewWriter returns a writer that compresses to w as the extension of path
// asks: ".gz", ".zst", or anything else for not at all. The same bytes are
// always compressed to the same bytes. Close ends the compressed stream and
// leaves w open.
func NewWriter(w io.Writer, path string) (io.WriteCloser, error) {
	switch _, kind := SplitExt(path); kind {
	case Gzip:
		return gzip.NewWriter(w), nil
	case Zstd:
		return zstd.NewWriter(w)
	}
	return plainWriter{w}, nil
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }
