//go:build linux

package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/w2v-go/w2v/lab/command"
	"github.com/w2v-go/w2v/lab/trainers"
)

// A Launcher starts programs on several ranks.
type Launcher struct {
	Ranks   int
	Network *Network // nil for this machine
	Options []string // more of mpirun
}

// Command returns the command line that starts a program on all ranks.
func (l Launcher) Command(program string, args ...string) []string {
	line := []string{"mpirun", "-np", strconv.Itoa(l.Ranks), "--oversubscribe", "--mca", "mpi_yield_when_idle", "1"}
	if os.Geteuid() == 0 {
		line = append(line, "--allow-run-as-root")
	}
	line = append(line, l.Options...)
	if l.Network != nil {
		line = append(l.Network.enter(), append(line, l.Network.options(l.Ranks)...)...)
	}
	return append(append(line, program), args...)
}

// Exec returns the command for a test or a program to run.
func (l Launcher) Exec(ctx context.Context, program string, args ...string) *exec.Cmd {
	line := l.Command(program, args...)
	return exec.CommandContext(ctx, line[0], line[1:]...)
}

// A Summary is what w2v train --json prints of all ranks.
type Summary struct {
	trainers.Summary
	Ranks        int     `json:"ranks"`
	SentBytes    float64 `json:"sent_bytes"`
	NetworkBytes float64 `json:"network_bytes"`
	Loss         float64 `json:"loss"`
}

// Train runs w2v train with arguments on all ranks, and returns its summary. A Launcher of no ranks runs
// the program by itself.
func (l Launcher) Train(ctx context.Context, r command.Runner, program string, args ...string) (s Summary, err error) {
	args = append([]string{"train", "--json", "--progress", "never"}, args...)
	line := append([]string{program}, args...)
	if l.Ranks > 0 {
		line = l.Command(program, args...)
	}
	used, err := r.Run(ctx, command.Order{Name: line[0], Args: line[1:]})
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(used.Stdout, &s); err != nil {
		return s, fmt.Errorf("w2v train: %w\n%s", err, used.Stdout)
	}
	return s, nil
}
