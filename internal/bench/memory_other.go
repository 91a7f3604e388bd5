//go:build !unix

package main

import "os"

// Neither is known here.

func peakMemory(*os.ProcessState) float64 { return 0 }
func ownPeak() float64                    { return 0 }
