package atomicfile

import (
	"bytes"
	"io"
	"os"
	"unsafe"
)

// Uncached makes a File bypass the page cache, where the system can do that, and leaves
// holes where many zeros follow each other. It is for files of hundreds of megabytes of which few bytes are needed soon: to
// copy them to the cache takes longer than to make them. For devices, pipes, and writers that are no File it does nothing.
func Uncached(w io.Writer) {
	f, ok := w.(*File)
	if !ok || f.temp == "" || f.past != nil {
		return
	}
	memory := make([]byte, uncachedBuffer+uncachedBlock)
	f.past = &past{file: f.file, direct: system.uncached(f.file, true) == nil}
	f.past.buffer = memory[-offsetIn(memory)&(uncachedBlock-1):][:uncachedBuffer]
}

const (
	uncachedBlock  = 4096 // what disks and memory are divided into
	uncachedBuffer = 1 << 20
	hole           = 64 << 10 // the shortest one: shorter ones would scatter the file over the disk
)

// offsetIn returns where in its block of memory p begins.
func offsetIn(p []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(p))) & (uncachedBlock - 1))
}

// A past writes whole blocks past the page cache.
type past struct {
	file   *os.File
	direct bool // the system takes only whole blocks, and copies nothing
	buffer []byte
	n      int  // bytes in the buffer
	gap    bool // the file ends with a hole that it does not have yet
}

func (p *past) write(b []byte) (n int, err error) {
	for n < len(b) {
		rest := b[n:]
		if p.n == 0 && len(rest) >= len(p.buffer) && offsetIn(rest) == 0 {
			rest = rest[:len(p.buffer)]
			if err := p.emit(rest); err != nil {
				return n, err
			}
			n += len(rest)
			continue
		}
		copied := copy(p.buffer[p.n:], rest)
		p.n += copied
		n += copied
		if p.n == len(p.buffer) {
			p.n = 0
			if err := p.emit(p.buffer); err != nil {
				return n - copied, err
			}
		}
	}
	return n, nil
}

// emit writes whole blocks, and passes over those of zeros.
func (p *past) emit(b []byte) error {
	for len(b) > 0 {
		n, empty := 0, allZero(b[:min(hole, len(b))])
		for n < len(b) && allZero(b[n:min(n+hole, len(b))]) == empty {
			n = min(n+hole, len(b))
		}
		var err error
		if p.gap = empty; empty {
			_, err = p.file.Seek(int64(n), io.SeekCurrent)
		} else {
			err = p.put(b[:n])
		}
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// put writes b. A file system that refuses to write directly is asked to write as usual.
func (p *past) put(b []byte) error {
	n, err := p.file.Write(b)
	if err == nil || !p.direct || !system.refuses(err) {
		return err
	}
	if err := p.usual(); err != nil {
		return err
	}
	_, err = p.file.Write(b[n:])
	return err
}

func (p *past) usual() error {
	if !p.direct {
		return nil
	}
	p.direct = false
	return system.uncached(p.file, false)
}

// end writes what is no whole block.
func (p *past) end() error {
	err := p.usual()
	if err == nil && p.n > 0 {
		_, err = p.file.Write(p.buffer[:p.n])
		p.n, p.gap = 0, false
	}
	if err == nil && p.gap {
		var size int64
		if size, err = p.file.Seek(0, io.SeekCurrent); err == nil {
			err = p.file.Truncate(size)
		}
	}
	return err
}

var zeros [hole]byte

func allZero(b []byte) bool { return bytes.Equal(b, zeros[:len(b)]) }
