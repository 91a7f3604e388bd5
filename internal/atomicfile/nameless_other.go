//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// createNameless creates nothing where files cannot be without a name.
func createNameless(string) (*os.File, bool) { return nil, false }

func giveName(*os.File, string) error { return errors.ErrUnsupported }
