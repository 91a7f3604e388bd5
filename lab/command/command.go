// Package command runs a program to its end, and says what it printed and what it used.
package command

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

// Used is what one process printed and used.
type Used struct {
	Stdout []byte
	Wall   time.Duration // from its start to its end
	CPU    time.Duration // of all its threads, in the program and the kernel
	Peak   float64       // bytes resident at most; 0 where this is not known
}

// An Order is a process to run.
type Order struct {
	Name  string
	Args  []string
	Stdin string
	Env   []string // more than the environment of this program
}

// A Runner runs processes to their ends. The zero value sets no limit.
type Runner struct {
	Limit time.Duration // the longest that one process may take; 0 for any time
}

// Run runs a process to its end. Any exit code but 0 is an error, and so is taking longer than
// the limit, or printing more than 16 MB.
func (r Runner) Run(ctx context.Context, o Order) (Used, error) {
	if r.Limit > 0 {
		limited, cancel := context.WithTimeout(ctx, r.Limit)
		defer cancel()
		ctx = limited
	}
	c := exec.CommandContext(ctx, o.Name, o.Args...)
	c.WaitDelay = 5 * time.Second
	c.Stdin = strings.NewReader(o.Stdin)
	c.Env = append(os.Environ(), o.Env...)
	var stdout limited
	var stderr tail
	c.Stdout, c.Stderr = &stdout, &stderr
	start := time.Now()
	err := c.Start()
	if err != nil {
		return Used{}, fmt.Errorf("%s: %w", filepath.Base(o.Name), err)
	}
	peak := machine.Watch(c.Process)
	err = c.Wait()
	wall := time.Since(start)
	resident := peak.Of(c.ProcessState)
	if err != nil {
		return Used{}, fmt.Errorf("%s %s: %w\n%s", filepath.Base(o.Name), strings.Join(o.Args, " "), errors.Join(err, context.Cause(ctx)), stderr.text)
	}
	return Used{
		Stdout: stdout.text,
		Wall:   wall,
		CPU:    c.ProcessState.UserTime() + c.ProcessState.SystemTime(),
		Peak:   resident,
	}, nil
}

// Threads is the environment in which numerical libraries, and Go programs that
// have no flag for it, use so many threads.
func Threads(n int) []string {
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
