// Package compression decompresses and compresses streams. It recognizes compressed streams by
// their first bytes. Written files are compressed if their names end in .gz or .zst.
package compression

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"
)

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

// names and extensions are those of each kind. Kinds without an extension are only read.
var (
	names      = [...]string{"plain", "gzip", "zstd", "bzip2", "xz"}
	extensions = map[Kind]string{Gzip: ".gz", Zstd: ".zst"}
)

// String returns "plain", "gzip", "zstd", "bzip2" or "xz".
func (k Kind) String() string { return names[k] }

const magicLen = 10

// Sniff returns the kind of a stream that begins with head. It looks at the first ten bytes.
func Sniff(head []byte) Kind {
	begins := func(with string) bool { return strings.HasPrefix(string(head[:min(len(head), magicLen)]), with) }
	switch {
	case begins("\x1f\x8b"):
		return Gzip
	case begins("\x28\xb5\x2f\xfd"), len(head) > 3 && head[0]>>4 == 5 && string(head[1:4]) == "\x2a\x4d\x18": // a skippable frame
		return Zstd
	case begins("BZh") && len(head) >= magicLen && '1' <= head[3] && head[3] <= '9': // the size of blocks
		if next := string(head[4:magicLen]); next == "1AY&SY" || next == "\x17rE8P\x90" { // a block, or the end
			return Bzip2
		}
	case begins("\xfd7zXZ\x00"):
		return XZ
	}
	return Plain
}

// maybe reports whether a stream that begins with head can be compressed.
func maybe(head []byte) bool {
	for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ\x00"} {
		if n := min(len(magic), len(head)); string(head[:n]) == magic[:n] {
			return true
		}
	}
	const skippable = "\x2a\x4d\x18"
	n := min(len(skippable), len(head)-1)
	return head[0]>>4 == 5 && string(head[1:1+n]) == skippable[:n]
}

// SplitExt removes the extension of a compression from path and returns its kind: "a.txt" and Gzip of "a.txt.gz".
func SplitExt(path string) (string, Kind) {
	for kind, ext := range extensions {
		if n := len(path) - len(ext); n >= 0 && strings.EqualFold(path[n:], ext) {
			return path[:n], kind
		}
	}
	return path, Plain
}

// maxWindow limits the memory of a frame, as the zstd program does, and to twice what presets of xz use.
const maxWindow = 128 << 20

const bufferSize = 64 << 10

// NewReader returns a reader of r that decompresses, if the first bytes are those of a compressed stream. Errors of
// corrupt or truncated streams name the compression. Close frees the decompressor and does not close r.
func NewReader(r io.Reader) (io.ReadCloser, Kind, error) {
	src := &source{r: r}
	own := workspaces.Get().(*workspace)
	own.src.Reset(src)
	head, err := own.src.Peek(1)
	for n := 2; err == nil && n <= magicLen && maybe(head); n++ { // a program may wait for an answer to its first bytes
		head, err = own.src.Peek(n)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		own.release()
		return nil, Plain, err
	}
	kind := Sniff(head)
	content, err := own.content(kind)
	if err != nil {
		own.release()
		return nil, kind, src.describe(kind, 0, err)
	}
	return &reader{r: content, src: src, kind: kind, own: own}, kind, nil
}

// A workspace is memory for reading a stream. Streams reuse it: a corpus may be 100,000 small files.
type workspace struct {
	src  *bufio.Reader
	gzip gzipMembers
	zstd *zstd.Decoder // never reused, because it reads ahead in its own goroutines
}

var workspaces = sync.Pool{New: func() any { return &workspace{src: bufio.NewReaderSize(nil, bufferSize)} }}

func (w *workspace) content(kind Kind) (r io.Reader, err error) {
	switch kind {
	case Gzip:
		w.gzip.src = w.src
		return &w.gzip, w.gzip.next()
	case Zstd:
		w.zstd, err = zstd.NewReader(w.src, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		return w.zstd, err
	case Bzip2:
		return bzip2.NewReader(w.src), nil
	case XZ:
		return xz.NewReader(w.src, maxWindow)
	}
	return w.src, nil
}

func (w *workspace) release() {
	if w.zstd != nil {
		w.zstd.Close()
		return
	}
	w.src.Reset(nil)
	workspaces.Put(w)
}

// gzipMembers reads concatenated files. To the decompressor, a cut header would be the end of the stream.
type gzipMembers struct {
	src *bufio.Reader
	z   gzip.Reader
}

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
		if err := m.skipPadding(); err != nil {
			return 0, err
		}
		if err := m.next(); err != nil {
			return 0, err
		}
	}
}

// skipPadding skips zeros, with which tapes pad files. The error at the end is io.EOF.
func (m *gzipMembers) skipPadding() error {
	for {
		b, err := m.src.ReadByte()
		if err != nil {
			return err
		}
		if b != 0 {
			return m.src.UnreadByte()
		}
	}
}

type reader struct {
	r     io.Reader
	src   *source
	kind  Kind
	bytes int64      // read so far
	own   *workspace // nil when it is closed
}

var errClosed = errors.New("the stream is closed")

func (r *reader) Read(p []byte) (int, error) {
	if r.own == nil {
		return 0, errClosed
	}
	n, err := r.r.Read(p)
	r.bytes += int64(n)
	return n, r.src.describe(r.kind, r.bytes, err)
}

func (r *reader) Close() error {
	if r.own != nil {
		r.own.release()
		r.own = nil
	}
	return nil
}

// A source is a stream before decompression. It remembers its read error, which is not a compression error.
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

func (s *source) describe(kind Kind, read int64, err error) error {
	if err == nil || err == io.EOF || kind == Plain { //nolint:errorlint // readers return io.EOF itself
		return err
	}
	if failed, ok := s.err.Load().(failure); ok {
		return failed.error
	}
	what := "corrupt"
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, xz.ErrBuf):
		what = "cut short"
	case errors.Is(err, xz.ErrMemlimit), errors.Is(err, xz.ErrOptions), errors.Is(err, xz.ErrUnsupportedCheck), errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		what = "not readable"
	}
	if errors.Is(err, xz.ErrMemlimit) {
		err = fmt.Errorf("compress it again with less memory: it asks for a dictionary of more than %d MB", maxWindow>>20)
	}
	after := ""
	if read > 0 {
		after = fmt.Sprintf(" after %d bytes of its content", read)
	}
	return fmt.Errorf("the %v data is %s%s: %w", kind, what, after, err)
}

// NewWriter returns a writer that compresses to w if path ends in ".gz" or ".zst", and otherwise copies. The
// same input always gives the same output. Close ends the compressed stream and leaves w open.
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

// ReadFile parses the file at path, which may be compressed. Errors name the file.
func ReadFile[T any](path string, parse func(r io.Reader) (T, error)) (parsed T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return parsed, Named(path, err)
	}
	defer file.Close()
	plain, _, err := NewReader(file)
	if err == nil {
		defer plain.Close()
		parsed, err = parse(plain)
	}
	if err != nil {
		return parsed, Named(path, err)
	}
	return parsed, nil
}

// Named puts the path of a file before an error, in place of the system call, unless it begins with the path.
func Named(path string, err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	if strings.HasPrefix(err.Error(), path+":") {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}
