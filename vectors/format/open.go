package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/vectors"
	"github.com/w2v-go/w2v/vectors/format/internal/codec"
	"github.com/w2v-go/w2v/vectors/format/internal/source"
	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// Open reads the set in the file or folder at path. It detects the format from the contents, decompresses
// gzip and Zstandard, and sets the set's Format.
//
// If the format allows it, a plain file is mapped into memory: rows are read on use, in the native format
// words too, and processes share them. Writing to the rows of a mapped set crashes the program. If another
// program truncates the file in place, the lost data cannot be read: then Err returns an error, and Guard
// protects code that reads rows itself. Write replaces files and is safe. Close unmaps the file.
//
// Errors are one line that begins with path. If the contents are invalid, the error is an *Error.
func Open(path string) (*vectors.Set, error) { return open(path, false) }

// OpenStream is Open for code that walks through a set once or a few times, as Write does. Rows of files that
// cannot be mapped stay in the file and are read again on use, in order. So files of any size need memory
// only for their words, but looking up single words is slow. Err returns read errors.
//
// Some files are still read as by Open, because they cannot be mapped and rows from all over the file are
// needed at once. OpenStream then calls whole, if it is not nil, with the reason. The set's InFile reports
// which way was used.
func OpenStream(path string, whole func(reason string)) (*vectors.Set, error) {
	if whole == nil {
		whole = func(string) {}
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		whole("is not a file that could be read twice")
	}
	s, err := open(path, true)
	if err != nil || !backing.Behind(s.SharedParts().Source).Streams() {
		return s, err
	}
	reason := scattered(s)
	if reason == "" {
		return s, nil
	}
	if err := s.Close(); err != nil {
		return nil, source.WithPath(path, err)
	}
	whole(reason)
	return open(path, false)
}

// scattered returns why walking through the words, or writing the set in any format, needs rows out of file
// order, or "" if it does not.
func scattered(s *vectors.Set) string {
	p := s.SharedParts()
	how := "cannot be mapped"
	if backing.Behind(p.Source).Compressed {
		how = "is compressed"
	}
	_, made := p.MadeOutput()
	switch {
	case p.Subword != nil && s.Len() > 0: // without words, only n-grams' rows are read, in order
		return how + " and has n-grams"
	case made:
		return how + " and has output vectors by position"
	case !slices.IsSorted(p.WordRows):
		return how + " and its words share rows"
	}
	return ""
}

func open(path string, stream bool) (*vectors.Set, error) {
	if path == "" {
		return nil, errors.New("format: there is no path to open: it is empty")
	}
	place := source.NewPlace(path, stream)
	var s *vectors.Set
	err := place.Behind.Opened(func() (err error) { s, err = readPlace(place); return err })
	if err != nil {
		_ = place.Behind.Close()
		return nil, source.WithPath(path, err)
	}
	return s, nil
}

func readPlace(place *source.Place) (s *vectors.Set, err error) {
	info, err := place.Stat()
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		err = place.File(func(in *source.Input) error { s, err = readFile(in); return err })
		return s, err
	}
	c, err := folderOf(place.Has)
	if err != nil {
		return nil, err
	}
	err = place.Folder(info, c.Maps, func(in *source.Input) error { s, err = readAs(c, in); return err })
	return s, err
}

// OpenFS opens the file or folder with that name in a file system, as Open does, and reads it into memory.
func OpenFS(fsys fs.FS, name string) (*vectors.Set, error) {
	s, err := readPlace(source.PlaceFS(fsys, name))
	if err != nil {
		return nil, source.WithPath(name, err)
	}
	return s, nil
}

// Read reads a set from r as Open does, without mapping it.
func Read(r io.Reader) (*vectors.Set, error) {
	in, err := source.Decompress(r, -1)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readFile(in)
}

func readFile(in *source.Input) (*vectors.Set, error) {
	c, err := formatOf(in)
	if err != nil {
		return nil, err
	}
	if c.Maps {
		if err := in.Map(); err != nil {
			return nil, err
		}
	}
	s, err := readAs(c, in)
	if err != nil {
		return nil, err
	}
	if s.Input().Rows == 0 && s.Dim() > maxEmpty {
		return nil, &Error{Err: fmt.Errorf("expected a model, found %d dimensions and no vectors", s.Dim())}
	}
	return s, nil
}

// readAs reads a set in a format. It calls Settle for all formats but the native one: examining all words of
// a file takes longer than mapping it.
func readAs(c codec.Codec, in *source.Input) (*vectors.Set, error) {
	s, err := c.Read(in)
	if err != nil || c.Name == codec.W2V {
		return s, err
	}
	return codec.Settle(s)
}

const maxEmpty = 1 << 16

var byteOrderMark = []byte("\ufeff")

// formatOf detects the format of a file, and skips a byte order mark.
func formatOf(in *source.Input) (codec.Codec, error) {
	head, err := in.Head()
	if bytes.HasPrefix(head, byteOrderMark) && err == nil { // editors put it before a text
		head = head[len(byteOrderMark):]
		err = source.Try(func() { in.Skip(int64(len(byteOrderMark)), "a byte order mark") })
	}
	if err != nil {
		return codec.Codec{}, atomicfile.Cause(err)
	}
	return sniff(head)
}

func folderOf(has func(name string) bool) (codec.Codec, error) {
	for _, c := range codecs() {
		if slices.ContainsFunc(c.Known, has) {
			return c, nil
		}
	}
	return codec.Codec{}, errors.New("is a folder, want a model file or a folder that a model was written to")
}

// Detect returns the format of the file or folder at path. It reads only the beginning.
func Detect(path string) (Format, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		c, err := folderOf(source.NewPlace(path, false).Has)
		if err != nil {
			return "", source.WithPath(path, err)
		}
		return Format(c.Name), nil
	}
	var c codec.Codec
	err := source.Open(path, func(in *source.Input) (err error) { c, err = formatOf(in); return err })
	return Format(c.Name), err
}

// HasState reports whether the file at path holds a training state, as checkpoints do. It returns an error if
// the file is damaged or not a model. If the format cannot hold a state, HasState reads only the beginning of
// the file.
func HasState(path string) (bool, error) {
	f, err := Detect(path)
	if err != nil {
		return false, err
	}
	if can, err := Describe(f); err != nil || !can.Keeps.State {
		return false, err
	}
	s, err := OpenStream(path, nil)
	if err != nil {
		return false, err
	}
	has := len(s.SharedParts().State) > 0
	if err := s.Close(); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return has, nil
}

func sniff(head []byte) (codec.Codec, error) {
	if len(head) == 0 {
		return codec.Codec{}, &Error{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	if err := adviceOf(head, binaries()); err != nil {
		return codec.Codec{}, err
	}
	for _, c := range codecs() {
		if c.Sniff != nil && c.Sniff(head) {
			return c, nil
		}
	}
	if err := adviceOf(head, texts()); err != nil {
		return codec.Codec{}, err
	}
	return codec.Codec{}, notAModel(head)
}

// An Error says where a file violates its format, in one line: "path: line 3: …" or "path: byte 16: …". It
// has the fields
//
//	Path   string // path of the file; empty for a stream without a name
//	Line   int64  // line of a text, from 1; 0 for a binary file
//	Offset int64  // offset in a binary file, from 0, after decompression
//	Err    error  // what was expected and what was found
//
// and unwraps to Err, which is an io.ErrUnexpectedEOF for a truncated file.
type Error = source.Error
