package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/w2v-go/w2v/internal/terminal"
)

// errClosed says that nobody reads what a command prints any more. A reader that has seen
// enough is no failure: the program ends without a word and with exit code 0, so that
// "w2v vocab text | head" is fine under "set -o pipefail" too. A reader that failed says so
// by its own exit code.
var errClosed = errors.New("standard output was closed by its reader")

// output is standard output. It remembers if it could not be written, so that no
// command need look at every line that it prints. Nothing is written after that.
type output struct {
	w     io.Writer
	shown *terminal.Writer // before w, if that is a terminal; else nil
	err   error
	ranks *membership // rank 0 alone prints results
}

// unlessClosed returns err without errClosed: nil if that is all that went wrong.
func unlessClosed(err error) error {
	if !errors.Is(err, errClosed) {
		return err
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok {
		if inner := errors.Unwrap(err); inner != nil {
			return unlessClosed(inner)
		}
		return nil
	}
	var others []error
	for _, err := range several.Unwrap() {
		others = append(others, unlessClosed(err))
	}
	return errors.Join(others...)
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	if o.ranks.silent() {
		return len(p), nil
	}
	w := o.w
	if o.shown != nil {
		w = o.shown
	}
	n, err := w.Write(p)
	if err != nil {
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		o.err = fmt.Errorf("standard output: %w", err)
		if closedByReader(err) {
			o.err = errClosed
		}
	}
	return n, o.err
}
