//go:build unix

package main

import (
	"errors"
	"syscall"
)

// closedByReader reports whether err is that of writing to a pipe that nobody reads.
func closedByReader(err error) bool { return errors.Is(err, syscall.EPIPE) }
