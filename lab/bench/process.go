package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/w2v-go/w2v/lab/machine"
)

// maxOutput is how much a child may print on stdout.
const maxOutput = 16 << 20

// A child is what one process printed and used.
type child struct {
	stdout []byte
	wall   time.Duration // from its start to its end
	cpu    time.Duration // of all its threads, in the program and the kernel
	peak   float64       // bytes resident at most
}

// An order is a process to run.
type order struct {
	name  string
	args  []string
	stdin string
	env   []string // more than the environment of this program
}

// run runs a process to its end. Any exit code but 0 is an error, and so is taking
// longer than -limit.
func (b *bench) run(ctx context.Context, o order) (child, error) {
	return runLimited(ctx, b.limit, o)
}

func runLimited(ctx context.Context, limit time.Duration, o order) (child, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c := exec.CommandContext(ctx, o.name, o.args...)
	c.WaitDelay = 5 * time.Second
	c.Stdin = strings.NewReader(o.stdin)
	c.Env = append(os.Environ(), o.env...)
	var stdout limited
	var stderr tail
	c.Stdout, c.Stderr = &stdout, &stderr
	start := time.Now()
	err := c.Run()
	wall := time.Since(start)
	if err != nil {
		return child{}, fmt.Errorf("%s %s: %w\n%s", filepath.Base(o.name), strings.Join(o.args, " "), errors.Join(err, context.Cause(ctx)), stderr.text)
	}
	return child{
		stdout: stdout.text,
		wall:   wall,
		cpu:    c.ProcessState.UserTime() + c.ProcessState.SystemTime(),
		peak:   machine.PeakMemory(c.ProcessState),
	}, nil
}

// threadsOf is the environment in which numerical libraries, and Go programs that
// have no flag for it, use so many threads.
func threadsOf(n int) []string {
	text := strconv.Itoa(n)
	return []string{"OPENBLAS_NUM_THREADS=" + text, "OMP_NUM_THREADS=" + text, "MKL_NUM_THREADS=" + text, "GOMAXPROCS=" + text}
}

// limited keeps what is written to it, up to maxOutput.
type limited struct{ text []byte }

func (l *limited) Write(p []byte) (int, error) {
	if len(l.text)+len(p) > maxOutput {
		return 0, errors.New("the process prints too much")
	}
	l.text = append(l.text, p...)
	return len(p), nil
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	const kept = 4096
	t.text = append(t.text, p...)
	if len(t.text) > kept {
		t.text = append(t.text[:0], t.text[len(t.text)-kept:]...)
	}
	return len(p), nil
}
