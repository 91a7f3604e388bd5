//go:build unix

package process_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/w2v-go/w2v/lab/process"
)

// shell starts a script in a folder.
func shell(t *testing.T, folder, script string) *process.Process {
	t.Helper()
	c := exec.Command("sh", "-c", script)
	c.Dir = folder
	return process.Start(t, c)
}

func TestProcessEndsByItself(t *testing.T) {
	p := shell(t, "", "echo out; echo err >&2; exit 7")
	exit := p.Wait()
	if exit.Code != 7 || exit.Signal != 0 || exit.Stdout != "out\n" || exit.Stderr != "err\n" {
		t.Errorf("ended as %+v", exit)
	}
	if p.Running() {
		t.Error("still runs")
	}
	p.Kill() // nobody is there
	if p.Until(func() bool { return false }) {
		t.Error("what never happens has happened")
	}
}

func TestProcessIsKilledWhenAFileAppears(t *testing.T) {
	dir := t.TempDir()
	p := shell(t, dir, "echo > made; exec sleep 100")
	if !p.Until(process.Appeared(filepath.Join(dir, "made"))) || !p.Running() {
		t.Fatal("ended before")
	}
	p.Kill()
	if exit := p.Wait(); exit.Signal != syscall.SIGKILL || exit.Code != -1 {
		t.Errorf("ended as %+v", exit)
	}
}

func TestProcessIsKilledWhenItHasSaidSomething(t *testing.T) {
	p := shell(t, "", "echo ready >&2; exec sleep 100")
	if !p.Until(p.Said("ready")) {
		t.Fatal("ended before")
	}
	p.Kill()
	if exit := p.Wait(); exit.Signal != syscall.SIGKILL || exit.Stderr != "ready\n" {
		t.Errorf("ended as %+v", exit)
	}
}

func TestProcessTakesSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := t.TempDir()
		p := shell(t, dir, `trap "exit 5" INT TERM; echo > ready; while :; do sleep 0.01; done`)
		p.Until(process.Appeared(filepath.Join(dir, "ready")))
		p.Signal(s)
		if exit := p.Wait(); exit.Code != 5 || exit.Signal != 0 {
			t.Errorf("%v: ended as %+v", s, exit)
		}
	}
}

func TestReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	appeared := process.Replaced(path)
	if appeared() {
		t.Error("a file that is not there has appeared")
	}
	write("one")
	replaced := process.Replaced(path)
	if !appeared() || replaced() {
		t.Errorf("appeared %v, replaced %v", appeared(), replaced())
	}
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	if replaced() {
		t.Error("a file that is gone is replaced")
	}
	write("two")
	if !replaced() {
		t.Error("not replaced")
	}
}

func TestAfter(t *testing.T) {
	if process.After(time.Hour)() || !process.After(0)() {
		t.Error("time does not pass")
	}
}
