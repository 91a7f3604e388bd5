package source

import (
	"io/fs"
	"os"

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
	isChanged := func() bool { // the file may lose its name
		is, err := f.Stat()
		return changed(is, was, err)
	}
	p.behind.Map(f.Name(), file, isChanged, func() { evictPages(file) }, file.Unmap, f.Close)
	view := View(file)
	in.r, in.whole, in.reopen = view.r, view.whole, nil
	in.close = func() error { return nil } // the file is closed with the set
	if p.stream {
		in.direct = f
	}
	return nil
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
