//go:build !unix

package process

import (
	"os"
	"syscall"
)

// signalOf knows of no signals.
func signalOf(*os.ProcessState) syscall.Signal { return 0 }
