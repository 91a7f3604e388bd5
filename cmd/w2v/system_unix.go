//go:build unix

package main

import (
	"errors"
	"os"
	"syscall"
)

// closedByReader reports whether err is that of writing to a pipe that nobody reads.
func closedByReader(err error) bool { return errors.Is(err, syscall.EPIPE) }

// forwardedSignals are those that mpirun passes on to all ranks, and that ask to stop and save.
var forwardedSignals = []os.Signal{syscall.SIGUSR1}

// alive reports whether there is a process of that number on this machine.
func alive(process int) bool { return syscall.Kill(process, 0) != syscall.ESRCH }
