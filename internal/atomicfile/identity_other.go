//go:build !unix

package atomicfile

import "os"

// Identity returns nothing: this system has no time of change that programs cannot set.
func Identity(string) string { return "" }

// IdentityOf is Identity of an open file.
func IdentityOf(*os.File) string { return "" }
