package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A program is a server that runs.
type program struct {
	url     string // without a slash at its end
	command *exec.Cmd
	started time.Time // when it was asked to run
}

// run starts a program that prints its URL as its first line.
func run(ctx context.Context, name string, args ...string) (*program, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Stderr = os.Stderr
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	c.WaitDelay = 20 * time.Second
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &program{command: c, started: time.Now()}
	if err := c.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		_ = c.Wait() // err is the reason
		return nil, fmt.Errorf("%s printed no URL: %w", name, err)
	}
	p.url = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(line, "Explorer: ")), "/")
	return p, nil
}

// serve starts w2v serve at a free port.
func serve(ctx context.Context, w2v string, args ...string) (*program, error) {
	return run(ctx, w2v, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
}

// stop ends the program, and returns an error if that is not how it ends.
func (p *program) stop() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.command.Wait()
}

var anonymous = regexp.MustCompile(`(?m)^RssAnon:\s*(\d+) kB$`)

// memory returns how many bytes the program has in memory, without the files that it maps. It needs
// Linux.
func (p *program) memory() (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	found := anonymous.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("the system does not say how much memory a process has")
	}
	n, err := strconv.ParseUint(string(found[1]), 10, 64)
	return n << 10, err
}

// busy returns how much processor time the program has taken. It needs Linux.
func (p *program) busy() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program, in which anything may be
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0, fmt.Errorf("the system does not say how much time a process has taken")
	}
	const tick = time.Second / 100 // USER_HZ of all systems with Linux that Go runs on
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * tick, err
}
