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
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

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

// An original is an open file in the state in which it was mapped. Its name may be removed.
type original struct {
	file *os.File
	was  atomic.Pointer[state]

	seed maphash.Seed

	mu       sync.Mutex    // not held while the file is being read
	sum      uint64        // checksum of the original file
	known    bool          // sum is set
	wrong    *state        // state of the file with another checksum
	compared chan struct{} // closed at the end of a running comparison; nil for none
}

type state struct {
	fs.FileInfo
	identity string // see atomicfile.Identity; renaming and changed permissions also change it
}

func (s *state) same(as *state) bool {
	return sameSizeAndTime(s, as) && s.identity == as.identity
}

func (o *original) now() (*state, error) {
	is, err := o.file.Stat()
	return &state{is, atomicfile.IdentityOf(o.file)}, err
}

// patience is how long a reader waits for the comparison of a file with its original. The comparison of a
// small file is done by then. Readers of a large file get an error that the comparison is running.
const patience = 250 * time.Millisecond

// changed returns an error if the file was changed in place. When the system reports any change and the
// checksum is known, the checksum decides; while it is being compared, the error says so. Without a checksum,
// another size or time counts as a change.
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

// same reports whether the file has its original content. If that is unknown, it returns a channel that is
// closed when a comparison has found out.
func (o *original) same(is *state) (same bool, compared <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	was := o.was.Load()
	switch {
	case is.same(was): // another goroutine has found out
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

func (o *original) compare(is *state) {
	sum, as, err := o.checksum(context.Background()) // fails when the file is closed
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case errors.Is(err, backing.ErrChanged): // changed meanwhile: the next caller starts again
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

// checksum reads the file and returns its checksum, and its state if that is the same before and after.
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

func (o *original) hash(ctx context.Context, size int64) (uint64, error) {
	var h maphash.Hash // as fast as memory, and outsiders cannot forge the sum
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

func sameSizeAndTime(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
