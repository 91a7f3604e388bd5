package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the outputs that differ into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"w2v": func() { os.Exit(run(os.Args[1:], terminalStreams())) },
	})
}

// Every command explains itself, with an example.
func TestHelp(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		if c.Name() == "help" || c.Name() == "completion" {
			return // cobra's own
		}
		if c.Short == "" || !strings.Contains(c.Example, c.CommandPath()) {
			t.Errorf("%s: short help %q, example %q", c.CommandPath(), c.Short, c.Example)
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(newRoot(streams{}))
}

// exits CODE COMMAND ARG... runs a command that must exit with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command arg...")
	}
	err := ts.Exec(args[1], args[2:]...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want, _ := strconv.Atoi(args[0]); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// interrupt CODE FILE COMMAND ARG... runs a command, sends it SIGINT once FILE has
// something in it, and wants it to exit with that code. Its stderr goes to the
// file interrupt.stderr.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt code file command arg...")
	}
	bin, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
	c := exec.Command(filepath.Join(bin, args[2]), args[3:]...)
	c.Dir = ts.MkAbs(".")
	c.Env = append(os.Environ(), "TMPDIR="+ts.Getenv("TMPDIR"))
	stderr, err := os.Create(ts.MkAbs("interrupt.stderr"))
	ts.Check(err)
	defer stderr.Close()
	c.Stderr = stderr
	ts.Check(c.Start())
	for range 600 {
		if info, err := os.Stat(ts.MkAbs(args[1])); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Check(c.Process.Signal(os.Interrupt))
	_ = c.Wait() // its exit code says it
	if want, _ := strconv.Atoi(args[0]); c.ProcessState.ExitCode() != want {
		ts.Fatalf("exit code %d, want %d", c.ProcessState.ExitCode(), want)
	}
}

// cut FROM TO writes all but the last 5 bytes of a file to another.
func cut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut from to")
	}
	content, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), content[:len(content)-5], 0o666))
}

// The scripts in testdata/script say what each command does, to a user.
func TestScripts(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"cut":       cut,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOLDEN", golden)             // files of real programs
			env.Setenv("TMPDIR", env.WorkDir+"/tmp") // for cache files: none may be left there
			return os.Mkdir(env.WorkDir+"/tmp", 0o777)
		},
	})
}
