//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package atomicfile

import (
	"errors"
	"os"
)

// These systems have no locks that are used here. Only its age says whether a file is still in use.
const locks = false

func hold(*os.File) (release func(), ok bool)  { return func() {}, true }
func holdFolder(string) (release func())       { return func() {} }
func seize(string) (release func(), ok bool)   { return nil, false }
func openLock(string) (*os.File, error)        { return nil, errors.ErrUnsupported }
func removeLock(file *os.File, _ string)       { _ = file.Close() }
func lockHeld(string) bool                     { return false }
func openToRead(name string) (*os.File, error) { return os.Open(name) }

// Identity returns nothing: this system has no time of change that programs cannot set.
func Identity(string) string { return "" }

// IdentityOf is Identity of an open file.
func IdentityOf(*os.File) string { return "" }
