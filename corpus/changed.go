package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// openFile opens a file of a corpus, which must be the one that was there when the corpus was
// opened.
func (in input) openFile() (*os.File, error) {
	file, err := os.Open(in.name)
	if err != nil {
		return nil, pathless(err)
	}
	if !in.isRegular() {
		return file, nil
	}
	now, err := file.Stat()
	if err == nil && !os.SameFile(in.info, now) {
		err = errReplaced
	}
	if err != nil {
		return nil, errors.Join(pathless(err), file.Close())
	}
	return file, nil
}

// buffer returns the size of a buffer for the bytes of the input.
func (in input) buffer() int {
	if in.isRegular() && in.info.Size() > 0 { // files in /proc have content, and no size
		return bufferFor(in.info.Size())
	}
	return bufferSize
}

// isRegular reports whether the input is a regular file, whose size says how much is to be read.
func (in input) isRegular() bool { return in.info != nil && in.info.Mode().IsRegular() }

// checkSame returns an error if a file has another size than when the corpus was opened, or is
// not in its place any more.
func (in input) checkSame(file *os.File) error {
	now, err := file.Stat()
	if err != nil {
		return pathless(err)
	}
	if err := changedSize(in.info.Size(), now.Size()); err != nil {
		return err
	}
	now, err = os.Stat(in.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("the file has vanished while it was read: leave it alone until it is read")
	case err != nil:
		return pathless(err)
	case !os.SameFile(in.info, now):
		return errReplaced
	}
	return nil
}

var errReplaced = errors.New("another file has taken its place: leave it alone while it is read")

func changedSize(was, is int64) error {
	switch {
	case is > was:
		return fmt.Errorf("the file has become longer while it was read, %d bytes instead of %d: leave it alone until it is read", is, was)
	case is < was:
		return shorter(is)
	}
	return nil
}

func shorter(left int64) error {
	return fmt.Errorf("the file has become shorter than it was, %d bytes are left: leave it alone while it is read", left)
}

// A wholeFile is read to its end, which must be where it was when the corpus was opened.
type wholeFile struct {
	*os.File
	in   input
	read int64
}

func (w *wholeFile) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	w.read += int64(n)
	if !errors.Is(err, io.EOF) {
		return n, err
	}
	if changed := w.in.checkSame(w.File); changed != nil {
		return n, changed
	}
	if size := w.in.info.Size(); size > 0 { // files in /proc have content, and no size
		if changed := changedSize(size, w.read); changed != nil {
			return n, changed
		}
	}
	return n, err
}

// openWhole opens a file that is read as a stream.
func (in input) openWhole() (io.ReadCloser, error) {
	file, err := in.openFile()
	if err != nil || !in.isRegular() {
		return file, err
	}
	return &wholeFile{File: file, in: in}, nil
}

// pathless returns an error without the system call and the path that package os adds.
func pathless(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
