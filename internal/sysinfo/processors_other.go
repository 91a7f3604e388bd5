//go:build !linux

package sysinfo

// CacheDomains returns nil: it is not known here which processors share a cache.
func CacheDomains() [][]int { return nil }

// Pin does nothing.
func Pin([]int) {}
