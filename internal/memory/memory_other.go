//go:build !linux && !darwin

package memory

func total() uint64 { return 0 }
