package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// hung is when a program that has not ended is taken to never end.
const hung = 3 * time.Minute

// A Process is a program that runs, for something to happen to it.
type Process struct {
	t       testing.TB
	command *exec.Cmd
	stdout  output
	stderr  output
	started time.Time
	done    chan struct{}
	exit    Exit
}

// An Exit is how a program ended.
type Exit struct {
	Code           int            // -1 if a signal ended it
	Signal         syscall.Signal // the one that did, or 0
	Stdout, Stderr string
	Took           time.Duration
}

// Start starts the program that c describes. Its standard output and error are kept
// where c does not say otherwise. It is killed if it still runs when the test ends.
func Start(t testing.TB, c *exec.Cmd) *Process {
	t.Helper()
	p := &Process{t: t, command: c, done: make(chan struct{})}
	if c.Stdout == nil {
		c.Stdout = &p.stdout
	}
	if c.Stderr == nil {
		c.Stderr = &p.stderr
	}
	p.started = time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go p.wait()
	t.Cleanup(func() {
		_ = c.Process.Kill() // fails if it has ended
		<-p.done
	})
	return p
}

func (p *Process) wait() {
	defer close(p.done)
	_ = p.command.Wait() // its state says how it ended
	state := p.command.ProcessState
	p.exit = Exit{
		Code:   state.ExitCode(),
		Signal: signalOf(state),
		Stdout: p.stdout.String(),
		Stderr: p.stderr.String(),
		Took:   time.Since(p.started),
	}
}

// An output is what a program has said so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Running reports whether the program has not ended.
func (p *Process) Running() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Until waits until happened is true, and returns false if the program ended
// before.
func (p *Process) Until(happened func() bool) bool {
	p.t.Helper()
	for deadline := time.Now().Add(hung); !happened(); {
		select {
		case <-p.done:
			return happened()
		case <-time.After(time.Millisecond):
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("what was waited for has not happened in %v", hung)
		}
	}
	return true
}

// Signal sends the program a signal. One that has ended takes none.
func (p *Process) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.command.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
}

// Kill ends the program as a power cut would, without a chance to do anything.
func (p *Process) Kill() {
	p.t.Helper()
	p.Signal(os.Kill)
}

// Wait waits until the program ends and returns how it did.
func (p *Process) Wait() Exit {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(hung):
		p.t.Fatalf("%v runs for more than %v", p.command.Args, hung)
	}
	return p.exit
}

// Said returns what is true once text is among what the program has written to
// standard error.
func (p *Process) Said(text string) func() bool {
	return func() bool { return strings.Contains(p.stderr.String(), text) }
}

// After returns what is true once d has passed.
func After(d time.Duration) func() bool {
	at := time.Now().Add(d)
	return func() bool { return !time.Now().Before(at) }
}

// Used returns what is true once the program itself has used d of processor time, or seconds have passed: it
// may be a shell that waits for others, or a system without /proc.
func (p *Process) Used(d time.Duration) func() bool {
	const tick = 10 * time.Millisecond
	used := func() (sum time.Duration) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
		_, rest, _ := strings.Cut(string(text), ") ") // behind the name
		fields := strings.Fields(rest)
		if err != nil || len(fields) < 13 {
			return 0
		}
		for _, field := range fields[11:13] { // of the program itself, and of the system for it
			n, _ := strconv.Atoi(field)
			sum += time.Duration(n) * tick
		}
		return sum
	}
	before, passed := used(), After(3*time.Second)
	return func() bool { return used()-before >= d || passed() }
}

// Appeared returns what is true once there is a file at path with something in it.
func Appeared(path string) func() bool {
	return func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	}
}

// Replaced returns what is true once the file at path is another than now.
func Replaced(path string) func() bool {
	before, err := os.Stat(path)
	if err != nil {
		return Appeared(path)
	}
	return func() bool {
		info, err := os.Stat(path)
		return err == nil && (!os.SameFile(before, info) || !info.ModTime().Equal(before.ModTime()) || info.Size() != before.Size())
	}
}
