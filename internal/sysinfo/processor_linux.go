package sysinfo

import (
	"os"
	"strings"
)

func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // without it there is no name
	if name := processorName(string(info)); name != "" {
		return name
	}
	board, _ := os.ReadFile("/sys/firmware/devicetree/base/model") // small arm64 machines have only this one
	return strings.TrimRight(string(board), "\x00")
}

// processorName finds the processor's name in the text of /proc/cpuinfo.
func processorName(info string) string {
	for line := range strings.Lines(info) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
