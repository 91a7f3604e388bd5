//go:build unix

package main

import (
	"os"
	"syscall"
)

// forwardedSignals are those that mpirun passes on to all ranks, and that ask to stop and save.
var forwardedSignals = []os.Signal{syscall.SIGUSR1}

// alive reports whether there is a process of that number on this machine.
func alive(process int) bool { return syscall.Kill(process, 0) != syscall.ESRCH }
