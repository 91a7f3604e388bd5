package compression

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a Zstandard frame or an xz stream can demand. It is the default
// limit of the zstd program, and twice what any preset of the xz program uses.
const maxWindow = 128 << 20

// bufferSize is the number of bytes that are read from a stream at a time.
const bufferSize = 64 << 10

// NewReader returns a reader of the content of r, which it decompresses if the first bytes show
// that r is compressed. An empty stream is plain. If a stream is corrupt or truncated, Read
// returns an error that names the compression; if the header is corrupt, NewReader does. Close
// frees the decompressor and does not close r.
func NewReader(r io.Reader) (io.ReadCloser, Kind, error) {
	src := &source{r: r}
	br := bufio.NewReaderSize(src, bufferSize)
	head, err := br.Peek(magicLen)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Plain, err
	}
	kind := Sniff(head)
	switch kind {
	case Gzip:
		members := &gzipMembers{src: br}
		if err := members.next(); err != nil {
			return nil, kind, src.describe(kind, 0, err)
		}
		return &reader{r: members, src: src, kind: kind, close: members.z.Close}, kind, nil
	case Zstd:
		zr, err := zstd.NewReader(br, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, kind, src.describe(kind, 0, err)
		}
		return &reader{r: zr, src: src, kind: kind, close: func() error { zr.Close(); return nil }}, kind, nil
	case Bzip2:
		return &reader{r: bzip2.NewReader(br), src: src, kind: kind, close: nothing}, kind, nil
	case XZ:
		xr, err := newXZ(br)
		if err != nil {
			return nil, kind, src.describe(kind, 0, err)
		}
		return &reader{r: xr, src: src, kind: kind, close: nothing}, kind, nil
	}
	return &reader{r: br, src: src, kind: kind, close: nothing}, Plain, nil
}

// gzipMembers reads concatenated gzip files as one. It looks for the next member
// itself because a header that is cut within a name is the end of the stream to
// the decompressor.
type gzipMembers struct {
	src *bufio.Reader
	z   gzip.Reader
}

// next begins a member, of which at least a byte is there.
func (m *gzipMembers) next() error {
	err := m.z.Reset(m.src)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	m.z.Multistream(false)
	return err
}

func (m *gzipMembers) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		if _, err := m.src.Peek(1); err != nil {
			return 0, err
		}
		if err := m.next(); err != nil {
			return 0, err
		}
	}
}

func nothing() error { return nil }

type reader struct {
	r     io.Reader
	src   *source
	kind  Kind
	bytes int64 // read so far
	close func() error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	r.bytes += int64(n)
	return n, r.src.describe(r.kind, r.bytes, err)
}

func (r *reader) Close() error { return r.close() }

// A source is a stream before it is decompressed. It remembers why it could not be read, which
// is no fault of the compression.
type source struct {
	r   io.Reader
	err atomic.Value // of type failure
}

type failure struct{ error }

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err.Store(failure{err})
	}
	return n, err
}

// describe says of which compression err is, and how much was read before. The end of the stream
// stays as it is.
func (s *source) describe(kind Kind, read int64, err error) error {
	if err == nil || err == io.EOF || kind == Plain { //nolint:errorlint // readers return io.EOF itself
		return err
	}
	if failed, ok := s.err.Load().(failure); ok {
		return failed.error
	}
	what := "corrupt"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "cut short"
	case errors.Is(err, errMemory), errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		what = "not readable"
	}
	after := ""
	if read > 0 {
		after = fmt.Sprintf(" after %d bytes of its content", read)
	}
	return fmt.Errorf("the %v data is %s%s: %w", kind, what, after, err)
}
