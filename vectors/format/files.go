package format

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/w2v-go/w2v/internal/atomicfile"
	"github.com/w2v-go/w2v/internal/compression"
	"github.com/w2v-go/w2v/internal/plaintext"
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
	for _, c := range codecs {
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
	for _, c := range codecs {
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

// Write writes s to the file at path in format f, or to the folder at path if the format is a folder. The
// file is compressed if path ends in ".gz" or ".zst". Only a complete file replaces the existing one: if
// anything fails or the context ends, the existing file stays. Errors are one line that begins with path.
func Write(ctx context.Context, path string, s *vectors.Set, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	var parts []codec.Part
	if err := backing.Behind(s.SharedParts().Source).Guarded(func() (err error) { parts, err = partsOf(c, s); return err }); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	file := func(name string, p codec.Part) func(io.Writer) error {
		return func(file io.Writer) error {
			if p.Uncached {
				atomicfile.Uncached(file)
			}
			return encodeFile(ctx, s, file, name, p.Write)
		}
	}
	switch {
	case c.Folder():
		return atomicfile.WriteFolder(path, func(create func(name string, write func(io.Writer) error) error) error {
			for _, p := range parts {
				if err := create(p.Name, file(p.Name, p)); err != nil {
					return err
				}
			}
			return nil
		})
	case len(parts) > 1:
		return atomicfile.WritePair(path, parts[1].Name, file(path, parts[0]), file(path+parts[1].Name, parts[1]))
	}
	if err := atomicfile.Write(path, file(path, parts[0])); err != nil {
		return err
	}
	return atomicfile.ClearPending(path)
}

func encodeFile(ctx context.Context, s *vectors.Set, file io.Writer, name string, encode func(*bufio.Writer) error) error {
	behind := backing.Behind(s.SharedParts().Source)
	err := behind.Guarded(func() error { return encodeTo(ctx, file, name, encode) })
	if changed := behind.Changed(); changed != nil && ctx.Err() == nil {
		return changed // takes precedence over resulting errors
	}
	return err
}

// encodeTo is encodeFile for callers inside a fault guard.
func encodeTo(ctx context.Context, file io.Writer, name string, encode func(*bufio.Writer) error) error {
	cw, err := compression.NewWriter(writerFunc(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return file.Write(p)
	}), name)
	if err != nil {
		return err
	}
	if err := buffered(cw, encode); err != nil {
		return err
	}
	return cw.Close()
}

// buffered calls encode with a writer to w. bufio.Writer keeps the first error of writing.
func buffered(w io.Writer, encode func(*bufio.Writer) error) error {
	bw := bufio.NewWriterSize(w, codec.WriteBuffer)
	if err := encode(bw); err != nil {
		return err
	}
	return bw.Flush()
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Encode writes s to w in format f, which must be a format of a single file. The same set always gives the
// same bytes. Only the native format holds everything in a set: docs/formats.md lists what the others keep.
func Encode(w io.Writer, s *vectors.Set, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	return backing.Behind(s.SharedParts().Source).Guarded(func() error {
		parts, err := partsOf(c, s)
		if err != nil {
			return err
		}
		if c.Folder() || len(parts) > 1 {
			return fmt.Errorf("the format %s is several files, which cannot be written as one stream", f)
		}
		return buffered(w, parts[0].Write)
	})
}

func partsOf(c codec.Codec, s *vectors.Set) ([]codec.Part, error) {
	if err := s.Check(); err != nil {
		return nil, fmt.Errorf("not a valid set: %w", err)
	}
	if err := checkSubword(c, s); err != nil {
		return nil, err
	}
	for other := range unwritable(c, s) {
		return nil, other
	}
	if c.Subword != nil && holdsOf(c, s) != nil {
		s = s.Plain()
	}
	if c.Begins != nil {
		if err := checkBeginning(c, s); err != nil {
			return nil, err
		}
	}
	if c.Parts != nil {
		return c.Parts(s)
	}
	return []codec.Part{{Write: func(w *bufio.Writer) error {
		if err := c.Write(w, s); err != nil {
			return err
		}
		return s.Err() // error of reading rows
	}, Uncached: c.Uncached != nil && c.Uncached(s)}}, nil
}

func checkBeginning(c codec.Codec, s *vectors.Set) error {
	row, err := c.Begins(s)
	if err != nil {
		return err
	}
	head := row[:min(len(row), source.SniffLen)]
	read, err := sniff(head)
	if err != nil || read.Name != c.Name || compression.Sniff(head) != compression.Plain || bytes.HasPrefix(head, byteOrderMark) || plaintext.Check(head) != nil {
		return fmt.Errorf("the first row, %.40q, would be read as the beginning of a file in another format; write it as %s",
			strings.TrimSpace(string(row)), Text)
	}
	return nil
}

// TargetFiles returns the paths of the files that Write creates at path in format f: the file and those
// beside it, or those in the folder.
func TargetFiles(path string, f Format) ([]string, error) {
	c, err := codecOf(f)
	if err != nil {
		return nil, err
	}
	names, err := namesOf(c)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if c.Folder() {
			names[i] = filepath.Join(path, name)
		} else {
			names[i] = path + name
		}
	}
	return names, nil
}

func namesOf(c codec.Codec) ([]string, error) {
	if c.Parts == nil {
		return []string{""}, nil
	}
	s, err := vectors.New(vectors.Parts{Words: vectors.NewWords("a"), Input: vectors.NewMatrix(1, 1)}) // names are the same for any set
	if err != nil {
		return nil, err
	}
	parts, err := partsOf(c, s)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	return names, nil
}

// CheckTarget returns an error if Write could not write to path in format f. It leaves nothing behind, so
// call it before hours of work. Errors are one line that begins with path.
func CheckTarget(path string, f Format) error {
	c, err := codecOf(f)
	if err != nil {
		return err
	}
	if !c.Folder() {
		return atomicfile.Check(path)
	}
	names, err := namesOf(c)
	if err != nil {
		return err
	}
	return atomicfile.CheckFolder(path, names...)
}

// EstimateSize returns how many bytes the files of a model of that shape take at path in format f, or 0 if
// they are compressed. The estimate is never too large. It is nearly exact for binary numbers; decimal
// numbers are assumed to be as short as possible.
func EstimateSize(path string, shape vectors.Shape, f Format) uint64 {
	if _, kind := compression.SplitExt(path); kind != compression.Plain {
		return 0
	}
	c, err := codecOf(f)
	if err != nil {
		return 0
	}
	return uint64(c.Size(shape))
}

// EncodedSize returns how many bytes Encode writes.
func EncodedSize(s *vectors.Set, f Format) (uint64, error) {
	var n counter
	err := Encode(&n, s, f)
	return uint64(n), err
}

type counter uint64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// Unfinished returns a path for a model in format f that is not finished, so that it replaces nothing: path itself if nothing
// is there, and else the first of partial-NAME, partial-2-NAME, … that is free.
func Unfinished(path string, f Format) string {
	clean := filepath.Clean(path) // removes a separator at the end
	for n := 1; occupied(path, f); n++ {
		prefix := "partial-"
		if n > 1 {
			prefix = fmt.Sprintf("partial-%d-", n)
		}
		path = filepath.Join(filepath.Dir(clean), prefix+filepath.Base(clean))
	}
	return path
}

func occupied(path string, f Format) bool {
	files, _ := TargetFiles(path, f) // CheckTarget reports any error
	for _, file := range append(files, filepath.Clean(path)) {
		if _, err := os.Lstat(file); err == nil {
			return true
		}
	}
	return false
}

// Rescue writes a model that cannot be written to its place to the system's folder for temporary files, in the native format,
// and returns its path.
func Rescue(ctx context.Context, s *vectors.Set) (path string, err error) {
	path = filepath.Join(os.TempDir(), "w2v-rescued-"+rand.Text()+".w2v")
	return path, Write(ctx, path, s, W2V)
}
