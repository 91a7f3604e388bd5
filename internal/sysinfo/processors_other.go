//go:build !linux

package sysinfo

import "errors"

// CacheDomains returns nil: it is not known here which processors share a cache.
func CacheDomains() [][]int { return nil }

// Pin returns an error.
func Pin(...int) error { return errors.New("threads can stay on processors only on Linux") }

// Allowed returns nil: it is not known here which processors the process may use.
func Allowed() []uint64 { return nil }
