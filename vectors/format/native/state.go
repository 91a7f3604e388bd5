package native

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/internal/safetensors"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/rowio"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
)

// The state of a training run in a native file, and the checksum of such a file. See docs/format.md.

const (
	tensorState    = "state"         // U8 [n]
	tensorRows     = "state_rows_"   // plus a number from 0: F32 [R, D]
	tensorPadding  = "state_padding" // U8 [1 to 3], aligns the checksum
	tensorChecksum = "state_crc32c"  // U32 [1], after everything else
)

const checksumSize = 4

func stateSections(s *vectors.Set) []safetensors.Section {
	state := s.SharedParts().State
	if state == nil {
		return nil
	}
	var sections []safetensors.Section
	for i, m := range s.StateRows() {
		sections = append(sections, rowio.Section(tensorRows+strconv.Itoa(i), s, m, vectors.F32))
	}
	return append(sections, safetensors.List(tensorState, "U8", state))
}

func writeChecked(w *bufio.Writer, sections []safetensors.Section, metadata map[string]string, aligned string) error {
	if n := -safetensors.Size(sections) & (checksumSize - 1); n > 0 {
		sections = append(sections, safetensors.Array(tensorPadding, "U8", []uint64{uint64(n)}, make([]byte, n)))
	}
	sum := &checksumWriter{w: w}
	sections = append(sections, safetensors.Written(tensorChecksum, "U32", []uint64{1}, func(w *bufio.Writer) error {
		if err := w.Flush(); err != nil {
			return err
		}
		return endian.Write(w, []uint32{sum.sum})
	}))
	summed := bufio.NewWriterSize(sum, checkedPiece)
	if err := safetensors.Write(summed, sections, metadata, aligned, align); err != nil {
		return err
	}
	return summed.Flush()
}

// checkedPiece is how many bytes are summed and written at a time. A piece is small enough to be still in the
// processor's cache when it is written, and larger than the next buffer, which therefore does not copy it.
const checkedPiece = codec.WriteBuffer + 4<<10

type checksumWriter struct {
	w   io.Writer
	sum uint32
}

func (c *checksumWriter) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		piece := p[:min(len(p), checkedPiece)]
		c.sum = crc32.Update(c.sum, rowio.Castagnoli, piece)
		n, err := c.w.Write(piece)
		written += n
		if err != nil {
			return written, err
		}
		p = p[len(piece):]
	}
	return written, nil
}

type checksum struct {
	there  bool            // the file has a checksum
	last   bool            // the checksum is the last tensor
	begin  int64           // offset in the input where the file begins
	size   int64           // number of summed bytes from there
	stream *checksumWriter // computes the checksum; nil for a file in memory, mapped or not
}

// sum starts the checksum of what follows the header, if the file has a checksum. The file begins at offset
// begin of the input.
func (f *native) sum(begin int64) {
	f.checksum = checksum{begin: begin, there: f.Has(tensorChecksum)}
	if !f.checksum.there {
		return
	}
	last := f.Tensors[len(f.Tensors)-1]
	f.checksum.last = last.Name == tensorChecksum
	left := last.End - checksumSize
	f.checksum.size = f.in.Offset - begin + left
	if !f.in.Mapped() {
		f.checksum.stream = &checksumWriter{w: io.Discard, sum: f.Sum}
		f.in.Through(func(r io.Reader) io.Reader {
			return io.MultiReader(io.TeeReader(io.LimitReader(r, left), f.checksum.stream), r)
		})
	}
}

// verifier returns the Verify function of a file, or nil. state says whether the file has a training state.
func (f *native) verifier(state bool) func() error {
	c, in, number := f.checksum, f.in, numbers[uint32](f, tensorChecksum)
	at := c.begin + c.size
	fail := func(format string, args ...any) error {
		return &source.Error{Offset: at, Err: fmt.Errorf(format, args...)}
	}
	switch {
	case !c.there && !state:
		return nil
	case !c.there:
		at = c.begin
		return func() error {
			return fail("expected a tensor %q, which tells whether a file with training state is whole, found none", tensorChecksum)
		}
	case !c.last:
		return func() error {
			return fail("expected the tensor %q after all others: another program has written this file anew, and its checksum tells nothing", tensorChecksum)
		}
	}
	sum := func() (uint32, error) { return crc32.Checksum(in.Whole[c.begin:][:c.size], rowio.Castagnoli), nil }
	switch {
	case c.stream != nil:
		found := c.stream.sum
		sum = func() (uint32, error) { return found, nil }
	case in.Again != nil:
		again := in.Again
		sum = func() (uint32, error) {
			file, err := again(c.begin)
			if err != nil {
				return 0, err
			}
			sum := &checksumWriter{w: io.Discard}
			n, err := io.CopyBuffer(sum, io.LimitReader(file, c.size), make([]byte, codec.WriteBuffer))
			if err != nil {
				err = &source.Error{Offset: c.begin + n, Err: atomicfile.Cause(err)}
			} else if n < c.size {
				err = &source.Error{Offset: c.begin + n, Err: source.Cut("tensors")}
			}
			return sum.sum, errors.Join(err, file.Close())
		}
	}
	return func() error {
		found, err := sum()
		if want := number[0]; err == nil && found != want {
			return fail("the file is damaged: expected bytes whose CRC-32C is %08x, found %08x", want, found)
		}
		return err
	}
}

func isStateRows(tensor string) bool {
	suffix, ok := strings.CutPrefix(tensor, tensorRows)
	i, err := strconv.Atoi(suffix)
	return ok && err == nil && i >= 0 && strconv.Itoa(i) == suffix
}
