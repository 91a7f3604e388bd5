//go:build !linux && !darwin && !windows

package disk

func free(string) (uint64, bool) { return 0, false }
