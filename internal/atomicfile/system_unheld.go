//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import "os"

// These systems have no locks that end with a process and do not hinder others: only its age says whether an
// unfinished file is still in use.
const locks = false

func hold(*os.File) (release func(), ok bool) { return func() {}, true }
func holdFolder(string) (release func())      { return func() {} }
func seize(string) (release func(), ok bool)  { return nil, false }

// Identity returns nothing: this system has no time of change that programs cannot set.
func Identity(string) string { return "" }

// IdentityOf is Identity of an open file.
func IdentityOf(*os.File) string { return "" }
