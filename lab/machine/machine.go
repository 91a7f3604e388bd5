// Package machine describes what a measurement ran on, and what a process took of it.
package machine

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/w2v-go/w2v/internal/sysinfo"
)

// A Machine is what a run ran on.
type Machine struct {
	When   string `json:"when"`
	System string `json:"system"`
	CPU    string `json:"cpu"` // empty if it is not known
	Cores  int    `json:"cores"`
	Load   string `json:"load"` // averages of 1, 5 and 15 minutes at the start; empty if they are not known
}

// Describe describes the machine as it is now.
func Describe() Machine {
	m := Machine{
		When:   time.Now().UTC().Format("2006-01-02 15:04 UTC"),
		System: runtime.GOOS + "/" + runtime.GOARCH,
		CPU:    sysinfo.Processor(),
		Cores:  runtime.NumCPU(),
	}
	load, _ := os.ReadFile("/proc/loadavg") // empty where there is no /proc
	if fields := strings.Fields(string(load)); len(fields) >= 3 {
		m.Load = strings.Join(fields[:3], " ")
	}
	return m
}

// Processor is the processor's name, or the architecture where that is not known.
func (m Machine) Processor() string {
	if m.CPU != "" {
		return m.CPU
	}
	return m.System
}

func (m Machine) String() string {
	text := fmt.Sprintf("%s, %d cores", m.System, m.Cores)
	if m.CPU != "" {
		text = fmt.Sprintf("%s, %d cores, %s", m.CPU, m.Cores, m.System)
	}
	if m.Load != "" {
		text += ", load before " + m.Load
	}
	return text
}
