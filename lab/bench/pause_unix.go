//go:build unix

package main

import (
	"os"
	"syscall"
)

// pause lets a process stand still until resume.
func pause(p *os.Process) error { return p.Signal(syscall.SIGSTOP) }

func resume(p *os.Process) error { return p.Signal(syscall.SIGCONT) }
