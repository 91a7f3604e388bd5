package command

import (
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A child that fails or takes too long is an error that says what it wrote.
func TestChildrenAreChecked(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	c, err := (Runner{Limit: time.Minute}).Run(t.Context(), Order{Name: sh, Args: []string{"-c", "cat; echo $OMP_NUM_THREADS"}, Stdin: "in ", Env: Threads(3)})
	if err != nil || string(c.Stdout) != "in 3\n" || c.Wall <= 0 {
		t.Errorf("%q, %v, %v", c.Stdout, c.Wall, err)
	}
	if _, err := (Runner{Limit: time.Minute}).Run(t.Context(), Order{Name: sh, Args: []string{"-c", "echo broken >&2; exit 3"}}); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("exit code 3: %v", err)
	}
	if _, err := (Runner{Limit: 50 * time.Millisecond}).Run(t.Context(), Order{Name: sh, Args: []string{"-c", "exec sleep 60"}}); err == nil || !strings.Contains(err.Error(), "deadline") {
		t.Errorf("60 s within 50 ms: %v", err)
	}
	if _, err := (Runner{Limit: time.Minute}).Run(t.Context(), Order{Name: sh, Args: []string{"-c", "exec head -c 20000000 /dev/zero"}}); err == nil {
		t.Error("20 MB of output are fine")
	}
}

func TestTailKeepsTheEnd(t *testing.T) {
	var end tail
	for range 1000 {
		_, _ = end.Write([]byte("a line of text\n")) // cannot fail
	}
	_, _ = end.Write([]byte("the error"))
	if len(end.text) > 4096 || !strings.HasSuffix(string(end.text), "text\nthe error") {
		t.Errorf("%d bytes: %q", len(end.text), end.text)
	}
}
