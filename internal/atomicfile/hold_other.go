//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package atomicfile

import "os"

// hold marks nothing: on these systems, only its age says whether a file is still in use.
func hold(*os.File) (release func(), ok bool) { return func() {}, true }

func holdFolder(string) (release func()) { return func() {} }

// seize never succeeds: on these systems, a file in use looks like an abandoned one.
func seize(string) (release func(), ok bool) { return nil, false }

// locks reports whether a file in use can be told from an abandoned one.
const locks = false
