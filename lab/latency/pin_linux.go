package main

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// pin puts the thread of the calling goroutine, which is locked to it, on a core.
func pin(core int) error {
	var set unix.CPUSet
	set.Set(core)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("core %d: %w", core, err)
	}
	return nil
}
