//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

func openLock(string) (*os.File, error)        { return nil, errors.ErrUnsupported }
func removeLock(file *os.File, _ string)       { _ = file.Close() }
func lockHeld(string) bool                     { return false }
func openToRead(name string) (*os.File, error) { return os.Open(name) }
