package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

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
		ready.URL = strings.TrimSpace(line)
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
