package source

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/endian"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// mappable reports whether a plain file of so many bytes can be used in place.
func mappable(size int64) bool { return size > 0 && size <= endian.MaxBytes && !endian.Big }

// mapFile makes in that of the whole file in memory, if it can be mapped.
func (p *Place) mapFile(in *Input, f *os.File, was fs.FileInfo) error {
	file, err := mmap.MapRegion(f, int(in.size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil //nolint:nilerr // some file systems cannot map: read it
	}
	o := &original{file: f, seed: maphash.MakeSeed()}
	o.was.Store(&state{was, atomicfile.IdentityOf(f)})
	p.Behind.Map(f.Name(), file, o.changed, o.remember, func() { evictPages(file) }, file.Unmap, f.Close)
	view := View(file)
	in.r, in.Whole, in.Reopen = view.r, view.Whole, nil
	in.close = func() error { return nil } // the file is closed with the set
	if p.stream {
		in.Direct = f
	}
	return nil
}

// An original is an open file as it was when it was mapped. It may lose its name.
type original struct {
	file *os.File
	was  atomic.Pointer[state]

	seed maphash.Seed

	mu       sync.Mutex    // not held while the file is read
	sum      uint64        // of the file as it was
	known    bool          // there is a sum
	wrong    *state        // of a file whose sum is another one
	compared chan struct{} // closed at the end of a comparison that has begun; nil for none
}

// A state is what the system tells of a file.
type state struct {
	fs.FileInfo
	identity string // see atomicfile.Identity; another name or other rights also change it
}

func (s *state) same(as *state) bool {
	return sameSizeAndTime(s, as) && s.identity == as.identity
}

// now returns the present state of the file.
func (o *original) now() (*state, error) {
	is, err := o.file.Stat()
	return &state{is, atomicfile.IdentityOf(o.file)}, err
}

// patience is how long a reader waits for the comparison of a file with what it was. That of a small one is done by
// then, and readers of a large one are told of it.
const patience = 250 * time.Millisecond

// changed returns an error if the file was changed in place. If what was in it is known, that decides when the system
// tells of any change, and the error may be that it is being found out. Otherwise a size or a time that is another one says so.
func (o *original) changed() error {
	var late <-chan time.Time
	for {
		is, err := o.now()
		if err != nil || is.same(o.was.Load()) {
			return nil //nolint:nilerr // a file that nothing is known of is taken for the one that it was
		}
		same, compared := o.same(is)
		switch {
		case compared == nil && same:
			return nil
		case compared == nil:
			return &backing.ChangedError{Path: o.file.Name()}
		case late == nil:
			late = time.After(patience)
		}
		select {
		case <-compared:
		case <-late:
			return fmt.Errorf("%s: %w", o.file.Name(), backing.ErrUnsure)
		}
	}
}

// same reports whether there is in the file what was there, or returns what is closed when a comparison has found that out.
func (o *original) same(is *state) (same bool, compared <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.was.Load()
	switch {
	case is.same(was): // as another goroutine has found out
		return true, nil
	case !o.known:
		return sameSizeAndTime(is, was), nil
	case is.Size() != was.Size() || o.wrong != nil && is.same(o.wrong):
		return false, nil
	case o.compared == nil:
		o.compared = make(chan struct{})
		go o.compare(is)
	}
	return false, o.compared
}

// compare compares the file with what it was, and keeps what is found out for its state.
func (o *original) compare(is *state) {
	sum, as, err := o.checksum(context.Background()) // it ends with an error when the file is closed
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case errors.Is(err, backing.ErrChanged): // meanwhile: whoever asks next begins again
	case err != nil:
		o.wrong = is
	case sum != o.sum:
		o.wrong = as
	default:
		o.was.Store(as)
	}
	close(o.compared)
	o.compared = nil
}

// remember keeps a checksum of the file, if it is still as it was.
func (o *original) remember(ctx context.Context) error {
	sum, as, err := o.checksum(ctx)
	if err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !sameSizeAndTime(as, o.was.Load()) {
		return &backing.ChangedError{Path: o.file.Name()}
	}
	o.sum, o.known = sum, true
	o.was.Store(as)
	return nil
}

// checksum reads the file, and returns the state that it had before and after that.
func (o *original) checksum(ctx context.Context) (sum uint64, as *state, err error) {
	for {
		if as, err = o.now(); err != nil {
			return 0, nil, err
		}
		if sum, err = o.hash(ctx, as.Size()); err != nil {
			return 0, nil, err
		}
		switch is, err := o.now(); {
		case err != nil:
			return 0, nil, err
		case is.same(as):
			return sum, as, nil
		case !sameSizeAndTime(is, as):
			return 0, nil, &backing.ChangedError{Path: o.file.Name()}
		}
	}
}

// hash hashes the file, which is to have that size.
func (o *original) hash(ctx context.Context, size int64) (uint64, error) {
	var h maphash.Hash // as fast as memory, and nobody outside can know the sum
	h.SetSeed(o.seed)
	part := make([]byte, 1<<20)
	for at := int64(0); at < size; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := o.file.ReadAt(part[:min(int64(len(part)), size-at)], at)
		_, _ = h.Write(part[:n]) // cannot fail
		at += int64(n)
		if err != nil && at < size {
			return 0, err
		}
	}
	return h.Sum64(), nil
}

// changed reports whether a file was changed in place. One that took its name is another
// file.
func changed(is, was fs.FileInfo, err error) bool {
	return err == nil && os.SameFile(is, was) && !sameSizeAndTime(is, was)
}

// unchanged returns an error if the file at path is not the one that it was.
func unchanged(path string, was fs.FileInfo) error {
	is, err := os.Stat(path)
	if err != nil {
		return atomicfile.Cause(err)
	}
	if !os.SameFile(is, was) || !sameSizeAndTime(is, was) {
		return &backing.ChangedError{Path: path}
	}
	return nil
}

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
