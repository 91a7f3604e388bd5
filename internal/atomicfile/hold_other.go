//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import "os"

// hold marks nothing: only the age of a file tells whether a process still needs it.
func hold(*os.File) (release func(), ok bool) { return func() {}, true }

func holdFolder(string) (release func()) { return func() {} }

// seize takes over nothing: what is in use cannot be told from what was left.
func seize(string) (release func(), ok bool) { return nil, false }

// locks tells whether a file that is in use can be told from one that was left.
const locks = false
