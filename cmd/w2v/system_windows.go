package main

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// closedByReader reports whether err is that of writing to a pipe that nobody reads.
func closedByReader(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA)
}

// forwardedSignals are none: there is no MPI for this system.
var forwardedSignals []os.Signal

func alive(int) bool { return true }
