//go:build unix

package process

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// Grouped makes the program that c describes the first one of a process group of its own.
func Grouped(c *exec.Cmd) *exec.Cmd {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// SignalGroup sends a signal to all programs of the group that a Grouped program is the
// first one of.
func (p *Process) SignalGroup(s syscall.Signal) {
	p.t.Helper()
	if err := syscall.Kill(-p.command.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		p.t.Fatal(err)
	}
}

func signalOf(state *os.ProcessState) syscall.Signal {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal()
	}
	return 0
}
