package interop

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

//go:embed python.py
var pythonProgram string

// streams is the folder of what scripts read from stdin and print.
var streams string

// interpreter is the Python that runs all scripts; see python.py.
type interpreter struct {
	sync.Mutex
	command  *exec.Cmd
	requests *os.File
	answers  *bufio.Reader
}

// running is the interpreter, nil before the first script.
var running *interpreter

// end ends the interpreter.
func (p *interpreter) end() error { return errors.Join(p.requests.Close(), p.command.Wait()) }

var started = sync.OnceValues(func() (*interpreter, error) {
	if err := os.Mkdir(streams, 0o777); err != nil {
		return nil, err
	}
	requestsOut, requests, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer requestsOut.Close()
	answers, answersIn, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer answersIn.Close()
	c := exec.Command(python, "-c", pythonProgram)
	c.ExtraFiles = []*os.File{requestsOut, answersIn}
	if err := c.Start(); err != nil {
		return nil, err
	}
	running = &interpreter{command: c, requests: requests, answers: bufio.NewReader(answers)}
	return running, nil
})

// runScript runs a script of Python, in a process of its own, and returns its stdout. The error has its stderr.
func runScript(stdin, script string, args []string) (stdout string, err error) {
	p, err := started()
	if err != nil {
		return "", err
	}
	p.Lock()
	defer p.Unlock()
	files := []string{filepath.Join(streams, "in"), filepath.Join(streams, "out"), filepath.Join(streams, "err")}
	for i, text := range []string{stdin, "", ""} {
		if err := os.WriteFile(files[i], []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	request, err := json.Marshal(map[string]any{"script": script, "args": append([]string{}, args...), "folder": folder, "files": files})
	if err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(p.requests, "%s\n", request); err != nil {
		return "", err
	}
	code, err := p.answers.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("Python ended: %w", err)
	}
	out, err := os.ReadFile(files[1])
	if err != nil {
		return "", err
	}
	if code != "0\n" {
		said, err := os.ReadFile(files[2])
		if err != nil {
			return "", err
		}
		return "", fmt.Errorf("exit code %s\n%s", strings.TrimSpace(code), said)
	}
	return string(out), nil
}
