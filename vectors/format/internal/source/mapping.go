package source

import (
	"context"
	"hash/maphash"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// mappable tells whether a plain file of so many bytes can be used in place.
func mappable(size int64) bool { return size > 0 && size <= endian.MaxBytes && !endian.Big }

// mapFile makes in that of the whole file in memory, if it can be mapped.
func (p *Place) mapFile(in *Input, f *os.File, was fs.FileInfo) error {
	file, err := mmap.MapRegion(f, int(in.size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil //nolint:nilerr // some file systems cannot map: read it
	}
	o := &original{file: f, seed: maphash.MakeSeed()}
	o.was.Store(&was)
	p.behind.Map(f.Name(), file, o.changed, o.remember, func() { evictPages(file) }, file.Unmap, f.Close)
	view := View(file)
	in.r, in.whole, in.reopen = view.r, view.whole, nil
	in.close = func() error { return nil } // the file is closed with the set
	if p.stream {
		in.direct = f
	}
	return nil
}

// An original is an open file as it was when it was mapped. It may lose its name.
type original struct {
	file *os.File
	was  atomic.Pointer[fs.FileInfo]

	mu    sync.Mutex
	seed  maphash.Seed
	sum   uint64      // of the file as it was
	known bool        // there is a sum
	wrong fs.FileInfo // of a file whose sum is another one
}

// changed tells whether the file was changed in place. A time that is another one says so, unless what
// is in the file is known and the same.
func (o *original) changed() bool {
	is, err := o.file.Stat()
	return changed(is, *o.was.Load(), err) && !o.same(is)
}

// same tells whether there is in the file what was there, and remembers that for its new time.
func (o *original) same(is fs.FileInfo) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := *o.was.Load()
	switch {
	case sameSizeAndTime(is, was): // as another goroutine has found out
		return true
	case !o.known || is.Size() != was.Size() || o.wrong != nil && sameSizeAndTime(is, o.wrong):
		return false
	}
	sum, err := o.checksum(context.Background(), is)
	if err != nil || sum != o.sum {
		o.wrong = is
		return false
	}
	o.was.Store(&is)
	return true
}

// remember keeps a checksum of the file, if it is still as it was.
func (o *original) remember(ctx context.Context) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	sum, err := o.checksum(ctx, *o.was.Load())
	if err == nil {
		o.sum, o.known = sum, true
	}
	return err
}

// checksum reads the file, which is to have that size and time before and after it.
func (o *original) checksum(ctx context.Context, as fs.FileInfo) (uint64, error) {
	var h maphash.Hash // as fast as memory, and nobody outside can know the sum
	h.SetSeed(o.seed)
	part := make([]byte, 1<<20)
	for at := int64(0); at < as.Size(); {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := o.file.ReadAt(part[:min(int64(len(part)), as.Size()-at)], at)
		_, _ = h.Write(part[:n]) // cannot fail
		at += int64(n)
		if err != nil && at < as.Size() {
			return 0, err
		}
	}
	is, err := o.file.Stat()
	if err != nil {
		return 0, err
	}
	if !sameSizeAndTime(is, as) {
		return 0, &backing.ChangedError{Path: o.file.Name()}
	}
	return h.Sum64(), nil
}

// changed tells whether a file was changed in place. One that took its name is another
// file.
func changed(is, was fs.FileInfo, err error) bool {
	return err == nil && os.SameFile(is, was) && !sameSizeAndTime(is, was)
}

// unchanged returns an error if the file at path is not the one that it was.
func unchanged(path string, was fs.FileInfo) error {
	is, err := os.Stat(path)
	if err != nil {
		return Pathless(err)
	}
	if !os.SameFile(is, was) || !sameSizeAndTime(is, was) {
		return &backing.ChangedError{Path: path}
	}
	return nil
}

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
