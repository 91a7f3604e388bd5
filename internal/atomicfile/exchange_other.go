//go:build !linux && !darwin

package atomicfile

import "errors"

// exchange swaps nothing where the system has no call for it.
func exchange(string, string) error { return errors.ErrUnsupported }
