//go:build !linux && !darwin

package atomicfile

import "errors"

// exchange always fails: these systems have no call for it.
func exchange(string, string) error { return errors.ErrUnsupported }
