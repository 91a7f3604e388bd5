//go:build !linux

package sharedmem

import "errors"

var errLinux = errors.New("only Linux has memory that processes share")

// Create fails.
func Create(int) (*Memory, error) { return nil, errLinux }

// Open fails.
func Open(string, int) (*Memory, error) { return nil, errLinux }

// Settle does nothing.
func (*Memory) Settle() {}

// Unmap does nothing.
func (*Memory) Unmap() {}
