package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/parquet"
	"github.com/w2v-go/w2v/internal/plaintext"
	"github.com/w2v-go/w2v/internal/scratch"
	"github.com/w2v-go/w2v/internal/wording"
)

// openFile opens a file of a corpus. The file must be the one that existed when the corpus was opened.
func (in input) openFile() (*os.File, error) {
	file, err := os.Open(in.name)
	if err != nil {
		return nil, scratch.Cause(err)
	}
	if !in.isRegular() {
		return file, nil
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(in.info, now) {
		err = errReplaced
	}
	if err != nil {
		return nil, errors.Join(scratch.Cause(err), file.Close())
	}
	return file, nil
}

func (in input) buffer() int {
	if in.isRegular() && in.info.Size() > 0 { // files in /proc have content but no size
		return bufferFor(in.info.Size())
	}
	return bufferSize
}

// storedSize is the size of a regular file, or of an object of a store, as it is stored; 0 if it is not known.
func (in input) storedSize() int64 {
	switch {
	case in.stored != nil:
		return in.stored.object.size
	case in.isRegular():
		return in.info.Size()
	}
	return 0
}

func (in input) isRegular() bool { return in.info != nil && in.info.Mode().IsRegular() }

// checkSame returns an error if a file has another size, or if another file has taken its place.
func (in input) checkSame(file *os.File) error {
	now, err := file.Stat()
	if err != nil {
		return scratch.Cause(err)
	}
	switch was, is := in.info.Size(), now.Size(); {
	case is > was:
		return fmt.Errorf("the file has become longer while it was read, %d bytes instead of %d: leave it alone until it is read", is, was)
	case is < was:
		return shorter(is)
	}
	now, err = os.Stat(in.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the file has vanished while it was read: leave it alone until it is read")
	case err != nil:
		return scratch.Cause(err)
	case !os.SameFile(in.info, now):
		return errReplaced
	}
	return nil
}

var errReplaced = errors.New("another file has taken its place: leave it alone while it is read")

func shorter(left int64) error {
	return fmt.Errorf("the file has become shorter than it was, %d bytes are left: leave it alone while it is read", left)
}

func (in input) openWhole(context.Context) (io.ReadCloser, error) {
	file, err := in.openFile()
	if err != nil || !in.isRegular() {
		return file, err
	}
	text := in.section(file, 0, in.info.Size())
	if in.info.Size() == 0 { // files in /proc have content but no size
		text = io.MultiReader(file, text)
	}
	return closing{text, file}, nil
}

// section returns a reader of a part of a file, which fails if the file is another one at the end.
func (in input) section(file *os.File, first, end int64) io.Reader {
	return &section{r: file, at: first, end: end, ended: func() error { return in.checkSame(file) }}
}

// named puts the file's name before an error, in place of what package os puts there.
func named(path string, err error) error { return fmt.Errorf("%s: %w", path, scratch.Cause(err)) }

// headSize is how many bytes at the beginning of an input are examined.
const headSize = 4096

// foreign lists files that are passed as text by mistake, and commands that extract text from them.
var foreign = []struct {
	at                int
	magic, what, text string
}{
	// The file begins with the length of its JSON header in 8 bytes. The upper four are
	// always zero, and the lower four can have any value.
	{4, "\x00\x00\x00\x00{\"", "a safetensors file, which is a model", ""},
	{0, "\x04\x22\x4d\x18", "compressed with lz4", "lz4 -dc %s"},
	{0, "LZIP\x01", "compressed with lzip", "lzip -dc %s"},
	{0, "PK\x03\x04", "a zip archive", "unzip -p %s"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so %s"},
	{0, "Rar!\x1a\x07", "a RAR archive", "unrar p -inul %s"},
	{257, "ustar", "a tar archive", "tar -xOf %s"},
	{0, "%PDF-", "a PDF document", "pdftotext %s -"},
	{0, "ARROW1\x00\x00", "an Arrow table", ""},
	{0, "\xba\x16\x4f\x2f", "a fastText model", ""},
	{0, "FiFu", "a finalfusion model", ""},
	{0, "\x93NUMPY", "a numpy array", ""},
	{0, "\x80\x02", "a Python pickle", ""},
	{0, "\x80\x03", "a Python pickle", ""},
	{0, "\x80\x04", "a Python pickle", ""},
	{0, "\x80\x05", "a Python pickle", ""},
	{0, "\x89PNG\r\n\x1a\n", "a PNG image", ""},
	{0, "\xff\xd8\xff", "a JPEG image", ""},
}

// byteOrderMark begins texts in UTF-8 from some editors.
const byteOrderMark = "\ufeff"

func markSize(head []byte) int {
	if strings.HasPrefix(string(head), byteOrderMark) {
		return len(byteOrderMark)
	}
	return 0
}

// checkText returns an error if an input is certainly not readable text. head is the first headSize bytes of
// the input, or all of a shorter input. Any encoding whose separators are ASCII is accepted.
func checkText(in input, head []byte) error {
	if parquet.Begins(head) {
		if in.parquet {
			return &ForeignError{Name: in.name, Is: "is a Parquet table", advice: "write its column as text first"}
		}
		return in.refuseTable()
	}
	for _, f := range foreign {
		if len(head) >= f.at && strings.HasPrefix(string(head[f.at:]), f.magic) {
			return in.refuse("is "+f.what, f.text)
		}
	}
	if other := plaintext.Check(head); other != nil {
		return in.refuse(other.Is, other.Command+" %s")
	}
	if isBinary(head) {
		return in.refuse("is binary data and no text", "")
	}
	return nil
}

// A ForeignError reports an input that is not text.
type ForeignError struct {
	Name    string // of the input
	Is      string // what is wrong with it, as "is a zip archive"
	Command string // a command that prints the text of the file; empty if none is known
	Table   bool   // it is a table, and the error ends with the advice to name the column of the text
	advice  string
}

func (e *ForeignError) Error() string { return e.Name + ": " + e.Is + ": " + e.advice }

func (in input) refuse(is, command string) error {
	e := &ForeignError{Name: in.name, Is: is}
	switch {
	case command == "":
		e.advice = "give a corpus of text only"
	case in.file:
		e.Command = fmt.Sprintf(command, wording.Quoted(in.name))
		e.advice = "make it plain text first, for example with " + e.Command
	default:
		program := strings.TrimSuffix(strings.Join(strings.Fields(fmt.Sprintf(command, "")), " "), " <")
		e.advice = "make it plain text first, as " + program + " does"
	}
	return e
}

// fewest is the smallest number of suspicious bytes that counts as evidence.
const fewest = 16

// isBinary reports whether head has too many zero bytes or control characters for text. Some zero bytes are
// allowed, because they may separate tokens. White space, the characters of ISO 2022 (14, 15 and 27), and
// separators of records and fields (28 to 31) do not count as control characters.
func isBinary(head []byte) bool {
	zeros, controls := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			zeros++
		case c < '\t', 0x0f < c && c < 0x1b, c == 0x7f:
			controls++
		}
	}
	return zeros >= fewest && 2*zeros > len(head) || controls >= fewest && 50*controls > len(head)
}

// A stream may block, as terminals and pipes do, even while it is opened. So each read has its own goroutine,
// which is left behind with its source and its buffer when the context ends.
type stream struct {
	ctx     context.Context
	open    func(context.Context) (io.ReadCloser, error)
	buf     []byte
	src     io.ReadCloser // nil until it is open, and while it is being read
	pending []byte        // data that was read from the source and not yet returned
	err     error         // of the source, which follows pending
}

func newStream(ctx context.Context, size int, open func(context.Context) (io.ReadCloser, error)) *stream {
	return &stream{ctx: ctx, open: open, buf: make([]byte, size)}
}

func (s *stream) Read(p []byte) (int, error) {
	if len(s.pending) == 0 && s.err == nil {
		if s.err = s.ctx.Err(); s.err == nil {
			s.fill()
		}
	}
	n := copy(p, s.pending)
	if s.pending = s.pending[n:]; len(s.pending) > 0 {
		return n, nil
	}
	return n, s.err
}

// fill reads from the source, or sets the context's error.
func (s *stream) fill() {
	type result struct {
		src io.ReadCloser
		n   int
		err error
	}
	filled := make(chan result)
	go func(r result) {
		if r.src == nil {
			if r.src, r.err = s.open(s.ctx); r.err != nil {
				r.src = nil // a nil file is not nil here
			}
		}
		if r.err == nil {
			r.n, r.err = readSafely(r.src, s.buf)
		}
		select {
		case filled <- r:
		case <-s.ctx.Done():
			if r.src != nil {
				r.src.Close()
			}
		}
	}(result{src: s.src})
	s.src = nil
	select {
	case r := <-filled:
		s.src, s.pending, s.err = r.src, s.buf[:r.n], r.err
	case <-s.ctx.Done():
		s.err = s.ctx.Err()
	}
}

// readSafely turns a panic of a caller's reader, which runs on our goroutine, into an error.
func readSafely(src io.Reader, buf []byte) (n int, err error) {
	defer func() {
		if p := recover(); p != nil {
			n, err = 0, fmt.Errorf("its reader panicked: %v", p)
		}
	}()
	n, err = src.Read(buf)
	if n < 0 || n > len(buf) {
		return 0, fmt.Errorf("its reader says that it read %d bytes into %d", n, len(buf))
	}
	return n, err
}

// Close closes the source, unless it is still being read.
func (s *stream) Close() error {
	if s.src == nil {
		return nil
	}
	return s.src.Close()
}

// A Raw is the text of one input of a corpus, decompressed and without a byte order mark, before
// tokenization. It is for formats other than sentences, such as edge lists.
type Raw struct {
	io.Reader
	name     string
	head     []byte // first bytes, or all of a shorter text
	mark     int    // length of the byte order mark before head
	unpacked bool   // the input is compressed
	closers  []io.Closer
}

// Name returns the name of the input, for messages.
func (r *Raw) Name() string { return r.name }

// Comma returns the separator of columns if the name says that the input is CSV: a comma, or a semicolon if
// the first line has semicolons and no commas. For other inputs it returns 0.
func (r *Raw) Comma() rune {
	if tableExt(r.name) == csvExt {
		return columnSeparator(r.name, r.head)
	}
	return 0
}

// separator returns the separator of columns in a table: see Options.TextColumn.
func (r *Raw) separator() rune { return columnSeparator(r.name, r.head) }

// Close closes the input.
func (r *Raw) Close() error { return closeAll(r.closers) }

func closeAll(closers []io.Closer) error {
	var errs []error
	for _, c := range closers {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// Inputs returns the number of files and streams of the corpus.
func (s *Source) Inputs() int { return len(s.inputs) }

// Open opens input i of the corpus as text. A stream can be opened only once, and reading stops when ctx
// ends. Sentences in memory cannot be opened as text.
func (s *Source) Open(ctx context.Context, i int) (*Raw, error) { return s.openMetered(ctx, i, nil) }

// openMetered is Open, and adds the bytes that it reads to n unless that is nil.
func (s *Source) openMetered(ctx context.Context, i int, n *atomic.Int64) (*Raw, error) {
	switch {
	case s.err != nil:
		return nil, s.err
	case s.inputs[i].open == nil:
		return nil, fmt.Errorf("%s: these are sentences in memory, and no text", s.inputs[i].name)
	}
	in := s.inputs[i]
	if n != nil {
		in.open = metered(in.open, n)
	}
	raw, err := in.openText(ctx)
	if err == nil {
		raw.Reader = in.beginning.of(raw.Reader)
	}
	return raw, err
}

func (in input) openText(ctx context.Context) (*Raw, error) {
	src := newStream(ctx, in.buffer(), in.open)
	plain, kind, err := compression.NewReader(src)
	if err != nil {
		return nil, errors.Join(named(in.name, err), src.Close())
	}
	unpacked := kind != compression.Plain
	in.file = in.file && !unpacked // false if the file must be converted first
	text, head, err := beginText(in, plain)
	if err != nil {
		_, _ = plain.Close(), src.Close() // a close error may repeat err
		return nil, err
	}
	mark := markSize(head)
	return &Raw{text, in.name, head[mark:], mark, unpacked, []io.Closer{plain, src}}, nil
}

// tables returns the error of a corpus that has Parquet tables without a column of text; nil if it has none.
func tables(inputs []input) error {
	if i := slices.IndexFunc(inputs, func(in input) bool { return in.parquet && in.table == nil }); i >= 0 {
		return inputs[i].refuseTable()
	}
	return nil
}
