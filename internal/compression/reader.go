package compression

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxWindow limits the memory that a Zstandard frame can demand. It is the default limit of the
// zstd program.
const maxWindow = 128 << 20

// bufferSize is the number of bytes that are read from a stream at a time.
const bufferSize = 64 << 10

// NewReader returns a reader of the content of r, which it decompresses if the first bytes show
// that r is compressed. An empty stream is plain. If a stream is corrupt or truncated, Read
// returns an error that names the compression; if the header is corrupt, NewReader does. Close
// frees the decompressor and does not close r.
func NewReader(r io.Reader) (io.ReadCloser, Kind, error) {
	br := bufio.NewReaderSize(r, bufferSize)
	head, err := br.Peek(magicLen)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, Plain, err
	}
	kind := Sniff(head)
	switch kind {
	case Gzip:
		members := &gzipMembers{src: br}
		if err := members.next(); err != nil {
			return nil, kind, describe(kind, err)
		}
		return &reader{r: members, kind: kind, close: members.z.Close}, kind, nil
	case Zstd:
		zr, err := zstd.NewReader(br, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			return nil, kind, describe(kind, err)
		}
		return &reader{r: zr, kind: kind, close: func() error { zr.Close(); return nil }}, kind, nil
	case Bzip2:
		return &reader{r: bzip2.NewReader(br), kind: kind, close: func() error { return nil }}, kind, nil
	}
	return &reader{r: br, kind: kind, close: func() error { return nil }}, Plain, nil
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

type reader struct {
	r     io.Reader
	kind  Kind
	close func() error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	return n, describe(r.kind, err)
}

func (r *reader) Close() error { return r.close() }

// describe says of which compression err is. The end of the stream stays as
// it is.
func describe(kind Kind, err error) error {
	switch {
	case err == nil, err == io.EOF, kind == Plain: //nolint:errorlint // readers return io.EOF itself
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %v data is cut short: %w", kind, err)
	}
	return fmt.Errorf("the %v data is corrupt: %w", kind, err)
}
