//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// createNameless always fails: on these systems files need a name.
func createNameless(string) (*os.File, bool) { return nil, false }

func giveName(*os.File, string) error { return errors.ErrUnsupported }
