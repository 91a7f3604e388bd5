package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// errClosed says that nobody reads what a command prints any more.
var errClosed = errors.New("standard output was closed by its reader")

// output is standard output. It remembers if it could not be written, so that no
// command need look at every line that it prints. Nothing is written after that.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	if o.err != nil {
		return 0, o.err
	}
	n, err := o.w.Write(p)
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
