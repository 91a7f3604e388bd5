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

// Open reads the set in the file or folder at path. It detects the format from the contents, undoes
// gzip and Zstandard, and sets the set's Format.
//
// If the format allows it, a plain file is mapped into memory: rows are read when they are used, in
// the native format words too, and processes share them. Writing to the rows of a mapped set ends the
// program. If another program shortens the file in place, methods cannot read what is gone: then Err
// returns an error, and Guard protects code that reads rows itself. Write replaces files and does no
// harm. Close unmaps the file.
//
// Errors are one line that begins with path. If the contents are wrong, the error is an *Error.
func Open(path string) (*vectors.Set, error) { return open(path, false) }

// OpenStream is Open for code that walks through a set once or a few times, as Write does. Rows of
// files that cannot be mapped stay in the file and are read again, in order, when they are asked for.
// So a file of any size needs memory for its words only, but asking for single words is slow. Err
// returns errors of that reading.
//
// Some files are read as by Open nevertheless, because they cannot be mapped and rows all over the
// file are needed at once. OpenStream then calls whole, if it is not nil, with the reason. The set's
// InFile reports what was done.
func OpenStream(path string, whole func(reason string)) (*vectors.Set, error) {
	if whole == nil {
		whole = func(string) {}
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		whole("is no file that could be read twice")
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

// scattered says why walking through the words, or writing the set in any format,
// asks for rows in another order than that of the file; empty if it does not.
func scattered(s *vectors.Set) string {
	p := s.SharedParts()
	how := "cannot be mapped"
	if backing.Behind(p.Source).Compressed {
		how = "is compressed"
	}
	_, made := p.MadeOutput()
	switch {
	case p.Subword != nil && s.Len() > 0: // without words, n-grams' rows are all there is
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

// readPlace reads the file or the folder at a place.
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

// OpenFS opens the file or folder of that name in a file system, as Open does, and reads it into memory.
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

// readFile reads the set of which in is the file itself.
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
		return nil, in.FailAt(0, "expected a model, found %d dimensions and no vectors", s.Dim())
	}
	return s, nil
}

// readAs reads a set in a format. The native format alone has words as they are, since looking at all
// words of a file takes longer than mapping it.
func readAs(c codec.Codec, in *source.Input) (*vectors.Set, error) {
	s, err := c.Read(in)
	if err != nil || c.Name == codec.W2V {
		return s, err
	}
	return codec.Settle(s)
}

// maxEmpty is how many dimensions are believed of a file without vectors.
const maxEmpty = 1 << 16

// byteOrderMark is what some editors begin a text in UTF-8 with.
var byteOrderMark = []byte("\ufeff")

// formatOf detects the format of a file, and passes over a byte order mark.
func formatOf(in *source.Input) (codec.Codec, error) {
	head, err := in.Head()
	if err != nil {
		return codec.Codec{}, atomicfile.Cause(err)
	}
	if bytes.HasPrefix(head, byteOrderMark) { // that editors put before a text
		head = head[len(byteOrderMark):]
		if err := in.Skip(int64(len(byteOrderMark)), "a byte order mark"); err != nil {
			return codec.Codec{}, err
		}
	}
	return sniff(head)
}

// folderOf detects the format of a folder that has some files.
func folderOf(has func(name string) bool) (codec.Codec, error) {
	for _, c := range codecs() {
		if slices.ContainsFunc(c.Known, has) {
			return c, nil
		}
	}
	return codec.Codec{}, errors.New("is a folder, want a model file or a folder that a model was written to")
}

// Detect returns the format of the file or folder at path. It reads the beginning only.
func Detect(path string) (Format, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		c, err := folderOf(source.NewPlace(path, false).Has)
		if err != nil {
			return "", source.WithPath(path, err)
		}
		return Format(c.Name), nil
	}
	c, err := detectFile(path)
	if err != nil {
		return "", source.WithPath(path, atomicfile.Cause(err))
	}
	return Format(c.Name), nil
}

func detectFile(path string) (codec.Codec, error) {
	file, err := os.Open(path)
	if err != nil {
		return codec.Codec{}, err
	}
	defer file.Close()
	in, err := source.Decompress(file, -1)
	if err != nil {
		return codec.Codec{}, err
	}
	defer in.Close()
	return formatOf(in)
}

// HasState reports whether the file at path holds a state of training, as checkpoints do. It returns
// an error if the file is damaged or no model. If the format holds no state, only the beginning of the
// file is read.
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

// sniff finds the format of a file that begins with head.
func sniff(head []byte) (codec.Codec, error) {
	if len(head) == 0 {
		return codec.Codec{}, &Error{Err: fmt.Errorf("expected a model, but the file is empty: %w", io.ErrUnexpectedEOF)}
	}
	if err := foreignBinary(head); err != nil {
		return codec.Codec{}, err
	}
	for _, c := range codecs() {
		if c.Sniff != nil && c.Sniff(head) {
			return c, nil
		}
	}
	if err := foreignText(head); err != nil {
		return codec.Codec{}, err
	}
	return codec.Codec{}, notAModel(head)
}

// An Error says where a file is not what its format wants, in one line: "path: line 3: …" or
// "path: byte 16: …". It has the fields
//
//	Path   string // the file; empty for a stream without a name
//	Line   int64  // the line, from 1, of a text; 0 for a binary file
//	Offset int64  // the byte, from 0, of a binary file, after decompression
//	Err    error  // what was expected and what was there
//
// and unwraps to Err, which for a file that is too short is an io.ErrUnexpectedEOF.
type Error = source.Error
