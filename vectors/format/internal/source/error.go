package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// An Error says where a file is not what its format wants, in one line.
type Error struct {
	Path   string // the file; empty for a stream without a name
	Line   int64  // the line, from 1, of a text; 0 for a binary file
	Offset int64  // the byte, from 0, of a binary file, after decompression
	Err    error  // what was expected and what was there
}

// Error returns "path: line 3: …" or "path: byte 16: …".
func (e *Error) Error() string {
	where := fmt.Sprintf("byte %d", e.Offset)
	if e.Line > 0 {
		where = fmt.Sprintf("line %d", e.Line)
	}
	if e.Path != "" {
		where = e.Path + ": " + where
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

// Unwrap returns Err. That of a file which is too short is an
// io.ErrUnexpectedEOF.
func (e *Error) Unwrap() error { return e.Err }

// WithPath says in which file err happened, unless err says it.
func WithPath(path string, err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		if e.Path == "" {
			e.Path = path
		}
		return err
	}
	if _, ok := errors.AsType[*backing.ChangedError](err); ok {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Within says what was being read when an Error happened.
func Within(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), e.Err)
	}
	return err
}

// Cut says that a file ends too early.
func Cut(expected string) error {
	return fmt.Errorf("expected %s, but the file ends: %w", expected, io.ErrUnexpectedEOF)
}

// Pathless takes the path off an error of package os, to be put before it.
func Pathless(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
