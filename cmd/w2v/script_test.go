package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/w2v-go/w2v/internal/demo"
	"github.com/w2v-go/w2v/internal/faults"
	"github.com/w2v-go/w2v/internal/longtest"
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
	check(newRoot(streams{}, ""))
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
	for range 30_000 {
		if content, err := os.ReadFile(ts.MkAbs(file)); err == nil && strings.Contains(string(content), text) {
			break
		}
		time.Sleep(time.Millisecond)
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

// Those in testdata/disk say what happens on a disk of 256 KB.
func TestSmallDisk(t *testing.T) {
	small := faults.Tmpfs(t, 256<<10)
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

// text SENTENCES FILE writes a text of the demo.
func text(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: text sentences file")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	written, err := io.ReadAll(demo.Corpus(n, demo.DefaultSeed))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), written, 0o666))
}

// The demo scores two models and shows what they answer. The script demo has all of its corpus.
func TestDemo(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		var out, said bytes.Buffer
		sentences := 20_000 // that have all words which are shown
		if asJSON {
			sentences = 2000
		}
		if _, err := runDemo(t.Context(), streams{out: &out, err: &said}, sentences, 1, asJSON); err != nil {
			t.Fatal(err)
		}
		want := "(?s)^A generated corpus of .* tokens, .* different words\\.\n.*\nwords: trained .* similarity 0\\.[3-9].*\nwords and n-grams: trained .* similarity 0\\.[3-9].*\nNearest neighbours\n  paris .*\n  unhappiness +unhappy"
		if asJSON {
			want = `^\{"model":"words",.*\n\{"model":"words and n-grams",.*"analogy":\{.*\}\n$`
		}
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("printed %s", out.String())
		}
	}
}

// With --serve, the demo serves its models until it is asked to end, and leaves no file.
func TestDemoServes(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	results, err := runDemo(t.Context(), streams{out: io.Discard, err: io.Discard}, 2000, 1, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan error)
	go func() {
		ended <- serveDemo(ctx, streams{out: printed, err: io.Discard}, serveFlags{listen: "127.0.0.1:0", asJSON: true}, results)
	}()
	var ready readyEvent
	if err := json.NewDecoder(out).Decode(&ready); err != nil {
		t.Fatal(err)
	}
	if want := []string{"words", "words-and-n-grams"}; !slices.Equal(ready.Models, want) {
		t.Errorf("it serves %q, want %q", ready.Models, want)
	}
	answer, err := http.Get(ready.URL + "v1/neighbors?model=words-and-n-grams&word=unhappiness")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("a question has the answer %s", answer.Status)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "w2v-demo-*")); len(left) > 0 {
		t.Errorf("it leaves %q", left)
	}
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
		Condition: func(name string) (bool, error) {
			if name != "long" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return longtest.Enabled(), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":     exits,
			"interrupt": interrupt,
			"cut":       cut,
			"unhex":     unhex,
			"closed":    closed,
			"events":    events,
			"only":      only,
			"without":   without,
			"text":      text,
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

// A background is a server that a script has started.
type background struct {
	command *exec.Cmd
	url     string
	ended   chan error
}

// serving START|STOP|RELOAD FILE [ARG...] starts w2v serve with these arguments at a free port, and
// keeps what it prints in FILE.stdout and FILE.stderr; stops it by SIGTERM and wants exit code 0; or
// sends it SIGHUP and waits until it has said what came of it.
func serving(servers map[string]*background) func(ts *testscript.TestScript, neg bool, args []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) < 2 {
			ts.Fatalf("usage: serving start|stop|reload file [arg...]")
		}
		file := ts.MkAbs(args[1])
		switch args[0] {
		case "start":
			servers[file] = startServer(ts, file, args[2:])
		case "stop":
			ts.Check(servers[file].command.Process.Signal(syscall.SIGTERM))
			select {
			case err := <-servers[file].ended:
				ts.Check(err)
			case <-time.After(time.Minute):
				ts.Fatalf("the server does not end")
			}
		case "reload":
			before, err := os.ReadFile(file + ".stderr")
			ts.Check(err)
			events, err := os.ReadFile(file + ".stdout")
			ts.Check(err)
			ts.Check(servers[file].command.Process.Signal(syscall.SIGHUP))
			waitFor(ts, file+".stderr", func(said string) bool { return reloaded.MatchString(said[len(before):]) })
			if strings.HasPrefix(string(events), "{") { // with --json it says that, too, and last
				waitFor(ts, file+".stdout", func(said string) bool { return strings.Contains(said[len(events):], "\n") })
			}
		default:
			ts.Fatalf("serving what?")
		}
	}
}

// reloaded is what a server says last of a reload; other notes may come before.
var reloaded = regexp.MustCompile(`(?m)^note: (loaded again|the model .* stays as it was: .*)\n`)

func startServer(ts *testscript.TestScript, file string, args []string) *background {
	bin, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
	b := &background{command: exec.Command(filepath.Join(bin, "w2v"), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...), ended: make(chan error, 1)}
	b.command.Dir = ts.MkAbs(".")
	out, err := os.Create(file + ".stdout")
	ts.Check(err)
	said, err := os.Create(file + ".stderr")
	ts.Check(err)
	b.command.Stdout, b.command.Stderr = out, said
	ts.Check(b.command.Start())
	ts.Defer(func() { _ = b.command.Process.Kill() }) // it may have ended
	go func() {
		b.ended <- b.command.Wait()
		out.Close()
		said.Close()
	}()
	line := waitFor(ts, file+".stdout", func(text string) bool { return strings.Contains(text, "\n") })
	var ready readyEvent
	if err := json.Unmarshal([]byte(line), &ready); err != nil {
		_, ready.URL, _ = strings.Cut(strings.TrimSpace(line), ": ") // of the explorer, or of the lessons
	}
	b.url = ready.URL
	ts.Setenv("URL", strings.TrimSuffix(b.url, "/"))
	return b
}

// waitFor waits until a file has what is wanted, and returns its content.
func waitFor(ts *testscript.TestScript, file string, wanted func(string) bool) string {
	for range 1200 {
		text, err := os.ReadFile(file)
		ts.Check(err)
		if wanted(string(text)) {
			return string(text)
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s does not come to have what is wanted", file)
	return ""
}

// fetch STATUS URL [HEADER: VALUE]... [BODY] asks a server, wants this status, and writes the body
// of the response to the file "answer". What has no colon and a space in it is the body of a POST.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fetch status url [header: value]... [body]")
	}
	method, body, header := http.MethodGet, "", http.Header{}
	for _, arg := range args[2:] {
		if name, value, ok := strings.Cut(arg, ": "); ok && !strings.HasPrefix(arg, "{") {
			header.Set(name, value)
		} else {
			method, body = http.MethodPost, arg
		}
	}
	r, err := http.NewRequest(method, args[1], bytes.NewBufferString(body))
	ts.Check(err)
	r.Header, r.Host = header, header.Get("Host")
	res, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("answer"), text, 0o666))
	if fmt.Sprint(res.StatusCode) != args[0] {
		ts.Fatalf("%s: %s, want %s: %s", args[1], res.Status, args[0], text)
	}
}

// occupied sets PORT to a port that is in use for as long as the script runs.
func occupied(ts *testscript.TestScript, _ bool, _ []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Setenv("PORT", port)
}
