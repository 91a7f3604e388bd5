//go:build unix

// Package terminal tries the terminal interface in a real terminal: keys go in by tmux, and what tmux
// shows is what somebody sees.
package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/w2v-go/w2v/lab/product"
)

// patience is how long something may take until it is seen. Nothing waits longer than it takes.
const patience = 30 * time.Second

// program is the path of the program; empty where there is no tmux, without which nothing here is tested. Where
// W2V_TMUX is "require", as in .ci/run, that is an error.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		if _, err := exec.LookPath("tmux"); err != nil {
			if os.Getenv("W2V_TMUX") == "require" {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			return m.Run()
		}
		folder, err := os.MkdirTemp("", "w2v-terminal-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(folder)
		path := filepath.Join(folder, product.FileName())
		if err := product.Build(context.Background(), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		program = path
		return m.Run()
	}())
}

// A window is a terminal of a tmux of its own.
type window struct {
	t      *testing.T
	socket string
}

// open opens a terminal of that size, with a shell in a folder.
func open(t *testing.T, folder string, width, height int, environment ...string) *window {
	t.Helper()
	if program == "" {
		t.Skip("there is no tmux")
	}
	w := &window{t, filepath.Join(t.TempDir(), "tmux")}
	shell := append([]string{"env", "-u", "NO_COLOR", "LC_ALL=C.UTF-8", "PS1=ready> ", "TMPDIR=" + folder}, environment...)
	w.tmux(append([]string{"-f", os.DevNull, "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "-c", folder}, append(shell, "sh")...)...)
	t.Cleanup(func() { w.tmux("kill-server") })
	w.sees("ready>")
	return w
}

func (w *window) tmux(args ...string) string {
	w.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-S", w.socket}, args...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// types types a text, keys presses keys by tmux's names.
func (w *window) types(text string) { w.t.Helper(); w.tmux("send-keys", "-l", text) }
func (w *window) keys(keys ...string) {
	w.t.Helper()
	w.tmux(append([]string{"send-keys"}, keys...)...)
}

// screen is what is seen.
func (w *window) screen() string { w.t.Helper(); return w.tmux("capture-pane", "-p") }

// sees waits until all texts are seen.
func (w *window) sees(texts ...string) {
	w.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		screen, missing := w.screen(), ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		if time.Now().After(deadline) {
			w.t.Fatalf("%q is not seen on\n%s", missing, screen)
		}
	}
}

// state is what tmux says of the terminal: whether a program has the whole screen, and whether there is a cursor.
func (w *window) state() string {
	w.t.Helper()
	return strings.TrimSpace(w.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}"))
}

// vectors writes a model in text.
func vectors(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	text := "7 3\nking 1 0.2 0\nqueen 0.9 0.3 0.4\nman 0.1 1 0\nwoman 0.1 1 0.5\nשלום 0.5 0.5 0.1\n日本語 0.3 0.5 0.1\nkingdom 0.8 0 -0.2\n"
	for _, name := range []string{"one.vec", "two.vec"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// What somebody does in a session, from the first key to the shell's next prompt.
func TestSession(t *testing.T) {
	w := open(t, vectors(t), 80, 24)
	w.types(program + " query one.vec; echo code $?")
	w.keys("Enter")
	w.sees("one.vec (7 words × 3)", "ctrl-c quit", "man king woman")
	w.types("ki")
	w.sees("tab: king  kingdom")
	w.keys("Tab")
	w.sees("> king", "› 1 ")
	w.keys("Enter")
	w.sees("pinned")
	w.types(" - man + woman")
	w.sees("king − man + woman", "queen", "to pinned")
	w.keys("Down", "Down")
	w.sees("rank      2 of ")
	w.keys("Up", "Enter")
	w.sees("> queen")
	w.keys("Escape")
	w.sees("> king - man + woman")
	w.keys("C-u")
	w.types("日本語")
	w.sees("> 日本語", "word 6 of 7")
	w.tmux("resize-window", "-x", "40", "-y", "10")
	w.sees("> 日本語", "f1 help  ctrl-c quit")
	w.tmux("resize-window", "-x", "150", "-y", "40")
	w.sees("> 日本語", "tab complete")
	if state := w.state(); state != "1 1" {
		t.Errorf("in the session the terminal is %q", state)
	}
	w.keys("C-c")
	w.sees("code 0\nready>")
	if state := w.state(); state != "0 1" {
		t.Errorf("after the session the terminal is %q", state)
	}
}

// Signals leave the terminal as it was.
func TestSignals(t *testing.T) {
	for _, signal := range []string{"TERM", "HUP", "INT"} {
		t.Run(signal, func(t *testing.T) {
			folder := vectors(t)
			w := open(t, folder, 80, 24)
			w.types("stty -g > before; " + program + " query one.vec & echo $! > pid; fg; echo code $?; stty -g > after; cmp before after && echo the same")
			w.keys("Enter")
			w.sees("ctrl-c quit")
			w.types("king")
			w.sees("word 1 of 7")
			pid, err := os.ReadFile(filepath.Join(folder, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("kill", "-"+signal, strings.TrimSpace(string(pid))).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			w.sees("w2v: interrupted", "code 130\nthe same\n")
			if state := w.state(); state != "0 1" {
				t.Errorf("afterwards the terminal is %q", state)
			}
		})
	}
}

// Ctrl-Z gives the terminal back to the shell until fg.
func TestSuspend(t *testing.T) {
	w := open(t, vectors(t), 80, 24)
	w.types(program + " query one.vec two.vec")
	w.keys("Enter")
	w.sees("ctrl-c quit")
	w.types("king")
	w.sees("one.vec: 6 of 6 in both")
	w.keys("C-z")
	w.sees("Stopped")
	w.types("fg")
	w.keys("Enter")
	w.sees("one.vec: 6 of 6 in both", "> king")
	w.keys("C-c")
	w.sees("ready>")
}

var colour = regexp.MustCompile(`\x1b\[([0-9]+;)*(3[0-7]|9[0-7])m`)

// Colours are left out where somebody wants none.
func TestNoColor(t *testing.T) {
	for _, environment := range [][]string{nil, {"NO_COLOR=1"}} {
		w := open(t, vectors(t), 80, 24, environment...)
		w.types(program + " query one.vec")
		w.keys("Enter")
		w.sees("ctrl-c quit")
		w.types("king")
		w.sees("› 1 ")
		styled := w.tmux("capture-pane", "-p", "-e")
		coloured := colour.MatchString(styled)
		if coloured != (environment == nil) {
			t.Errorf("with %q there are colours: %t\n%q", environment, coloured, styled)
		}
		w.keys("C-c")
		w.sees("ready>")
	}
}

// A terminal without a cursor is a plain answer.
func TestDumbTerminal(t *testing.T) {
	w := open(t, vectors(t), 100, 24)
	w.types("TERM=dumb " + program + " query one.vec; echo code $?")
	w.keys("Enter")
	w.sees("TERM is dumb", "use w2v nn, which asks line by line", "code 2\n")
}
