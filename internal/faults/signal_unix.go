//go:build unix

package faults

import (
	"os"
	"syscall"
)

func signalOf(state *os.ProcessState) syscall.Signal {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}
