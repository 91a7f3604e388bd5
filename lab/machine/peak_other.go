//go:build !unix

package machine

import "os"

// PeakMemory returns 0: it is not known here.
func PeakMemory(*os.ProcessState) float64 { return 0 }
