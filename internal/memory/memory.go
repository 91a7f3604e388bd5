// Package memory says how much memory the machine has.
package memory

// Total returns the bytes of physical memory, or 0 if that cannot be known.
func Total() uint64 { return total() }
