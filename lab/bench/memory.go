package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/w2v-go/w2v/lab/figures"
)

// memoryNotes say which figures of peak memory are too small to be true. Linux
// counts what a parent has resident when it starts a process as the child's;
// elsewhere there is nothing to say.
func memoryNotes() []string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return nil
	}
	own := peakInStatus(string(status))
	if own == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Peak memory of %s or less may be that of bench itself.", figures.Megabytes(own))}
}

// peakInStatus finds the most resident bytes in the text of /proc/self/status, 0 if
// they are not there.
func peakInStatus(status string) float64 {
	for line := range strings.Lines(status) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmHWM:" && fields[2] == "kB" {
			kilobytes, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				return 0
			}
			return 1024 * kilobytes
		}
	}
	return 0
}
