//go:build !linux

package sharedmem

import "errors"

// Create fails.
func Create(int) (*Memory, error) { return nil, errors.ErrUnsupported }

// Open fails.
func Open(string, int) (*Memory, error) { return nil, errors.ErrUnsupported }

// Settle does nothing.
func (*Memory) Settle() {}

// Unmap does nothing.
func (*Memory) Unmap() {}
