package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/w2v-go/w2v/internal/faults"
)

var update = flag.Bool("update", false, "write the outputs that differ into the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"w2v": main,
	})
}

// Every command explains itself, with an example.
func TestHelp(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
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

// interrupt CODE FILE=TEXT COMMAND ARG... runs a command, sends it SIGINT once FILE has
// TEXT in it, and wants it to exit with that code. Its stderr goes to the file
// interrupt.stderr.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupt code file=text command arg...")
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
	file, text, _ := strings.Cut(args[1], "=")
	for range 600 {
		if content, err := os.ReadFile(ts.MkAbs(file)); err == nil && strings.Contains(string(content), text) {
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

// unhex FROM TO writes the bytes that a file has in hexadecimal to another.
func unhex(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: unhex from to")
	}
	content, err := hex.DecodeString(strings.Join(strings.Fields(ts.ReadFile(args[0])), ""))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), content, 0o666))
}

// closed COMMAND ARG... runs a command whose standard output nobody reads, which must end
// with exit code 0 and say nothing of it.
func closed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: closed command arg...")
	}
	bin, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
	c := exec.Command(filepath.Join(bin, args[0]), args[1:]...)
	c.Dir = ts.MkAbs(".")
	r, w, err := os.Pipe()
	ts.Check(err)
	ts.Check(r.Close())
	defer w.Close()
	var stderr strings.Builder
	c.Stdout, c.Stderr = w, &stderr
	_ = c.Run() // its exit code says it
	if c.ProcessState.ExitCode() != exitDone || strings.Contains(stderr.String(), "w2v: ") || strings.Contains(stderr.String(), "closed") {
		ts.Fatalf("%v: stderr %q", c.ProcessState, stderr.String())
	}
}

// events FILE EVENT... wants every line of a file to be a JSON object with a field event,
// and these events to be there, in this order, among others.
func events(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: events file event...")
	}
	wanted := args[1:]
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		var found struct{ Event string }
		if err := json.Unmarshal([]byte(line), &found); err != nil || found.Event == "" {
			ts.Fatalf("%s: %v: %q", args[0], err, line)
		}
		if len(wanted) > 0 && found.Event == wanted[0] {
			wanted = wanted[1:]
		}
	}
	if len(wanted) > 0 {
		ts.Fatalf("%s: no event %q after %q", args[0], wanted[0], args[1:len(args)-len(wanted)])
	}
}

// only FOLDER NAME... wants a folder to have these files and no others.
func only(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: only folder name...")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, args[1:]) {
		ts.Fatalf("%s has %q", args[0], names)
	}
}

// The scripts in testdata/script say what each command does, to a user.
func TestScripts(t *testing.T) { scripts(t, "testdata/script", nil) }

// Those in testdata/log say what --log-json - makes of all that is said.
func TestLogToStderr(t *testing.T) { scripts(t, "testdata/log", nil) }

// Those in testdata/disk say what happens on a disk of 1 MB.
func TestSmallDisk(t *testing.T) {
	small := faults.Tmpfs(t, 1<<20)
	scripts(t, "testdata/disk", map[string]string{"SMALL": small})
}

// without takes everything out of a file that matches a regular expression.
func without(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: without FILE REGEXP")
	}
	path := ts.MkAbs(args[0])
	text := regexp.MustCompile(args[1]).ReplaceAllString(ts.ReadFile(path), "")
	ts.Check(os.WriteFile(path, []byte(text), 0o666))
}

func scripts(t *testing.T, folder string, environment map[string]string) {
	golden, err := filepath.Abs(filepath.Join("..", "..", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"cut":       cut,
			"unhex":     unhex,
			"closed":    closed,
			"events":    events,
			"only":      only,
			"without":   without,
			"serving":   serving(make(map[string]*background)),
			"fetch":     fetch,
			"occupied":  occupied,
		},
		Setup: func(env *testscript.Env) error {
			for name, value := range environment {
				env.Setenv(name, value)
			}
			env.Setenv("W2V_SIMD", os.Getenv("W2V_SIMD")) // the kernels under test
			env.Setenv("GOLDEN", golden)                  // files of real programs
			env.Setenv("TMPDIR", env.WorkDir+"/tmp")      // for cache files: none may be left there
			return os.Mkdir(env.WorkDir+"/tmp", 0o777)
		},
	})
}
