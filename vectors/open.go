package vectors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	mmap "github.com/edsrzf/mmap-go"

	"github.com/w2v-go/w2v/internal/compression"
)

// Open reads the set in the file at path, whose format is told by its content
// and left in the set's Format. Gzip and Zstandard are undone.
//
// A plain file in the native format is mapped into memory: only its vocabulary
// is read at once, rows when they are used, and processes share them. Writing to
// the rows of a mapped set ends the program, and so may reading them after
// another program has shortened the file in place; Write replaces files and is
// fine. Close gives the mapping back.
//
// Errors are one line that begins with path; what is wrong with the content is
// a *FormatError.
func Open(path string) (*Set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, withPath(path, pathless(err))
	}
	s, err := open(f)
	// The mapping of a file outlives the file, and closing one that was only
	// read loses nothing.
	_ = f.Close()
	if err != nil {
		return nil, withPath(path, err)
	}
	return s, nil
}

func open(f *os.File) (*Set, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, pathless(err)
	}
	if info.IsDir() {
		return nil, errors.New("is a folder, want a model file")
	}
	if info.Mode().IsRegular() {
		if s, err := openMapped(f, info.Size()); s != nil || err != nil {
			return s, err
		}
		return read(f, info.Size())
	}
	return read(f, -1)
}

// Read reads a set from r as Open does, though without mapping it.
func Read(r io.Reader) (*Set, error) { return read(r, -1) }

// read reads a set from r, which holds size bytes or, if size is negative, who
// knows.
func read(r io.Reader, size int64) (*Set, error) {
	plain, kind, err := compression.NewReader(r)
	if err != nil {
		return nil, pathless(err)
	}
	defer plain.Close()
	if kind != compression.Plain {
		size = -1
	}
	in := newInput(plain, size)
	head, err := in.head()
	if err != nil {
		return nil, pathless(err)
	}
	c, err := sniff(head)
	if err != nil {
		return nil, err
	}
	s, err := c.read(in)
	if err != nil {
		return nil, err
	}
	s.Format = c.format
	return s, nil
}

// openMapped maps the file if its format allows it. It returns nothing, and
// leaves the file at its beginning, if the file has to be read after all.
func openMapped(f *os.File, size int64) (*Set, error) {
	if size == 0 || size > maxBytes || bigEndian {
		return nil, nil
	}
	head := make([]byte, min(size, sniffLen))
	if _, err := f.ReadAt(head, 0); err != nil {
		return nil, pathless(err)
	}
	if compression.Sniff(head) != compression.Plain {
		return nil, nil
	}
	c, err := sniff(head)
	if err != nil {
		return nil, err
	}
	if c.view == nil {
		return nil, nil
	}
	file, err := mmap.MapRegion(f, int(size), mmap.RDONLY, 0, 0)
	if err != nil {
		return nil, nil //nolint:nilerr // some file systems cannot map: read it
	}
	s, err := c.view(file)
	if err != nil {
		_ = file.Unmap()
		return nil, err
	}
	s.Format = c.format
	s.release = file.Unmap
	return s, nil
}

// pathless takes the path off an error of package os, to be put before it.
func pathless(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// foreign are the first bytes of files that people take for models, and what to
// do with them.
var foreign = []struct{ magic, advice string }{
	{"PK\x03\x04", "this is a zip archive: unpack it first"},
	{"\x80\x02", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x03", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x04", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"\x80\x05", "this is a Python pickle: save gensim vectors with save_word2vec_format"},
	{"BZh", "this is compressed with bzip2: unpack it first"},
	{"\xfd7zXZ\x00", "this is compressed with xz: unpack it first"},
	{"\x93NUMPY", "this is a numpy matrix without words"},
}

// sniff finds the format of a file that begins with head.
func sniff(head []byte) (codec, error) {
	if len(head) == 0 {
		return codec{}, &FormatError{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	for _, c := range codecs() {
		if c.sniff(head) {
			return c, nil
		}
	}
	for _, f := range foreign {
		if len(head) >= len(f.magic) && string(head[:len(f.magic)]) == f.magic {
			return codec{}, &FormatError{Err: errors.New(f.advice)}
		}
	}
	const shown = 40
	found := string(head[:min(len(head), shown)])
	if isText(head) {
		return codec{}, &FormatError{Line: 1, Err: fmt.Errorf(
			"not a model: expected a line \"words dimensions\", or a word and its numbers, found %q", found)}
	}
	return codec{}, &FormatError{Err: fmt.Errorf(
		"not a model: expected a w2v, fastText or word2vec file, found %q", found)}
}

// isText tells whether head has no control characters but those of text.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && (c < '\t' || c > '\r') || c == 0x7f {
			return false
		}
	}
	return true
}
