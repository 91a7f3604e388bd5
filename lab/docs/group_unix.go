//go:build unix

package docs

import (
	"os/exec"
	"syscall"
)

// ownGroup gives a command a group of its own, which ends when the command is cancelled.
func ownGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return killGroup(c) }
}

// killGroup ends a command and all that it left behind.
func killGroup(c *exec.Cmd) error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
