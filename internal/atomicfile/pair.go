package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// pendingSuffix is put behind the name of a file that is written together with one beside
// it, for a third file that is there while the two are replaced. That one says by a checksum
// which file it belongs to, and then has what is to stand beside it: whoever reads the file
// while the two are not of one write, or after a process was killed then, finds there what
// belongs to it.
const pendingSuffix = ".pending-w2v"

// pendingHeader is its first line: the CRC-32C and the length of the file, and the number
// of bytes that follow. All have a fixed width, so that the line can be written last.
const pendingHeader = "w2v pending: crc32c %08x of %019d bytes; then %019d bytes to stand beside\n"

var (
	castagnoli        = crc32.MakeTable(crc32.Castagnoli)
	pendingHeaderSize = int64(len(fmt.Sprintf(pendingHeader, 0, 0, 0)))
)

// WritePair writes the file at path and the one beside it, whose name has suffix after
// path, so that readers that ask Beside always find two of one write. Both are complete
// before either takes its place. What was there before stays if anything fails until
// then. Errors are one line that begins with the path of the file in question.
func WritePair(path, suffix string, write, beside func(io.Writer) error) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Abort() //nolint:errcheck // does nothing after Commit, and the first error is told
	sum := &summer{w: file}
	if err := file.fill(func(io.Writer) error { return write(sum) }); err != nil {
		return err
	}
	if file.temp == "" { // a device or a pipe is written already
		if err := Write(path+suffix, beside); err != nil {
			return err
		}
		return file.Commit()
	}
	pending, err := createPending(path, suffix)
	if err != nil {
		return err
	}
	defer pending.close()
	if err := pending.fill(sum, beside); err != nil {
		return join(fmt.Errorf("%s: %w", path+suffix, cause(err)), pending.remove())
	}
	second, err := pending.copyTo(path + suffix)
	if err != nil {
		return join(err, pending.remove())
	}
	if err := file.Commit(); err != nil {
		return join(err, join(second.Abort(), pending.remove()))
	}
	if err := second.Commit(); err != nil {
		return fmt.Errorf("%w; until %s is written again, what belongs beside it is in %s", err, path, path+pendingSuffix)
	}
	_ = pending.remove() // what it has still belongs to the file
	return nil
}

// Beside opens what belongs beside the file at path, and returns from which of its bytes on
// it does: the file with suffix after the name, unless a process that replaces both has not
// come, or was killed before it came, to the second. To know that both are of one write,
// compare the file at path with the one that was opened there before, once all is read.
func Beside(path, suffix string) (f *os.File, from int64, err error) {
	p, err := os.Open(path + pendingSuffix)
	if err == nil {
		belongs, err := belongsTo(p, path)
		if err == nil && belongs {
			return p, pendingHeaderSize, nil
		}
		_ = p.Close() // nothing was written
		if err != nil {
			return nil, 0, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, 0, err
	}
	f, err = os.Open(path + suffix)
	return f, 0, err
}

// ClearPending removes what a process left that was killed while it replaced the file at
// path and one beside it. It is for after path has been replaced by a file that stands alone.
func ClearPending(path string) error {
	name := path + pendingSuffix
	if _, err := os.Lstat(name); err != nil {
		return nil //nolint:nilerr // nothing is there, as nearly always
	}
	p, err := os.Open(name)
	if err != nil {
		return nil //nolint:nilerr // it is not ours
	}
	release, ok := hold(p)
	defer release()
	_, _, _, ours := readPending(p)
	_ = p.Close() // some systems remove no open files
	if !ok || !ours {
		return nil
	}
	if err := discard(name); err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	return nil
}

// A pending is the third file, while this process has it.
type pending struct {
	file    *os.File
	name    string
	release func()
}

// writerWait is how long WritePair waits for another process that is about to put the same
// two files in their places.
const writerWait = 10 * time.Second

// createPending creates the file beside path for this process alone, and finishes before
// what another one had begun that was killed.
func createPending(path, suffix string) (*pending, error) {
	name := path + pendingSuffix
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		f, err := system.create(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			release, ok := hold(f)
			if ok && is(f, name) {
				return &pending{f, name, release}, nil
			}
			release()
			_ = f.Close() // another process took it for one that was left, and cleans up
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, explain(path, path, err)
		}
		if err := settlePair(path, suffix); err == nil {
			continue
		} else if !errors.Is(err, errBusy) || time.Since(start) > writerWait {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
}

// errBusy says that another process is at it.
var errBusy = errors.New("is being written by another process: try again")

// settlePair finishes what a process had begun that was killed while it replaced the file
// at path and the one beside it.
func settlePair(path, suffix string) error {
	name := path + pendingSuffix
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	p := &pending{file: f, name: name}
	defer func() { p.close() }()
	var ok bool
	if p.release, ok = hold(f); !ok {
		return errBusy
	}
	info, err := f.Stat()
	if err != nil || !is(f, name) {
		return nil //nolint:nilerr // it is gone: look again
	}
	if !locks && time.Since(info.ModTime()) < abandonedAfter {
		return errBusy
	}
	if _, _, _, ours := readPending(f); !ours && info.Size() > 0 {
		return fmt.Errorf("%s is in the way, and w2v has not made it: move it away", name)
	}
	belongs, err := belongsTo(f, path)
	if err != nil {
		return err
	}
	if belongs {
		second, err := p.copyTo(path + suffix)
		if err != nil {
			return err
		}
		if err := second.Commit(); err != nil {
			return err
		}
	}
	return p.remove()
}

// fill writes what is to stand beside a file of that sum, and then the header.
func (p *pending) fill(sum *summer, beside func(io.Writer) error) error {
	// Until the last line is there, the file is known to be unfinished by its first one.
	if _, err := fmt.Fprintf(p.file, pendingHeader, 0, 0, 0); err != nil {
		return err
	}
	w := &File{file: p.file} // remembers a failed write
	err := beside(w)
	if !errors.Is(err, w.err) {
		err = join(err, w.err)
	}
	if err != nil {
		return err
	}
	size, err := p.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	header := fmt.Sprintf(pendingHeader, sum.sum, sum.size, size-pendingHeaderSize)
	if _, err := p.file.WriteAt([]byte(header), 0); err != nil {
		return err
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	syncFolder(filepath.Dir(p.name))
	return nil
}

// copyTo writes what is to stand beside to a file that is not yet at its place.
func (p *pending) copyTo(path string) (*File, error) {
	second, err := Create(path)
	if err != nil {
		return nil, err
	}
	return second, second.fill(func(w io.Writer) error {
		if _, err := p.file.Seek(pendingHeaderSize, io.SeekStart); err != nil {
			return cause(err)
		}
		_, err := io.Copy(struct{ io.Writer }{w}, p.file)
		return err
	})
}

func (p *pending) remove() error {
	_ = p.file.Close() // some systems remove no open files
	if err := discard(p.name); err != nil {
		return fmt.Errorf("%s: %w", p.name, cause(err))
	}
	return nil
}

func (p *pending) close() {
	_ = p.file.Close() // synced, or of no use
	p.release()
}

// readPending reads the header. whole tells whether all that it speaks of is there.
func readPending(f *os.File) (sum uint32, size int64, whole, ours bool) {
	header := make([]byte, pendingHeaderSize)
	if _, err := f.ReadAt(header, 0); err != nil {
		return 0, 0, false, false
	}
	var rest int64
	if _, err := fmt.Sscanf(string(header), pendingHeader, &sum, &size, &rest); err != nil {
		return 0, 0, false, false
	}
	info, err := f.Stat()
	return sum, size, err == nil && size > 0 && info.Size() == pendingHeaderSize+rest, true
}

// belongsTo tells whether what f holds belongs beside the file at path as that is now.
func belongsTo(f *os.File, path string) (bool, error) {
	sum, size, whole, _ := readPending(f)
	if !whole {
		return false, nil
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, cause(err))
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() != size {
		return false, cause(err)
	}
	is := &summer{w: io.Discard}
	if _, err := io.Copy(is, bufio.NewReaderSize(file, 1<<20)); err != nil {
		return false, fmt.Errorf("%s: %w", path, cause(err))
	}
	return is.sum == sum && is.size == size, nil
}

// is tells whether the file at path is still f.
func is(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}

// A summer counts and sums what is written to w.
type summer struct {
	w    io.Writer
	sum  uint32
	size int64
}

func (s *summer) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.sum = crc32.Update(s.sum, castagnoli, p[:n])
	s.size += int64(n)
	return n, err
}
