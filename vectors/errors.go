package vectors

import (
	"errors"
	"fmt"
	"io"

	"github.com/w2v-go/w2v/vectors/internal/backing"
)

// A FormatError says where a file is not what its format wants, in one line.
type FormatError struct {
	Path   string // the file; empty for a stream without a name
	Line   int64  // the line, from 1, of a text; 0 for a binary file
	Offset int64  // the byte, from 0, of a binary file, after decompression
	Err    error  // what was expected and what was there
}

// Error returns "path: line 3: …" or "path: byte 16: …".
func (e *FormatError) Error() string {
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
func (e *FormatError) Unwrap() error { return e.Err }

// withPath says in which file err happened, unless err says it.
func withPath(path string, err error) error {
	if e, ok := errors.AsType[*FormatError](err); ok {
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

// within says what was being read when a FormatError happened.
func within(err error, format string, args ...any) error {
	if e, ok := errors.AsType[*FormatError](err); ok {
		e.Err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), e.Err)
	}
	return err
}

// cut says that a file ends too early.
func cut(expected string) error {
	return fmt.Errorf("expected %s, but the file ends: %w", expected, io.ErrUnexpectedEOF)
}
