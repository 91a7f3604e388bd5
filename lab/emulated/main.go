//go:build linux

// Command emulated is the only process of the emulated machine that .ci/emulated starts: it runs a test
// there.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

func main() {
	mount()
	fmt.Println("=== begin")
	code := run()
	// The emulator is ended by who started it, when the last line has been read: a machine that turns
	// itself off loses what the serial line has not sent yet.
	fmt.Println("=== end", code, ".")
	for {
		time.Sleep(time.Hour)
	}
}

// mount makes the folders that tests need of a system.
func mount() {
	for _, kind := range []string{"proc", "devtmpfs", "tmpfs"} {
		folder := map[string]string{"proc": "/proc", "devtmpfs": "/dev", "tmpfs": "/tmp"}[kind]
		err := os.MkdirAll(folder, 0o755)
		if err == nil {
			err = syscall.Mount(kind, folder, kind, 0, "")
		}
		if err != nil {
			fmt.Println(err) // the test says what it lacks
		}
	}
}

// run runs /test with the lines of /arguments, in the environment of /environment, and returns
// its exit code.
func run() int {
	cmd := exec.Command("/test", lines("/arguments")...)
	cmd.Dir, cmd.Env = "/package", append(lines("/environment"), "HOME=/tmp")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stdout
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// lines returns the lines of a file; none if there is no such file.
func lines(name string) []string {
	text, _ := os.ReadFile(name)
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
}
