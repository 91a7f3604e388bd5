//go:build !unix && !windows

package sysinfo

import "time"

// CPUTime returns 0: on these systems it is not known.
func CPUTime() time.Duration { return 0 }
