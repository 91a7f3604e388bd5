package atomicfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The pending file of a pair exists while the two files are replaced. It has the checksum of the new first file and the
// content of the new second file. A reader that comes between the two replacements, or after a process was killed
// there, finds in it the content that belongs to the first file.
const pendingSuffix = ".pending-w2v"

// pendingHeader is the first line: CRC-32C and length of the first file, and the bytes that follow the line. All have a
// fixed width, so that the line can be written last.
const pendingHeader = "w2v pending: crc32c %08x of %019d bytes; then %019d bytes to stand beside\n"

var (
	castagnoli        = crc32.MakeTable(crc32.Castagnoli)
	pendingHeaderSize = int64(len(fmt.Sprintf(pendingHeader, 0, 0, 0)))
)

// WritePair writes a file at path and one that belongs to it, whose name is path followed by suffix. Readers that call
// Beside always find files of one write. If anything fails before the first is put in its place, the earlier ones stay.
func WritePair(path, suffix string, write, beside func(io.Writer) error) error {
	file, err := Create(path)
	if err != nil {
		return err
	}
	defer file.Abort() //nolint:errcheck // does nothing after Commit, and the first error is returned
	sum := crc32.New(castagnoli)
	if err := file.fill(func(w io.Writer) error { return write(io.MultiWriter(w, sum)) }); err != nil {
		return err
	}
	if file.temp == "" { // a device or a pipe has been written directly
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
	size, err := file.file.Seek(0, io.SeekCurrent)
	if err == nil {
		err = pending.fill(sum.Sum32(), size, beside)
	}
	if err != nil {
		return join(fmt.Errorf("%s: %w", path+suffix, Cause(err)), pending.remove())
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
	_ = pending.remove() // if it stays, its content is still right
	return nil
}

// Beside opens the second file of a pair, and returns where its content begins. If a process has replaced only the first
// file so far, it is the pending file. To be sure that both are of one write, the caller compares the file at path, after
// it has read everything, with the one that it opened before.
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

// ClearPending removes what a killed process has left at path, which a file that is not one of a pair replaced.
func ClearPending(path string) error {
	name := path + pendingSuffix
	p, err := os.Open(name)
	if err != nil {
		return nil //nolint:nilerr // there is no pending file, as nearly always, or it is not ours
	}
	release, ok := hold(p)
	defer release()
	_, _, _, ours := readPending(p)
	_ = p.Close() // some systems remove no open files
	if !ok || !ours {
		return nil
	}
	return at(name, discard(name))
}

type pending struct {
	file    *os.File
	name    string
	release func()
}

const writerWait = 10 * time.Second // how long WritePair waits for a process that is replacing the same files

// createPending first finishes what a killed process had begun.
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
			_ = f.Close() // another process took it for an abandoned file and removes it
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

var errBusy = errors.New("is being written by another process: try again")

func settlePair(path, suffix string) error {
	name := path + pendingSuffix
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return at(name, err)
	}
	p := &pending{file: f, name: name}
	defer func() { p.close() }()
	var ok bool
	if p.release, ok = hold(f); !ok {
		return errBusy
	}
	info, err := f.Stat()
	if err != nil || !is(f, name) {
		return nil //nolint:nilerr // it was removed meanwhile: look again
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
		if err == nil {
			err = second.Commit()
		}
		if err != nil {
			return err
		}
	}
	return p.remove()
}

func (p *pending) fill(sum uint32, of int64, beside func(io.Writer) error) error {
	// Until the header is written, the first line shows that the file is unfinished.
	if _, err := fmt.Fprintf(p.file, pendingHeader, 0, 0, 0); err != nil {
		return err
	}
	if err := (&File{file: p.file}).run(beside); err != nil {
		return err
	}
	size, err := p.file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if err := system.sync(p.file); err != nil {
		return err
	}
	header := fmt.Sprintf(pendingHeader, sum, of, size-pendingHeaderSize)
	if _, err := p.file.WriteAt([]byte(header), 0); err != nil {
		return err
	}
	if err := system.sync(p.file); err != nil {
		return err
	}
	syncFolder(filepath.Dir(p.name))
	return nil
}

func (p *pending) copyTo(path string) (*File, error) {
	second, err := Create(path)
	if err != nil {
		return nil, err
	}
	return second, second.fill(func(w io.Writer) error {
		if _, err := p.file.Seek(pendingHeaderSize, io.SeekStart); err != nil {
			return Cause(err)
		}
		_, err := io.Copy(struct{ io.Writer }{w}, p.file)
		return err
	})
}

func (p *pending) remove() error {
	_ = p.file.Close() // some systems remove no open files
	return at(p.name, discard(p.name))
}

func (p *pending) close() {
	_ = p.file.Close() // it is synced, or not needed
	p.release()
}

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
		return false, at(path, err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() != size {
		return false, Cause(err)
	}
	is := crc32.New(castagnoli)
	n, err := io.Copy(is, file)
	return err == nil && is.Sum32() == sum && n == size, at(path, err)
}

// is reports whether f still has its name.
func is(f *os.File, path string) bool {
	a, err := f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(path)
	return err == nil && os.SameFile(a, b)
}
