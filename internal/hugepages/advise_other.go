//go:build !linux

// Package hugepages asks the system for huge pages for large slices that are reached in random order. It does nothing here.
package hugepages

// Advise does nothing.
func Advise[T any]([]T) {}
